"""The targets of make that the README names: those that are cheap are run, of the others make says what it would do."""

import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from provender.settings import Settings
from tests.documents.conftest import Stage
from tests.requirement import require_or_skip
from tests.system.commands import end_group, environment
from tests.system.server import Server, free_port, until

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
# Setting up, locking, measuring, torturing and testing take minutes, and cleaning would take away what runs this.
COMMANDS = sorted(set(re.findall(r"`(make [^`]+)`", README)))


# Looking for a Python takes the Makefile longer than all the rest.
MAKE = ("make", "PYTHON=python3")


def _without_make(variables: dict[str, str]) -> dict[str, str]:
    """The tests may have been started by make itself, which would pass its own options on."""
    return {name: value for name, value in variables.items() if not name.startswith(("MAKE", "MFLAGS"))}


def _make(*arguments: str) -> str:
    if shutil.which("make") is None:
        pytest.skip("There is no make on this machine.")
    done = subprocess.run(
        [*MAKE, *arguments],
        cwd=ROOT,
        env=_without_make(dict(os.environ)),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_make_knows_what_the_readme_names(command: str) -> None:
    assert _make("--dry-run", *shlex.split(command)[1:]).strip()


@pytest.fixture
def clone() -> None:
    """A clone that is set up, as that of `make test` is. Elsewhere make would install, which no test should do."""
    if not (ROOT / ".venv" / "bin" / "provender").exists() or "pip install" in _make("--dry-run", "serve"):
        require_or_skip("clone", "There is no .venv here that make would take for ready.")


@pytest.mark.usefixtures("clone")
def test_the_documents_are_built() -> None:
    _make("docs")
    assert (ROOT / "src" / "provender" / "site" / "site.json").exists()


@pytest.mark.usefixtures("clone")
def test_the_service_is_served_until_ctrl_c(first_start: Stage, tmp_path: Path) -> None:
    """As the README says: it prints a key, with which a banana is found."""
    data_dir = tmp_path / "provender-data"
    data_dir.mkdir(mode=0o700)
    shutil.copytree(first_start[1].data_dir / "catalogue", data_dir / "catalogue", copy_function=os.link)
    port = free_port()
    variables = _without_make(environment(Settings(data_dir=data_dir))) | {"PROVENDER_PORT": str(port)}
    output, errors = tmp_path / "stdout", tmp_path / "stderr"
    with output.open("wb") as stdout, errors.open("wb") as stderr:
        process = subprocess.Popen(
            [*MAKE, "serve"], cwd=ROOT, env=variables, stdout=stdout, stderr=stderr, start_new_session=True
        )
    server = Server(process, port, output, errors)
    try:
        until(server.accepts_connections, 90, "it listens")
        server.wait_until_ready(workers=1)
        with server.client(server.key) as client:
            found = client.get("/v1/foods/search", params={"query": "banana"}).json()
        assert found["data"][0]["food_name"] == "Bananas, raw"
        server.signal_all(signal.SIGINT)
        # The server ends as it does without make, which is itself ended by the signal, or says 2 for it.
        assert process.wait(20) in (-signal.SIGINT, 2)
        assert not server.accepts_connections()
        assert '"level":"error"' not in server.stderr
        assert not (data_dir / "provender.db-wal").exists(), "it did not close its storage"
    finally:
        end_group(process)


def test_make_alone_prints_the_targets_that_the_readme_has_and_no_other() -> None:
    printed = set(re.findall(r"^  make ([a-z-]+)", _make(), re.MULTILINE))
    named = {command.split()[1] for command in COMMANDS}
    assert printed - {"help"} == named


def test_the_map_of_the_source_has_every_folder_and_no_other() -> None:
    drawn = set(re.findall(r"^    ([\w/.]+) {2,}\S", README, re.MULTILINE))
    source = ROOT / "src" / "provender"
    folders = {f"{path.name}/" for path in source.iterdir() if (path / "__init__.py").exists()}
    files = {path.name for path in source.glob("*.py") if not path.name.startswith("__")}
    assert drawn == folders | files
