"""How the cost of search grows with the number of foods, and with the page."""

import functools
from collections.abc import Sequence
from contextlib import ExitStack

import httpx

from benchmarks.bench.calls import Call
from benchmarks.bench.context import Context, Sizes, failing
from benchmarks.bench.growth import HTTP, Measured, compare, over_http, ways_of
from benchmarks.bench.in_process import Searches, on_core
from benchmarks.bench.load import LoadFailed, Sent, address
from benchmarks.bench.results import SQLITE, Row, at_most
from benchmarks.bench.stages import Postgresql, Stage, sqlite_stage

SECTION = "How the cost of search grows"
_BY_FOODS, _BY_PAGE = "with the number of foods", "page 50 against page 1"
_DEEP = 490
_DEEP_QUERIES = 100
# So many queries are tried to find them.
_TRIED = 400


def plan_search(sizes: Sizes) -> list[Row]:
    return [
        Row(SECTION, f"{name}, {way}", at_most(bound, "x"), details={"call": name, "way": way})
        for name, bound in ((_BY_FOODS, 1.5), (_BY_PAGE, 1.2))
        for way in ways_of(sizes)
    ]


def measure_search(context: Context, _: Postgresql | None, rows: Sequence[Row]) -> None:
    """On SQLite alone: the catalogue is the same files with PostgreSQL."""
    sample = context.stock.sample(context.sizes.foods)
    queries = [*sample.words, *sample.pairs]
    first_pages: list[tuple[str, str | None]] = [(query, None) for query in queries]
    with ExitStack() as exits:
        stages = {
            foods: exits.enter_context(sqlite_stage(context, context.sizes.profiles, foods=foods))
            for foods in _sizes(context, rows)
        }
        # Looked for once, and only by a row that needs them.
        deep_pages = functools.cache(lambda: _find_deep_pages(stages[context.sizes.foods], queries))
        for row in rows:
            way = row.details["way"]
            with failing(context, [row], SQLITE):
                if row.details["call"] == _BY_FOODS:
                    sizes = {
                        f"{foods:,} foods": _way(context, stages.get(foods), foods, way, first_pages)
                        for foods in context.sizes.growing_foods
                    }
                else:
                    foods, deep = context.sizes.foods, deep_pages()
                    same: list[tuple[str, str | None]] = [(query, None) for query, _ in deep]
                    sizes = {
                        "page 1": _way(context, stages[foods], foods, way, same),
                        "page 50": _way(context, stages[foods], foods, way, deep),
                    }
                compare(context, row, SQLITE, sizes)


def _sizes(context: Context, rows: Sequence[Row]) -> list[int]:
    """The catalogues that a server is needed for: in process there is none, but to find page 50 one is asked."""
    over_http = any(row.details == {"call": _BY_FOODS, "way": HTTP} for row in rows)
    return sorted({context.sizes.foods, *(context.sizes.growing_foods if over_http else ())})


def _way(
    context: Context, stage: Stage | None, foods: int, way: str, queries: Sequence[tuple[str, str | None]]
) -> Measured:
    if stage is not None and way == HTTP:
        return over_http(context, stage, Call("search", [_ask(query, cursor) for query, cursor in queries]))
    searches = Searches(context.stock.catalogue(foods), queries, context.sizes.calls_in_process)

    def measure(number: int) -> float:
        with on_core(context.server_core):
            return searches.p50_us(number)

    return measure


def _ask(query: str, cursor: str | None) -> Sent:
    more = {} if cursor is None else {"starting_after": cursor}
    return Sent(address("/v1/foods/search", query=query, limit=10, **more))


def _find_deep_pages(stage: Stage, queries: Sequence[str]) -> list[tuple[str, str | None]]:
    """Queries that have 50 pages, with the cursor of the last one, found by walking there in large steps."""
    found: list[tuple[str, str | None]] = []
    with stage.server.client(stage.key) as client:
        # Single words have the most foods.
        for query in sorted(queries, key=lambda query: " " in query)[:_TRIED]:
            if (cursor := _walk(client, query)) is not None:
                found.append((query, cursor))
            if len(found) == _DEEP_QUERIES:
                break
    if not found:
        raise LoadFailed("no query has 50 pages")
    return found


def _walk(client: httpx.Client, query: str) -> str | None:
    cursor, left = None, _DEEP
    while left:
        parameters: dict[str, str | int] = {"query": query, "limit": min(left, 100)}
        answer = client.get("/v1/foods/search", params=parameters | ({"starting_after": cursor} if cursor else {}))
        page = answer.raise_for_status().json()
        if not page["has_more"]:
            return None
        cursor, left = page["data"][-1]["_id"], left - len(page["data"])
    return cursor
