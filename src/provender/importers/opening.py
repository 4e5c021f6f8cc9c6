"""Opens what an import reads: a file or standard input, as it is or compressed, and tells how far the reading is."""

import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from provender.model.errors import ProvenderError

STANDARD_INPUT = "-"

_GZIP = b"\x1f\x8b"
_XZ = b"\xfd7zXZ\x00"


class UnreadableInput(ProvenderError):
    code = "unreadable_input"
    title = "The file to import cannot be read"
    advice = "Check the path and the format: `provender import --help` says what each kind of source takes."


# What a text becomes smaller by when it is compressed is a tenth of this at most. Something that means harm becomes a
# thousandth, and would fill the disk; but little is let pass however it is packed.
_LARGEST_RATIO = 100
_LET_PASS = 256 * 1024 * 1024


class Expansion:
    """Watches over what comes out of compressed data, and refuses what was made to be much more than it looks."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._expanded = 0

    def add(self, expanded: int, stored: int) -> None:
        """So much more has come out, of so many stored bytes in all."""
        self._expanded += expanded
        if self._expanded > max(_LET_PASS, _LARGEST_RATIO * stored):
            raise UnreadableInput(
                f"{self._name} expands to over {_LARGEST_RATIO} times its size. No such food data exists."
            )


class Input:
    """A binary file to import. `data` is decompressed; `position` of `size` counts the bytes as they are stored."""

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == STANDARD_INPUT else path
        self.size: int | None = None
        try:
            if path == STANDARD_INPUT:
                raw = cast("io.BufferedReader", sys.stdin.buffer)
            else:
                self.size = Path(path).stat().st_size
                raw = Path(path).open("rb")  # noqa: SIM115 - The input closes it.
        except OSError as error:
            raise UnreadableInput(f"{path} cannot be read: {error.strerror or error}.") from error
        self.position = 0
        self._raw = WatchedFile(raw, self._count)
        buffered = io.BufferedReader(self._raw, 1024 * 1024)
        start = buffered.peek(6)
        self.data: BinaryIO = buffered
        if start.startswith(_GZIP):
            self.data = self._watch_over(gzip.GzipFile(fileobj=buffered))
        elif start.startswith(_XZ):
            self.data = self._watch_over(lzma.LZMAFile(buffered))  # noqa: SIM115 - The input closes it.

    def _watch_over(self, expanding: Any) -> BinaryIO:
        expansion = Expansion(self.name)
        watched = WatchedFile(expanding, lambda read: expansion.add(read, self.position))
        return io.BufferedReader(watched, 1024 * 1024)

    def __enter__(self) -> "Input":
        return self

    def __exit__(self, *_: object) -> None:
        self.data.close()
        self._raw.close()

    def peek(self) -> bytes:
        """The first bytes of the data, which stay to be read."""
        return bytes(self.data.peek(64)[:64])  # type: ignore[attr-defined]  # Every buffered file has it.

    def _count(self, read: int) -> None:
        self.position += read


class WatchedFile(io.RawIOBase):
    """A file that reports how much is read from it. It is for a BufferedReader to stand before it."""

    def __init__(self, file: Any, report: Callable[[int], None]) -> None:
        self._file, self._report = file, report

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]  # A raw file is given a writable buffer; the stub says object.
        # What is there now, not all that fits: whoever feeds a pipe may take its time. `readinto1` would save a copy,
        # but it waits for more when it has emptied its own buffer.
        data = self._file.read1(len(view))
        view[: len(data)] = data
        self._report(len(data))
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
