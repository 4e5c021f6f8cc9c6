"""How something long is going: a bar or a moving line on a terminal, a plain line now and then elsewhere.

All of it is on standard error, so that standard output has nothing but what was asked for.
"""

import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from provender.cli.output import is_terminal
from provender.importers.report import Report

if TYPE_CHECKING:
    from rich.progress import Progress

# How often something is shown: often enough to be seen to live, seldom enough to cost nothing.
_BAR_EVERY_S = 0.2
_LINE_EVERY_S = 10.0


@contextmanager
def show_progress(where: Callable[[], tuple[int, int | None]]) -> Generator[Callable[[Report], None]]:
    """Show the report as it grows. `where` says how many bytes of how many are read."""
    started = time.monotonic()
    if not is_terminal(sys.stderr):
        yield _throttled(_LINE_EVERY_S, lambda report: _print_line(_describe(report, started)))
        return
    with _draw_bar() as progress:
        task = progress.add_task("", total=None)

        def show(report: Report) -> None:
            read, size = where()
            rate = report.read / max(time.monotonic() - started, 0.001)
            progress.update(task, completed=read, total=size, description=f"{report.read:,} records, {rate:,.0f}/s")

        yield _throttled(_BAR_EVERY_S, show)


def _describe(report: Report, started: float) -> str:
    rate = report.read / max(time.monotonic() - started, 0.001)
    return f"{report.read} records read, {rate:.0f} a second"


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
def show_bytes(done: str, written: Callable[[], int], find_size: Callable[[], int | None]) -> Generator[None]:
    """Show how many bytes are `done`: a thread asks. How many there will be is looked for only where a bar is drawn."""
    size = find_size() if is_terminal(sys.stderr) else None
    if size is None:
        with show_tally(lambda: f"{written() / 1e6:.1f} MB {done}"):
            yield
        return
    with _draw_bar() as progress:
        task = progress.add_task("", total=size)

        def show() -> None:
            now = min(written(), size)
            progress.update(task, completed=now, description=f"{now / 1e6:,.1f} of {size / 1e6:,.1f} MB {done}")

        with _asking(_BAR_EVERY_S, show):
            yield


@contextmanager
def show_tally(say: Callable[[], str]) -> Generator[None]:
    """Show how far something is that does not tell by itself: a thread asks."""
    if not is_terminal(sys.stderr):
        with _asking(_LINE_EVERY_S, lambda: _print_line(f"{say()} so far")):
            yield
        return
    # Loaded only here: it takes longer than most commands.
    from rich.console import Console  # noqa: PLC0415

    with (
        Console(file=sys.stderr).status(say()) as status,
        _asking(_BAR_EVERY_S, lambda: status.update(say())),
    ):
        yield


@contextmanager
def _asking(every_s: float, show: Callable[[], None]) -> Generator[None]:
    done = threading.Event()

    def ask() -> None:
        while not done.wait(every_s):
            show()

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    try:
        yield
    finally:
        done.set()
        asking.join()


def _draw_bar() -> "Progress":
    # As above.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(file=sys.stderr), transient=True)


def _print_line(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
