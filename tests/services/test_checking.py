"""A check of the storage: every kind of fault is found by its name, what follows from other rows is mended."""

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import httpx
import msgspec
import pytest

from provender.model.access import Scope
from provender.model.checking import Finding, Kind, Tally
from provender.model.eaten import WINDOW_DAYS, EatenFood
from provender.model.errors import StorageUnavailable
from provender.model.times import to_day
from provender.services import day_checks, eaten_checks, profile_checks
from provender.services.checking import StorageCheck
from provender.services.settler import Settler
from provender.storage import diary_days, eaten, owners
from provender.storage.engine import Engine, Value
from provender.storage.groups import Groups
from provender.storage.removal import OWNED_TABLES
from tests.conftest import Service
from tests.diary import (
    MEALS,
    change_log,
    copy_logs,
    day,
    delete_food,
    delete_log,
    new_log,
    new_logs,
    set_timezone,
    summary,
)
from tests.kitchen import add_favorite, new_food, new_profile
from tests.moving import WITH_LOST, fill, save_meal
from tests.pantry import BANANA, COLA, PLAIN

Corrupt = Callable[[Engine], Awaitable[Any]]

_FOOD_COLUMNS = ("serving_description", "metric_serving_amount", "metric_serving_unit", *Groups._fields)

# What makes a table's rows the same for everybody who reads them.
_ORDER = {**OWNED_TABLES, "profiles": ("id",), "deleted_profiles": ("profile_id",)}


