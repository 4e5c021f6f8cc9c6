"""Settling: logs are there at once, what follows from them later, and nobody ever sees the difference."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import httpx
import pytest

from provender.model.diary import Meal
from provender.model.errors import FoodNotFound, InvalidCursor, InvalidParameters, ProfileNotFound, StorageUnavailable
from provender.model.foods import FoodType, Unit
from provender.model.paging import PageRequest
from provender.model.times import to_day
from provender.services import custom_foods, diary, eaten, new_logs, settler
from provender.services.catalogue import CurrentCatalogue
from provender.services.portions import NewLog
from provender.services.profiles import change_timezone, create_profile, delete_profile
from provender.services.removal import clear_deleted_profiles
from provender.services.settler import Settler
from provender.services.settling import MOST_UNSETTLED, settle_profile
from provender.settings import Settings
from provender.storage import profiles, removal
from provender.storage.engine import Engine, Operation, Statements
from provender.storage.opening import open_engine
from provender.storage.store import Store
from tests import diary as api
from tests import kitchen as kitchen_api
from tests.conftest import Service
from tests.pantry import BANANA, COLA, PLAIN
from tests.storage.recording import RecordingEngine, is_postgresql

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
TODAY = NOW.date()


class Kitchen:
    """Short ways to do with alice's diary whatever can be done with it."""

    def __init__(self, engine: Engine, current: CurrentCatalogue, owner: str = "alice") -> None:
        self.engine = engine
        self.store = Store(engine, "acme")
        self.current = current
        self.owner = owner

    async def log(self, food_id: str = BANANA.id, now: datetime = NOW, **named: Any) -> str:
        new = NewLog(self.owner, food_id, **({"meal": Meal.LUNCH} | named))
        return (await new_logs.create_logs(self.current, self.store, [new], now))[0]

    async def recently(self, now: datetime = NOW) -> list[str]:
        page = await eaten.list_recently_eaten(
            self.current, self.store, self.owner, PageRequest(), now, meal=None, include=frozenset()
        )
        return [str(food) for food in page.items]

    async def most(self) -> None:
        await eaten.list_most_eaten(
            self.current, self.store, self.owner, PageRequest(), NOW, meal=None, include=frozenset()
        )

    async def entries(self, now: datetime = NOW) -> int:
        days = await diary.summarise(self.store, self.owner, date(2025, 6, 1), date(2026, 6, 1), now)
        return sum(day.sums.entries for day in days)

    async def make_food(self) -> str:
        return await custom_foods.create_custom_food(
            self.store,
            self.owner,
            NOW,
            name="Granola",
            brand=None,
            food_type=FoodType.GENERIC,
            serving_description="1 bowl",
            serving_amount=60,
            unit=Unit.GRAM,
            barcode=None,
            nutrients={},
        )

    async def unsettled(self) -> int:
        """What the row says, after a look whether that and what is settled are right."""
        await assert_settled_as_far_as_it_says(self.engine)
        [[unsettled]] = await self.engine.all("SELECT unsettled FROM profiles WHERE reference_id = $1", self.owner)
        return int(unsettled)

    async def wait_until_settled(self) -> None:
        async with asyncio.timeout(20):
            while await profiles.find_debt(self.store, self.owner):
                await asyncio.sleep(0.01)


async def assert_settled_as_far_as_it_says(engine: Engine) -> None:
    """Of every profile: days and eaten foods are those of the logs up to its settled number."""
    for id_, unsettled, settled in await engine.all("SELECT id, unsettled, settled_number FROM profiles"):
        logs = await engine.all(
            "SELECT number, date, food_id, meal, is_custom FROM diary_logs WHERE profile_id = $1", id_
        )
        own = {row[0] for row in await engine.all("SELECT id FROM custom_foods WHERE profile_id = $1", id_)}
        assert sum(log[0] > settled for log in logs) == unsettled
        days: dict[int, int] = {}
        foods: dict[tuple[str, str], int] = {}
        for number, day, food_id, meal, is_custom in logs:
            if number <= settled:
                days[day] = days.get(day, 0) + 1
                for each in (meal, "all") if not is_custom or food_id in own else ():
                    foods[food_id, each] = max(number, foods.get((food_id, each), 0))
        found = await engine.all("SELECT date, entries FROM diary_days WHERE profile_id = $1", id_)
        assert {row[0]: row[1] for row in found} == days
        found = await engine.all("SELECT food_id, meal, last_number FROM eaten_foods WHERE profile_id = $1", id_)
        assert {(row[0], row[1]): row[2] for row in found} == foods


