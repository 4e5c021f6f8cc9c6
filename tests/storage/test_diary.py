"""The diary in storage: what everybody does at once is counted right, and nothing costs more in a long diary."""

import asyncio
import random
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx

from provender.model.diary import Meal
from provender.model.foods import FoodType, Unit
from provender.model.nutrients import Group
from provender.model.paging import PageRequest
from provender.model.profiles import Profile
from provender.model.times import to_day
from provender.services import diary, eaten, new_logs
from provender.services.catalogue import CurrentCatalogue
from provender.services.custom_foods import create_custom_food
from provender.services.portions import NewLog
from provender.services.profiles import change_timezone
from provender.services.settling import settle_profile
from provender.settings import Settings
from provender.storage import profiles
from provender.storage.engine import Engine
from provender.storage.store import Store
from tests import diary as api
from tests.conftest import Service
from tests.diary import MEALS, day
from tests.kitchen import MUESLI, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN
from tests.storage.recording import Asked, RecordingEngine, is_postgresql, plan, work

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
TODAY = NOW.date()


async def _assert_all_is_counted(
    client: httpx.AsyncClient, service: Service, foods: list[str], today: date = api.TODAY
) -> None:
    """Lists and sums are what a fresh count over the logs gives.

    Which of two logs that are made at once is the last, nobody but the storage knows.
    """
    logs = await api.diary(client)
    numbers = {row[0]: row[1] for row in await service.engine.all("SELECT id, number FROM diary_logs")}
    assert await api.summary(client, day(-200), day(199)) == api.summarised(logs)
    for meal in (None, *MEALS):
        asked: dict[str, Any] = {} if meal is None else {"meal": meal}
        counted: dict[str, tuple[int, int]] = {}
        for log in logs:
            if log["food_id"] in foods and meal in (None, log["meal"]):
                counts = day(-29, today) <= log["date"] <= today.isoformat()
                count, last = counted.get(log["food_id"], (0, 0))
                counted[log["food_id"]] = count + counts, max(last, numbers[log["_id"]])
        recent = sorted(counted, key=lambda food_id: counted[food_id][1], reverse=True)
        assert await api.recently(client, **asked, limit=3) == recent
        most = sorted((food_id for food_id in counted if counted[food_id][0]), key=counted.__getitem__, reverse=True)
        assert await api.most(client, **asked, limit=3) == most


