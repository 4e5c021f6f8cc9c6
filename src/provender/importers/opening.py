"""Opens what an import reads: a file or standard input, as it is or compressed, and tells how far the reading is."""

import gzip
import io
import lzma
import sys
from pathlib import Path
from typing import BinaryIO, cast

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
        self._counted = _Counted(raw)
        buffered = io.BufferedReader(self._counted, 1024 * 1024)
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
        self._counted.close()

    def peek(self) -> bytes:
        """The first bytes of the data, which stay to be read."""
        return bytes(self.data.peek(64)[:64])  # type: ignore[attr-defined]  # All three kinds of files have it.

    @property
    def position(self) -> int:
        return self._counted.position


class _Counted(io.RawIOBase):
    """A file that counts what was read from it."""

    def __init__(self, raw: io.BufferedReader) -> None:
        self._raw = raw
        self.position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]  # A raw file is given a writable buffer; the stub says object.
        # What is there now, not all that fits: whoever feeds a pipe may take its time.
        data = self._raw.read1(len(view))
        view[: len(data)] = data
        self.position += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()
