"""A body that is too large to be kept in memory: in a file without a name, which is gone when it is closed."""

import hashlib
import os
import tempfile
from pathlib import Path

from provender.model.errors import StorageUnavailable


class Spool:
    """What was sent, to be read in pieces."""

    def __init__(self, folder: Path) -> None:
        try:
            self._file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115 - Whoever has it closes it.
        except OSError as error:
            raise _unavailable(error) from error
        self.size = 0
        self._hash = hashlib.blake2b(digest_size=32)

    def append(self, piece: bytes) -> None:
        """It goes to the memory that the system has for files, which takes microseconds."""
        try:
            self._file.write(piece)
        except OSError as error:
            raise _unavailable(error) from error
        self.size += len(piece)
        self._hash.update(piece)

    def read(self, offset: int, size: int) -> bytes:
        return os.pread(self._file.fileno(), size, offset)

    def digest(self) -> bytes:
        """The same for the same content, and for no other."""
        return self._hash.digest()

    def close(self) -> None:
        self._file.close()


def _unavailable(error: OSError) -> StorageUnavailable:
    return StorageUnavailable(f"The data folder cannot take the body of a request: {error.strerror or error}.")
