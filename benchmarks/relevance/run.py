"""Runs the judged queries against Provender and the baselines, on the same foods, and prints how they did.

    python -m benchmarks.relevance.run [--brands N] [--half tune|report|both] [--misses] [--no-baselines] [--json FILE]

A result is right if it is a food of SR28 that was judged right; a brand product never is.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from benchmarks.brands import generate_brand_foods
from benchmarks.catalogues import Built, build_catalogue, open_catalogue, read_sr28
from benchmarks.relevance.baselines import Baseline, Bm25, Row, TsRank
from benchmarks.relevance.judged import Judged, half, read_judged
from provender.catalogue.store import Catalogue
from provender.model.paging import PageRequest

ALL = "all"

_PAGE = PageRequest(limit=10)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found for a query: the first three ids, and the place of the first right food, counted from 1."""

    judged: Judged
    first: Sequence[str]
    place: int | None


@dataclass(frozen=True, slots=True)
class Score:
    queries: int
    top_1: float
    top_3: float
    mrr: float


class ProvenderSearch:
    """Provender's own search in the form of the baselines; it remembers the names of what it found."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.names: dict[str, str] = {}

    def search(self, query: str) -> list[str]:
        page = self._catalogue.search(query, _PAGE, include=frozenset())
        found = [msgspec.json.decode(item) for item in page.items]
        self.names |= {food["_id"]: food["food_name"] for food in found}
        return [food["_id"] for food in found]


def answer_all(search: Callable[[str], list[str]], queries: Sequence[Judged], plain: Mapping[str, str]) -> list[Answer]:
    """Ask every query; `plain` has the names of SR28's foods by their ids."""
    answers = []
    for judged in queries:
        found = search(judged.query)
        right = [food_id in plain and judged.is_right(plain[food_id]) for food_id in found]
        answers.append(Answer(judged, found[:3], right.index(True) + 1 if any(right) else None))
    return answers


def score(answers: Sequence[Answer]) -> dict[str, Score]:
    """The scores of each kind of query, and of all."""
    kinds = sorted({answer.judged.kind for answer in answers})
    scores = {kind: _score([answer for answer in answers if answer.judged.kind == kind]) for kind in kinds}
    return scores | {ALL: _score(answers)}


def _score(answers: Sequence[Answer]) -> Score:
    places = [answer.place for answer in answers if answer.place is not None]
    return Score(
        queries=len(answers),
        top_1=sum(place == 1 for place in places) / len(answers),
        top_3=sum(place <= 3 for place in places) / len(answers),
        mrr=sum(1 / place for place in places) / len(answers),
    )


def make_table(scores: Mapping[str, Mapping[str, Score]]) -> Iterator[str]:
    """A Markdown table: a row for each kind of query, three columns for each search."""
    first = next(iter(scores.values()))
    figures = ("top-1", "top-3", "MRR@10")
    yield f"| kind | queries | {' | '.join(f'{name} {figure}' for name in scores for figure in figures)} |"
    yield "|---|---:|" + "---:|" * (len(figures) * len(scores))
    for kind in first:
        cells = [f"{value:.3f}" for by_kind in scores.values() for value in _figures(by_kind[kind])]
        yield f"| {kind} | {first[kind].queries} | {' | '.join(cells)} |"


def _figures(found: Score) -> tuple[float, float, float]:
    return found.top_1, found.top_3, found.mrr


def _run_baseline(
    baseline: Baseline, brands: int, queries: Sequence[Judged], plain: Mapping[str, str]
) -> dict[str, Score]:
    with baseline:
        baseline.load(_rows(brands))
        return score(answer_all(baseline.search, queries, plain))


def _rows(brands: int) -> Iterator[Row]:
    for food in itertools.chain(read_sr28(), generate_brand_foods(brands)):
        yield food.id, food.name, food.brand


def _list_misses(answers: Sequence[Answer], names: Mapping[str, str]) -> Iterator[str]:
    for answer in answers:
        if answer.place != 1:
            place = "no right one" if answer.place is None else f"right at {answer.place}"
            found = " | ".join(names[food_id] for food_id in answer.first) or "nothing"
            yield f"{answer.judged.kind}: {answer.judged.query} ({place}): {found}"


def _describe(built: Built) -> str:
    return f"{built.foods:,} foods: built in {built.seconds:.1f} s, foods.db has {built.size_in_mb:.1f} MB"


@click.command()
@click.option("--brands", default=0, show_default=True, help="How many invented brand products are beside SR28.")
@click.option("--half", "wanted", type=click.Choice(["tune", "report", "both"]), default="report", show_default=True)
@click.option("--misses", is_flag=True, help="List the queries whose first result is not right; of the tune half only.")
@click.option("--no-baselines", is_flag=True, help="Run Provender alone.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures to this file too.")
def main(brands: int, wanted: str, misses: bool, no_baselines: bool, file: Path | None) -> None:
    """Print how often the right food is found first, by kind of query."""
    if misses and wanted != "tune":
        raise click.UsageError("--misses needs --half tune: nobody may tune the search on the half that is reported.")
    queries = [judged for judged in read_judged() if wanted in ("both", half(judged.query))]
    plain = {food.id: food.name for food in read_sr28()}
    scores: dict[str, Mapping[str, Score]] = {}
    builds = []
    with tempfile.TemporaryDirectory(prefix="provender-relevance-") as name:
        folder = Path(name)
        if brands:
            builds.append(build_catalogue(folder / "sr28", 0))
        builds.append(build_catalogue(folder / "catalogue", brands))
        with closing(open_catalogue(folder / "catalogue")) as catalogue:
            provender = ProvenderSearch(catalogue)
            answers = answer_all(provender.search, queries, plain)
    scores["Provender"] = score(answers)
    if not no_baselines:
        scores["bm25"] = _run_baseline(Bm25(), brands, queries, plain)
        scores["ts_rank"] = _run_baseline(TsRank(), brands, queries, plain)
    lines = [*make_table(scores), ""] + ([_describe(built) for built in builds] if brands else [])
    if misses:
        lines += ["", *_list_misses(answers, provender.names)]
    click.echo("\n".join(lines))
    if file is not None:
        figures: dict[str, Any] = {"half": wanted, "brands": brands, "builds": [asdict(built) for built in builds]}
        figures["scores"] = {
            name: {kind: asdict(found) for kind, found in by_kind.items()} for name, by_kind in scores.items()
        }
        file.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")


if __name__ == "__main__":
    main()
