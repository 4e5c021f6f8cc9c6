"""Storage and catalogue that fail while a server runs: a clear 503, no answered write lost, and on again by itself."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import httpx
import psutil
import pytest

from provender.api.app import Application
from provender.catalogue.folder import CatalogueFolder
from provender.model.access import Scope
from provender.model.times import utc_now
from provender.services import access
from provender.settings import Settings
from provender.storage import postgresql as engine_file
from provender.storage import postgresql_pool
from provender.storage.opening import DATABASE_FILE, open_engine
from tests.conftest import running
from tests.pantry import BANANA
from tests.system.commands import refusal, run
from tests.system.server import Server, free_port, serving, until
from tests.torture.postgresql import OwnPostgresql

# The settings are made by an asynchronous fixture, which needs to know what runs it.
pytestmark = pytest.mark.usefixtures("anyio_backend")

BACK_WITHIN_S = 30


def _create(client: httpx.Client, name: str) -> httpx.Response:
    return client.post("/v1/profiles", data={"reference_id": name})


def _check_problem(response: httpx.Response, code: str = "storage_unavailable") -> None:
    assert response.status_code == 503, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert int(response.headers["retry-after"]) > 0
    problem = response.json()
    assert problem["code"] == code
    assert "try again" in problem["detail"].lower()


def _complaints(server: Server) -> list[str]:
    """What the log says besides a line for each request."""
    lines = [json.loads(line) for line in server.stderr.splitlines()]
    assert not any("traceback" in line for line in lines)
    return [line["message"] for line in lines if line["event"] == "log"]


def _answers(client: httpx.Client, path: str) -> int:
    """The status; 0 where nobody answers."""
    try:
        return client.get(path).status_code
    except httpx.TransportError:
        return 0


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """A disk of its own, which can be filled."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("Only root can mount a small disk.")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("This machine does not let us mount a small disk.")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(file: Path) -> None:
    descriptor = os.open(file, os.O_CREAT | os.O_WRONLY)
    with contextlib.suppress(OSError):
        while True:
            os.write(descriptor, b"x" * 4096)
    os.close(descriptor)


def test_a_full_disk(tmp_path: Path, catalogue_folder: CatalogueFolder) -> None:
    with _small_disk(tmp_path / "disk") as disk:
        (disk / "catalogue").symlink_to(catalogue_folder.path)
        settings = Settings(data_dir=disk)
        with serving(settings, log_folder=tmp_path) as server, server.client(server.key) as client:
            answered = [name for number in range(20) if _create(client, name := f"before-{number}").status_code == 201]
            _fill(disk / "filler")
            for number in range(50):
                response = _create(client, name := f"full-{number}")
                # A little may still fit into a file that is there.
                if response.status_code == 201:
                    answered.append(name)
                else:
                    _check_problem(response)
            document = {"format": 1, "reference_id": "moved"}
            _check_problem(client.post("/v1/profiles/import", json=document))
            assert client.get("/v1/profiles/before-0").status_code == 200
            _check_problem(client.get("/readyz"))
            said = [line for line in _complaints(server) if "disk is full" in line]
            assert len(said) == 1, "it is said once, not with every request"
            (disk / "filler").unlink()
            assert _answers(client, "/readyz") == 200
            assert _create(client, "after").status_code == 201
            for name in [*answered, "after"]:
                assert client.get(f"/v1/profiles/{name}").status_code == 200


def test_a_read_only_disk_is_refused_at_the_start(tmp_path: Path, catalogue_folder: CatalogueFolder) -> None:
    with _small_disk(tmp_path / "disk") as disk:
        (disk / "catalogue").symlink_to(catalogue_folder.path)
        settings = Settings(data_dir=disk)
        assert run("keys", "create", "--application", "acme", settings=settings).exit_code == 0
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        line = refusal(run("serve", settings=settings, variables={"PROVENDER_PORT": str(free_port())}))
        assert str(disk) in line


@pytest.fixture
def immutable(data_dir: Path) -> Iterator[None]:
    """A disk that is suddenly read-only is hard to have; files that are give the same errors."""
    yield
    for file in data_dir.glob("provender.db*"):
        subprocess.run(["chattr", "-i", str(file)], check=False)