@pytest.fixture
async def kitchen(recording: RecordingEngine, current: CurrentCatalogue, request: pytest.FixtureRequest) -> Kitchen:
    # A name of its own: what was guessed of another test's profile is not known of this one.
    made = Kitchen(recording, current, f"alice-{request.node.name}")
    await create_profile(made.store, made.owner, None, NOW)
    return made


async def test_logs_are_there_at_once_and_what_follows_from_them_is_owed(kitchen: Kitchen) -> None:
    for made in range(1, 6):
        log_id = await kitchen.log()
        assert await kitchen.unsettled() == made
        assert (await diary.get_entry(kitchen.store, log_id, kitchen.owner)).log.number == made
    assert not await kitchen.engine.all("SELECT 1 FROM diary_days")
    assert not await kitchen.engine.all("SELECT 1 FROM eaten_foods")
    await settle_profile(kitchen.store, kitchen.owner, NOW)
    assert await kitchen.unsettled() == 0
    assert await kitchen.entries() == 5


async def _change(kitchen: Kitchen) -> None:
    await diary.change_log(kitchen.store, await kitchen.log(), None, NOW, date=date(2026, 3, 1), meal=Meal.SNACK)


async def _delete(kitchen: Kitchen) -> None:
    await diary.delete_log(kitchen.store, await kitchen.log(), None, NOW)


async def _delete_food(kitchen: Kitchen) -> None:
    food_id = await kitchen.make_food()
    await kitchen.log(food_id)
    await custom_foods.delete_custom_food(kitchen.store, kitchen.owner, food_id, NOW)


async def _move(kitchen: Kitchen) -> None:
    await change_timezone(kitchen.store, kitchen.owner, "Pacific/Kiritimati", NOW)


@pytest.mark.parametrize(
    "settle", [Kitchen.entries, Kitchen.recently, Kitchen.most, _change, _delete, _delete_food, _move]
)
async def test_whoever_reads_or_changes_what_follows_from_logs_settles_first(
    kitchen: Kitchen, settle: Callable[[Kitchen], Awaitable[Any]]
) -> None:
    for food in (BANANA, COLA, PLAIN, BANANA):
        await kitchen.log(food.id)
    await settle(kitchen)
    assert await kitchen.unsettled() == 0
    assert await kitchen.entries() >= 4
    assert len(await kitchen.recently()) == 3


async def test_copies_batches_and_single_logs_owe_until_the_limit_is_reached(kitchen: Kitchen) -> None:
    owed = []
    for _ in range(MOST_UNSETTLED + 3):
        await kitchen.log()
        owed.append(await kitchen.unsettled())
    assert owed == [*range(1, MOST_UNSETTLED), 0, 1, 2, 3]
    assert len(await diary.copy_logs(kitchen.store, kitchen.owner, TODAY, date(2026, 3, 1), None, NOW)) == len(owed)
    assert await kitchen.unsettled() == 0
    new = [NewLog(kitchen.owner, PLAIN.id, Meal.LUNCH)] * 40
    for expected in (40, 0):
        await new_logs.create_logs(kitchen.current, kitchen.store, new, NOW)
        assert await kitchen.unsettled() == expected
    assert await kitchen.entries() == 2 * len(owed) + 80