@pytest.fixture(autouse=True)
def _nobody_settles(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the background, that is: what is owed stays until somebody reads it, so that rows can be compared."""
    monkeypatch.setattr(Settler, "note", lambda *_: None)


async def find(service: Service, *, repair: bool = False, tally: Tally | None = None) -> list[Finding]:
    check = StorageCheck(service.engine, service.clock, tally or Tally(), repair=repair)
    return [finding async for finding in check.all()]


async def dump(engine: Engine, today: int | None = None) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that a profile owns. JSON is compared by what it says.

    With `today`, what is kept as of an earlier day is as of this one.
    """
    found = {}
    for table, key in _ORDER.items():
        rows = await engine.all(f"SELECT * FROM {table} ORDER BY {', '.join(key)}")
        found[table] = [_plain(table, tuple(row), today) for row in rows]
    return found


def _plain(table: str, row: tuple[Any, ...], today: int | None) -> tuple[Any, ...]:
    if table == "diary_days":
        *columns, others, shown = row
        if today is not None and shown is None and (sums := diary_days.find_sums(row[2:])) is not None:
            shown = diary_days.show(sums)
        read = None if others is None else msgspec.json.decode(others)
        return (*columns, read, None if shown is None else msgspec.json.decode(b"{%b}" % shown))
    if table == "eaten_foods" and today is not None:
        *columns, packed, _, _ = row
        food = EatenFood("", "", 0, eaten.unpack_days(packed))
        counted = {each: count for each, count in food.days.items() if each > today - WINDOW_DAYS}
        return (*columns, counted, food.logs(today), food.valid_until(today))
    return row


async def eat(service: Service, client: httpx.AsyncClient, chance: random.Random, *, days: int) -> None:
    """Two profiles that do everything there is to do with a diary, over so many days, and owe some logs at the end."""
    service.use_catalogue(WITH_LOST)
    await fill(client)
    await new_profile(client, "bob")
    own = [await new_food(client, "bob", food_name=f"Soup {n}", vitamins={f"own_{n}": 0.7}) for n in range(3)]
    foods = [BANANA.id, COLA.id, PLAIN.id, *own]
    logs: list[str] = []
    for step in range(60):
        about = {"meal": chance.choice(MEALS), "number_of_servings": chance.choice([0.25, 1, 1.333, 3])}
        date = day(chance.choice([0, 0, -1, -2, -29, -30, 1]), service.clock.now.date())
        log_id = chance.choice(logs) if logs else ""
        match chance.randrange(8) if logs else 0:
            case 0 | 1 | 2:
                logs.append(await new_log(client, chance.choice(foods), "bob", date=date, **about))
            case 3:
                items = [{"profile_reference_id": "bob", "food_id": each, "date": date} for each in foods]
                logs += await new_logs(client, *items)
            case 4:
                assert (await change_log(client, log_id, date=date, **about)).status_code == 200
            case 5:
                assert (await delete_log(client, log_id)).status_code == 200
                logs.remove(log_id)
            case 6 if days:
                await set_timezone(client, chance.choice(["Pacific/Kiritimati", "Etc/GMT+12", None]), "bob")
            case 7 if days:
                service.clock.advance(hours=chance.choice([5, 26, 24 * days]))
        if step == 40:
            await delete_food(client, foods.pop(), "bob")
            assert (await copy_logs(client, date, day(0, service.clock.now.date()), "bob")).status_code in (200, 201)
    await add_favorite(client, BANANA.id, "bob")
    for food_id in (BANANA.id, own[0]):
        await new_log(client, food_id, "bob")


def change(sql: str, *values: Value) -> Corrupt:
    return lambda engine: engine.change(sql, *values)


async def _insert_unused(engine: Engine) -> None:
    """A food as it was logged, under the id of a food that was never logged so."""
    [row, *_] = await engine.all("SELECT * FROM logged_foods ORDER BY id LIMIT 1")
    names = "application_id, profile_id, id, food_id"
    others = ", ".join(("food_name", "brand_name", "food_type", "is_rounded", *_FOOD_COLUMNS))
    await engine.change(
        f"INSERT INTO logged_foods ({names}, {others}) SELECT application_id, profile_id, id, 'another', {others} "
        "FROM logged_foods WHERE id = $1 LIMIT 1",
        row[2],
    )


# Whatever rows there are, these choose one.
_A_DAY = "(profile_id, date) IN (SELECT profile_id, date FROM diary_days WHERE shown IS NOT NULL ORDER BY date LIMIT 1)"
_A_FOOD = "(profile_id, food_id, meal) IN (SELECT profile_id, food_id, meal FROM eaten_foods WHERE logs > 0 LIMIT 1)"
_BOB = "reference_id = 'bob'"
_BOBS = "profile_id = (SELECT id FROM profiles WHERE reference_id = 'bob')"

# What is done to the rows, and what is found then. All of it follows from other rows, and is as before when mended.
DERIVED: list[tuple[str, Corrupt, set[Kind]]] = [
    ("entries", change(f"UPDATE diary_days SET entries = entries + 1 WHERE {_A_DAY}"), {Kind.DAY_SUMS}),
    ("sums", change(f"UPDATE diary_days SET sums = known WHERE {_A_DAY}"), {Kind.DAY_SUMS}),
    ("known", change(f"UPDATE diary_days SET known = $1 WHERE {_A_DAY}", b"\1"), {Kind.DAY_SUMS}),
    ("others", change(f"UPDATE diary_days SET others = $1 WHERE {_A_DAY}", b"{]"), {Kind.DAY_SUMS}),
    ("sums too large", change(f"UPDATE diary_days SET sums = $1 WHERE {_A_DAY}", b"\xff" * 9000), {Kind.DAY_SUMS}),
    ("no days", change("DELETE FROM diary_days"), {Kind.DAY_SUMS}),
    ("shown", change(f"UPDATE diary_days SET shown = $1 WHERE {_A_DAY}", b'"entries":77'), {Kind.DAY_SHOWN}),
    ("shown as no JSON", change(f"UPDATE diary_days SET shown = $1 WHERE {_A_DAY}", b"\xff"), {Kind.DAY_SHOWN}),
    (
        "a day too many",
        change(
            """
            INSERT INTO diary_days (application_id, profile_id, date, entries, sums, known)
            SELECT application_id, profile_id, 100, entries, sums, known FROM diary_days LIMIT 1
            """
        ),
        {Kind.DAY_SUMS},
    ),
    ("last", change(f"UPDATE eaten_foods SET last_number = 1000000 WHERE {_A_FOOD}"), {Kind.EATEN_FOOD}),
    ("count", change(f"UPDATE eaten_foods SET logs = logs + 1 WHERE {_A_FOOD}"), {Kind.EATEN_FOOD}),
    ("end", change(f"UPDATE eaten_foods SET valid_until = valid_until + 1 WHERE {_A_FOOD}"), {Kind.EATEN_FOOD}),
    ("no end", change(f"UPDATE eaten_foods SET valid_until = NULL WHERE {_A_FOOD}"), {Kind.EATEN_FOOD}),
    ("no count", change(f"UPDATE eaten_foods SET days = $1 WHERE {_A_FOOD}", b""), {Kind.EATEN_FOOD}),
    ("odd days", change(f"UPDATE eaten_foods SET days = $1 WHERE {_A_FOOD}", b"12345"), {Kind.EATEN_FOOD}),
    ("no foods", change("DELETE FROM eaten_foods"), {Kind.EATEN_FOOD}),
    ("a food too many", change(f"UPDATE eaten_foods SET meal = 'tea' WHERE {_A_FOOD}"), {Kind.EATEN_FOOD}),
    ("logged at", change(f"UPDATE profiles SET last_logged_at = NULL WHERE {_BOB}"), {Kind.LAST_LOGGED_AT}),
    ("debt", change(f"UPDATE profiles SET unsettled = unsettled + 3 WHERE {_BOB}"), {Kind.UNSETTLED}),
    ("no words", change(f"DELETE FROM custom_food_words WHERE {_BOBS}"), {Kind.CUSTOM_FOOD_WORDS}),
    (
        "a word too many",
        change(
            """
            INSERT INTO custom_food_words (profile_id, word, food_id)
            SELECT profile_id, 'zucchini', food_id FROM custom_food_words LIMIT 1
            """
        ),
        {Kind.CUSTOM_FOOD_WORDS},
    ),
    (
        "words of no food",
        change(
            """
            INSERT INTO custom_food_words (profile_id, word, food_id)
            SELECT profile_id, word, 'zzzzzzzzzzzzzzzz' FROM custom_food_words LIMIT 1
            """
        ),
        {Kind.CUSTOM_FOOD_WORDS},
    ),
    ("an unused food", _insert_unused, {Kind.LOGGED_FOOD_UNUSED}),
    (
        "another application",
        change("UPDATE saved_meals SET application_id = 'globex'"),
        {Kind.WRONG_APPLICATION},
    ),
    (
        "derived rows of nobody",
        change(
            """
            INSERT INTO custom_food_words (profile_id, word, food_id)
            SELECT 'nobody', word, food_id FROM custom_food_words
            """
        ),
        {Kind.DERIVED_WITHOUT_PROFILE},
    ),
]


async def test_what_follows_from_other_rows_is_found_and_mended(service: Service, acme: httpx.AsyncClient) -> None:
    await eat(service, acme, random.Random(1), days=15)  # noqa: S311 - The same steps every time.
    untouched, today = await dump(service.engine), to_day(service.clock.now.date())
    assert await find(service) == []
    assert await dump(service.engine) == untouched, "a check alone changes nothing"
    before = await dump(service.engine, today)
    for name, corrupt, kinds in DERIVED:
        await corrupt(service.engine)
        found = await find(service)
        assert {finding.kind for finding in found} == kinds, name
        assert not any(finding.is_mended for finding in found), name
        mended = await find(service, repair=True)
        assert {finding.kind for finding in mended} == kinds, name
        assert all(finding.is_mended for finding in mended), name
        assert await find(service) == [], name
        after = await dump(service.engine, today)
        for table, rows in before.items():
            assert after[table] == rows, f"{name}: {table}"


def _corruption(chance: random.Random, table: str) -> str:
    """Something to do to a row of what follows from others, as SQL."""
    match table, chance.randrange(4):
        case "diary_days" | "eaten_foods" | "custom_food_words", 0:
            return f"DELETE FROM {table}"
        case "diary_days", 1:
            return f"UPDATE diary_days SET entries = {chance.randrange(50)}"
        case "diary_days", 2:
            return "UPDATE diary_days SET sums = known, known = sums"
        case "diary_days", _:
            return f"UPDATE diary_days SET date = {chance.randrange(10000, 30000)}"
        case "eaten_foods", 1:
            return f"UPDATE eaten_foods SET logs = {chance.randrange(50)}"
        case "eaten_foods", 2:
            return f"UPDATE eaten_foods SET last_number = {chance.randrange(500)}"
        case "eaten_foods", _:
            return "UPDATE eaten_foods SET food_id = 'nothing'"
        case "custom_food_words", _:
            return f"UPDATE custom_food_words SET word = 'word{chance.randrange(10**9)}'"
        case "profiles", 1:
            return f"UPDATE profiles SET last_logged_at = {chance.randrange(10**12)}"
    return f"UPDATE profiles SET unsettled = {chance.randrange(100)}"


async def test_what_is_mended_is_byte_for_byte_what_the_service_wrote(
    service: Service, acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one day: there is no saying on which day a row that is lost was written."""
    chance = random.Random(2)  # noqa: S311 - It decides which rows are damaged, and no secret.
    await eat(service, acme, chance, days=0)
    before = await dump(service.engine)
    tables = ("diary_days", "eaten_foods", "custom_food_words", "profiles")
    for number in range(10):
        if number == 5:
            # From here on every profile is too large to be read at once.
            for module, name in ((day_checks, "_LOGS_AT_ONCE"), (eaten_checks, "_COUNTS_AT_ONCE")):
                monkeypatch.setattr(module, name, 2)
            monkeypatch.setattr(eaten_checks, "_ROWS_AT_ONCE", 3)
            monkeypatch.setattr(profile_checks, "_FOODS_AT_ONCE", 1)
        for _ in range(chance.randrange(1, 6)):
            table = chance.choice(tables)
            key = _ORDER[table]
            rows = await service.engine.all(f"SELECT {', '.join(key)} FROM {table} ORDER BY {', '.join(key)}")
            await corrupt_at_random(service.engine, chance, table, rows)
        assert await find(service)
        await find(service, repair=True)
        assert await find(service) == []
        assert await dump(service.engine) == before


async def corrupt_at_random(engine: Engine, chance: random.Random, table: str, rows: Sequence[Any]) -> None:
    key = _ORDER[table]
    places = ", ".join(f"${place + 1}" for place in range(len(key)))
    sql = _corruption(chance, table)
    await engine.change(f"{sql} WHERE ({', '.join(key)}) = ({places})", *chance.choice(rows))


# What follows from nothing else is found, named as such, and left alone.
OWN: list[tuple[str, Corrupt, set[Kind]]] = [
    ("items", change("UPDATE saved_meals SET items = $1", b"[1]"), {Kind.ROW_UNREADABLE}),
    ("a meal's meal", change("UPDATE saved_meals SET meal = 'tea'"), {Kind.ROW_UNREADABLE}),
    ("vitamins", change("UPDATE custom_foods SET vitamins = $1", b"{"), {Kind.ROW_UNREADABLE}),
    ("a unit", change("UPDATE custom_foods SET metric_serving_unit = 'pint'"), {Kind.ROW_UNREADABLE}),
    ("a log's meal", change("UPDATE diary_logs SET meal = 'tea'"), {Kind.ROW_UNREADABLE, Kind.EATEN_FOOD}),
    ("values", change("UPDATE logged_foods SET vitamins = $1", b'{"own":1}'), {Kind.LOGGED_FOOD_CHANGED}),
    ("no values", change("UPDATE logged_foods SET lipids = $1", b"\xff"), {Kind.LOGGED_FOOD_CHANGED}),
    ("no foods", change("DELETE FROM logged_foods"), {Kind.LOG_WITHOUT_FOOD}),
    (
        "logs of nobody",
        change("UPDATE diary_logs SET profile_id = 'nobody'"),
        {Kind.ROWS_WITHOUT_PROFILE, Kind.LOGGED_FOOD_UNUSED, Kind.DAY_SUMS, Kind.EATEN_FOOD, Kind.LAST_LOGGED_AT},
    ),
    (
        "a note",
        change("INSERT INTO deleted_profiles SELECT id, application_id, $1 FROM profiles", 2**50),
        {Kind.PROFILE_NOTED_AS_DELETED},
    ),
]


@pytest.mark.parametrize(("corrupt", "kinds"), [each[1:] for each in OWN], ids=[each[0] for each in OWN])
async def test_what_follows_from_nothing_is_found_and_left_alone(
    service: Service, acme: httpx.AsyncClient, corrupt: Corrupt, kinds: set[Kind]
) -> None:
    await new_profile(acme)
    granola = await new_food(acme)
    await save_meal(acme, name="Breakfast", items=[{"food_id": granola}])
    await new_log(acme, granola, meal="lunch")
    await summary(acme, day(0), day(0))
    await corrupt(service.engine)
    # Foods of logs that have lost their profile are not taken for unused.
    left = {kind for kind in kinds if not kind.is_derived or kind is Kind.LOGGED_FOOD_UNUSED}
    found = await find(service)
    assert {finding.kind for finding in found} == kinds
    own_rows = await dump_own(service.engine)
    mended = await find(service, repair=True)
    assert {finding.kind for finding in mended if not finding.is_mended} == left
    assert {finding.kind for finding in await find(service)} == left
    assert await dump_own(service.engine) == own_rows


async def test_nothing_is_taken_for_unused_where_lost_rows_could_not_be_looked_for(
    service: Service, acme: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await new_profile(acme)
    await new_log(acme, BANANA.id, meal="lunch")
    await summary(acme, day(0), day(0))
    await service.engine.change("UPDATE diary_logs SET profile_id = 'nobody'")
    own_rows = await dump_own(service.engine)

    async def fail(_engine: Engine, table: str) -> list[str]:
        raise StorageUnavailable(f"{table} takes too long.")

    monkeypatch.setattr(owners, "read_lost", fail)
    found = await find(service, repair=True)
    assert Kind.STORAGE_UNREADABLE in {finding.kind for finding in found}
    assert await dump_own(service.engine) == own_rows


async def dump_own(engine: Engine) -> list[Any]:
    """What is kept of people's own, and follows from nothing."""
    tables = ("custom_foods", "saved_meals", "logged_foods", "diary_logs", "favorites", "deleted_profiles")
    return [[tuple(row) for row in await engine.all(f"SELECT * FROM {table} ORDER BY 1, 2, 3")] for table in tables]


async def test_a_number_that_was_given_is_not_given_again(service: Service, acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    await new_log(acme, BANANA.id)
    await add_favorite(acme, BANANA.id)
    await service.engine.change("UPDATE profiles SET last_number = 0, settled_number = 0")
    assert [(finding.kind, finding.right) for finding in await find(service)] == [(Kind.LAST_NUMBER, "2")]
    await find(service, repair=True)
    assert await find(service) == []
    await new_log(acme, BANANA.id)
    assert (await summary(acme, day(0), day(0)))["total"]["entries"] == 2


async def test_a_settled_number_that_cannot_be_is_put_right(service: Service, acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    for _ in range(2):
        await new_logs(acme, *[{"food_id": BANANA.id}] * 70)
    expected = await summary(acme, day(0), day(0))
    for settled_number in (10**9, 0, 139):
        await service.engine.change("UPDATE profiles SET settled_number = $1", settled_number)
        assert Kind.UNSETTLED in {finding.kind for finding in await find(service)}
        await find(service, repair=True)
        assert await find(service) == []
        assert await summary(acme, day(0), day(0)) == expected


async def test_logs_that_are_owed_are_right(service: Service, acme: httpx.AsyncClient) -> None:
    await new_profile(acme)
    await new_logs(acme, *[{"food_id": BANANA.id}] * 5)
    for repair in (False, True):
        assert await find(service, repair=repair) == []
    [[unsettled]] = await service.engine.all("SELECT unsettled FROM profiles")
    assert unsettled == 5, "neither a check nor a repair settles what is merely owed"


async def test_rows_of_a_profile_that_is_being_deleted_or_imported_are_right(
    service: Service, acme: httpx.AsyncClient
) -> None:
    await new_profile(acme)
    await new_log(acme, await new_food(acme))
    await service.engine.change(
        "INSERT INTO deleted_profiles (profile_id, application_id, deleted_at) "
        "SELECT id, application_id, $1 FROM profiles",
        2**50,
    )
    await service.engine.change("DELETE FROM profiles")
    tally = Tally()
    assert await find(service, tally=tally) == []
    assert tally == Tally()


async def test_an_answer_about_no_profile_is_right(service: Service) -> None:
    admin = await service.client("acme", Scope.ADMIN)
    assert (await admin.post("/v1/keys", headers={"Idempotency-Key": "new"})).status_code == 201
    assert [row[0] for row in await service.engine.all("SELECT profile_id FROM answered_requests")] == [""]
    assert await find(service, repair=True) == []
    assert len(await service.engine.all("SELECT 1 FROM answered_requests")) == 1


async def test_one_application_or_profile_alone(
    service: Service, acme: httpx.AsyncClient, globex: httpx.AsyncClient
) -> None:
    for client in (acme, globex):
        for owner in ("alice", "bob"):
            await new_profile(client, owner)
            await new_log(client, BANANA.id, owner)
    await service.engine.change("UPDATE profiles SET last_logged_at = 1")

    async def owners(*which: str) -> list[tuple[str, str]]:
        check = StorageCheck(service.engine, service.clock, Tally(), repair=False)
        found = [finding.owner async for finding in check.all(*which)]
        return sorted((owner.application, owner.reference_id) for owner in found if owner is not None)

    both = [(application, owner) for application in ("acme", "globex") for owner in ("alice", "bob")]
    assert await owners() == both
    assert await owners("globex") == both[2:]
    assert await owners("acme") == both[:2]
    assert await owners("acme", "bob") == both[1:2]