@pytest.mark.usefixtures("immutable")
def test_files_that_become_read_only(data_dir: Path) -> None:
    """The memory that SQLite shares through a file is lost with it, and with that the worker; a new one takes over."""
    if os.geteuid() != 0 or shutil.which("chattr") is None:
        pytest.skip("Only root can make a file immutable.")
    settings = Settings(data_dir=data_dir)
    with serving(settings) as server, server.client(server.key) as client:
        assert _create(client, "alice").status_code == 201
        files = [str(file) for file in data_dir.glob("provender.db*")]
        if subprocess.run(["chattr", "+i", *files], capture_output=True, check=False).returncode != 0:
            pytest.skip("This disk has no immutable files.")
        with contextlib.suppress(httpx.TransportError):
            _check_problem(_create(client, "bob"))
        until(lambda: _answers(client, "/readyz") == 503, BACK_WITHIN_S, "it says that it cannot work")
        _check_problem(_create(client, "carol"))
        subprocess.run(["chattr", "-i", *files], check=True)
        until(lambda: _answers(client, "/readyz") == 200, BACK_WITHIN_S, "it works again")
        assert client.get("/v1/profiles/alice").status_code == 200
        assert _create(client, "dave").status_code == 201


def test_a_data_folder_that_is_moved_away_takes_no_write_until_it_is_back(data_dir: Path) -> None:
    with serving(Settings(data_dir=data_dir), workers=1) as server, server.client(server.key) as client:
        assert _create(client, "alice").status_code == 201
        data_dir.rename(away := data_dir.with_name("away"))
        for _ in range(3):
            _check_problem(_create(client, "bob"))
        _check_problem(client.get("/readyz"))
        assert len([line for line in _complaints(server) if "removed or replaced" in line]) == 1
        away.rename(data_dir)
        assert client.get("/readyz").status_code == 200
        assert _create(client, "bob").status_code == 201


def test_a_database_file_that_is_deleted_is_never_written_to(data_dir: Path) -> None:
    """SQLite itself would go on writing to a file that has no name any more, and all of it would be lost."""
    with serving(Settings(data_dir=data_dir)) as server, server.client(server.key) as client:
        assert _create(client, "alice").status_code == 201
        for file in data_dir.glob("provender.db*"):
            file.unlink()
        _check_problem(_create(client, "bob"))
        # Neither does the worker that comes after make a new one, in which no key would be known.
        [worker] = psutil.Process(server.process.pid).children()
        os.kill(worker.pid, signal.SIGKILL)
        until(lambda: _answers(client, "/healthz") == 200, BACK_WITHIN_S, "there is a new worker")
        _check_problem(_create(client, "bob"))
        _check_problem(client.get("/readyz"))
        assert not (data_dir / DATABASE_FILE).exists()


def test_a_worker_that_dies_again_and_again_does_not_take_the_others_with_it(data_dir: Path) -> None:
    with serving(Settings(data_dir=data_dir), workers=2) as server:
        main = psutil.Process(server.process.pid)
        first, second = main.children()
        for _ in range(3):
            os.kill(second.pid, signal.SIGKILL)
            second = _next_child(main, {first.pid, second.pid})
        until(lambda: _ready_workers(server) == 2, BACK_WITHIN_S, "both workers answer")
        assert first.is_running()
        with server.client(server.key) as client:
            assert _create(client, "alice").status_code == 201
        assert server.stop() == 0


def _next_child(main: psutil.Process, known: set[int]) -> psutil.Process:
    """The process that is started in the place of one that died."""
    found: list[psutil.Process] = []

    def is_there() -> bool:
        found[:] = [child for child in main.children() if child.pid not in known]
        return bool(found)

    until(is_there, BACK_WITHIN_S, "it is replaced")
    return found[0]


def _ready_workers(server: Server) -> int:
    try:
        return len(server.workers_that_are_ready())
    except httpx.TransportError:
        return 0


@pytest.fixture
def damaged(tmp_path: Path, catalogue_folder: CatalogueFolder) -> Path:
    """A data folder with a catalogue of its own, which may be damaged."""
    data_dir = tmp_path / "data"
    data_dir.mkdir(mode=0o700)
    shutil.copytree(catalogue_folder.path, data_dir / "catalogue")
    return data_dir


def _foods_file(data_dir: Path) -> Path:
    [file] = (data_dir / "catalogue").glob("*/foods.db")
    return file


@pytest.mark.parametrize("left", [4096, -1])
def test_a_truncated_catalogue_is_refused_at_the_start(damaged: Path, left: int) -> None:
    file = _foods_file(damaged)
    os.truncate(file, left if left >= 0 else file.stat().st_size - 4096)
    settings = Settings(data_dir=damaged)
    line = refusal(run("serve", settings=settings, variables={"PROVENDER_PORT": str(free_port())}))
    assert str(file) in line


