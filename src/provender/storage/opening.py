"""Which engine the settings ask for: the only place that chooses."""

from provender.metrics.sheet import Sheet
from provender.settings import Settings
from provender.storage.engine import Engine
from provender.storage.postgresql import open_postgresql
from provender.storage.sqlite import open_sqlite

DATABASE_FILE = "provender.db"


async def open_engine(settings: Settings, *, create: bool = True, metrics: Sheet | None = None) -> Engine:
    """Open the storage as it is; `migrate` brings it to this program's schema.

    Without `create`, a data folder that has no storage is refused: it is more likely misspelt than meant. With
    `metrics`, what the engine does is counted there.
    """
    if settings.database_url is not None:
        pool = None if metrics is None else metrics.pool
        return await open_postgresql(settings.database_url, settings.database_connections, pool)
    commits = None if metrics is None else metrics.commits
    return open_sqlite(settings.data_dir / DATABASE_FILE, create=create, counts=commits)
