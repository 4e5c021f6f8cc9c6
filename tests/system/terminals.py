"""Commands on a terminal, as a person runs them."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

from provender.settings import Settings
from tests.system.commands import DONE_WITHIN_S, PROGRAM, end_group, environment


def on_terminal(*arguments: str, settings: Settings, columns: int = 120, variables: dict[str, str]) -> tuple[int, str]:
    """Run a command with a pseudo-terminal for its input and output; its exit code, and all that it has shown."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {name: value for name, value in environment(settings).items() if name not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        env=kept | {"TERM": "xterm-256color"} | variables,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    try:
        # Reading fails when the last who has the terminal open is gone.
        while piece := _read(ours):
            shown += piece
        exit_code = process.wait(DONE_WITHIN_S)
    finally:
        end_group(process)
        os.close(ours)
    return exit_code, shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
