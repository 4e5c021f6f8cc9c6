"""Files and folders that are written under another name, and get their own when they are whole and on the disk."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from provender.model.errors import NotMoved


def part_of(path: Path) -> Path:
    """Where it is written. The name is always the same, so that whoever comes next takes over what a crash left."""
    return path.with_name(f".{path.name}.part")


@contextlib.contextmanager
def refused_files() -> Iterator[None]:
    """Says why a file cannot be written. Whoever waits for a database takes other errors of the system for its own."""
    try:
        yield
    except OSError as error:
        raise NotMoved(f"A file cannot be written: {error}.") from error


def make_part(path: Path) -> Path:
    """Make what a file is written as, and the folder around it, for its owner only: it is what people ate."""
    part = part_of(path)
    with refused_files():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Who was killed after the file had got its name has left this one, too: it is the same file, and in use.
        if part.exists() and part.stat().st_nlink > 1:
            part.unlink()
        part.touch(mode=0o600)
    return part


@contextlib.contextmanager
def claimed(part: Path) -> Iterator[None]:
    """Nobody else writes it meanwhile. The system takes the claim back when the process ends, however it ends."""
    with refused_files():
        descriptor = os.open(part, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotMoved(f"Another command is writing {part}. Wait until it has ended.") from None
        yield
    finally:
        os.close(descriptor)


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def give_name(part: Path, path: Path) -> None:
    """Give a file its own name, unless somebody has taken that meanwhile: a rename would throw theirs away."""
    with refused_files():
        sync(part)
        try:
            path.hardlink_to(part)
        except FileExistsError:
            raise NotMoved(f"{path} was made by somebody else meanwhile. It is left as it is.") from None
        part.unlink()
        sync(path.parent)
