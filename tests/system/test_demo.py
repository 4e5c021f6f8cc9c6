"""`provender demo`: what it prints, and what its people have, on both databases, as requests see it."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx
import pytest

from provender.catalogue.build import Build
from provender.catalogue.folder import CatalogueFolder
from provender.catalogue.store import Catalogue
from provender.importers import sr28
from provender.importers.judge import judge
from provender.importers.records import Accepted
from provender.importers.sr28_nutrients import NAMES
from provender.model.diary import today
from provender.model.errors import InvalidRequest
from provender.model.foods import Food, Unit
from provender.model.gtin import is_gtin13
from provender.services.demo.filling import fill_application
from provender.services.demo.foods import KNOWN, OWN
from provender.services.demo.lives import ALICE, CAROL, LIVES, Life
from provender.services.demo.planning import PlannedMeal, plan_meals
from provender.settings import Settings
from tests.conftest import Service, SettableClock
from tests.system.commands import KEY, Result, call, printed, refusal

# A Wednesday afternoon in UTC; in Auckland it is Thursday morning already.
NOW = datetime(2026, 3, 11, 19, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def catalogue_folder(tmp_path_factory: pytest.TempPathFactory) -> CatalogueFolder:
    """Of the foods that ship those of the demo: to build all of them would take longer than the tests do."""
    names = [NAMES.get(nutrient) for nutrient, _, _ in sr28.read_header().nutrients]
    wanted = {known.ndb_number for known in KNOWN.values()}
    found = [record for record in sr28.read_records() if record.ndb_number in wanted]
    judged = [judge(sr28.make_candidate(record, names), {}) for record in found]
    folder = CatalogueFolder(tmp_path_factory.mktemp("menu") / "catalogue")
    with Build(folder, datetime(2026, 1, 1, tzinfo=UTC)) as build:
        build.add([outcome.food for outcome in judged if isinstance(outcome, Accepted)], release="SR28")
        build.finish()
    return folder


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
    week = today(life.timezone, NOW) - timedelta(days=6)
    assert [meal for meal in meals if meal.day >= week] == _plan(life, days=7)
    yesterday = week + timedelta(days=5)
    later = _plan(life, days=3, now=NOW + timedelta(days=1))
    assert [meal for meal in meals if meal.day == yesterday] == [meal for meal in later if meal.day == yesterday]


@pytest.mark.parametrize("hour", [0, 6, 12, 23])
@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.reference_id)
def test_nothing_is_logged_before_its_moment_and_today_is_never_empty(life: Life, hour: int) -> None:
    now = NOW.replace(hour=hour)
    meals = _plan(life, now=now)
    assert all(meal.at <= now for meal in meals)
    assert meals[-1].day == today(life.timezone, now)


async def _all(client: httpx.AsyncClient, path: str, **parameters: Any) -> list[dict[str, Any]]:
    answer = await client.get(path, params={"limit": 100, **parameters})
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data


async def _fill(service: Service, clock: SettableClock, **options: Any) -> Any:
    clock.now = NOW
    asked: dict[str, Any] = {"days": 30, "seed": 1, "replace": False, "now": NOW} | options
    return await fill_application(service.engine, service.app.services.catalogue, "demo", **asked)


async def test_every_list_of_every_profile_has_something(service: Service, clock: SettableClock) -> None:
    filled = await _fill(service, clock, days=16)
    assert filled.missing == []
    client = await service.client("demo")
    assert {each["reference_id"] for each in await _all(client, "/v1/profiles")} == {"alice", "bob", "carol"}
    for each in filled.profiles:
        owner, own_today = each.life.reference_id, today(each.life.timezone, NOW)
        week = [own_today - timedelta(days=ago) for ago in range(7)]
        for day in week:
            assert await _all(client, "/v1/diary-logs", profile_reference_id=owner, date=str(day)), (owner, day)
        for path, least in (
            ("/v1/foods/favorites", 3),
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
        assert len(full) >= (15 if each.life is not CAROL else 9)
        assert all(1200 <= energy <= 3500 for energy in full.values()), (owner, full)
    await _check_order(client)


async def _check_order(client: httpx.AsyncClient) -> None:
    """Everything has the moment at which it would have happened."""
    profile = (await client.get("/v1/profiles/alice")).json()
    last = _plan(ALICE)[-1]
    assert NOW - datetime.fromtimestamp(profile["created_at"] / 1000, UTC) > timedelta(days=15)
    logs = await _all(client, "/v1/diary-logs", profile_reference_id="alice", **{"from": str(NOW.date())})
    made = [log["created_at"] for log in logs]
    assert made == sorted(made)
    assert datetime.fromtimestamp(made[-1] / 1000, UTC) == last.at
    recent = await _all(client, "/v1/foods/recently-eaten", profile_reference_id="alice")
    assert recent[0]["_id"] in {KNOWN[bite.food].id for bite in last.dish.bites}
    # It is in the breakfast of every day of work, and in what follows training.
    most = await _all(client, "/v1/foods/most-eaten", profile_reference_id="alice")
    assert KNOWN["banana"].id in [food["_id"] for food in most[:3]]


async def test_what_is_written_is_the_same_for_the_same_seed(service: Service, clock: SettableClock) -> None:
    diaries = []
    for seed in (1, 1, 2):
        await _fill(service, clock, days=3, seed=seed, replace=True)
        client = await service.client("demo")
        logs = await _all(client, "/v1/diary-logs", profile_reference_id="carol", to="2026-12-31")
        members = ("food_name", "meal", "date", "number_of_servings", "note", "created_at")
        diaries.append([[log[member] for member in members] for log in logs])
    assert diaries[0] == diaries[1] != diaries[2]


async def test_profiles_that_are_there_are_refused_and_stay(service: Service, clock: SettableClock) -> None:
    client = await service.client("demo")
    assert (await client.post("/v1/profiles", data={"reference_id": "bob"})).status_code == 201
    with pytest.raises(InvalidRequest, match="has bob already"):
        await _fill(service, clock)
    assert [each["reference_id"] for each in await _all(client, "/v1/profiles")] == ["bob"]
    assert await _all(client, "/v1/diary-logs", profile_reference_id="bob", to="2026-12-31") == []


async def test_foods_that_the_catalogue_lacks_are_left_out(service: Service, clock: SettableClock) -> None:
    service.use_catalogue(
        [_other_food("usda", KNOWN["oats"].ndb_number), _other_food("usda", KNOWN["pizza"].ndb_number)]
    )
    filled = await _fill(service, clock, days=7)
    assert set(filled.missing) == KNOWN.keys() - {"oats", "pizza"}
    client = await service.client("demo")
    [meal] = [
        each for each in await _all(client, "/v1/saved-meals", profile_reference_id="alice") if "Oat" in each["name"]
    ]
    assert [item["food_id"] for item in meal["items"]] == [KNOWN["oats"].id]
    # Its measures are others there, so what it weighs is logged.
    logs = await _all(client, "/v1/diary-logs", profile_reference_id="bob", to="2026-12-31")
    assert {log["metric_amount"] for log in logs if log["food_id"] == KNOWN["pizza"].id} == {321}
    service.use_catalogue([_other_food("elsewhere", "1")])
    with pytest.raises(InvalidRequest, match="provender import sr28"):
        await _fill(service, clock, replace=True)


def _other_food(source: str, key: str) -> Food:
    return Food(source, key, source, f"Food {key}", None, Unit.GRAM, {"energy_kcal": 200.0})


async def _energies(client: httpx.AsyncClient, owner: str, last: date) -> dict[str, float]:
    span = {"from": str(last - timedelta(days=40)), "to": str(last)}
    answer = await client.get("/v1/diary-logs/summary", params={"profile_reference_id": owner, **span})
    assert answer.status_code == 200, answer.text
    return {day["date"]: day["macro_nutrients"]["energy_kcal"] for day in answer.json()["data"]}


async def test_the_command_fills_once_and_again_only_when_told_to(service: Service, clock: SettableClock) -> None:
    said = printed(await _call(service, "--days", "2"))
    assert said.startswith("PROFILE  WHO ")
    [key] = set(KEY.findall(said))
    assert "has alice and bob and carol already. With --replace" in refusal(await _call(service, "--days", "2"))
    replaced = json.loads(printed(await _call(service, "--days", "2", "--replace", "--json")))
    assert replaced["key"] is None
    assert [(each["reference_id"], each["days"]) for each in replaced["profiles"]] == [
        ("alice", 2),
        ("bob", 2),
        ("carol", 2),
    ]
    another = json.loads(printed(await _call(service, "--days", "1", "--replace", "--key", "--json")))
    assert KEY.fullmatch(another["key"])
    # The request that it proposes works with the key that it prints.
    [address] = [line.split("'")[1] for line in said.splitlines() if "curl" in line]
    clock.now = datetime.now(UTC)
    client = await service.client_with(f"Bearer {key}")
    [day] = (await client.get(address.split(":8000", 1)[1])).json()["data"]
    assert day["macro_nutrients"]["energy_kcal"] > 0


async def _call(service: Service, *arguments: str) -> Result:
    """In a thread, since a command runs an event loop of its own."""
    return await anyio.to_thread.run_sync(lambda: call("demo", *arguments, settings=service.settings))


@pytest.mark.usefixtures("anyio_backend")
def test_a_check_finds_nothing_wrong_with_it(settings: Settings) -> None:
    made = json.loads(printed(call("demo", "--days", "8", "--json", settings=settings)))
    checked = json.loads(printed(call("check", "--only", "storage", "--json", settings=settings)))
    assert checked["found"] == 0
    assert checked["checked"]["logs"] == sum(each["logs"] for each in made["profiles"]) > 150


def test_a_wrong_name_or_number_of_days_makes_nothing(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    assert "application's name" in refusal(call("demo", "--application", "a b", settings=settings))
    assert call("demo", "--days", "0", settings=settings).exit_code == 2
    assert not settings.data_dir.exists()
