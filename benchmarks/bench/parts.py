"""The parts of a run, in their order, and what a quick run leaves out of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.bench.context import Context, Sizes
from benchmarks.bench.results import Row
from benchmarks.bench.stages import Postgresql
from benchmarks.bench.throughput import measure_throughput, plan_throughput


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are measured together: `plan` says which there are, `measure` fills in their figures."""

    plan: Callable[[Sizes], list[Row]]
    measure: Callable[[Context, Postgresql | None, Sequence[Row]], None]
    uses_postgresql: bool = True


PARTS = (Part(plan_throughput, measure_throughput),)


def left_out(sizes: Sizes) -> list[str]:
    """What a full run has and one of these sizes does not."""
    here = {row.title for part in PARTS for row in part.plan(sizes)}
    missing = [row.title for part in PARTS for row in part.plan(Sizes()) if row.title not in here]
    return missing + ([] if sizes.postgresql else ["the PostgreSQL column of every row"])


def remarks(sizes: Sizes) -> list[str]:
    """How it was measured, where the table would not say so."""
    return [
        f"Every figure is the median of {sizes.rounds} rounds of {sizes.seconds} s, contestants in another order each "
        f"round, {sizes.foods:,} foods and {sizes.profiles:,} profiles unless the row says otherwise.",
        "PostgreSQL's own processes are not pinned: they share both cores with the server and the load.",
    ]
