"""A storage moved to another database: SQLite to PostgreSQL, and back."""

from collections.abc import Callable, Mapping

from provender.settings import Settings
from provender.storage.copying import copy_rows
from provender.storage.opening import open_engine, open_source, open_target


async def copy_storage(
    settings: Settings,
    target: Settings,
    named: str,
    watch: Callable[[int, int], None] = lambda _copied, _compared: None,
) -> Mapping[str, int]:
    """Copy everything into storage that is empty, and compare it; how many rows each table has.

    `named` is where the operator wrote the target's address. `watch` hears how many rows are copied, and compared.
    """
    async with open_source(settings) as source, open_target(target, source.schema, named) as empty:
        rows = await copy_rows(source, empty, watch)
    engine = await open_engine(target)
    try:
        await engine.migrate()
    finally:
        await engine.close()
    return rows
