"""What PostgreSQL itself finds wrong with a database: its own notes of damage, and its indexes by `amcheck`."""

from typing import Any

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from provender.storage.engine import Damage

# An index of a large table takes minutes.
_TIMEOUT_S = 3600.0

_CHECKSUM_FAILURES = "SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()"

_OUR_TABLES = """
    SELECT c.oid FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = (
        SELECT relnamespace FROM pg_class WHERE oid = 'profiles'::regclass
    )
"""

_INDEXES = f"""
    SELECT i.indexrelid, c.relname, i.indisvalid AND i.indisready AS is_whole, a.amname = 'btree' AS is_tree
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
    WHERE i.indrelid IN ({_OUR_TABLES}) ORDER BY c.relname
"""

_CONSTRAINTS = f"SELECT conname FROM pg_constraint WHERE NOT convalidated AND conrelid IN ({_OUR_TABLES})"

_AMCHECK = (
    "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'amcheck'"
)

_NO_AMCHECK = (
    "The indexes of PostgreSQL were not compared with their tables: the extension amcheck is not there. "
    "CREATE EXTENSION amcheck adds it."
)
_NO_RIGHT = "The indexes of PostgreSQL were not compared with their tables: this user may not run amcheck."


async def find_damage(connection: "PoolConnectionProxy[Any]") -> Damage:
    faults = []
    failures = await connection.fetchval(_CHECKSUM_FAILURES)
    if failures:
        faults.append(f"PostgreSQL has read {failures} pages whose checksums are wrong.")
    indexes = await connection.fetch(_INDEXES)
    faults += [f"The index {name} is not whole." for _, name, is_whole, _ in indexes if not is_whole]
    faults += [f"The constraint {name} was never validated." for (name,) in await connection.fetch(_CONSTRAINTS)]
    schema = await connection.fetchval(_AMCHECK)
    if schema is None:
        return Damage(faults, [_NO_AMCHECK])
    # It is asked for by name, and not by input.
    check = f'SELECT "{schema}".bt_index_check($1::oid::regclass, true)'
    for oid, name, is_whole, is_tree in indexes:
        try:
            if is_whole and is_tree:
                await connection.fetch(check, oid, timeout=_TIMEOUT_S)
        except asyncpg.InsufficientPrivilegeError:
            return Damage(faults, [_NO_RIGHT])
        except (asyncpg.IndexCorruptedError, asyncpg.DataCorruptedError) as error:
            words = str(error).splitlines()[0].rstrip(".")
            faults.append(f"The index {name} is damaged: {words}.")
    return Damage(faults)
