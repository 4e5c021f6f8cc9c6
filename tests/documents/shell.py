"""The terminal of whoever reads a page: one bash, in a folder of its own, from the first command to the last."""

import shlex
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.system.commands import end_group

_CURLRC = """
silent
show-error
max-time = 20
noproxy = "*"
"""


class Shell:
    def __init__(self, folder: Path, variables: dict[str, str], preamble: str = "") -> None:
        # Without a terminal, curl would write how far it is between the answers.
        (folder / ".curlrc").write_text(_CURLRC)
        program = folder / ".venv" / "bin" / "provender"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m provender "$@"\n')
        program.chmod(0o755)
        self.exit_code = 0
        self._process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=folder,
            env=variables | {"HOME": str(folder), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )
        if preamble:
            self.run(preamble)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        end_group(self._process)

    def run(self, command: str) -> str:
        """What the command prints, on either of its outputs, with a line feed at the end if there is anything."""
        end = "the end of a command"
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        # The answers of the API end without a line feed.
        stdin.write(f"{{ {command}\n}} </dev/null\nprintf '\\n%s %s\\n' $? {shlex.quote(end)}\n")
        stdin.flush()
        lines: list[str] = []
        while not (lines and lines[-1].endswith(f" {end}\n")):
            lines.append(stdout.readline())
            assert lines[-1], f"bash has ended after {command!r}: {''.join(lines)}"
        self.exit_code = int(lines.pop().split()[0])
        text = "".join(lines).strip("\n")
        return f"{text}\n" if text else ""
