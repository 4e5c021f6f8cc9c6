# ruff: noqa: INP001 - A script is no part of a package.
"""Holds the Python of the documents against `mypy --strict`, as whoever copies it would. `make lint` runs it.

That the examples print what the pages say is tested in tests/documents.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "src" / "provender_client" / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        programs = [program for page in PAGES if (program := _extract(page, Path(folder)))]
        # With the options of this project, which are strict, so that what mypy has looked at already is not looked at
        # again.
        done = subprocess.run(  # noqa: S603 - It is our own command.
            [sys.executable, "-m", "mypy", *programs],
            cwd=ROOT,
            env=os.environ | {"MYPYPATH": "src"},
            check=False,
        )
    return done.returncode


def _extract(page: Path, folder: Path) -> str | None:
    """The program of a page, in which each line stands where it stands on the page."""
    lines: list[str] = []
    text = page.read_text()
    for block in _PYTHON.finditer(text):
        lines += [""] * (text.count("\n", 0, block.start(1)) - len(lines))
        lines += block[1].splitlines()
    if not lines:
        return None
    # mypy names a file by its module, and so this is what it says about the page.
    program = folder / (re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix(""))) + ".py")
    program.write_text("\n".join(lines) + "\n")
    return str(program)


if __name__ == "__main__":
    sys.exit(main())
