"""Times the search of a large catalogue, in process: every query once a round, in a mixed order, all samples counted.

python -m benchmarks.search_speed [--foods 1000000] [--folder DIR] [--rounds 3] [--json FILE]
"""

import contextlib
import gc
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import click
import msgspec

from benchmarks.catalogues import Built, build_catalogue, open_catalogue, read_sr28
from benchmarks.measuring import percentile, write_json
from benchmarks.search_mix import Mix, Vocabulary, draw_adversarial
from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.model.errors import ProvenderError
from provender.model.paging import PageRequest

QUERIES_OF_A_KIND = 200
DEEP_PAGE = 50

_FIRST_PAGE = PageRequest(limit=10)
_NOTHING_INCLUDED: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Query:
    kind: str
    text: str
    page: PageRequest = _FIRST_PAGE


@dataclass(frozen=True, slots=True)
class Times:
    """What queries of a kind took, in milliseconds."""

    samples: int
    p50: float
    p99: float
    max: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Times":
        ordered = sorted(samples)
        return cls(len(ordered), percentile(ordered, 0.50), percentile(ordered, 0.99), ordered[-1])


def find_deep_pages(catalogue: Catalogue, words: Sequence[str]) -> list[Query]:
    """Page 50 of each word that has so many, found by walking there."""
    pages = (_find_deep_page(catalogue, word) for word in words)
    return [query for query in pages if query is not None]


def _find_deep_page(catalogue: Catalogue, word: str) -> Query | None:
    request = _FIRST_PAGE
    for _ in range(DEEP_PAGE - 1):
        page = catalogue.search(word, request, _NOTHING_INCLUDED)
        if not page.has_more:
            return None
        request = PageRequest(limit=request.limit, cursor=msgspec.json.decode(page.items[-1])["_id"])
    return Query(f"page {DEEP_PAGE} of common words", word, request)


def time_queries(folder: Path, queries: Sequence[Query], rounds: int) -> dict[str, list[float]]:
    """The milliseconds of every query in every round, by kind."""
    samples: dict[str, list[float]] = {query.kind: [] for query in queries}
    for number in range(rounds):
        random = Random(number).random
        # The words of a million names are the benchmark's own; a server has no such heap to look through. The collector
        # stays on for whatever search makes.
        gc.collect()
        gc.freeze()
        # Opened anew, because what a reader keeps of a query would make it lighter when it comes again.
        with closing(open_catalogue(folder)) as catalogue:
            # The first call of all compiles statements, once in the life of a process.
            catalogue.search("xqzvkw", _FIRST_PAGE, _NOTHING_INCLUDED)
            # Mixed, so that no query finds warm what another of its kind has just touched.
            for query in sorted(queries, key=lambda _: random()):
                samples[query.kind].append(_time(catalogue, query))
    return samples


def _time(catalogue: Catalogue, query: Query) -> float:
    began = time.perf_counter_ns()
    # To refuse a query is to answer it, and must be as fast.
    with contextlib.suppress(ProvenderError):
        catalogue.search(query.text, query.page, _NOTHING_INCLUDED)
    return (time.perf_counter_ns() - began) / 1e6


def make_table(heading: str, times: Mapping[str, Times]) -> Iterator[str]:
    yield f"| {heading} | samples | p50 ms | p99 ms | max ms |"
    yield "|---|---:|---:|---:|---:|"
    for kind, taken in times.items():
        yield f"| {kind} | {taken.samples} | {taken.p50:.2f} | {taken.p99:.2f} | {taken.max:.2f} |"


def summarize(samples: Mapping[str, Sequence[float]], total: str) -> dict[str, Times]:
    """The times of each kind, and of all under a name."""
    times = {kind: Times.of(taken) for kind, taken in samples.items()}
    return times | {total: Times.of([sample for taken in samples.values() for sample in taken])}


def _describe(catalogue: Catalogue, built: Built | None) -> str:
    if built is None:
        return f"{catalogue.manifest.foods:,} foods, built before."
    return (
        f"{built.foods:,} foods: built in {built.seconds:.1f} s, {built.foods_per_second:,.0f} foods a second; "
        f"foods.db has {built.size_in_mb:,.1f} MB."
    )


def _run(folder: Path, foods: int, rounds: int) -> tuple[str, dict[str, Times], dict[str, Times], Built | None]:
    built = None
    if CatalogueFolder(folder).current() is None:
        built = build_catalogue(folder, foods - sum(1 for _ in read_sr28()))
    with closing(open_catalogue(folder)) as catalogue:
        description = _describe(catalogue, built)
        vocabulary = Vocabulary(CatalogueFolder(folder).foods_file(catalogue.version))
        mix = Mix(vocabulary, QUERIES_OF_A_KIND)
        queries = [Query(kind, text) for kind, texts in mix.draw().items() for text in texts]
        queries += find_deep_pages(catalogue, vocabulary.common[:QUERIES_OF_A_KIND])
        attacks = [Query(form, text) for form, texts in draw_adversarial(vocabulary, mix).items() for text in texts]
    # A server does not hold what was read to draw the queries, and its garbage collector does not walk it.
    del vocabulary, mix
    times = summarize(time_queries(folder, queries, rounds), "the whole mix")
    adversarial = summarize(time_queries(folder, attacks, rounds), "all adversarial queries")
    return description, times, adversarial, built


@click.command()
@click.option("--foods", default=1_000_000, show_default=True, help="How many foods to build a catalogue of.")
@click.option("--folder", type=click.Path(path_type=Path), help="Use the catalogue in this folder, or build it there.")
@click.option("--rounds", default=3, show_default=True, help="How often every query is asked.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures to this file too.")
def main(foods: int, folder: Path | None, rounds: int, file: Path | None) -> None:
    """Print how long searches take, by kind of query."""
    with tempfile.TemporaryDirectory(prefix="provender-speed-") as name:
        description, times, adversarial, built = _run(folder or Path(name) / "catalogue", foods, rounds)
    tables = [*make_table("queries", times), "", *make_table("adversarial queries", adversarial)]
    click.echo("\n".join([description, "", *tables]))
    if file is not None:
        figures = {
            "build": None if built is None else asdict(built),
            "queries": {kind: asdict(taken) for kind, taken in times.items()},
            "adversarial": {form: asdict(taken) for form, taken in adversarial.items()},
        }
        write_json(file, figures)


if __name__ == "__main__":
    main()