def test_a_catalogue_that_is_truncated_while_it_serves(damaged: Path) -> None:
    """It is read through mapped memory, so the worker that touches it dies; the next one sees it before it does."""
    file = _foods_file(damaged)
    with serving(Settings(data_dir=damaged)) as server, server.client(server.key) as client:
        whole = file.read_bytes()
        os.truncate(file, 4096)
        with contextlib.suppress(httpx.TransportError):
            _check_problem(client.get(f"/v1/foods/{BANANA.id}"), "catalogue_unavailable")
        until(lambda: _answers(client, "/healthz") == 200, BACK_WITHIN_S, "there is a new worker")
        for _ in range(3):
            _check_problem(client.get(f"/v1/foods/{BANANA.id}"), "catalogue_unavailable")
        _check_problem(client.get("/readyz"), "catalogue_unavailable")
        # What needs no food goes on.
        assert _create(client, "alice").status_code == 201
        said = [line for line in _complaints(server) if "catalogue" in line]
        assert all(str(file) in line for line in said), "every line names the file"
        assert 1 <= len(said) <= 2, "it is said when it is found and when it keeps somebody from an answer"
        assert server.process.poll() is None
        file.write_bytes(whole)
        until(lambda: _answers(client, "/readyz") == 200, BACK_WITHIN_S, "it works again")
        assert client.get(f"/v1/foods/{BANANA.id}").status_code == 200


def test_a_database_server_that_stops_and_starts_again(own_postgresql: OwnPostgresql, data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir, database_url=own_postgresql.new_database())
    with serving(settings) as server, server.client(server.key) as client:
        assert _create(client, "alice").status_code == 201
        own_postgresql.stop()
        try:
            for number in range(20):
                _check_problem(_create(client, f"stopped-{number}"))
            _check_problem(client.get("/readyz"))
            # A worker that starts now has no database to begin with.
            [worker] = psutil.Process(server.process.pid).children()
            os.kill(worker.pid, signal.SIGKILL)
            until(lambda: _answers(client, "/healthz") == 200, BACK_WITHIN_S, "there is a new worker")
            _check_problem(_create(client, "bob"))
            assert len(_complaints(server)) < 12, "it is said now and then, not with every request"
        finally:
            own_postgresql.start()
        until(lambda: _answers(client, "/readyz") == 200, BACK_WITHIN_S, "it works again")
        assert client.get("/v1/profiles/alice").status_code == 200
        assert _create(client, "bob").status_code == 201
        assert server.stop() == 0


@pytest.fixture
async def hurried(
    own_postgresql: OwnPostgresql, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx.AsyncClient]:
    """The application with two connections, whose patience with a database is short."""
    monkeypatch.setattr(engine_file, "_STATEMENT_TIMEOUT_S", 1.0)
    for module in (engine_file, postgresql_pool):
        monkeypatch.setattr(module, "ACQUIRE_TIMEOUT_S", 0.5)
    settings = Settings(data_dir=data_dir, database_url=own_postgresql.new_database(), database_connections=2)
    engine = await open_engine(settings)
    await engine.migrate()
    key = await access.create_key(engine, "hurried", Scope.WRITE, utc_now())
    await engine.close()
    app = Application(settings, log_descriptor=os.open(os.devnull, os.O_WRONLY))
    headers = {"Authorization": f"Bearer {key}"}
    transport = httpx.ASGITransport(app)
    async with running(app), httpx.AsyncClient(transport=transport, base_url="http://a", headers=headers) as client:
        yield client


async def test_a_database_that_hangs_keeps_nobody_waiting_for_long(
    own_postgresql: OwnPostgresql, hurried: httpx.AsyncClient
) -> None:
    assert (await hurried.post("/v1/profiles", data={"reference_id": "hung-0"})).status_code == 201
    with own_postgresql.held_up():
        async with asyncio.timeout(20):
            names = [f"hung-{number}" for number in range(1, 7)]
            sent = [hurried.post("/v1/profiles", data={"reference_id": name}) for name in names]
            for response in await asyncio.gather(*sent, hurried.get("/v1/profiles/hung-0"), hurried.get("/readyz")):
                _check_problem(response)
    async with asyncio.timeout(BACK_WITHIN_S):
        while (await hurried.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.05)
    assert (await hurried.get("/v1/profiles/hung-0")).status_code == 200
    assert (await hurried.post("/v1/profiles", data={"reference_id": "hung-7"})).status_code == 201


async def test_connections_that_are_all_in_use_are_waited_for_and_then_refused(
    own_postgresql: OwnPostgresql, hurried: httpx.AsyncClient
) -> None:
    other = await asyncpg.connect(own_postgresql.last_url)
    try:
        async with other.transaction():
            await other.execute("LOCK TABLE profiles IN EXCLUSIVE MODE")
            async with asyncio.timeout(20):
                sent = [hurried.post("/v1/profiles", data={"reference_id": f"pooled-{n}"}) for n in range(12)]
                for response in await asyncio.gather(*sent):
                    _check_problem(response)
        async with asyncio.timeout(BACK_WITHIN_S):
            answers = [await hurried.post("/v1/profiles", data={"reference_id": f"pooled-{n}"}) for n in range(12)]
    finally:
        await other.close()
    assert {response.status_code for response in answers} == {201}
