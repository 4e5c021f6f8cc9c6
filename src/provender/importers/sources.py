"""The kinds of sources that can be imported, and how a path of each becomes a stream of outcomes."""

import lzma
import shutil
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar, cast

from provender.importers import off, sr28
from provender.importers.fdc import import_fdc
from provender.importers.lines import EndlessLine
from provender.importers.off_parquet import read_parquet
from provender.importers.opening import STANDARD_INPUT, Input, UnreadableInput
from provender.importers.pieces import Pieces, cut_lines
from provender.importers.records import Outcome
from provender.importers.run import Source
from provender.importers.table import read_table
from provender.importers.table_map import InvalidMap, TableMap, read_map

_Found = TypeVar("_Found")

# Each kind, and whether it needs a path.
KINDS = {"fdc": True, "off": True, "csv": True, "sr28": False}

_PARQUET = b"PAR1"
_ZIP = b"PK\x03\x04"
_READ_FROM_THE_END = (_PARQUET, _ZIP)


@dataclass(slots=True)
class Position:
    """How far a source is read, in bytes as they are stored; the size is None where nobody knows it."""

    read: int = 0
    size: int | None = None

    def watch(self, read: int, size: int | None) -> None:
        self.read, self.size = read, size


def open_source(kind: str, path: str, map_path: str | None, position: Position, stack: ExitStack) -> Source:
    """The source's outcomes, not read yet. The stack closes what is opened for them."""
    if kind == "sr28":
        return Source(kind, sr28.read_outcomes(), release=sr28.read_header().release)
    release = None if path == STANDARD_INPUT else Path(path).stem
    if path == STANDARD_INPUT:
        path = _keep(stack)
    if kind == "fdc":
        return Source(kind, _refusing(path, lambda: import_fdc(path, position.watch)), release)
    file = stack.enter_context(Input(path))
    if kind == "csv":
        table = _open_map(map_path)
        return Source(kind, _refusing(file.name, lambda: _watched(file, position, read_table(file.data, table))))
    return Source(
        kind,
        _refusing(file.name, lambda: _watched(file, position, _read_off(file, path))),
        release=None,
        cut=lambda: _cut_off(file, position),
    )


def _keep(stack: ExitStack) -> str:
    """Standard input where it can be read as it comes; a file of what it has where that is read from its end."""
    given = cast("BufferedReader", sys.stdin.buffer)
    if not given.peek(4).startswith(_READ_FROM_THE_END):
        return STANDARD_INPUT
    kept = stack.enter_context(NamedTemporaryFile(prefix="provender-import-"))  # noqa: SIM115 - The stack closes it.
    shutil.copyfileobj(given, kept)
    kept.flush()
    return kept.name


def _read_off(file: Input, path: str) -> Iterator[Outcome]:
    """Open Food Facts in whichever of its three forms it is."""
    start = file.peek()
    if start.startswith(_PARQUET):
        return read_parquet(path)
    return off.read_jsonl(file.data) if start.lstrip()[:1] == b"{" else off.read_csv(file.data)


def _cut_off(file: Input, position: Position) -> Pieces | None:
    """Open Food Facts in pieces, in the two forms that have a line for each record."""
    with _refused(file.name):
        start = file.peek()
        if start.startswith(_PARQUET):
            return None
        is_json = start.lstrip()[:1] == b"{"
        header = b"" if is_json else file.data.readline(off.LONGEST_LINE)
        if not is_json:
            off.read_header(header)
    pieces = _refusing(file.name, lambda: _watched(file, position, cut_lines(file.data, 0 if is_json else 1)))
    return Pieces("off_jsonl" if is_json else "off_csv", pieces, header)


def _open_map(path: str | None) -> TableMap:
    if path is None:
        raise UnreadableInput("A csv source needs --map MAP.toml, which says what its columns are.")
    try:
        return read_map(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, InvalidMap) as error:
        raise UnreadableInput(f"The map {path} cannot be read: {error}") from error


def _watched(file: Input, position: Position, found: Iterator[_Found]) -> Iterator[_Found]:
    for each in found:
        position.watch(file.position, file.size)
        yield each


def _refusing(name: str, read: Callable[[], Iterator[_Found]]) -> Iterator[_Found]:
    with _refused(name):
        yield from read()


@contextmanager
def _refused(name: str) -> Iterator[None]:
    """Say in one line what is wrong with a file as a whole; single records never raise."""
    try:
        yield
    except (OSError, EOFError, zlib.error, lzma.LZMAError, EndlessLine) as error:
        raise UnreadableInput(f"{name} cannot be read, or is damaged: {error}") from error
    except ModuleNotFoundError as error:
        raise UnreadableInput(str(error)) from error
    except (InvalidMap, ValueError) as error:
        # There may be several of them, so that it is named.
        raise UnreadableInput(f"{name}: {error}") from error