async def test_64_clients_at_once_on_one_profile_lose_and_count_nothing_twice(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await new_profile(acme)
    foods = [BANANA.id, COLA.id, PLAIN.id, await new_food(acme, **MUESLI)]
    shared = await api.new_logs(acme, *({"food_id": food_id} for food_id in foods * 4))
    kept: set[str] = set()

    async def act(number: int) -> None:
        """Make logs, change and delete them, and meddle with those that all have in common."""
        chance = random.Random(number)  # noqa: S311 - The same walk every time.
        own: list[str] = []
        for turn in range(6):
            food_id, meal, after = chance.choice(foods), chance.choice(MEALS), chance.choice([0, -1, -29, -30, 1])
            sent = {"meal": meal, "date": day(after), "number_of_servings": chance.choice([0.25, 1.333, 0.1])}
            own.append(await api.new_log(acme, food_id, **sent, note=f"{number}-{turn}"))
            if turn % 2:
                assert (await api.change_log(acme, chance.choice(own), meal=meal, date=day(-after))).status_code == 200
            if turn == 3:
                gone = own.pop(chance.randrange(len(own)))
                assert (await api.delete_log(acme, gone)).status_code == 200
            in_common = chance.choice(shared)
            if number % 3 == 0:
                response = await api.delete_log(acme, in_common)
            else:
                response = await api.change_log(acme, in_common, meal=meal, number_of_servings=chance.random() + 0.1)
            assert response.status_code == 200 or response.json()["code"] == "log_not_found", response.text
        kept.update(own)

    # On PostgreSQL one waits for the other, and the pool lets so many wait at once.
    await asyncio.gather(*(act(number) for number in range(64)))
    logs = await api.diary(acme)
    found = {log["_id"] for log in logs}
    assert kept <= found <= kept | set(shared)
    assert len(kept) == 64 * 5
    await _assert_all_is_counted(acme, service, foods)


async def test_copies_batches_moves_and_deletions_of_foods_at_once_are_counted_right(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await new_profile(acme)
    own = [await new_food(acme, food_name=f"Granola {number}") for number in range(8)]
    await api.new_logs(acme, *({"food_id": food_id, "meal": meal} for food_id in own for meal in MEALS[:2]))

    async def everything(number: int) -> None:
        food_id = own[number]
        await api.new_logs(acme, {"food_id": BANANA.id}, {"food_id": own[-1], "date": day(-29)})
        log_id = await api.new_log(acme, COLA.id, meal="lunch")
        await asyncio.gather(
            api.copy_logs(acme, day(0), day(-number), meal="breakfast"),
            api.delete_food(acme, food_id),
            api.change_log(acme, log_id, date=day(-3), meal="dinner"),
            api.set_timezone(acme, ("Europe/Berlin", "Asia/Tokyo", "America/New_York")[number % 3]),
        )

    await asyncio.gather(*(everything(number) for number in range(6)))
    await api.set_timezone(acme, None)
    await _assert_all_is_counted(acme, service, [*own[6:], BANANA.id, COLA.id])


async def test_a_food_that_is_deleted_while_its_logs_are_written_does_not_come_back(
    acme: httpx.AsyncClient, service: Service
) -> None:
    await new_profile(acme)
    for _ in range(6):
        food_id = await new_food(acme)
        log_id = await api.new_log(acme, food_id, meal="lunch")
        answers = await asyncio.gather(
            *(api.create_log(acme, food_id, meal=meal) for meal in MEALS),
            api.change_log(acme, log_id, meal="dinner"),
            api.delete_food(acme, food_id),
            api.copy_logs(acme, day(0), day(-1)),
            api.change_log(acme, log_id, date=day(1)),
            *(api.create_log(acme, food_id, meal=meal) for meal in MEALS),
        )
        for answer in answers:
            assert answer is None or answer.status_code < 400 or answer.json()["code"] == "food_not_found"
        for meal in (None, *MEALS):
            asked: dict[str, Any] = {} if meal is None else {"meal": meal}
            assert await api.recently(acme, **asked) == await api.most(acme, **asked) == []
        assert not await service.engine.all("SELECT food_id FROM eaten_foods WHERE food_id = $1", food_id)
    await _assert_all_is_counted(acme, service, [])


async def _eat(store: Store, current: CurrentCatalogue, owner: str, logs: int, days: int) -> str:
    """So many logs of twenty foods on a day, copies of that on the days before, and one of the foods."""
    await profiles.insert_profile(store, Profile(owner, owner, None, NOW, NOW))
    foods = [
        await create_custom_food(
            store,
            owner,
            NOW,
            name=f"Granola {number}",
            brand=None,
            food_type=FoodType.GENERIC,
            serving_description="1 bowl",
            serving_amount=60,
            unit=Unit.GRAM,
            barcode=None,
            nutrients={Group.VITAMINS: {"vitamin_c_in_mg": 1.0}},
        )
        for number in range(20)
    ]
    each = [NewLog(owner, foods[number % 20], Meal.LUNCH, day=TODAY) for number in range(logs)]
    for start in range(0, logs, 100):
        await new_logs.create_logs(current, store, each[start : start + 100], NOW)
    for before in range(1, days):
        await diary.copy_logs(store, owner, TODAY, TODAY - timedelta(days=before), None, NOW)
    await settle_profile(store, owner, NOW)
    return foods[7]


async def _read(
    store: Store, current: CurrentCatalogue, owner: str, requests: list[PageRequest], now: datetime
) -> None:
    """Both lists of foods, of all meals and of one."""
    for request in requests:
        for meal in (None, Meal.LUNCH):
            named: dict[str, Any] = {"meal": meal, "include": frozenset()}
            await eaten.list_recently_eaten(current, store, owner, request, now, **named)
            await eaten.list_most_eaten(current, store, owner, request, now, **named)


async def _write(store: Store, current: CurrentCatalogue, owner: str, food_id: str) -> None:
    """Every way to write a log, and to read some."""
    new = [NewLog(owner, food_id, Meal.LUNCH), NewLog(owner, food_id, Meal.DINNER, day=date(2025, 1, 1))]
    ids = await new_logs.create_logs(current, store, new, NOW)
    ids += await new_logs.create_logs(current, store, new[:1], NOW)
    await diary.change_log(store, ids[0], None, NOW, meal=Meal.SNACK, date=date(2025, 1, 1))
    await diary.change_log(store, ids[1], owner, NOW, number_of_servings=2.0)
    for first, last, meal in [(TODAY, TODAY, None), (None, None, Meal.LUNCH), (TODAY - timedelta(days=5), None, None)]:
        page = await diary.list_entries(
            store, owner, PageRequest(), first=first, last=last, meal=meal, include=frozenset()
        )
        cursor = page.items[-1].log.id
        for request in (PageRequest(10, cursor), PageRequest(10, cursor, backwards=True)):
            await diary.list_entries(store, owner, request, first=first, last=last, meal=meal, include=frozenset())
    await diary.get_entry(store, ids[0], owner)
    await diary.summarise(store, owner, date(2025, 1, 1), date(2025, 1, 2), NOW)
    copies = await diary.copy_logs(store, owner, date(2025, 1, 1), date(2025, 1, 3), None, NOW)
    for log_id in [*ids, *copies]:
        await diary.delete_log(store, log_id, None, NOW)


async def test_a_diary_of_20000_logs_costs_what_one_of_100_does(
    recording: RecordingEngine, engine: Engine, settings: Settings, current: CurrentCatalogue
) -> None:
    """In statements, in rows that they return, and in what the database has to look at for the eaten lists."""
    store = Store(recording, "acme")
    places = {"few": await _eat(store, current, "few", 20, 5), "many": await _eat(store, current, "many", 1000, 20)}
    await _fill_others(store, engine)
    counts = {row[0]: row[1] for row in await engine.all("SELECT profile_id, count(*) FROM diary_logs GROUP BY 1")}
    assert (counts["few"], counts["many"]) == (100, 20_000)
    await engine.change("ANALYZE")
    asked: dict[str, list[Asked]] = {}
    # Today, and after a pause in which all that was eaten has left the window.
    for now in (NOW, NOW + timedelta(days=60)):
        for owner, place in places.items():
            requests = [PageRequest(5), PageRequest(5, place), PageRequest(5, place, backwards=True)]
            recording.take()
            await _read(store, current, owner, requests if now == NOW else requests[:1], now)
            asked[owner] = recording.take()
        assert [each.sql for each in asked["few"]] == [each.sql for each in asked["many"]]
        assert [each.rows for each in asked["few"]] == [each.rows for each in asked["many"]]
        for few, many in zip(asked["few"], asked["many"], strict=True):
            # PostgreSQL may find one and the same handful of rows by another index: those of twenty foods.
            assert await work(engine, settings, many) <= 3 * await work(engine, settings, few) + 40, few.sql
    for owner in ("few", "many"):
        recording.take()
        await _write(store, current, owner, BANANA.id)
        asked[owner] = recording.take()
    assert [each.sql for each in asked["few"]] == [each.sql for each in asked["many"]]


_FOOD = "food_name, food_type, serving_description, metric_serving_amount, metric_serving_unit"
_GROUPS = "macro_nutrients, vitamins, minerals, carbohydrates, lipids, proteins"


async def _fill(store: Store, engine: Engine, owner: str, count: int, first: int) -> str:
    """A profile with so many logs of as many foods, quicker than they could be logged, and one of the foods.

    What is filled in has numbers from `first` on in its ids.
    """

    def binary(content: bytes) -> str:
        return f"CAST('\\x{content.hex()}' AS bytea)" if is_postgresql(engine) else f"X'{content.hex()}'"

    async def fill(table: str, columns: str, values: str) -> None:
        await engine.change(
            f"""
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
            INSERT INTO {table} (application_id, profile_id, {columns}) SELECT 'acme', '{owner}', {values} FROM numbers
            """
        )

    await profiles.insert_profile(store, Profile(owner, owner, None, NOW, NOW))
    id_ = f"(100000000000000 + {first} + n)"
    today, meal = to_day(TODAY), "CASE n % 2 WHEN 0 THEN 'lunch' ELSE 'snack' END"
    # Three logs today, as storage/eaten.py writes it.
    nothing, days = binary(b"{}"), binary(today.to_bytes(4, "little") + (3).to_bytes(4, "little"))
    food = f"'Food', 'generic', '100 g', 100, 'g', {', '.join([nothing] * 6)}"
    await fill("custom_foods", f"id, {_FOOD}, {_GROUPS}, created_at, updated_at", f"'f' || {id_}, {food}, 0, 0")
    await fill("logged_foods", f"food_id, id, is_rounded, {_FOOD}, {_GROUPS}", f"'f' || {id_}, 'e' || {id_}, 0, {food}")
    await fill(
        "diary_logs",
        "date, id, number, meal, food_id, is_custom, logged_food_id, number_of_servings, created_at, updated_at",
        f"{today} - (n - 1) % 1000, 'l' || {id_}, n, {meal}, 'f' || {id_}, 1, 'e' || {id_}, 1, 0, 0",
    )
    for each in ("'all'", meal):
        await fill(
            "eaten_foods",
            "food_id, meal, last_number, days, logs, valid_until",
            f"'f' || {id_}, {each}, n, {days}, n % 7, {today + 1000} + n % 5",
        )
    await engine.change(
        f"""
        INSERT INTO diary_days (application_id, profile_id, date, entries, sums, known)
        SELECT application_id, profile_id, date, count(*), {binary(b"")}, {binary(b"")} FROM diary_logs
        WHERE profile_id = '{owner}' GROUP BY application_id, profile_id, date
        """
    )
    await engine.change(f"UPDATE profiles SET last_number = {count} WHERE id = '{owner}'")
    return f"f{100000000000000 + first + 8}"


async def _fill_others(store: Store, engine: Engine) -> None:
    """Other profiles, so that PostgreSQL has a reason to use an index."""
    for number in range(100):
        await _fill(store, engine, f"other-{number}", 20, 100_000 * (number + 1))


# Reading a whole table or a whole index, and bringing rows into another order than an index has them in.
_WHOLE = re.compile(r"\bSCAN (diary_logs|diary_days|logged_foods|eaten_foods|l|e|d)\b|Seq Scan on (?!profiles)")
_SORTED = re.compile(r"TEMP B-TREE|^\s*(->)?\s*(Incremental )?Sort\b", re.MULTILINE)


async def test_every_statement_is_along_an_index_and_sorts_nothing(
    recording: RecordingEngine, engine: Engine, current: CurrentCatalogue
) -> None:
    """In a long diary among short ones; what is short may be sorted, if PostgreSQL thinks so."""
    store = Store(recording, "acme")
    places = {
        owner: await _fill(store, engine, owner, count, first)
        for owner, count, first in [("many", 10_000, 0), ("few", 20, 50_000)]
    }
    await _fill_others(store, engine)
    if is_postgresql(engine):
        # Before, it takes every profile's rows for a handful. SQLite plans without having looked, as it does in use.
        await engine.change("ANALYZE")
    for owner, place in places.items():
        recording.take()
        requests = [PageRequest(5), PageRequest(5, place), PageRequest(5, place, backwards=True)]
        await _read(store, current, owner, requests, NOW)
        await _write(store, current, owner, BANANA.id)
        if owner == "few":
            # To the west all foods are counted anew, of which the other has most that there are.
            for timezone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
                await change_timezone(store, owner, timezone, NOW)
        asked = {each.sql: each for each in recording.take()}
        assert len(asked) > 25
        for each in asked.values():
            found = await plan(engine, each)
            assert not _WHOLE.search(found), f"{owner}: {each.sql}\n{found}"
            assert owner == "few" or not _SORTED.search(found), f"{owner}: {each.sql}\n{found}"
