"""What an application does with the client, written once for both kinds of it.

A scenario is a generator: it yields whatever a method returned, and is sent the answer. Whoever drives it knows whether
that has to be awaited. A list is yielded too, and comes back as all its items.
"""

import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from datetime import UTC, date
from pathlib import Path
from typing import Any, cast

import pytest

from provender_client import AsyncClient, AsyncPages, Client, Conflict, InvalidRequest, NotFound, Pages
from tests.diary import product

Scenario = Callable[[Any], Generator[Any, Any, None]]

BANANA_KCAL = 105.0
COLA_BARCODE = "4006381333931"
GRANOLA: dict[str, Any] = {
    "food_name": "Granola",
    "serving_description": "1 bowl",
    "metric_serving_amount": 60,
    "metric_serving_unit": "g",
    "macro_nutrients": {"energy_kcal": 282.0},
}


def run(client: Client, scenario: Scenario) -> None:
    """Drive a scenario with the client that blocks."""
    steps, sent = scenario(client), None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration:
            return
        sent = list(step) if isinstance(step, Pages) else step


async def run_async(client: AsyncClient, scenario: Scenario) -> None:
    """Drive a scenario with the client that is awaited. What it raises is raised where the scenario yields."""
    steps = scenario(client)
    sent: Any = None
    thrown: Exception | None = None
    while True:
        try:
            step = steps.throw(thrown) if thrown else steps.send(sent)
        except StopIteration:
            return
        sent = thrown = None
        try:
            if isinstance(step, (AsyncPages, AsyncIterator)):
                sent = [item async for item in step]
            else:
                sent = await step if isinstance(step, Awaitable) else step
        except Exception as error:  # noqa: BLE001 - It is the scenario's.
            thrown = error


def foods(client: Client) -> Generator[Any, Any, None]:
    [banana] = yield client.foods.search("banan")
    assert (banana.food_name, banana.energy_kcal, banana.brand_name) == ("Bananas, raw", BANANA_KCAL, None)
    assert banana.vitamins is None
    assert banana.amount("water_in_gm") == banana.water_in_gm == banana.raw["water_in_gm"]
    assert banana.created_at.tzinfo == UTC
    assert banana.created_at.timestamp() * 1000 == banana.raw["created_at"]
    assert banana.extra == {}

    whole = yield client.foods.retrieve(banana.id, include=["vitamins", "servings"])
    assert whole.vitamins == whole.raw["vitamins"]
    assert whole.amount("vitamin_c_in_mg") == whole.vitamins["vitamin_c_in_mg"]
    assert whole.amount("iron_in_mg") is None
    assert "1 medium" in [serving.serving_description for serving in whole.servings]

    for written in (COLA_BARCODE, "4 006381 333931", "04006381333931"):
        cola = yield client.foods.by_barcode(written)
        assert cola.food_name == "COLA"
    assert (yield client.foods.search("cola", food_type="generic")) == []

    nutrients = yield client.nutrients.list()
    assert len(nutrients) > 100
    assert {"energy_kcal", "vitamin_c_in_mg"} <= {nutrient.name for nutrient in nutrients}


def profiles(client: Client) -> Generator[Any, Any, None]:
    odd = "team 7/ann+1%?🍏"
    made = yield client.profiles.create(odd, timezone="Europe/Berlin")
    assert (made.reference_id, made.is_active, made.timezone) == (odd, False, "Europe/Berlin")
    assert (yield client.profiles.retrieve(odd)) == made
    assert odd in [profile.reference_id for profile in (yield client.profiles.list())]
    assert (yield client.profiles.change(odd)).timezone == "Europe/Berlin"
    assert (yield client.profiles.change(odd, timezone=None)).timezone is None
    gone = yield client.profiles.delete(odd)
    assert (gone.id, gone.deleted) == (made.id, True)
    with pytest.raises(NotFound) as missing:
        yield client.profiles.retrieve(odd)
    assert missing.value.code == "profile_not_found"


def custom_foods(client: Client) -> Generator[Any, Any, None]:
    yield client.profiles.create("cook")
    created = yield client.custom_foods.create(profile_reference_id="cook", barcode="0 12345 67890 5", **GRANOLA)
    [food] = yield client.custom_foods.list("cook")
    assert (food.id, food.barcode, food.profile_reference_id) == (created.id, "0012345678905", "cook")
    found = yield client.foods.by_barcode("012345678905", profile_reference_id="cook")
    assert found.id == food.id
    changed = yield client.custom_foods.change(
        food.id, profile_reference_id="cook", food_name="Müsli", macro_nutrients={"total_fat_in_gm": 12.5}, barcode=None
    )
    assert (changed.food_name, changed.barcode) == ("Müsli", None)
    assert changed.macro_nutrients == {"energy_kcal": 282, "total_fat_in_gm": 12.5}
    assert (yield client.custom_foods.delete(food.id, profile_reference_id="cook")).deleted


