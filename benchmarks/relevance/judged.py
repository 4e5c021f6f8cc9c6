"""The judged queries of `queries.tsv`: what people type, and which foods are right answers to it."""

import hashlib
import re
from dataclasses import dataclass
from fnmatch import translate
from functools import cache, cached_property
from pathlib import Path

FILE = Path(__file__).with_name("queries.tsv")


@dataclass(frozen=True)
class Judged:
    """A query with the globs of its right answers; a pattern that begins with `!` takes foods out again."""

    kind: str
    query: str
    patterns: tuple[str, ...]

    def is_right(self, name: str) -> bool:
        """Whether the person who typed the query would be content to see the food of this name first."""
        return matches_any(self.wanted, name) and not matches_any(self.unwanted, name)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        return tuple(pattern for pattern in self.patterns if not pattern.startswith("!"))

    @cached_property
    def unwanted(self) -> tuple[str, ...]:
        return tuple(pattern[1:] for pattern in self.patterns if pattern.startswith("!"))


def read_judged() -> list[Judged]:
    """Every judged query, in the order of the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [_read_line(line) for line in lines if line and not line.startswith("#")]


def half(query: str) -> str:
    """The half of the set that a query is in: search may be tuned on "tune", and what is reported is "report".

    The text of the query alone decides, so that no query changes sides when others are added.
    """
    digest = hashlib.blake2b(query.encode()).digest()
    return "report" if digest[-1] & 1 else "tune"


def matches_any(patterns: tuple[str, ...], name: str) -> bool:
    """Whether a glob of these matches the whole of a name, in any case."""
    return bool(patterns) and _compile(patterns).match(name.lower()) is not None


@cache
def _compile(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # One expression for them all, because a test asks for every query and every food of the catalogue.
    return re.compile("|".join(translate(pattern.lower()) for pattern in patterns))


def _read_line(line: str) -> Judged:
    kind, query, patterns = line.split("\t")
    return Judged(kind, query, tuple(patterns.split(" | ")))
