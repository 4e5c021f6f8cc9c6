"""What a run found out: rows with their goals, figures with their verdicts, and where it was measured."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"
COLUMNS = (SQLITE, POSTGRESQL)


class Verdict(StrEnum):
    MET = "met"
    MISSED = "missed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure must reach, or must not exceed. `unit` follows the number: "x", " s", " MB"."""

    bound: float
    at_least: bool
    unit: str = ""

    def judge(self, value: float) -> Verdict:
        reached = value >= self.bound if self.at_least else value <= self.bound
        return Verdict.MET if reached else Verdict.MISSED

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {write_number(self.bound)}{self.unit}"


def at_least(bound: float, unit: str = "") -> Goal:
    return Goal(bound, True, unit)


def at_most(bound: float, unit: str = "") -> Goal:
    return Goal(bound, False, unit)


@dataclass(frozen=True, slots=True)
class Figure:
    """The median of some samples, one a round, and how far apart they are. A figure that failed has the reason only."""

    value: float | None
    low: float | None = None
    high: float | None = None
    samples: int = 0
    error: str | None = None

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Figure":
        if not samples:
            raise ValueError("There are no samples.")
        return cls(statistics.median(samples), min(samples), max(samples), len(samples))

    @classmethod
    def failed(cls, reason: str) -> "Figure":
        return cls(None, error=reason)


@dataclass(slots=True)
class Row:
    """A line of the table: one promise, and what was measured on each database."""

    section: str
    name: str
    goal: Goal
    figures: dict[str, Figure] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    # What the figures were made of, such as requests a second of each contestant; the plots are drawn from it.
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What `--only` is compared with."""
        return f"{self.section}: {self.name}"

    def verdict(self, column: str) -> Verdict | None:
        figure = self.figures.get(column)
        if figure is None:
            return None
        return Verdict.FAILED if figure.value is None else self.goal.judge(figure.value)


@dataclass(frozen=True, slots=True)
class Report:
    machine: Mapping[str, Any]
    settings: Mapping[str, Any]
    rows: Sequence[Row]
    left_out: Sequence[str]
    seconds: float


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Round by round, because the machine may change its pace between rounds but hardly within one."""
    return [one / other for one, other in zip(above, below, strict=True)]


def growth(series: Mapping[Any, Sequence[float]]) -> list[float]:
    """For each round, how many times the smallest size's cost the dearest of the larger sizes has."""
    first, *others = series.values()
    return [max(other[place] for other in others) / base for place, base in enumerate(first)]


def write_number(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.2f}"
