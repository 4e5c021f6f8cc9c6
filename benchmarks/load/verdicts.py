"""What a load was to show, whether it did, and the table of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.load.clients import Taken
from benchmarks.load.memory import Held
from benchmarks.measuring import percentile

SHARE_OF_MAXIMUM = 0.6
P99_MS = 50.0
GROWTH_MB_A_MINUTE = 1.0
# Caches fill in the first minute; in a shorter run, in its first fifth.
_FILLING_S = 60.0
# With more of a processor for itself, we would measure ourselves.
_GENERATOR_SHARE = 0.85


@dataclass(frozen=True, slots=True)
class Outcome:
    """One server under load, first as fast as it answers, then at a rate."""

    name: str
    kinds: Sequence[str]
    connections: int
    maximum: Taken
    rate: float
    steady: Taken
    held: dict[int, Held]

    def milliseconds(self, kind: int | None = None) -> list[float]:
        """The latencies at the rate, in order, of one kind or of all."""
        chosen = self.steady.latencies if kind is None else [self.steady.latencies[kind]]
        return sorted(1000 * seconds for latencies in chosen for seconds in latencies)

    @property
    def errors(self) -> dict[str, int]:
        return dict(self.maximum.errors + self.steady.errors)

    def growth(self) -> dict[int, float | None]:
        after = min(_FILLING_S, self.steady.seconds / 5)
        return {pid: held.growth(after) for pid, held in self.held.items()}


def missed(outcome: Outcome) -> Iterator[str]:
    """Each goal that is missed, in a line."""
    for what, times in outcome.errors.items():
        yield f"{times} errors: {what}"
    if not outcome.steady.answers:
        yield "there were no answers"
        return
    if (p99 := percentile(outcome.milliseconds(), 0.99)) >= P99_MS:
        yield f"p99 is {p99:.1f} ms, and should be below {P99_MS:.0f} ms"
    for pid, growth in outcome.growth().items():
        if growth is None:
            yield f"worker {pid} was not looked at often enough to say whether its memory grows"
        elif growth > GROWTH_MB_A_MINUTE:
            yield f"worker {pid} grows by {growth:.2f} MB a minute, and should by {GROWTH_MB_A_MINUTE:.0f} at most"
    if outcome.maximum.cpu_share > _GENERATOR_SHARE:
        yield f"the generator took {outcome.maximum.cpu_share:.0%} of a core: the maximum may be its own"


def make_table(outcome: Outcome) -> Iterator[str]:
    maximum, steady = outcome.maximum, outcome.steady
    yield f"### {outcome.name}"
    yield ""
    yield (
        f"{outcome.connections} connections. As fast as answered: {maximum.rate:,.0f} requests a second for "
        f"{maximum.seconds:.0f} s, the generator at {maximum.cpu_share:.0%} of a core. Then {outcome.rate:,.0f} "
        f"a second ({SHARE_OF_MAXIMUM:.0%}) for {steady.seconds:.0f} s, the generator at {steady.cpu_share:.0%}, "
        f"late by {1000 * percentile(sorted(steady.lateness), 0.99):.1f} ms at most in 99 of 100 cases."
    )
    yield ""
    yield "| call | answers | p50 ms | p99 ms | p99.9 ms | most ms |"
    yield "|---|---:|---:|---:|---:|---:|"
    for number, name in enumerate(outcome.kinds):
        yield _row(name, outcome.milliseconds(number))
    yield _row("**all**", outcome.milliseconds())
    yield ""
    growths = outcome.growth()
    for place, (pid, held) in enumerate(outcome.held.items(), start=1):
        grown = "not known" if (growth := growths[pid]) is None else f"{growth:+.2f} MB a minute"
        yield (
            f"- worker {place}: its own memory {held.own_mb[0]:.1f} MB at first, {max(held.own_mb):.1f} at most, "
            f"{held.own_mb[-1]:.1f} at last; {grown}. With mapped files {held.resident_mb[-1]:.0f} MB."
        )
    for line in missed(outcome):
        yield f"- **missed**: {line}"


def _row(name: str, latencies: Sequence[float]) -> str:
    if not latencies:
        return f"| {name} | 0 | | | | |"
    shares = " | ".join(f"{percentile(latencies, share):.1f}" for share in (0.5, 0.99, 0.999))
    return f"| {name} | {len(latencies):,} | {shares} | {latencies[-1]:.1f} |"


def make_json(outcome: Outcome) -> dict[str, Any]:
    def shares(latencies: Sequence[float]) -> dict[str, float]:
        named = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "most": 1.0}
        return {name: percentile(latencies, share) for name, share in named.items()} if latencies else {}

    return {
        "name": outcome.name,
        "connections": outcome.connections,
        "maximum_per_s": outcome.maximum.rate,
        "generator_share_at_maximum": outcome.maximum.cpu_share,
        "rate_per_s": outcome.rate,
        "seconds": outcome.steady.seconds,
        "errors": outcome.errors,
        "milliseconds": {name: shares(outcome.milliseconds(number)) for number, name in enumerate(outcome.kinds)}
        | {"all": shares(outcome.milliseconds())},
        "growth_mb_per_minute": {str(pid): growth for pid, growth in outcome.growth().items()},
        "own_mb": {str(pid): held.own_mb for pid, held in outcome.held.items()},
        "missed": list(missed(outcome)),
    }
