"""The parts of a run, in their order, and what a quick run leaves out of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.bench.context import Context, Sizes
from benchmarks.bench.growth import measure_logs, measure_profiles, plan_logs, plan_profiles
from benchmarks.bench.growth_search import measure_search, plan_search
from benchmarks.bench.results import Row
from benchmarks.bench.stages import Postgresql
from benchmarks.bench.starting import measure_import, measure_starts, plan_import, plan_starts
from benchmarks.bench.statements import measure_statements, plan_statements
from benchmarks.bench.throughput import measure_throughput, plan_throughput
from benchmarks.bench.workers import measure_workers, plan_workers


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are measured together: `plan` says which there are, `measure` fills in their figures."""

    plan: Callable[[Sizes], list[Row]]
    measure: Callable[[Context, Postgresql | None, Sequence[Row]], None]
    uses_postgresql: bool = True


PARTS = (
    Part(plan_throughput, measure_throughput),
    Part(plan_search, measure_search, uses_postgresql=False),
    Part(plan_logs, measure_logs),
    Part(plan_profiles, measure_profiles),
    Part(plan_statements, measure_statements),
    Part(plan_workers, measure_workers, uses_postgresql=False),
    Part(plan_import, measure_import, uses_postgresql=False),
    Part(plan_starts, measure_starts, uses_postgresql=False),
)


def left_out(sizes: Sizes) -> list[str]:
    """What a full run has and one of these sizes does not."""
    here = {row.title for part in PARTS for row in part.plan(sizes)}
    sections: dict[str, list[Row]] = {}
    for part in PARTS:
        for row in part.plan(Sizes()):
            sections.setdefault(row.section, []).append(row)
    missing = []
    for section, rows in sections.items():
        gone = [row.name for row in rows if row.title not in here]
        if gone:
            missing.append(f"{section}: {'all rows' if len(gone) == len(rows) else '; '.join(gone)}")
    return missing + ([] if sizes.postgresql else ["the PostgreSQL column of every row"])


def remarks(sizes: Sizes) -> list[str]:
    """How it was measured, where the table would not say so."""
    return [
        f"Every figure is the median of {sizes.rounds} rounds, contestants in another order each round.",
        f"There are {sizes.foods:,} foods and {sizes.profiles:,} profiles unless the row says otherwise.",
        "PostgreSQL's own processes are not pinned: they share both cores with the server and the load.",
    ]
