"""Which engine the settings ask for: the only place that chooses."""

from provender.settings import Settings
from provender.storage.engine import Engine
from provender.storage.postgresql import open_postgresql
from provender.storage.sqlite import open_sqlite

DATABASE_FILE = "provender.db"


async def open_engine(settings: Settings, *, create: bool = True) -> Engine:
    """Open the storage as it is; `migrate` brings it to this program's schema.

    Without `create`, a data folder that has no storage is refused: it is more likely misspelt than meant.
    """
    if settings.database_url is not None:
        return await open_postgresql(settings.database_url, settings.database_connections)
    return open_sqlite(settings.data_dir / DATABASE_FILE, create=create)
