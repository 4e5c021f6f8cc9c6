"""The large data, made once and kept: catalogues, the self-made service's database, lines to import, storages.

Each piece has a key in its name, made of everything that it depends on; a piece with another key is made anew, and the
old one goes.
"""

import hashlib
import itertools
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.bench.contestants import create_key, make_data_dir, run_provender
from benchmarks.bench.databases import SqliteFile
from benchmarks.bench.filling import copy_profiles, fill_eaters, make_templates
from benchmarks.bench.machine import ROOT
from benchmarks.bench.off_lines import write_lines
from benchmarks.bench.plan import Known, Sample, Template, draw_queries, plan_templates
from benchmarks.brands import generate_brand_foods
from benchmarks.catalogues import build_catalogue, read_sr28
from benchmarks.selfmade.build import build_foods
from provender.model.foods import Food
from provender.settings import Settings

_FOODS_MADE_OF = (
    "src/provender/catalogue", "src/provender/importers/data", "src/provender/importers/sr28.py",
    "src/provender/model/foods.py", "src/provender/model/nutrients.py",
    "benchmarks/brands.py", "benchmarks/brand_words.py", "benchmarks/invented.py",
)  # fmt: skip
_STORAGE_MADE_OF = ("src/provender/storage/migrations", "benchmarks/bench/filling.py", "benchmarks/bench/plan.py")
_SAMPLE = 4000
_WORDS = 1000
# More than a process keeps the answers of, so that each is searched for anew.
_PAIRS = 10_000
# Queries are drawn from these many names, so that they find something in smaller catalogues too.
_NAMES = 100_000


def all_foods(count: int) -> Iterator[Food]:
    """SR28, and as many brand products as are missing."""
    return itertools.islice(itertools.chain(read_sr28(), generate_brand_foods(count)), count)


class Stock:
    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self._say = say
        folder.mkdir(parents=True, exist_ok=True)

    def catalogue(self, foods: int) -> Path:
        """A catalogue's folder."""
        brands = max(0, foods - sum(1 for _ in read_sr28()))
        return self.make(
            f"catalogue-{foods}", _hash(*_FOODS_MADE_OF), lambda path: _discard(build_catalogue(path, brands))
        )

    def selfmade(self, foods: int) -> Path:
        """A SQLite file with the same foods, for the self-made service and for Datasette."""
        made_of = _hash(*_FOODS_MADE_OF, "benchmarks/selfmade/build.py", "benchmarks/selfmade/schema.sql")

        def build(path: Path) -> None:
            path.mkdir()
            build_foods(path / "foods.db", all_foods(foods))

        return self.make(f"selfmade-{foods}", made_of, build) / "foods.db"

    def sample(self, foods: int) -> Sample:
        def draw(path: Path) -> None:
            step, known, names = max(1, foods // _SAMPLE), [], []
            for number, food in enumerate(all_foods(foods), start=1):
                if number <= _NAMES:
                    names.append(food.name)
                # Brand products only, because the shipped foods have no barcodes.
                if number % step == 0 and food.barcode is not None:
                    known.append(Known(food.id, food.barcode, number))
            path.write_bytes(msgspec.json.encode(Sample(known, *draw_queries(names, _WORDS, _PAIRS))))

        key = _hash(*_FOODS_MADE_OF, "benchmarks/bench/plan.py", "benchmarks/bench/stock.py")
        return msgspec.json.decode(self.make(f"sample-{foods}", key, draw).read_bytes(), type=Sample)

    def off_lines(self, count: int) -> Path:
        """A file as the Open Food Facts export is, compressed."""
        key = _hash("benchmarks/bench/off_lines.py", "benchmarks/brands.py")

        def write(path: Path) -> None:
            path.mkdir()
            write_lines(path / "products.jsonl.gz", count)

        return self.make(f"off-{count}", key, write) / "products.jsonl.gz"

    def storage(self, foods: int, profiles: int, full: int, most_logs: int | None) -> Path:
        """An SQLite storage with profiles; their diaries end today, so it is good for a day."""
        catalogue, templates, menu = self.catalogue(foods), self.templates(foods), self.menu(foods)
        today = datetime.now(UTC).date()
        key = _hash(*_STORAGE_MADE_OF, *_FOODS_MADE_OF, str(today), str(full), str(most_logs))

        def fill(path: Path) -> None:
            path.mkdir()
            data = make_data_dir(path / "data", catalogue)
            keys = create_key(data)
            with run_provender(data, path) as server:
                with server.client(keys) as client:
                    make_templates(client, templates, today)
                if most_logs is not None:
                    fill_eaters(server.url, keys, Settings(data_dir=data), menu, most_logs)
            database = SqliteFile(data / "provender.db")
            copy_profiles(database, len(templates), profiles, full)
            database.close()
            (data / "provender.db").rename(path / "provender.db")
            shutil.rmtree(data)

        return self.make(f"storage-{foods}-{profiles}", key, fill) / "provender.db"

    def menu(self, foods: int) -> list[str]:
        return [food.id for food in self.sample(foods).spread(300)]

    def templates(self, foods: int) -> list[Template]:
        return plan_templates(self.menu(foods), datetime.now(UTC).date())

    def make(self, name: str, key: str, make: Callable[[Path], None]) -> Path:
        path = self.folder / f"{name}-{key}"
        if path.exists():
            return path
        for old in self.folder.glob(f"{name}-????????????"):
            _remove(old)
        making = self.folder / f".making-{name}"
        _remove(making)
        self._say(f"Making {name}, once; it is kept in {self.folder}.")
        began = time.monotonic()
        try:
            make(making)
            making.rename(path)
        finally:
            _remove(making)
        self._say(f"  {name} took {time.monotonic() - began:.0f} s.")
        return path


def _hash(*parts: str) -> str:
    """Of the content of files and folders of the repository, and of other words as they are."""
    digest = hashlib.sha256()
    for part in parts:
        path = ROOT / part
        digest.update(part.encode() + b"\0")
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _discard(_: object) -> None:
    """What was built is on the disk; how long it took is no figure of this run."""


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
