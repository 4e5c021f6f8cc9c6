"""The targets of make that the README names: those that are cheap are run, of the others make says what it would do."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
# Setting up, locking, measuring, torturing and testing take minutes, and cleaning would take away what runs this.
COMMANDS = sorted(set(re.findall(r"`(make [^`]+)`", README)))


def _make(*arguments: str) -> str:
    if shutil.which("make") is None:
        pytest.skip("There is no make on this machine.")
    # The tests may have been started by make itself, which would pass its own options on.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    # Looking for a Python takes the Makefile longer than all the rest.
    done = subprocess.run(
        ["make", "PYTHON=python3", *arguments],
        cwd=ROOT,
        env=kept,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_make_knows_what_the_readme_names(command: str) -> None:
    assert _make("--dry-run", *shlex.split(command)[1:]).strip()


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
