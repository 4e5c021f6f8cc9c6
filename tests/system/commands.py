"""The commands: each as a process of its own, as an operator runs it, or in this one where many are to be tried."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from provender.cli import main
from provender.settings import Settings

PROGRAM = (sys.executable, "-m", "provender")
DONE_WITHIN_S = 30

KEY = re.compile(r"pv_[0-9A-Za-z]{38}")


@dataclass
class Result:
    exit_code: int
    stdout: str
    stderr: str


def environment(settings: Settings | None = None) -> dict[str, str]:
    """Our own environment without any settings but these, and without a proxy between a test and its server."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PROVENDER_") and not name.lower().endswith("_proxy")
    }
    # A test that forgets to say where must not leave storage behind where the tests happen to be run.
    kept["PROVENDER_DATA_DIR"] = str(settings.data_dir) if settings else os.devnull
    if settings and settings.database_url is not None:
        kept["PROVENDER_DATABASE_URL"] = settings.database_url
    return kept


def run(
    *arguments: str | bytes,
    settings: Settings | None = None,
    variables: dict[str, str] | None = None,
    cwd: Path | None = None,
) -> Result:
    """Run a command as a process of its own."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments],
        env=environment(settings) | (variables or {}),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=DONE_WITHIN_S)
    finally:
        # A server that has started by mistake has workers, which would outlive it.
        end_group(process)
    return Result(process.returncode, stdout, stderr)


def end_group(process: subprocess.Popen[Any]) -> None:
    """End what is left of the process and of all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(DONE_WITHIN_S)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def call(*arguments: str | bytes, settings: Settings | None = None, variables: dict[str, str] | None = None) -> Result:
    """Run a command in this process, which takes milliseconds. Never `serve`, which would not return."""
    assert "serve" not in arguments
    outer: dict[str, str | None] = dict.fromkeys(os.environ)
    done = CliRunner().invoke(
        main,
        [os.fsdecode(argument) for argument in arguments],
        env=outer | environment(settings) | (variables or {}),
        prog_name="provender",
    )
    # What is raised here would be a traceback for an operator.
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Result(done.exit_code, done.stdout, done.stderr)


def printed(result: Result) -> str:
    """What a command that succeeds prints. It has nothing to say on standard error."""
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refusal(result: Result) -> str:
    """The one line that a command says instead of doing what it was asked to."""
    assert "Traceback" not in result.stderr, result.stderr[-1000:]
    assert result.exit_code == 1
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    assert line.startswith("provender: ")
    return line
