"""The documents as they are served: built from this repository, once for all tests of a run."""

import fcntl
import subprocess
import sys
from pathlib import Path

from provender.api import site

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "build_docs.py"


def build() -> Path:
    """What `make docs` does, which is nothing where it was done. Of several test processes, one builds."""
    with SCRIPT.open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return site.FOLDER