async def test_a_plain_log_is_one_statement_on_postgresql_and_three_on_sqlite(
    kitchen: Kitchen, recording: RecordingEngine, engine: Engine
) -> None:
    for named in ({}, {"day": date(2026, 1, 1)}, {"number_of_servings": 0.3}, {"metric_amount": 55.5}):
        recording.take()
        await kitchen.log(**named)
        asked = recording.take()
        assert len(asked) == (1 if is_postgresql(engine) else 3)
    # The first after the profile has moved is not as it was thought to be; the next is.
    await change_timezone(kitchen.store, kitchen.owner, "Asia/Tokyo", NOW)
    await kitchen.log()
    recording.take()
    await kitchen.log()
    assert len(recording.take()) == (1 if is_postgresql(engine) else 3)


async def test_the_day_is_the_profiles_own_however_its_time_zone_was_guessed(kitchen: Kitchen) -> None:
    async def day_of(log_id: str) -> date:
        found = await diary.get_entry(kitchen.store, log_id, None)
        return TODAY + timedelta(days=found.log.date - to_day(TODAY))

    for timezone, days in [
        ("Pacific/Kiritimati", 1),
        ("Pacific/Kiritimati", 1),
        (None, 0),
        ("Etc/GMT+12", 0),
        ("Etc/UTC", 0),
    ]:
        await change_timezone(kitchen.store, kitchen.owner, timezone, NOW)
        for _ in range(2):
            assert await day_of(await kitchen.log()) == TODAY + timedelta(days=days)
            assert await day_of(await kitchen.log(day=date(2026, 1, 2))) == date(2026, 1, 2)
    assert await kitchen.entries() == 20


async def test_a_day_too_far_ahead_is_refused_by_the_profiles_own_calendar(kitchen: Kitchen) -> None:
    for timezone, last in [("Pacific/Kiritimati", date(2027, 3, 11)), ("Etc/GMT+12", date(2027, 3, 10))]:
        await change_timezone(kitchen.store, kitchen.owner, timezone, NOW)
        for _ in range(2):
            await kitchen.log(day=last)
            with pytest.raises(InvalidParameters):
                await kitchen.log(day=last + timedelta(days=1))
    late = NOW.replace(hour=1)
    with pytest.raises(InvalidParameters):
        await kitchen.log(now=late, day=date(2027, 3, 10))
    await kitchen.log(now=late, day=date(2027, 3, 9))


async def test_what_cannot_be_logged_at_once_is_refused_as_ever(kitchen: Kitchen) -> None:
    with pytest.raises(InvalidParameters):
        await kitchen.log(number_of_servings=1.0, serving_id="nonesuch")
    with pytest.raises(FoodNotFound):
        await kitchen.log("nonesuch")
    kitchen.owner, owner = "nobody", kitchen.owner
    with pytest.raises(ProfileNotFound):
        await kitchen.log()
    with pytest.raises(ProfileNotFound):
        await kitchen.log(number_of_servings=1.0, serving_id="nonesuch")
    with pytest.raises(ProfileNotFound):
        await kitchen.entries()
    kitchen.owner = owner
    assert await kitchen.unsettled() == await kitchen.entries() == 0


async def test_64_who_log_and_read_at_once_see_their_own_logs_and_end_exact(kitchen: Kitchen) -> None:
    own = await kitchen.make_food()

    async def act(number: int) -> None:
        for turn in range(4):
            await kitchen.log((BANANA.id, COLA.id, PLAIN.id, own)[(number + turn) % 4])
            if (number + turn) % 3 == 0:
                assert await kitchen.entries() > turn
            if (number + turn) % 5 == 0:
                assert await kitchen.recently()

    await asyncio.gather(*(act(number) for number in range(64)))
    assert await kitchen.unsettled() < MOST_UNSETTLED
    assert await kitchen.entries() == 256
    rows = await kitchen.engine.all("SELECT number FROM diary_logs ORDER BY number")
    assert [row[0] for row in rows] == list(range(1, 257))
    assert await kitchen.unsettled() == 0


async def test_what_a_crash_leaves_unsettled_is_settled_by_the_next_who_looks(
    kitchen: Kitchen, settings: Settings
) -> None:
    for _ in range(3):
        await kitchen.log()
    opened = await open_engine(settings)
    try:
        again = Kitchen(opened, kitchen.current, kitchen.owner)
        assert await again.unsettled() == 3
        assert await again.entries(NOW + timedelta(days=2)) == 3
        assert await again.unsettled() == 0
    finally:
        await opened.close()


