"""The demo: what its people have, on both databases, as requests see it."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.model.diary import today
from provender.model.gtin import is_gtin13
from provender.services.demo.filling import fill_application
from provender.services.demo.foods import KNOWN, OWN
from provender.services.demo.lives import ALICE, CAROL, LIVES, Life
from provender.services.demo.planning import PlannedMeal, plan_meals
from tests.conftest import Service, SettableClock

# A Wednesday afternoon in UTC; in Auckland it is Thursday morning already.
NOW = datetime(2026, 3, 11, 19, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def catalogue_folder(shipped_folder: CatalogueFolder) -> CatalogueFolder:
    return shipped_folder


@pytest.fixture
def catalogue(catalogue_folder: CatalogueFolder) -> Iterator[Catalogue]:
    version = catalogue_folder.current()
    assert version is not None
    opened = Catalogue(catalogue_folder, version)
    yield opened
    opened.close()


def test_the_shipped_catalogue_has_every_food_in_its_measure(catalogue: Catalogue) -> None:
    for name, known in KNOWN.items():
        record = catalogue.read(known.id)
        assert record is not None, name
        measured = record.as_measured(known.serving_id)
        assert measured is not None, name
        assert measured.serving_amount == pytest.approx(known.weight), name


def test_barcodes_of_the_demo_are_those_for_examples() -> None:
    codes = [food.barcode for food in OWN.values() if food.barcode is not None]
    assert len(codes) == 2
    assert all(is_gtin13(code) and code.startswith("952") for code in codes)


def _plan(life: Life, days: int = 30, seed: int = 1, now: datetime = NOW) -> list[PlannedMeal]:
    return list(plan_meals(life, days, seed, now))


@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.reference_id)
def test_the_same_seed_makes_the_same_meals_of_a_day(life: Life) -> None:
    meals = _plan(life)
    assert meals == _plan(life)
    assert meals != _plan(life, seed=2)
    # However many days there are, and whenever it is done.
    week_ago = today(life.timezone, NOW) - timedelta(days=7)
    recent = [meal for meal in meals if meal.day > week_ago]
    assert recent == _plan(life, days=7)
    later = _plan(life, days=31, now=NOW + timedelta(days=1))
    assert [meal for meal in later if meal.day in {each.day for each in recent[:-5]}][: len(recent) - 5] == recent[:-5]


@pytest.mark.parametrize("hour", [0, 6, 12, 23])
@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.reference_id)
def test_nothing_is_logged_before_its_moment_and_today_is_never_empty(life: Life, hour: int) -> None:
    now = NOW.replace(hour=hour)
    meals = _plan(life, now=now)
    assert all(meal.at <= now for meal in meals)
    assert meals[-1].day == today(life.timezone, now)
    assert all(abs((meal.at - NOW).days) <= 31 for meal in meals)


async def _all(client: httpx.AsyncClient, path: str, **parameters: Any) -> list[dict[str, Any]]:
    answer = await client.get(path, params={"limit": 100, **parameters})
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data


async def _fill(service: Service, clock: SettableClock, **options: Any) -> Any:
    clock.now = NOW
    asked = {"days": 30, "seed": 1, "replace": False, "now": NOW} | options
    return await fill_application(service.engine, service.app.services.catalogue, "demo", **asked)


async def test_every_list_of_every_profile_has_something(service: Service, clock: SettableClock) -> None:
    filled = await _fill(service, clock)
    assert filled.missing == []
    client = await service.client("demo")
    assert {each["reference_id"] for each in await _all(client, "/v1/profiles")} == {"alice", "bob", "carol"}
    for each in filled.profiles:
        owner, own_today = each.life.reference_id, today(each.life.timezone, NOW)
        week = [own_today - timedelta(days=ago) for ago in range(7)]
        for day in week:
            assert await _all(client, "/v1/diary-logs", profile_reference_id=owner, date=str(day)), (owner, day)
        for path, least in (
            ("/v1/favorites", 3),
            ("/v1/foods/recently-eaten", 15),
            ("/v1/foods/most-eaten", 15),
            ("/v1/saved-meals", 1),
            ("/v1/foods/custom", 1),
        ):
            assert len(await _all(client, path, profile_reference_id=owner)) >= least, (owner, path)
        profile = (await client.get(f"/v1/profiles/{owner}")).json()
        assert profile["timezone"] == each.life.timezone
        assert profile["is_active"]
        energies = await _energies(client, owner, own_today)
        full = {day: energy for day, energy in energies.items() if day != str(own_today)}
        assert len(full) >= (29 if each.life is not CAROL else 15)
        print(owner, min(full.values()), max(full.values()), sorted(round(v) for v in full.values()))
        assert all(1200 <= energy <= 3500 for energy in full.values()), (owner, full)


async def _energies(client: httpx.AsyncClient, owner: str, last: date) -> dict[str, float]:
    span = {"from": str(last - timedelta(days=40)), "to": str(last)}
    answer = await client.get("/v1/diary-logs/summary", params={"profile_reference_id": owner, **span})
    assert answer.status_code == 200, answer.text
    print(answer.text[:600])
    return {day["date"]: day["macro_nutrients"]["energy_kcal"] for day in answer.json()["data"]}