def favorites(client: Client) -> Generator[Any, Any, None]:
    yield client.profiles.create("fan")
    banana = yield client.foods.search("banana").first()
    yield client.favorites.add(banana.id, profile_reference_id="fan")
    [favorite] = yield client.favorites.list("fan")
    assert favorite.vitamins
    [favorite] = yield client.favorites.list("fan", include=())
    assert favorite.vitamins is None
    assert (yield client.favorites.remove(banana.id, profile_reference_id="fan")).deleted
    assert (yield client.favorites.list("fan").first()) is None


def diary(client: Client) -> Generator[Any, Any, None]:
    yield client.profiles.create("alice", timezone="Europe/Berlin")
    banana = yield client.foods.search("banana").first()
    today, tomorrow = date(2026, 3, 9), date(2026, 3, 10)
    who: dict[str, Any] = {"profile_reference_id": "alice"}

    made = yield client.diary.create(**who, food_id=banana.id, number_of_servings=0.5, meal="breakfast", date=today)
    log = yield client.diary.retrieve(made.id, include=["vitamins"])
    assert (log.date, log.meal, log.energy_kcal) == (today, "breakfast", product(BANANA_KCAL, 0.5))
    assert log.vitamins

    batch = yield client.diary.create_batch(
        [
            {"profile_reference_id": "alice", "food_id": banana.id, "date": today, "note": "for later"},
            {"profile_reference_id": "alice", "food_id": banana.id, "date": "2026-03-09", "metric_amount": 100},
        ]
    )
    assert [entry.created for entry in batch.data] == [True, True]
    logs = yield client.diary.list("alice", date=today)
    assert [each.id for each in logs] == [made.id, *(entry.id for entry in batch.data)]
    copied = yield client.diary.copy(**who, from_=today, to=tomorrow)
    assert len(copied.data) == 3

    summary = yield client.diary.summary("alice", from_=today, to=tomorrow)
    assert [(day.date, day.entries) for day in summary.data] == [(today, 3), (tomorrow, 3)]
    assert summary.total.energy_kcal == product(BANANA_KCAL * 1.5 + 89, 2)

    noted = batch.data[0].id
    changed = yield client.diary.change(noted, number_of_servings=2)
    assert (changed.number_of_servings, changed.note) == (2, "for later")
    assert (yield client.diary.change(noted, note=None)).note is None
    assert (yield client.diary.delete(noted)).deleted

    assert [food.id for food in (yield client.eaten.recently("alice"))] == [banana.id]
    assert (yield client.eaten.most("alice", meal="dinner")) == []


def saved_meals(client: Client) -> Generator[Any, Any, None]:
    yield client.profiles.create("gourmet")
    banana = yield client.foods.search("banana").first()
    granola = yield client.custom_foods.create(profile_reference_id="gourmet", **GRANOLA)
    created = yield client.saved_meals.create(
        profile_reference_id="gourmet",
        name="Breakfast",
        meal="breakfast",
        items=[{"food_id": banana.id, "number_of_servings": 2}, {"food_id": granola.id}],
    )
    meal = yield client.saved_meals.retrieve(created.id)
    assert meal.totals.energy_kcal == 2 * BANANA_KCAL + 282
    assert [item.missing for item in meal.items] == [False, False]
    [listed] = yield client.saved_meals.list("gourmet")
    assert (listed.name, listed.extra) == ("Breakfast", {})
    assert (yield client.saved_meals.change(created.id, name="Early")).name == "Early"

    yield client.custom_foods.delete(granola.id, profile_reference_id="gourmet")
    with pytest.raises(Conflict) as missing:
        yield client.saved_meals.log(created.id, date="2026-03-09")
    assert (missing.value.code, missing.value.param) == ("meal_items_missing", "items[1].food_id")
    logged = yield client.saved_meals.log(created.id, date="2026-03-09", skip_missing=True)
    assert ([each.created for each in logged.data], logged.skipped[0].food_id) == ([True], granola.id)
    assert (yield client.saved_meals.delete(created.id)).deleted


