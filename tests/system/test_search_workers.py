"""Search is equal with one worker and with two, and on both databases."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.conftest import PostgresqlServer
from tests.system.server import serving, worker_of

QUERIES = (
    *("milk", "chicken breast", "butter", "egg", "apple", "2% milk", "7up", "white bread", "big mac", "cheerios"),
    *("kellogg corn flakes", "brocoli", "mozarela", "straw", "ch", "m", "peanutbutter", "pop corn", "unicorn steak"),
    *("ketchup", "garbanzo", "ice cr", "cheese pizza sauce", "milk egg bread rice soup beef pork", "xqzt", "!?"),
)

# The words of alice's foods are in these.
OWN = ("milk", "mil", "apple milk", "brand milk", "eggplant", "zzyzx")

ALICE = {"profile_reference_id": "alice"}
TYPES: tuple[dict[str, str], ...] = ({}, {"food_type": "generic"}, {"food_type": "brand"})

# So often each is asked, each time on a new connection.
TIMES = 4

# The custom foods, in the order in which they are made.
FOODS: tuple[dict[str, Any], ...] = (
    {"food_name": "Oat milk"},
    {"food_name": "Apple milk rice"},
    {"food_name": "Milk", "food_type": "brand", "brand_name": "Brand & Co"},
    {"food_name": "Aubergine bake"},
    {"food_name": "Granola"},
    {"food_name": "Zzyzx"},
    {"food_name": "Buttermilk"},
)


@dataclass
class Heard:
    """What a server has answered, and how many of its workers were heard."""

    answers: dict[str, Any]
    workers: int


def _settings(data_dir: Path, catalogue: CatalogueFolder, database_url: str | None = None) -> Settings:
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue.path)
    return Settings(data_dir=data_dir, database_url=database_url)


async def _prepare(client: httpx.AsyncClient) -> None:
    """Make alice and her foods, and bob, whose food must not be found."""
    for reference_id in ("alice", "bob"):
        assert (await client.post("/v1/profiles", data={"reference_id": reference_id})).status_code == 201
    for owner, food in [("bob", {"food_name": "Bob's milk"}), *(("alice", food) for food in FOODS)]:
        serving_of = {"serving_description": "1 bowl", "metric_serving_amount": 60, "metric_serving_unit": "g"}
        made = await client.post("/v1/foods/custom", json={"profile_reference_id": owner} | serving_of | food)
        assert made.status_code == 201, made.text


async def _hear(client: httpx.AsyncClient) -> Heard:
    """The answers to all queries: each is the same whoever gives it, and walks go from worker to worker."""
    answers: dict[str, Any] = {}
    workers: set[str] = set()
    asked: list[tuple[str, dict[str, str]]] = [(query, {}) for query in QUERIES]
    asked += [(query, ALICE | food_type) for query in OWN for food_type in TYPES]
    for query, more in asked:
        parameters = {"query": query, "limit": "25", "include": "vitamins"} | more
        responses = await asyncio.gather(
            *(client.get("/v1/foods/search", params=parameters) for _ in range(TIMES)),
        )
        assert {response.status_code for response in responses} == {200}
        workers |= {worker_of(response) for response in responses}
        assert len({response.content for response in responses}) == 1, "another worker answers otherwise"
        answers[f"{query} {more}"] = responses[0].json()
    for query, more in [("milk", {}), ("milk", ALICE), ("kellogg", TYPES[2])]:
        answers[f"walk of {query} {more}"] = await _walk(client, {"query": query, "limit": "20"} | more)
    return Heard(answers, len(workers))


async def _walk(client: httpx.AsyncClient, parameters: dict[str, str]) -> list[str]:
    """The names of all foods. Every page may come from another worker."""
    page = (await client.get("/v1/foods/search", params=parameters)).json()
    found = page["data"]
    while page["has_more"]:
        after = {"starting_after": found[-1]["_id"]}
        page = (await client.get("/v1/foods/search", params=parameters | after)).json()
        found += page["data"]
    assert len({food["_id"] for food in found}) == len(found)
    return [food["food_name"] for food in found]


def _without_what_differs(heard: Heard) -> dict[str, Any]:
    """The answers without the ids and times of custom foods, which each storage has its own of."""
    comparable: dict[str, Any] = {}
    for what, answer in heard.answers.items():
        comparable[what] = answer
        if isinstance(answer, dict):
            foods = [
                food
                if food["profile_reference_id"] is None
                else {name: value for name, value in food.items() if name not in ("_id", "created_at", "updated_at")}
                for food in answer["data"]
            ]
            comparable[what] = answer | {"data": foods}
    return comparable


async def _hear_with_one_and_two_workers(settings: Settings) -> tuple[Heard, Heard]:
    """What the same storage is answered from, by a server of one worker and then by one of two."""
    with serving(settings, workers=1) as alone:
        key = alone.key
        async with alone.fresh_client(key) as client:
            await _prepare(client)
            by_one = await _hear(client)
    with serving(settings, workers=2) as both:
        async with both.fresh_client(key) as client:
            by_two = await _hear(client)
    return by_one, by_two


async def test_search_is_equal_with_one_and_two_workers_and_on_both_databases(
    tmp_path: Path, shipped_folder: CatalogueFolder, postgresql: PostgresqlServer
) -> None:
    heard = []
    for name, url in (("sqlite", None), ("postgresql", await postgresql.new_database())):
        (tmp_path / name).mkdir()
        by_one, by_two = await _hear_with_one_and_two_workers(_settings(tmp_path / name / "data", shipped_folder, url))
        assert (by_one.workers, by_two.workers) == (1, 2), "a worker was not asked at all"
        assert by_two.answers == by_one.answers
        heard.append(_without_what_differs(by_one))
    on_sqlite, on_postgresql = heard
    assert on_postgresql == on_sqlite
    # It has shown nothing unless there was something to answer, and the own foods were among it.
    assert sum(bool(answer["data"]) for answer in on_sqlite.values() if isinstance(answer, dict)) > 35
    own = [food["food_name"] for food in on_sqlite[f"milk {ALICE}"]["data"]]
    assert own[:3] == ["Milk", "Apple milk rice", "Oat milk"]
    assert "Bob's milk" not in own
