"""Python in a process of its own, which finds what is installed and not this checkout."""

import subprocess
import sys
from pathlib import Path

from tests.system.commands import environment

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "provender_client"


def run_python(*arguments: str, cwd: Path = ROOT, variables: dict[str, str] | None = None) -> str:
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