def moving(client: Client) -> Generator[Any, Any, None]:
    yield client.profiles.create("mover", timezone="Asia/Tokyo")
    yield client.custom_foods.create(profile_reference_id="mover", **GRANOLA)
    document = yield client.profiles.export("mover").read()
    assert json.loads(document)["reference_id"] == "mover"
    again = yield client.profiles.import_document(document, reference_id="moved")
    assert (again.reference_id, again.timezone) == ("moved", "Asia/Tokyo")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mover.json"
        path.write_bytes(document)
        third = yield client.profiles.import_document(path, reference_id="moved again")
    assert third.id != again.id
    [food] = yield client.custom_foods.list("moved again")
    assert food.food_name == "Granola"
    yield client.profiles.import_document(json.loads(document), reference_id="and again")


def pages(client: Client) -> Generator[Any, Any, None]:
    yield client.profiles.create("collector")
    ids = []
    for number in range(7):
        food = GRANOLA | {"food_name": f"Granola {number}"}
        ids.append((yield client.custom_foods.create(profile_reference_id="collector", **food)).id)
    newest_first = ids[::-1]
    by_two = client.custom_foods.list("collector", limit=2)

    def ids_of(items: Any) -> list[str]:
        return [food.id for food in items]

    assert ids_of((yield by_two)) == newest_first
    assert ids_of((yield by_two)) == newest_first, "each walk begins anew"
    walked = yield _all(by_two.pages())
    assert [len(page) for page in walked] == [2, 2, 2, 1]
    assert [page.has_more for page in walked] == [True, True, True, False]
    page = yield by_two.page()
    assert (ids_of(page), page.has_more) == (newest_first[:2], True)
    assert (page[0].id, page[-1:]) == (newest_first[0], page.data[1:])
    assert (yield by_two.first()).id == newest_first[0]

    back = client.custom_foods.list("collector", limit=2, ending_before=newest_first[-1])
    assert ids_of((yield back)) == newest_first[-2::-1], "from there to the beginning, the nearest first"
    page = yield back.page()
    assert ids_of(page) == newest_first[4:6], "a page is in the order of its list"
    assert (yield back.first()).id == newest_first[5]
    on = client.custom_foods.list("collector", starting_after=newest_first[2])
    assert ids_of((yield on)) == newest_first[3:]


def errors(client: Client) -> Generator[Any, Any, None]:
    with pytest.raises(InvalidRequest) as refused:
        yield client.foods.search("", limit=1000).page()
    error = refused.value
    assert (error.status, error.code) == (400, "invalid_parameters")
    assert {each.param for each in error.errors} == {"query", "limit"}
    assert error.param == error.errors[0].param
    assert error.request_id
    assert error.request_id in str(error)
    assert error.detail in str(error)
    with pytest.raises(InvalidRequest) as refused:
        yield client.diary.summary("alice", date="yesterday")
    assert (refused.value.param, refused.value.errors[0].code) == ("date", "invalid_date")


def operating(client: Client) -> Generator[Any, Any, None]:
    catalogue = yield client.catalogue.retrieve()
    assert catalogue.foods == sum(dataset.foods for dataset in catalogue.datasets)
    assert [version.version for version in catalogue.versions if version.is_current] == [catalogue.version]
    banana = yield client.foods.search("banana").first()
    assert (yield client.foods.provenance(banana.id)).source_key == "09040"

    made = yield client.keys.create(scope="read", rate_limit=100)
    assert made.key.startswith(made.id)
    [key] = [each for each in (yield client.keys.list()) if each.id == made.id]
    assert (key.scope, key.rate_limit, key.works, key.is_own) == ("read", 100, True, False)
    assert (yield client.keys.revoke(made.id)).deleted
    keys = yield client.keys.list()
    assert [key.works for key in keys if key.id == made.id] == [False]
    assert len([key for key in keys if key.is_own]) == 1

    usage = yield client.usage.retrieve(by="hour")
    assert usage.total.requests >= 4
    assert "POST /v1/keys" in [row.endpoint for row in usage.endpoints]
    assert usage.data[-1].hour.tzinfo == UTC


def _all(pages: Any) -> Any:
    """All pages of a walk: as they are where that is awaited, or as a list."""
    return pages if hasattr(pages, "__aiter__") else list(cast("Any", pages))


SCENARIOS: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (foods, profiles, custom_foods, favorites, diary, saved_meals, moving, pages, errors, operating)
}