async def test_days_that_are_settled_late_are_kept_ready_to_be_shown(kitchen: Kitchen) -> None:
    """Today has none of that yet; all days before it have, whenever their logs were settled."""
    for after in range(3):
        now = NOW + timedelta(days=after)
        await kitchen.log(now=now)
        if after != 1:
            await settle_profile(kitchen.store, kitchen.owner, now)
    rows = await kitchen.engine.all("SELECT date, shown IS NULL FROM diary_days ORDER BY date")
    assert [bool(row[1]) for row in rows] == [False, False, True]


class _Refusing:
    """An engine that takes no more writes."""

    def __init__(self, engine: Engine) -> None:
        self.chains_writes = engine.chains_writes
        self.all, self.one = engine.all, engine.one

    async def transaction(self, _operation: Operation[Any]) -> Any:
        raise StorageUnavailable("The disk is full.")


async def test_a_read_that_cannot_settle_works_out_the_same(kitchen: Kitchen) -> None:
    """While nothing can be written, whatever is asked is answered as if it had been settled, and nothing is written."""
    foods = [BANANA.id, COLA.id, PLAIN.id, await kitchen.make_food()]
    # Copies of a log whose food is gone are logs, but nothing that is eaten.
    gone, long_ago = await kitchen.make_food(), TODAY - timedelta(days=50)
    await kitchen.log(gone, day=long_ago)
    await custom_foods.delete_custom_food(kitchen.store, kitchen.owner, gone, NOW)
    refused = Kitchen(_Refusing(kitchen.engine), kitchen.current, kitchen.owner)  # type: ignore[arg-type]
    random = Random(5)  # noqa: S311 - The same diary every time.
    for settled in (0, 3, 9):
        for owes in range(settled + 8):
            if owes == settled:
                await settle_profile(kitchen.store, kitchen.owner, NOW)
            day = TODAY - timedelta(days=random.choice([-1, 0, 0, 1, 28, 29, 30, 40]))
            servings = random.choice([0.5, 1.333])
            await kitchen.log(
                random.choice(foods), day=day, meal=random.choice(list(Meal)), number_of_servings=servings
            )
        await diary.copy_logs(kitchen.store, kitchen.owner, long_ago, TODAY, None, NOW)
        owed = await kitchen.unsettled()
        assert owed
        worked_out = await _all_answers(refused, [BANANA.id, COLA.id, gone])
        assert await kitchen.unsettled() == owed
        assert worked_out == await _all_answers(kitchen, [BANANA.id, COLA.id, gone])
        assert await kitchen.unsettled() == 0


async def _all_answers(kitchen: Kitchen, cursors: Sequence[str]) -> list[Any]:
    """Both lists in every meal, from the beginning and on both sides of these foods, and the days."""
    answers: list[Any] = [await diary.summarise(kitchen.store, kitchen.owner, date(2026, 1, 1), TODAY, NOW)]
    sides = [PageRequest(2, food_id, backwards=backwards) for food_id in cursors for backwards in (False, True)]
    for list_foods in (eaten.list_recently_eaten, eaten.list_most_eaten):
        for meal in (None, *Meal):
            asked: Any = {"meal": meal, "include": frozenset()}
            for request in (PageRequest(), *sides):
                try:
                    page = await list_foods(kitchen.current, kitchen.store, kitchen.owner, request, NOW, **asked)
                except InvalidCursor:
                    answers.append("no cursor")
                else:
                    answers.append(page)
    return answers


async def test_while_nothing_can_be_settled_there_are_no_other_profiles(kitchen: Kitchen) -> None:
    refused = Kitchen(_Refusing(kitchen.engine), kitchen.current, "nobody")  # type: ignore[arg-type]
    for read in (refused.entries, refused.recently, refused.most):
        with pytest.raises(ProfileNotFound):
            await read()


