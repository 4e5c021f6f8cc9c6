"""What an import and the processes that work for it say to each other, and how it is written into a pipe.

A process is sent pieces, each with a number, and sends an answer to each. A piece is written as it is, since it is
large; an answer is written in MessagePack.
"""

import struct
from typing import BinaryIO, NamedTuple

import msgspec

from provender.model.judging import Mend, Reason

_NUMBER_AND_LENGTH = struct.Struct("<QQ")
_LENGTH = struct.Struct("<Q")


class Task(NamedTuple):
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


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Answer).decode


def write_task(pipe: BinaryIO, task: Task) -> None:
    pipe.write(_NUMBER_AND_LENGTH.pack(task.first, len(task.piece)))
    pipe.write(task.piece)
    pipe.flush()


def read_task(pipe: BinaryIO) -> Task | None:
    """The next task; None where there is none any more, or only a part of one."""
    start = pipe.read(_NUMBER_AND_LENGTH.size)
    if len(start) < _NUMBER_AND_LENGTH.size:
        return None
    first, length = _NUMBER_AND_LENGTH.unpack(start)
    piece = pipe.read(length)
    return Task(first, piece) if len(piece) == length else None


def write_answer(pipe: BinaryIO, answer: Answer) -> None:
    data = _encode(answer)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def read_answer(pipe: BinaryIO) -> Answer | None:
    """The next answer; None where there is none any more, or only a part of one."""
    start = pipe.read(_LENGTH.size)
    if len(start) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(start)
    data = pipe.read(length)
    return _decode(data) if len(data) == length else None
