"""Samples, what is typical of them, and a table of them with a column for each database."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec


def percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[math.ceil(share * len(ordered)) - 1]


def write_json(file: Path, figures: Any) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is measured, and the name of what it is compared with."""

    name: str
    unit: str = "ms"
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """What is typical of samples, and how far apart they are."""

    samples: int
    median: float
    p10: float
    p90: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Spread":
        ordered = sorted(samples)
        return cls(len(ordered), *(percentile(ordered, share) for share in (0.5, 0.1, 0.9)))


@dataclass(slots=True)
class Samples:
    """What was measured on one database."""

    values: dict[Measure, list[float]] = field(default_factory=dict)
    # The bytes of the last answer, where there is one.
    sizes: dict[Measure, int] = field(default_factory=dict)

    def add(self, measure: Measure, *values: float, size: int | None = None) -> None:
        self.values.setdefault(measure, []).extend(values)
        if size is not None:
            self.sizes[measure] = size

    def spreads(self) -> dict[Measure, Spread]:
        return {measure: Spread.of(values) for measure, values in self.values.items()}

    def ratio(self, measure: Measure) -> float | None:
        """How many times the median of what it is compared with."""
        spreads = {other.name: spread for other, spread in self.spreads().items()}
        base = spreads.get(measure.against or "")
        return None if base is None else spreads[measure.name].median / base.median

    def figures(self) -> dict[str, Any]:
        """For a file: everything by name."""
        return {
            measure.name: {
                "unit": measure.unit,
                "samples": spread.samples,
                "median": spread.median,
                "p10": spread.p10,
                "p90": spread.p90,
                "against": measure.against,
                "ratio": self.ratio(measure),
                "bytes": self.sizes.get(measure),
            }
            for measure, spread in self.spreads().items()
        }


def make_table(samples: Mapping[str, Samples]) -> Iterator[str]:
    """A line for each measure. A ratio is to the median of what stands in the second column, on the same database."""
    measures = list(dict.fromkeys(measure for taken in samples.values() for measure in taken.values))
    titles = [f"{database} | p10 to p90 | ratio" for database in samples]
    yield f"| | ratio to | unit | {' | '.join(titles)} | answer |"
    yield f"|---|---|---|{'---:|' * (3 * len(samples) + 1)}"
    for measure in measures:
        cells = [cell for taken in samples.values() for cell in _cells(taken, measure)]
        size = max((taken.sizes.get(measure, 0) for taken in samples.values()), default=0)
        answer = f"{size / 1000:,.1f} kB" if size else ""
        yield f"| {measure.name} | {measure.against or ''} | {measure.unit} | {' | '.join(cells)} | {answer} |"


def _cells(taken: Samples, measure: Measure) -> tuple[str, str, str]:
    if measure not in taken.values:
        return "", "", ""
    spread = Spread.of(taken.values[measure])
    between = f"{_number(spread.p10)} to {_number(spread.p90)}" if spread.samples > 1 else ""
    ratio = taken.ratio(measure)
    return _number(spread.median), between, "" if ratio is None else f"{ratio:.2f}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