@pytest.fixture
async def running(recording: RecordingEngine) -> AsyncIterator[Settler]:
    made = Settler(recording, lambda: NOW, after_s=0.02)
    task = asyncio.create_task(made.run())
    yield made
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_the_settler_settles_what_it_was_told_of_and_nothing_else(kitchen: Kitchen, running: Settler) -> None:
    others = [Kitchen(kitchen.engine, kitchen.current, f"{kitchen.owner}-{number}") for number in range(10)]
    for other in others:
        await create_profile(other.store, other.owner, None, NOW)
        await other.log()
    await kitchen.log()
    running.note("acme", [*(other.owner for other in others), "nobody"])
    running.note("globex", [kitchen.owner])
    for other in others:
        await other.wait_until_settled()
    assert await kitchen.unsettled() == 1


async def test_the_settler_lives_on_after_a_failure(
    kitchen: Kitchen, running: Settler, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [StorageUnavailable("The disk is full."), RuntimeError("A fault of ours.")]

    async def fail_first(store: Store, reference_id: str, now: datetime) -> None:
        if failures:
            raise failures.pop()
        await settle_profile(store, reference_id, now)

    monkeypatch.setattr(settler, "settle_profile", fail_first)
    await kitchen.log()
    for _ in range(3):
        running.note("acme", [kitchen.owner])
        await asyncio.sleep(0.1)
    await kitchen.wait_until_settled()
    assert not failures
    assert await kitchen.unsettled() == 0


async def test_logs_of_a_profile_that_is_being_deleted_leave_nothing_behind(kitchen: Kitchen, engine: Engine) -> None:
    for _ in range(5):
        answers = await asyncio.gather(
            *(kitchen.log() for _ in range(8)),
            delete_profile(kitchen.store, kitchen.owner, NOW),
            *(kitchen.log() for _ in range(8)),
            return_exceptions=True,
        )
        assert all(isinstance(answer, str | ProfileNotFound) for answer in answers), answers
        await clear_deleted_profiles(engine, clock=lambda: NOW)
        for table in removal.OWNED_TABLES:
            assert not await engine.all(f"SELECT 1 FROM {table}")
        await create_profile(kitchen.store, kitchen.owner, None, NOW)


async def test_a_log_that_has_waited_for_another_writer_finds_the_profile_as_that_one_left_it(
    kitchen: Kitchen, engine: Engine
) -> None:
    if not is_postgresql(engine):
        # Its writer runs one write after the other, so that nobody waits inside a statement.
        return
    await kitchen.log()
    waiting: list[asyncio.Task[str]] = []

    async def move(statements: Statements) -> None:
        await statements.change("UPDATE profiles SET timezone = 'Pacific/Kiritimati'")
        waiting.append(asyncio.create_task(kitchen.log()))
        await asyncio.sleep(0.3)
        assert not waiting[0].done()

    await engine.transaction(move)
    found = await diary.get_entry(kitchen.store, await waiting[0], None)
    assert found.log.date == to_day(TODAY) + 1
    assert await kitchen.unsettled() == 2


async def test_a_running_server_settles_by_itself(acme: httpx.AsyncClient, service: Service) -> None:
    service.app.services.settler._after_s = 0.01  # noqa: SLF001 - Nobody wants to wait for a second.
    await kitchen_api.new_profile(acme)
    own = await kitchen_api.new_food(acme)
    meal = {"profile_reference_id": "alice", "name": "Usual", "items": [{"food_id": own, "number_of_servings": 1}]}
    saved = (await acme.post("/v1/saved-meals", json=meal)).json()["_id"]
    for make in (
        partial(api.new_log, acme, BANANA.id),
        partial(api.new_logs, acme, {"food_id": BANANA.id}, {"food_id": own}),
        partial(api.copy_logs, acme, api.day(0), api.day(-1)),
        partial(acme.post, f"/v1/saved-meals/{saved}/log", json={}),
    ):
        before = await service.engine.all("SELECT sum(entries) FROM diary_days")
        await make()
        async with asyncio.timeout(20):
            while await service.engine.all("SELECT sum(entries) FROM diary_days") == before:
                await asyncio.sleep(0.01)
    await assert_settled_as_far_as_it_says(service.engine)
