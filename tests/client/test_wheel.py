"""The client as it is installed: a wheel of its own, without anything of the server."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from provender_client import __version__
from tests.system.commands import environment
from tests.system.server import Server

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "provender_client"

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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    _run("-m", "hatchling", "build", "--directory", str(folder), cwd=PACKAGE)
    return folder


def test_the_wheel_is_used_without_the_dependencies_of_the_server(server: Server, built: Path, tmp_path: Path) -> None:
    [wheel] = built.glob("*.whl")
    _run("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path), str(wheel))
    program = _PROGRAM.format(allowed=(*_ALLOWED, "provender_client"), folder=str(tmp_path))
    # -P and no PYTHONPATH: the checkout must not be found in the place of the wheel.
    variables = {"PROVENDER_API_KEY": server.key, "PROVENDER_URL": server.url}
    assert _run("-P", "-c", program, cwd=tmp_path, variables=variables) == "Bananas, raw\n"


def test_the_wheel_has_the_client_its_types_and_its_licence_and_asks_for_httpx_alone(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = f"provender_client-{__version__}.dist-info"
        metadata = archive.read(f"{info}/METADATA").decode()
    sources = {f"provender_client/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*.py")}
    assert {name for name in names if not name.startswith(info)} == sources | {"provender_client/py.typed"}
    assert f"{info}/licenses/LICENSE" in names
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    assert required == ["Requires-Dist: anyio>=4", "Requires-Dist: httpx>=0.28"]
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_wheel_can_be_built_of_the_source_distribution_alone(built: Path, tmp_path: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    _run("-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "dist"), cwd=unpacked)
    [wheel], [first] = (tmp_path / "dist").glob("*.whl"), built.glob("*.whl")
    with zipfile.ZipFile(wheel) as again, zipfile.ZipFile(first) as archive:
        assert sorted(again.namelist()) == sorted(archive.namelist())


def _run(*arguments: str, cwd: Path = ROOT, variables: dict[str, str] | None = None) -> str:
    outer = {name: value for name, value in environment().items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=outer | (variables or {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
