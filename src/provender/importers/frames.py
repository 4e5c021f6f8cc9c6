"""What an import and the processes that work for it say to each other, and how it is written into a pipe."""

import struct
from typing import BinaryIO, TypeVar

import msgspec

from provender.importers.records import Mend, Reason

_LENGTH = struct.Struct("<Q")
_encode = msgspec.msgpack.Encoder().encode

Message = TypeVar("Message", bound=msgspec.Struct)


class Header(msgspec.Struct):
    """The first message to a process: what stands before every piece."""

    line: bytes


class Task(msgspec.Struct, array_like=True):
    """A piece to judge. Its foods are numbered from `first` on."""

    first: int
    piece: bytes


class Answer(msgspec.Struct, omit_defaults=True):
    """What became of a piece; or that the file is whole; or what went wrong."""

    accepted: int = 0
    rejected: dict[Reason, int] = {}
    mends: dict[Mend, int] = {}
    datasets: dict[str, int] = {}
    # The rejected records as they are written.
    lines: bytes = b""
    is_last: bool = False
    unwritable: str | None = None
    failed: str | None = None


def write_frame(pipe: BinaryIO, message: msgspec.Struct) -> None:
    data = _encode(message)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def read_frame(pipe: BinaryIO, kind: type[Message]) -> Message | None:
    """The next message; None where there is none any more, or only a part of one."""
    start = pipe.read(_LENGTH.size)
    if len(start) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(start)
    data = pipe.read(length)
    return msgspec.msgpack.decode(data, type=kind) if len(data) == length else None
