"""How something long is going: a bar or a moving line on a terminal, a plain line now and then elsewhere."""

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.status import Status

from provender.importers.report import Report

# How often something is shown: often enough to be seen to live, seldom enough to cost nothing.
_BAR_EVERY_S = 0.2
_LINE_EVERY_S = 10.0


@contextmanager
def show_progress(where: Callable[[], tuple[int, int | None]]) -> Generator[Callable[[Report], None]]:
    """Show the report as it grows. `where` says how many bytes of how many are read."""
    console = Console(file=sys.stderr)
    started = time.monotonic()
    if not console.is_terminal:
        yield _throttled(_LINE_EVERY_S, lambda report: _print_line(report, started))
        return
    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)

        def show(report: Report) -> None:
            read, size = where()
            rate = report.read / max(time.monotonic() - started, 0.001)
            progress.update(task, completed=read, total=size, description=f"{report.read:,} records, {rate:,.0f}/s")

        yield _throttled(_BAR_EVERY_S, show)


def _print_line(report: Report, started: float) -> None:
    rate = report.read / max(time.monotonic() - started, 0.001)
    sys.stderr.write(f"{report.read} records read, {rate:.0f} a second\n")
    sys.stderr.flush()


def _throttled(every_s: float, show: Callable[[Report], None]) -> Callable[[Report], None]:
    due = time.monotonic() + every_s

    def watch(report: Report) -> None:
        nonlocal due
        # To ask the clock takes no longer than to count how often it was not asked.
        if (now := time.monotonic()) >= due:
            due = now + every_s
            show(report)

    return watch


@contextmanager
def show_tally(say: Callable[[], str]) -> Generator[None]:
    """Show how far something is that does not tell by itself: a thread asks."""
    console = Console(file=sys.stderr)
    done = threading.Event()

    def print_lines() -> None:
        while not done.wait(_LINE_EVERY_S):
            sys.stderr.write(f"{say()} so far\n")
            sys.stderr.flush()

    def turn(status: Status) -> None:
        while not done.wait(_BAR_EVERY_S):
            status.update(say())

    with ExitStack() as stack:
        if console.is_terminal:
            showing = threading.Thread(target=turn, args=(stack.enter_context(console.status(say())),), daemon=True)
        else:
            showing = threading.Thread(target=print_lines, daemon=True)
        showing.start()
        try:
            yield
        finally:
            done.set()
            showing.join()
