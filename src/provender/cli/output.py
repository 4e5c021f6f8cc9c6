"""What commands print: tables for people on a terminal, plain columns for whatever else reads them, or one document.

The columns are the same every time, whatever the terminal: scripts read them. rich is loaded only where it draws.
"""

import os
import sys
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import IO, Any, NamedTuple, TypeVar

import click
import msgspec

from provender.model.times import to_ms

F = TypeVar("F", bound=Callable[..., Any])


class Cell(NamedTuple):
    """A value of a table: as it stands in a column, and as it is drawn on a terminal."""

    plain: str
    shown: str
    style: str = ""
    is_number: bool = False


def counted(count: int, one: str) -> str:
    """A number of something in a sentence: "1 log", "2 logs"."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


def number(value: int) -> Cell:
    return Cell(str(value), f"{value:,}", is_number=True)


def moment(time: datetime) -> Cell:
    """In columns the day, which sorts and cuts well; a person is also told the minute."""
    return Cell(f"{time:%Y-%m-%d}", f"{time:%Y-%m-%d %H:%M}")


def state(plain: str, word: str, style: str) -> Cell:
    """A word as well as a colour: not everybody sees colours, and not every terminal has them."""
    return Cell(plain, word, style)


Row = Sequence[str | Cell]

_ANY_WIDTH = 10_000


def json_option(command: F) -> F:
    """For every command that prints data."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")(command)


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether somebody looks at it who can be shown more than lines. A stream that was closed is None."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def print_document(document: object) -> None:
    click.echo(_encode(document))


_encode = msgspec.json.Encoder().encode


def as_ms(time: datetime | None) -> int | None:
    """A time as the API has it."""
    return None if time is None else to_ms(time)


def as_day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def print_table(head: Row, rows: Sequence[Row]) -> None:
    names, *cells = [[Cell(each, each) if isinstance(each, str) else each for each in row] for row in (head, *rows)]
    if is_terminal(sys.stdout):
        _draw(names, cells)
    else:
        _print_columns([names, *cells])


def _print_columns(lines: Sequence[Sequence[Cell]]) -> None:
    widths = [max(len(cell.plain) for cell in column) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(cell.plain.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _draw(head: Sequence[Cell], cells: Sequence[Sequence[Cell]]) -> None:
    # Loaded only here: it takes longer than most commands.
    from rich import box  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.measure import Measurement  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for column, name in enumerate(head):
        is_number = any(row[column].is_number for row in cells)
        # The first column is what one copies, so it is never folded.
        table.add_column(name.shown, justify="right" if is_number else "left", overflow="fold", no_wrap=column == 0)
    for row in cells:
        # As text: what somebody has named must not be taken for markup.
        table.add_row(*(Text(cell.shown, style=cell.style) for cell in row))
    if Measurement.get(console, console.options.update(max_width=_ANY_WIDTH), table).minimum <= console.width:
        console.print(table)
        return
    # Too narrow for the longest words side by side: a block for each row.
    for place, row in enumerate(cells):
        if place:
            console.print()
        block = Table.grid(padding=(0, 2))
        for name, cell in zip(head, row, strict=True):
            block.add_row(Text(name.shown, style="bold"), Text(cell.shown, style=cell.style))
        console.print(block)
