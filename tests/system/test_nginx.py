"""The configuration in docs/how-to-run-behind-nginx.md, as it stands there, in front of a real server."""

import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from provender.settings import Settings
from tests.building import ROOT
from tests.system.server import Server, free_port, serving, until

PAGE = ROOT / "docs" / "how-to-run-behind-nginx.md"

# What a distribution's nginx.conf says around it, with folders of the test's own.
_AROUND = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/1;
    uwsgi_temp_path {folder}/2;
    scgi_temp_path {folder}/3;
    {configuration}
}}
"""


@pytest.fixture
def server(data_dir: Path) -> Iterator[Server]:
    if shutil.which("nginx") is None or shutil.which("openssl") is None:
        pytest.skip("There is no nginx, or no openssl, on this machine.")
    with serving(Settings(data_dir=data_dir)) as running:
        yield running


def _certificate(folder: Path) -> ssl.SSLContext:
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=api.example"
    files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key", "-out", f"{folder}/pem"]
    subprocess.run([*command.split(), *files], capture_output=True, timeout=30, check=True)
    return ssl.create_default_context(cafile=str(folder / "pem"))


@pytest.fixture
def outside(server: Server, tmp_path: Path) -> Iterator[httpx.Client]:
    """Somebody who reaches nothing but nginx, and trusts its certificate."""
    [configuration] = re.findall(r"```nginx\n(.+?)```", PAGE.read_text(), re.DOTALL)
    trust = _certificate(tmp_path)
    port = free_port()
    for said, here in {
        "127.0.0.1:8000": f"127.0.0.1:{server.port}",
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/certs/api.example.pem": f"{tmp_path}/pem",
        "/etc/ssl/private/api.example.key": f"{tmp_path}/key",
    }.items():
        assert configuration.count(said) == 1
        configuration = configuration.replace(said, here)
    (tmp_path / "nginx.conf").write_text(_AROUND.format(folder=tmp_path, configuration=configuration))
    command = ["nginx", "-p", str(tmp_path), "-c", f"{tmp_path}/nginx.conf", "-e", f"{tmp_path}/error.log"]
    nginx = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    headers = {"Authorization": f"Bearer {server.key}"}
    try:
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", headers=headers, verify=trust, trust_env=False
        ) as client:
            until(lambda: _is_there(client), 20, "nginx hands a request on")
            yield client
    finally:
        nginx.terminate()
        nginx.wait(20)


def _is_there(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.ConnectError:
        return False


def test_requests_pass_through_nginx_as_they_were_sent(outside: httpx.Client) -> None:
    form, json = ({"Content-Type": f"application/{kind}"} for kind in ("x-www-form-urlencoded", "json"))
    outside.post("/v1/profiles", data={"reference_id": "a/b"}).raise_for_status()
    named = outside.get("/v1/profiles/a%2Fb", headers={"X-Request-Id": "mine-1"})
    assert (named.json()["reference_id"], named.headers["x-request-id"]) == ("a/b", "mine-1")
    # 32 digits are nginx's; Provender's own ids have 20.
    assert re.fullmatch("[0-9a-f]{32}", outside.get("/v1/profiles").headers["x-request-id"])
    # The largest that either takes, and one more.
    for size, status in ((1024 * 1024, 400), (1024 * 1024 + 1, 413)):
        assert outside.post("/v1/profiles", content=b"%" * size, headers=form).status_code == status
    document = outside.get("/v1/profiles/a%2Fb/export")
    assert document.status_code == 200, document.text
    # More than any other body may have, and more than nginx keeps in memory: spaces mean nothing in JSON.
    padded = document.content + b" " * 3_000_000
    taken = outside.post("/v1/profiles/import?reference_id=copy", content=padded, headers=json)
    assert taken.status_code == 201, taken.text
