"""Cuts a file of lines into pieces of whole lines, which can be judged apart from each other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase, BytesIO
from typing import BinaryIO, Final

from provender.importers import off
from provender.importers.lines import ENDLESS_LINE, EndlessLine
from provender.importers.records import Outcome

# About 70 products: enough that handing one over costs nothing, and few enough to fit into a pipe.
PIECE_BYTES: Final = 512 * 1024

# The forms whose records are lines. A piece of the second needs the first line of its file before it.
READERS: Final[dict[str, Callable[[BinaryIO | BufferedIOBase], Iterator[Outcome]]]] = {
    "off_jsonl": off.read_jsonl,
    "off_csv": off.read_csv,
}


@dataclass(frozen=True, slots=True)
class Pieces:
    """A source as pieces, in their order; `form` says how each is read, and `header` stands before each."""

    form: str
    pieces: Iterator[bytes]
    header: bytes = b""

    def read(self, piece: bytes) -> Iterator[Outcome]:
        return READERS[self.form](BytesIO(self.header + piece if self.header else piece))


def cut_lines(file: BinaryIO | BufferedIOBase, before: int = 0) -> Iterator[bytes]:
    """Pieces of whole lines, behind so many that were read `before`.

    One that is longer than any may be goes on to its end in the same piece, or is cut off.
    """
    rest = b""
    lines, passed = before, 0
    while block := file.read(PIECE_BYTES):
        lines += block.count(b"\n")
        end = block.rfind(b"\n") + 1
        if end:
            # A piece is large, and is copied once.
            yield b"".join((rest, memoryview(block)[:end]))
            rest, passed = block[end:], 0
        elif len(rest) <= off.LONGEST_LINE:
            # What is too long already is not read any further, and need not be kept.
            rest += block
        elif (passed := passed + len(block)) > ENDLESS_LINE:
            raise EndlessLine(lines + 1)
    if rest:
        yield rest
