"""The plan: arithmetic over what was measured and what is assumed, and nothing else."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import harmonic_mean, median
from typing import Any

from benchmarks.capacity.sample import Measured

_DAY_S = 86_400

_LOG = "log a food, durable"
_READS = (
    "recently eaten, 10 foods a page",
    "most eaten, 10 foods a page",
    "favorites, 10 foods a page",
    "a day of the diary",
)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What nobody can measure here. Each has an option of its own."""

    profiles: int = 100_000_000
    # The share of profiles that keep a diary; of the others there is only the profile itself.
    active: float = 1.0
    reads_a_log: float = 3.0
    # The busiest second of a day, over its mean.
    peak: float = 4.0
    # How busy a processor may be at the peak.
    busy: float = 0.5
    # Disk for each byte that is stored: for what updates leave behind, the write-ahead log, and a year's growth.
    room: float = 2.0
    server_cores: int = 16
    database_cores: int = 32
    database_disk_tb: float = 8.0
    standbys: int = 1


@dataclass(frozen=True, slots=True)
class Rates:
    """Requests a second of one worker on PostgreSQL, as `make bench` has measured them."""

    logs: float
    reads: float

    @classmethod
    def of(cls, results: Mapping[str, Any]) -> "Rates":
        found = {
            row["details"]["call"]: median(row["details"]["requests_per_second"]["PostgreSQL"])
            for row in results["rows"]
            if "PostgreSQL" in ((row.get("details") or {}).get("requests_per_second") or {})
        }
        return cls(found[_LOG], harmonic_mean([found[name] for name in _READS]))


@dataclass(frozen=True, slots=True)
class PlannedTable:
    name: str
    rows_a_profile: float
    bytes_a_row: float
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Plan:
    tables: Sequence[PlannedTable]
    bytes_a_profile: float
    rows: int
    bytes: int
    logs_a_second: float
    reads_a_second: float
    workers: int
    servers: int
    database_cores: int
    databases_by_cores: int
    databases_by_disk: int

    @property
    def primaries(self) -> int:
        return max(self.databases_by_cores, self.databases_by_disk)


def make_plan(assumed: Assumptions, measured: Measured, rates: Rates) -> Plan:
    keeping = round(assumed.profiles * assumed.active)
    tables = []
    for table in measured.tables:
        owners = assumed.profiles if table.name == "profiles" else keeping
        rows = round(table.rows * owners / measured.profiles)
        size = table.table_bytes + table.index_bytes
        a_row = size / table.rows if table.rows else 0.0
        tables.append(PlannedTable(table.name, table.rows / measured.profiles, a_row, rows, round(a_row * rows)))
    stored = sum(table.bytes for table in tables)
    logs = keeping * measured.habits.logs_a_day / _DAY_S * assumed.peak
    reads = logs * assumed.reads_a_log
    workers = (logs / rates.logs + reads / rates.reads) / assumed.busy
    database_us = logs * measured.database_us_a_log + reads * measured.database_us_a_read
    cores = database_us / 1e6 / assumed.busy
    return Plan(
        tables=tables,
        bytes_a_profile=sum(table.rows_a_profile * table.bytes_a_row for table in tables),
        rows=sum(table.rows for table in tables),
        bytes=stored,
        logs_a_second=logs,
        reads_a_second=reads,
        workers=math.ceil(workers),
        servers=math.ceil(workers / assumed.server_cores),
        database_cores=math.ceil(cores),
        databases_by_cores=math.ceil(cores / assumed.database_cores),
        databases_by_disk=math.ceil(stored * assumed.room / (assumed.database_disk_tb * 1e12)),
    )


def show(plan: Plan, assumed: Assumptions, measured: Measured, rates: Rates) -> str:
    """The plan with everything that it rests on, as text."""
    habits = measured.habits
    lines = [
        "Measured",
        f"  {measured.profiles:,} profiles on PostgreSQL, made through the API, each with",
        f"    {habits.logs_a_day} logs a day on {habits.days} days of {habits.different_foods} different foods,",
        f"    {habits.favorites} favorites, {habits.custom_foods} custom foods, {habits.saved_meals} saved meals,",
        "    and an Idempotency-Key with every log of the last day",
        f"  the database's processor time: {measured.database_us_a_log:,.0f} us a log with what follows from it,",
        f"    {measured.database_us_a_read:,.0f} us a read",
        f"  a worker on one core (make bench): {rates.logs:,.0f} logs, or {rates.reads:,.0f} reads, a second",
        "",
        "Assumed",
        f"  {assumed.profiles:,} profiles, of which {assumed.active:.0%} keep such a diary",
        f"  {assumed.reads_a_log:g} reads for each log; the busiest second has {assumed.peak:g} times the mean",
        f"  processors are busy for {assumed.busy:.0%} at that time",
        f"  {assumed.room:g} bytes of disk for each byte stored; {assumed.standbys} standby for each primary",
        f"  machines for Provender have {assumed.server_cores} cores, those for PostgreSQL {assumed.database_cores},",
        f"    and {assumed.database_disk_tb:g} TB; their cores are as fast as those that were measured",
        "",
        f"{'table':<20}{'rows a profile':>16}{'bytes a row':>14}{'rows':>20}{'bytes':>12}",
    ]
    for table in (*plan.tables, None):
        if table is None:
            lines.append(f"{'all':<20}{'':>16}{'':>14}{plan.rows:>20,}{_size(plan.bytes):>12}")
        else:
            lines.append(
                f"{table.name:<20}{table.rows_a_profile:>16,.1f}{table.bytes_a_row:>14,.0f}{table.rows:>20,}"
                f"{_size(table.bytes):>12}"
            )
    lines += [
        "",
        f"{plan.bytes_a_profile / 1000:,.0f} kB for a profile that keeps a diary.",
        f"At the peak: {plan.logs_a_second:,.0f} logs and {plan.reads_a_second:,.0f} reads a second.",
        f"Provender: {plan.workers:,} workers, {plan.servers:,} machines.",
        f"PostgreSQL: {plan.database_cores:,} cores, {_size(plan.bytes * assumed.room)} of disk.",
        f"  Primaries: {plan.primaries:,}; by cores it would be {plan.databases_by_cores:,},",
        f"  by disk {plan.databases_by_disk:,}. With standbys: {plan.primaries * (1 + assumed.standbys):,} machines.",
    ]
    return "\n".join(lines)


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:,.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} PB"
