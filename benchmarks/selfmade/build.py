"""Fills its database with the foods of a catalogue, and with the same profiles that Provender has.

It runs in Provender's environment and writes SQL: how long it takes is no part of any figure.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import apsw

from benchmarks.bench.plan import Template, reference_id
from provender.model.foods import Food, choose_serving, scale
from provender.model.nutrients import Group

_SCHEMA = Path(__file__).with_name("schema.sql")
_MACROS = (
    "energy_kcal", "total_fat_in_gm", "total_carbohydrates_in_gm", "total_protein_in_gm", "alcohol_in_gm",
    "caffeine_in_mg", "theobromine_in_mg",
)  # fmt: skip
_COLUMNS = 20
_CREATED_MS = 1_760_000_000_000


def build_foods(file: Path, foods: Iterable[Food]) -> None:
    """The catalogue, with its indexes. Datasette serves this file as it is."""
    connection = apsw.Connection(str(file))
    connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
    connection.execute(_SCHEMA.read_text())
    with connection:
        connection.executemany(f"INSERT INTO foods VALUES ({', '.join('?' * _COLUMNS)})", _rows(foods))
        connection.execute("INSERT INTO foods_fts (foods_fts) VALUES ('rebuild')")
        connection.execute("INSERT INTO foods_fts (foods_fts) VALUES ('optimize')")
        connection.execute("CREATE UNIQUE INDEX foods_by_id ON foods (id)")
        connection.execute("CREATE INDEX foods_by_barcode ON foods (barcode)")
    connection.execute("ANALYZE")
    connection.close()


def _rows(foods: Iterable[Food]) -> Iterator[tuple[object, ...]]:
    for number, food in enumerate(foods, start=1):
        description, amount = choose_serving(food)
        groups = scale(food.nutrients, amount)
        macros = groups[Group.MACRO_NUTRIENTS]
        yield (
            number, food.id, food.name, food.food_type.value, food.brand, food.barcode, description, amount,
            food.unit.value, *(macros.get(name) for name in _MACROS), groups[Group.WATER].get("water_in_gm"),
            json.dumps(groups[Group.VITAMINS]), _CREATED_MS, _CREATED_MS,
        )  # fmt: skip


def build_service(catalogue: Path, file: Path, key: str, templates: Sequence[Template], profiles: int) -> None:
    """A copy of the catalogue's file with a key and so many profiles, each like one of the templates."""
    shutil.copyfile(catalogue, file)
    connection = apsw.Connection(str(file))
    numbers = dict(connection.execute("SELECT id, number FROM foods WHERE id IN (SELECT value FROM json_each(?))",
                                      (json.dumps([food for one in templates for food in one.foods]),)))  # fmt: skip
    connection.execute("PRAGMA synchronous = OFF")
    with connection:
        connection.execute("INSERT INTO api_keys VALUES (?, 'benchmark')", (hashlib.sha256(key.encode()).hexdigest(),))
        for profile in range(1, profiles + 1):
            template = templates[profile % len(templates)]
            connection.execute("INSERT INTO profiles VALUES (?, ?)", (profile, reference_id(profile)))
            favorites = [(profile, numbers[food], place) for place, food in enumerate(template.favorites)]
            connection.executemany("INSERT INTO favorites VALUES (?, ?, ?)", favorites)
            connection.executemany(
                "INSERT INTO diary_logs (profile_id, food_number, date, meal, number_of_servings, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [(profile, numbers[one.food], one.day.isoformat(), one.meal, one.servings, _CREATED_MS)
                 for one in template.logs],
            )  # fmt: skip
    connection.execute("PRAGMA journal_mode = WAL; ANALYZE")
    connection.close()
