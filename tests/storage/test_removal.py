"""Clearing away what a deleted profile leaves behind."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from provender.model.diary import Meal
from provender.model.errors import LogNotFound, MealNotFound, ProfileNotFound
from provender.model.foods import FoodType, Unit
from provender.model.idempotency import KeyedRequest
from provender.model.nutrients import Group
from provender.model.paging import PageRequest
from provender.model.profiles import Profile
from provender.services import custom_foods, diary, favorites, meal_logs, new_logs, saved_meals
from provender.services import profiles as profile_service
from provender.services.catalogue import CurrentCatalogue
from provender.services.idempotency import once
from provender.services.meal_logs import MealToLog
from provender.services.portions import NewLog
from provender.services.removal import Cleaner, clear_deleted_profiles
from provender.services.saved_meals import NewItem
from provender.settings import Settings
from provender.storage import custom_foods as storage
from provender.storage import profiles, removal
from provender.storage.engine import Engine, Statements
from provender.storage.store import Store
from tests.pantry import BANANA, PANTRY

NOW = datetime(2026, 3, 10, tzinfo=UTC)


async def tables_with_a_profile(engine: Engine) -> set[str]:
    """Every table of the schema whose rows belong to a profile."""
    if type(engine).__name__ == "PostgresqlEngine":
        rows = await engine.all("SELECT table_name FROM information_schema.columns WHERE column_name = 'profile_id'")
    else:
        rows = await engine.all(
            """
            SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.name = 'profile_id'
            """
        )
    return {row[0] for row in rows} - {"deleted_profiles"}


async def test_every_table_with_a_profile_id_is_known_to_removal(engine: Engine) -> None:
    assert await tables_with_a_profile(engine) == set(removal.OWNED_TABLES)


async def test_a_forgotten_table_would_be_noticed(engine: Engine) -> None:
    await engine.change("CREATE TABLE forgotten (profile_id text NOT NULL, id bigint NOT NULL)")
    assert await tables_with_a_profile(engine) == {*removal.OWNED_TABLES, "forgotten"}


OWNED = {"logs": ("profile_id", "day", "id"), "notes": ("id",)}


@pytest.fixture
async def store(engine: Engine) -> Store:
    """Two tables such as later work adds, with rows of alice and of bob."""
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    await engine.change("CREATE TABLE logs (profile_id text, day bigint, id bigint, PRIMARY KEY (profile_id, day, id))")
    await engine.change("CREATE TABLE notes (id text PRIMARY KEY, profile_id text)")
    store = Store(engine, "acme")
    for name in ("alice", "bob"):
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        await engine.change(
            f"""
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1201)
            INSERT INTO logs SELECT '{name}', n % 30, n FROM numbers
            """
        )
        await engine.change(f"INSERT INTO notes VALUES ('{name}-1', '{name}'), ('{name}-2', '{name}')")
    return store


@pytest.fixture
def current(settings: Settings) -> Iterator[CurrentCatalogue]:
    current = CurrentCatalogue(settings.data_dir)
    yield current
    current.close()


async def _left(engine: Engine, name: str) -> tuple[int, int, int]:
    counts = []
    for table in ("logs", "notes", "deleted_profiles"):
        row = await engine.one(f"SELECT count(*) FROM {table} WHERE profile_id = '{name}'")
        counts.append(row[0] if row else 0)
    return counts[0], counts[1], counts[2]


async def test_everything_of_the_profile_goes_and_nothing_of_another(engine: Engine, store: Store) -> None:
    await profile_service.delete_profile(store, "alice", NOW)
    assert await _left(engine, "alice") == (1201, 2, 1)
    await clear_deleted_profiles(engine, OWNED)
    assert await _left(engine, "alice") == (0, 0, 0)
    assert await _left(engine, "bob") == (1201, 2, 0)


async def test_it_goes_in_small_steps_that_a_crash_only_interrupts(engine: Engine, store: Store) -> None:
    await profile_service.delete_profile(store, "alice", NOW)
    left = [await _left(engine, "alice")]
    done = False
    while not done:
        # Each step is a transaction; between two of them a crash may come, and nothing but the note is needed.
        done = await engine.transaction(lambda statements: removal.clear_step(statements, "alice", NOW, OWNED))
        left.append(await _left(engine, "alice"))
    assert [logs for logs, _, _ in left] == [1201, 701, 201, 0, 0, 0]
    assert [noted for _, _, noted in left] == [1, 1, 1, 1, 1, 0]
    # Two workers may clear the same profile away; the second finds nothing to do.
    assert await engine.transaction(lambda statements: removal.clear_step(statements, "alice", NOW, OWNED))


async def test_a_profile_that_is_being_written_to_is_not_deleted_meanwhile(engine: Engine, store: Store) -> None:
    """A row that is written while its profile is deleted would be found by nobody; one of the two has to wait."""
    order: list[str] = []
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other, so there is no meanwhile.
        return
    found, go_on = asyncio.Event(), asyncio.Event()

    async def write(statements: Statements) -> None:
        assert await profiles.lock_profile(statements, "alice")
        found.set()
        await go_on.wait()
        order.append("written")

    async def delete() -> None:
        await profile_service.delete_profile(store, "alice", NOW)
        order.append("deleted")

    writing = asyncio.create_task(store.transaction(write))
    await found.wait()
    deleting = asyncio.create_task(delete())
    await asyncio.sleep(0.2)
    assert order == []
    go_on.set()
    await asyncio.gather(writing, deleting)
    assert order == ["written", "deleted"]


async def test_a_profile_can_be_found_for_writing_on_either_engine(store: Store) -> None:
    async def find(statements: Statements) -> tuple[bool, bool]:
        found = await profiles.lock_profile(statements, "alice")
        missing = await profiles.lock_profile(statements, "nobody")
        return found is not None, missing is not None

    assert await store.transaction(find) == (True, False)


async def test_the_cleaner_stops_when_it_is_told_to_even_while_it_is_woken(engine: Engine) -> None:
    for turns in range(30):
        cleaner = Cleaner(engine)
        task = asyncio.create_task(cleaner.run())
        for _ in range(turns):
            await asyncio.sleep(0)
        cleaner.wake()
        task.cancel()
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await task


async def _make_foods(store: Store, owner: str, count: int) -> None:
    for number in range(count):
        await custom_foods.create_custom_food(
            store,
            owner,
            NOW,
            name=f"Granola {number}",
            brand="Acme",
            food_type=FoodType.BRAND,
            serving_description="1 bowl",
            serving_amount=60,
            unit=Unit.GRAM,
            barcode="4006381333931",
            nutrients={Group.VITAMINS: {"vitamin_c_in_mg": 1.0}},
        )


async def _keep_answer(store: Store, owner: str) -> None:
    """An answer to a request of this profile, as of one that was sent with an Idempotency-Key."""
    request = KeyedRequest(owner.encode(), b"")
    await once(store, request, [owner], lambda _: (201, b"{}"), NOW).transaction(
        lambda statements: profiles.lock_profile(statements, owner)
    )


async def _mark_foods(store: Store, owner: str, current: CurrentCatalogue) -> None:
    """All foods of the profile as its favorites, and one that was removed."""
    foods = (await storage.list_foods(store, owner, PageRequest())).items
    for food_id in [food.id for food in foods] + [BANANA.id]:
        await favorites.add_favorite(current, store, owner, food_id, NOW)
    await favorites.remove_favorite(current, store, owner, BANANA.id, NOW)


async def _eat_meals(store: Store, owner: str, current: CurrentCatalogue) -> None:
    """A saved meal of all foods of the profile and one of the catalogue, and its logs."""
    foods = (await storage.list_foods(store, owner, PageRequest())).items
    items = [NewItem(food_id, 1.5) for food_id in [food.id for food in foods] + [BANANA.id]]
    meal_id = await saved_meals.create_meal(current, store, owner, NOW, name="Usual", meal=Meal.LUNCH, items=items)
    to_log = MealToLog(meal_id, owner, day=None, meal=None, note=None, skip_missing=False)
    await meal_logs.log_meal(current, store, to_log, NOW)


async def test_nothing_of_a_deleted_profile_remains_in_any_table(
    engine: Engine, store: Store, current: CurrentCatalogue
) -> None:
    for owner in ("alice", "bob"):
        await _make_foods(store, owner, 3)
        await _mark_foods(store, owner, current)
        await _eat_meals(store, owner, current)
        await _keep_a_diary(store, owner, current)
        await _keep_answer(store, owner)
    await profile_service.delete_profile(store, "alice", NOW)
    await clear_deleted_profiles(engine)
    for table in removal.OWNED_TABLES:
        rows = await engine.all(f"SELECT profile_id FROM {table}")
        assert {row[0] for row in rows} == {"bob"}, table


async def test_clearing_away_takes_small_steps_through_real_tables_too(
    engine: Engine, store: Store, current: CurrentCatalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _make_foods(store, "alice", 5)
    await _mark_foods(store, "alice", current)
    await _keep_a_diary(store, "alice", current)
    await _keep_answer(store, "alice")
    await profile_service.delete_profile(store, "alice", NOW)
    monkeypatch.setattr(removal, "STEP", 4)
    before, done, steps = None, False, 0
    while not done:
        done = await engine.transaction(lambda statements: removal.clear_step(statements, "alice", NOW))
        rows = [row for table in removal.OWNED_TABLES for row in await engine.all(f"SELECT profile_id FROM {table}")]
        assert before is None or before - len(rows) <= 4
        before, steps = len(rows), steps + 1
    assert (before, steps > 5) == (0, True)


async def test_foods_made_while_their_profile_is_deleted_leave_nothing(engine: Engine, store: Store) -> None:
    """Each creation comes before the deletion, and is deleted with it, or after it, and finds no profile."""
    for number in range(5):
        name = f"carol-{number}"
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        deleting = asyncio.create_task(profile_service.delete_profile(store, name, NOW))
        results = await asyncio.gather(*(_make_foods(store, name, 1) for _ in range(16)), return_exceptions=True)
        await deleting
        assert {type(result) for result in results} <= {type(None), ProfileNotFound}
    await clear_deleted_profiles(engine)
    for table in removal.OWNED_TABLES:
        assert not await engine.all(f"SELECT profile_id FROM {table}")


async def test_favorites_added_while_their_profile_is_deleted_leave_nothing(
    engine: Engine, store: Store, current: CurrentCatalogue
) -> None:
    for number in range(5):
        name = f"carol-{number}"
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        adding = [favorites.add_favorite(current, store, name, food.id, NOW) for food in PANTRY * 4]
        deleting = asyncio.create_task(profile_service.delete_profile(store, name, NOW))
        results = await asyncio.gather(*adding, return_exceptions=True)
        await deleting
        assert all(isinstance(result, bool | ProfileNotFound) for result in results)
    await clear_deleted_profiles(engine)
    assert not await engine.all("SELECT profile_id FROM favorites")


async def test_meals_saved_and_logged_while_their_profile_is_deleted_leave_nothing(
    engine: Engine, store: Store, current: CurrentCatalogue
) -> None:
    for number in range(5):
        name = f"carol-{number}"
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        await _eat_meals(store, name, current)
        deleting = asyncio.create_task(profile_service.delete_profile(store, name, NOW))
        eating = (_eat_meals(store, name, current) for _ in range(8))
        results = await asyncio.gather(*eating, return_exceptions=True)
        await deleting
        assert {type(result) for result in results} <= {type(None), ProfileNotFound, MealNotFound}
    await clear_deleted_profiles(engine)
    for table in removal.OWNED_TABLES:
        assert not await engine.all(f"SELECT profile_id FROM {table}"), table


async def _keep_a_diary(store: Store, owner: str, current: CurrentCatalogue) -> None:
    """Logs that are made, changed, copied and deleted."""
    new = [NewLog(owner, food.id, Meal.LUNCH, day=day) for food in PANTRY for day in (NOW.date(), date(2026, 4, 1))]
    ids = await new_logs.create_logs(current, store, new, NOW)
    await diary.change_log(store, ids[0], owner, NOW, meal=Meal.SNACK, date=date(2026, 3, 9))
    await diary.copy_logs(store, owner, date(2026, 4, 1), date(2026, 3, 8), None, NOW)
    await diary.delete_log(store, ids[1], owner, NOW)


async def test_logs_written_while_their_profile_is_deleted_leave_nothing(
    engine: Engine, store: Store, current: CurrentCatalogue
) -> None:
    for number in range(5):
        name = f"carol-{number}"
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        await _keep_a_diary(store, name, current)
        writing = [asyncio.create_task(_keep_a_diary(store, name, current)) for _ in range(8)]
        for _ in range(number * 5):
            await asyncio.sleep(0)
        await profile_service.delete_profile(store, name, NOW)
        results = await asyncio.gather(*writing, return_exceptions=True)
        assert {type(result) for result in results} <= {type(None), ProfileNotFound, LogNotFound}
    await clear_deleted_profiles(engine)
    for table in removal.OWNED_TABLES:
        assert not await engine.all(f"SELECT profile_id FROM {table}"), table


async def test_a_deletion_waits_for_a_food_that_is_being_made(
    engine: Engine, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the food could be written after the last of the profile's rows was cleared away."""
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other.
        return
    begun, go_on = asyncio.Event(), asyncio.Event()
    insert = storage.insert_food

    async def insert_slowly(*values: Any) -> None:
        begun.set()
        await go_on.wait()
        await insert(*values)

    monkeypatch.setattr(storage, "insert_food", insert_slowly)
    making = asyncio.create_task(_make_foods(store, "alice", 1))
    await begun.wait()
    deleting = asyncio.create_task(profile_service.delete_profile(store, "alice", NOW))
    await asyncio.sleep(0.2)
    assert not deleting.done()
    go_on.set()
    await asyncio.gather(making, deleting)
    await clear_deleted_profiles(engine)
    assert not await engine.all("SELECT id FROM custom_foods")
