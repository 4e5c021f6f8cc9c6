"""The client that blocks, and the client as it is installed, against one server on a socket."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from provender_client import Client, Conflict
from tests.client.conftest import TLS
from tests.client.cutting import cutting_proxy
from tests.client.installing import run_python
from tests.client.scenarios import SCENARIOS, run
from tests.system.server import Server

# What httpx itself needs; nothing else of this environment is to be found.
_ALLOWED = ("httpx", "httpcore", "h11", "anyio", "idna", "certifi", "sniffio", "typing_extensions")

_PROGRAM = """
import importlib.abc, sys

class OnlyHttpx(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in {allowed!r}:
            raise ModuleNotFoundError(f"{{name}} is not there", name=name)

sys.meta_path.insert(0, OnlyHttpx())
sys.path.insert(0, {folder!r})

import provender_client
assert provender_client.__file__.startswith({folder!r})
for server in ("provender", "msgspec", "starlette", "apsw", "asyncpg", "granian", "rich", "click"):
    try:
        __import__(server)
    except ModuleNotFoundError:
        continue
    raise SystemExit(f"{{server}} can be imported")
with provender_client.Client() as client:
    print(client.foods.search("banana").first().food_name)
"""


def test_the_client_that_blocks_does_all_that_the_other_one_does(blocking: Client) -> None:
    for scenario in SCENARIOS.values():
        run(blocking, scenario)


def test_a_post_whose_connection_is_cut_before_the_answer_is_written_once(server: Server) -> None:
    with cutting_proxy(server.port, cuts=2) as (port, connections), httpx.Client(verify=TLS, trust_env=False) as http:
        client = Client(server.key, f"http://127.0.0.1:{port}", http_client=http)
        client.profiles.create("cut")
        assert len(connections) == 3, "each try needs a connection, and the third one answers"
        assert [profile.reference_id for profile in client.profiles.list()].count("cut") == 1
        with pytest.raises(Conflict):
            client.profiles.create("cut")


def test_threads_share_a_client_and_its_connections_and_no_log_has_the_key(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with cutting_proxy(server.port, cuts=0) as (port, connections), httpx.Client(verify=TLS, trust_env=False) as http:
        client = Client(server.key, f"http://127.0.0.1:{port}", http_client=http)
        with ThreadPoolExecutor(2) as threads:
            found = list(threads.map(lambda _: client.foods.search("banana").page()[0].food_name, range(20)))
    assert set(found) == {"Bananas, raw"}
    assert len(connections) <= 2, "one for each thread"
    assert {record.name.partition(".")[0] for record in caplog.records} >= {"httpx", "httpcore"}
    assert not [record for record in caplog.records if server.key in repr(vars(record))]


def test_the_wheel_is_used_without_the_dependencies_of_the_server(server: Server, built: Path, tmp_path: Path) -> None:
    [wheel] = built.glob("*.whl")
    run_python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path), str(wheel))
    program = _PROGRAM.format(allowed=(*_ALLOWED, "provender_client"), folder=str(tmp_path))
    # -P and no PYTHONPATH: the checkout must not be found in the place of the wheel.
    variables = {"PROVENDER_API_KEY": server.key, "PROVENDER_URL": server.url}
    assert run_python("-P", "-c", program, cwd=tmp_path, variables=variables) == "Bananas, raw\n"
