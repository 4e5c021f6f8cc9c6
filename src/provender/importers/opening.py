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
            self.data = cast("BinaryIO", gzip.GzipFile(fileobj=buffered))
        elif start.startswith(_XZ):
            self.data = cast("BinaryIO", lzma.LZMAFile(buffered))  # noqa: SIM115 - The input closes it.

    def __enter__(self) -> "Input":
        return self

    def __exit__(self, *_: object) -> None:
        self.data.close()
        self._raw.close()

    def peek(self) -> bytes:
        """The first bytes of the data, which stay to be read."""
        return bytes(self.data.peek(64)[:64])  # type: ignore[attr-defined]  # All three kinds of files have it.

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
