"""Servers on copies of what the stock has: what is measured may be written to, and goes with the run."""

import contextlib
import itertools
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from benchmarks.bench.contestants import (
    Server,
    create_key,
    make_data_dir,
    run_provender,
)
from benchmarks.bench.context import Context
from benchmarks.bench.databases import PostgresqlDatabase
from benchmarks.bench.filling import copy_profiles, fill_eaters, find_full, make_templates
from benchmarks.bench.results import POSTGRESQL, SQLITE
from benchmarks.servers import run_postgresql
from provender.settings import Settings

_names = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Stage:
    """A running Provender, and what one must know to ask it."""

    server: Server
    key: str
    data_dir: Path
    profiles: list[int]
    database: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


def new_folder(context: Context) -> Path:
    """A folder that stays until the run ends."""
    folder = context.folder / f"run-{next(_names)}"
    folder.mkdir()
    return folder


@contextlib.contextmanager
def folder_for_a_while(context: Context) -> Iterator[Path]:
    """A folder that goes before the run ends, because copies of storages are large."""
    folder = new_folder(context)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def sqlite_stage(context: Context, profiles: int, *, foods: int | None = None, workers: int = 1) -> Iterator[Stage]:
    """Provender on SQLite with so many profiles, on a copy of the storage that the stock keeps."""
    sizes, stock = context.sizes, context.stock
    most = sizes.most_logs if profiles == sizes.profiles else None
    storage = stock.storage(sizes.foods, profiles, sizes.full, most)
    core = context.server_core if workers == 1 else context.both_cores
    with folder_for_a_while(context) as folder:
        data = make_data_dir(folder / "data", stock.catalogue(foods or sizes.foods), storage)
        key = create_key(data)
        with run_provender(data, folder, core=core, workers=workers) as server:
            yield Stage(server, key, data, find_full(profiles, sizes.full))


class Postgresql:
    """A PostgreSQL server from a wheel, with a database for each number of profiles. It is not pinned."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._filled: dict[int, str] = {}

    @classmethod
    @contextlib.contextmanager
    def run(cls) -> Iterator["Postgresql"]:
        with run_postgresql() as address:
            yield cls(address)

    def new_database(self, name: str) -> str:
        database = PostgresqlDatabase.open(self._address)
        try:
            database.run(f"CREATE DATABASE {name}")
        finally:
            database.close()
        parts = urlsplit(self._address)
        return urlunsplit(parts._replace(path=f"/{name}"))

    def filled(self, context: Context, data: Path, profiles: int) -> str:
        """A database with so many profiles, filled once a run: such storage is too large to be kept."""
        if profiles in self._filled:
            return self._filled[profiles]
        sizes, stock = context.sizes, context.stock
        address = self.new_database(f"profiles_{profiles}")
        context.say(f"Filling PostgreSQL with {profiles:,} profiles.")
        key, templates = create_key(data, address), stock.templates(sizes.foods)
        with run_provender(data, data.parent, database=address) as server:
            with server.client(key) as client:
                make_templates(client, templates, datetime.now(UTC).date())
            if profiles == sizes.profiles:
                settings = Settings(data_dir=data, database_url=address)
                fill_eaters(server.url, key, settings, stock.menu(sizes.foods), sizes.most_logs)
        database = PostgresqlDatabase.open(address)
        try:
            copy_profiles(database, len(templates), profiles, sizes.full)
        finally:
            database.close()
        self._filled[profiles] = address
        return address

    @contextlib.contextmanager
    def stage(self, context: Context, profiles: int) -> Iterator[Stage]:
        with folder_for_a_while(context) as folder:
            data = make_data_dir(folder / "data", context.stock.catalogue(context.sizes.foods))
            address = self.filled(context, data, profiles)
            key = create_key(data, address)
            with run_provender(data, folder, core=context.server_core, database=address) as server:
                yield Stage(server, key, data, find_full(profiles, context.sizes.full), address)


def open_stages(exits: ExitStack, context: Context, profiles: int, postgresql: Postgresql | None) -> dict[str, Stage]:
    """Provender on each database."""
    stages = {SQLITE: exits.enter_context(sqlite_stage(context, profiles))}
    if postgresql is not None:
        stages[POSTGRESQL] = exits.enter_context(postgresql.stage(context, profiles))
    return stages
