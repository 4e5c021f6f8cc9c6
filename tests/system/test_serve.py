"""The life of `provender serve`: the first start, the next one, the loss of all its processes, and its log."""

import json
import shutil
import signal
import stat
import subprocess
import threading
from pathlib import Path

import httpx
import pytest

from provender.settings import Settings
from tests.system.commands import KEY, call, environment, printed
from tests.system.server import Server, free_port, serving, starting, until

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")


def test_the_first_start_prints_one_key_and_a_request_that_works(settings: Settings) -> None:
    with serving(settings) as server, server.client(server.key) as client:
        assert set(KEY.findall(server.stdout)) == {server.key}
        assert f"listens on {server.url} (console: {server.url}/, documents: {server.url}/docs/)" in server.stdout
        [line] = [line.strip() for line in server.stdout.splitlines() if line.strip().startswith("curl ")]
        assert client.get("/v1/profiles").json() == {"has_more": False, "data": []}
        if shutil.which("curl") is None:
            pytest.skip("There is no curl on this machine; all but the printed request itself was tested.")
        answer = subprocess.run(
            ["sh", "-c", line], env=environment(), capture_output=True, text=True, timeout=10, check=True
        )
        assert json.loads(answer.stdout) == client.get("/v1/profiles/alice").json()


def test_a_second_start_prints_no_key_and_has_what_the_first_was_given(settings: Settings) -> None:
    with serving(settings) as first, first.client(first.key) as client:
        created = client.post("/v1/profiles", data={"reference_id": "alice", "timezone": "Europe/Berlin"})
        assert created.status_code == 201
        assert first.stop() == 0
    with serving(settings) as second, second.client(first.key) as client:
        assert "pv_" not in second.stdout
        assert "curl" not in second.stdout
        assert client.get("/v1/profiles/alice").json() == created.json()


def test_a_start_after_a_key_was_made_prints_none(settings: Settings) -> None:
    key = printed(call("keys", "create", "--application", "acme", settings=settings)).strip()
    with serving(settings) as server, server.client(key) as client:
        assert "pv_" not in server.stdout
        assert client.get("/v1/profiles").status_code == 200


def test_of_two_first_starts_at_once_one_prints_a_key(settings: Settings) -> None:
    with starting(settings) as one, starting(settings) as other:
        one.wait_until_ready(1)
        other.wait_until_ready(1)
        [key] = one.printed_keys + other.printed_keys
        for server in (one, other):
            with server.client(key) as client:
                assert client.get("/v1/profiles").status_code == 200


def test_the_options_win_over_their_variables(settings: Settings) -> None:
    port = free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--workers", "2", "--data-dir", str(settings.data_dir)]
    wrong = {
        "PROVENDER_HOST": "192.0.2.1",
        "PROVENDER_PORT": "none",
        "PROVENDER_WORKERS": "0",
        "PROVENDER_DATA_DIR": "/dev/null",
    }
    with serving(settings, *options, workers=2, port=port, variables=wrong) as server:
        assert len(server.printed_keys) == 1


def test_a_first_start_needs_nothing_and_makes_a_folder_that_nobody_else_can_enter(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "made" / "too")
    with serving(settings, log_folder=tmp_path) as server:
        with server.client(server.key) as client:
            assert client.post("/v1/profiles", data={"reference_id": "alice"}).status_code == 201
        assert stat.S_IMODE(settings.data_dir.stat().st_mode) == 0o700
        for file in settings.data_dir.glob("provender.db*"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_name_of_a_host_is_an_address_too(settings: Settings) -> None:
    with serving(settings, "--host", "localhost") as server:
        assert f"http://localhost:{server.port}/v1/profiles" in server.stdout


def test_what_was_answered_is_there_after_kill_9_of_every_process(settings: Settings) -> None:
    answered: list[str] = []

    def write_until_killed(server: Server, writer: int) -> None:
        with server.client(server.key) as client:
            for number in range(100_000):
                try:
                    response = client.post("/v1/profiles", data={"reference_id": f"{writer}-{number}"})
                except httpx.TransportError:
                    return
                assert response.status_code == 201
                answered.append(f"{writer}-{number}")

    with serving(settings, workers=2) as server:
        writers = [threading.Thread(target=write_until_killed, args=(server, writer)) for writer in range(4)]
        for writer in writers:
            writer.start()
        until(lambda: len(answered) >= 100, 20, "100 profiles are written")
        server.signal_all(signal.SIGKILL)
        for writer in writers:
            writer.join(20)
            assert not writer.is_alive()
    with serving(settings) as restarted, restarted.client(server.key) as client:
        assert "pv_" not in restarted.stdout
        missing = [one for one in answered if client.get(f"/v1/profiles/{one}").status_code != 200]
        assert missing == []
        assert client.post("/v1/profiles", data={"reference_id": "after"}).status_code == 201


def test_every_line_of_the_log_is_json_and_none_has_a_key_or_an_id_of_a_user(settings: Settings) -> None:
    with serving(settings) as server:
        with server.client(server.key) as client:
            client.post("/v1/profiles", data={"reference_id": "alice-secret"}, headers={"X-Request-Id": "first"})
            client.get("/v1/profiles/alice-secret")
            client.get(f"/{server.key}?key={server.key}")
            client.get("/v1/profiles", headers={"Authorization": f"Bearer {server.key[:-1]}!"})
            client.post("/v1/profiles", content=b"{", headers={"Content-Type": "application/json"})
        server.stop()
    lines = [json.loads(line) for line in server.stderr.splitlines()]
    requests = [line for line in lines if line["event"] == "request" and line["route"] != "/readyz"]
    assert [line["status"] for line in requests] == [201, 200, 404, 401, 400]
    first = requests[0]
    assert (first["method"], first["route"], first["application"]) == ("POST", "/v1/profiles", "default")
    assert first["request_id"] == "first"
    assert first["ms"] > 0
    assert server.key[:11] not in server.stderr
    assert "alice-secret" not in server.stderr
