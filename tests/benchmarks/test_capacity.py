"""The plan for many profiles: what it measures is there, and what it computes follows from that."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from benchmarks.capacity.__main__ import main
from benchmarks.capacity.plan import Assumptions, Rates, make_plan, show
from benchmarks.capacity.sample import Habits, Measured, Table, measure
from benchmarks.stages import Stage, make_settings
from provender.catalogue.folder import CatalogueFolder
from provender.storage import removal
from tests.conftest import PostgresqlServer

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "latest.json"

MEASURED = Measured(
    habits=Habits(logs_a_day=10),
    profiles=2,
    tables=[Table("profiles", 2, 200, 100), Table("diary_logs", 200, 10_000, 10_000)],
    database_us_a_log=500.0,
    database_us_a_read=100.0,
)
ASSUMED = Assumptions(
    profiles=864_000,
    active=0.5,
    reads_a_log=2,
    peak=2,
    busy=0.5,
    room=2,
    server_cores=4,
    database_cores=1,
    database_disk_tb=0.001,
    standbys=1,
)
RATES = Rates(logs=100, reads=200)


def test_the_plan_follows_from_what_is_measured_and_assumed() -> None:
    plan = make_plan(ASSUMED, MEASURED, RATES)
    profiles, logs = plan.tables
    assert (profiles.rows, profiles.bytes) == (864_000, 864_000 * 150)
    assert (logs.rows, logs.bytes) == (43_200_000, 4_320_000_000)
    assert plan.bytes_a_profile == 150 + 10_000
    # 432,000 profiles with ten logs a day are 50 a second, and twice that at the peak.
    assert (plan.logs_a_second, plan.reads_a_second) == (100, 200)
    assert (plan.workers, plan.servers) == (4, 1)
    # 100 logs of 500 us and 200 reads of 100 us are 0.07 s of a processor that may be busy for half of a second.
    assert (plan.database_cores, plan.databases_by_cores) == (1, 1)
    assert plan.databases_by_disk == 9
    assert plan.primaries == 9
    text = show(plan, ASSUMED, MEASURED, RATES)
    assert "With standbys: 18 machines" in text
    assert "4.4 GB" in text


@pytest.mark.parametrize(
    "change", [{"profiles": 1_728_000}, {"active": 1.0}, {"room": 4}, {"database_disk_tb": 0.0005}]
)
def test_more_of_anything_needs_more_machines(change: dict[str, float]) -> None:
    more = make_plan(replace(ASSUMED, **change), MEASURED, RATES)  # type: ignore[arg-type]
    assert more.primaries > make_plan(ASSUMED, MEASURED, RATES).primaries


def test_the_rates_are_those_of_the_last_full_run() -> None:
    rates = Rates.of(json.loads(RESULTS.read_text()))
    assert 0 < rates.logs < rates.reads


async def test_a_sample_is_made_through_the_api_and_measured(
    postgresql: PostgresqlServer, tmp_path: Path, shipped_folder: CatalogueFolder
) -> None:
    name = await postgresql.create()
    settings = make_settings(tmp_path / "data", shipped_folder, postgresql.url(name))
    stage = await Stage.set_up(settings, datetime(2026, 3, 10, 12, tzinfo=UTC))
    habits = Habits(days=4, logs_a_day=3, different_foods=20)
    measured = await measure(stage, habits, profiles=2, calls=150)
    await postgresql.drop(name)
    rows = {table.name: table.rows for table in measured.tables}
    assert rows.keys() == removal.OWNED_TABLES.keys() | {"profiles"}
    assert measured.profiles == rows["profiles"] == 2
    assert rows["diary_logs"] == 2 * 4 * 3
    assert rows["diary_days"] == 2 * 4
    assert rows["answered_requests"] == 2 * 3
    assert rows["favorites"] == 2 * habits.favorites
    assert measured.database_us_a_log > 0


def test_what_was_measured_once_serves_many_plans(tmp_path: Path) -> None:
    file = tmp_path / "sample.json"
    file.write_bytes(msgspec.json.encode(MEASURED))
    done = CliRunner().invoke(main, ["--sample-file", str(file), "--profiles", "200", "--active", "1"])
    assert done.exit_code == 0, done.output
    assert re.search(r"diary_logs +100\.0 +100 +20,000 +2\.0 MB", done.output)
