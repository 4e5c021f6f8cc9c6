"""Kept answers in storage: with their write or not at all, in the way of nobody, and gone in time."""

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from provender.model.errors import IdempotencyKeyReused, ReferenceIdTaken
from provender.model.idempotency import KEPT_FOR, Fingerprint, KeyedRequest, scope_of
from provender.model.profiles import Profile
from provender.services import profiles as profile_service
from provender.services.idempotency import AnsweredBefore, clear_expired_answers, find_answer, once
from provender.services.removal import Cleaner, clear_deleted_profiles
from provender.storage import idempotency, profiles, removal
from provender.storage.engine import Engine, Row, Statements, Value
from provender.storage.store import Store
from tests.storage.recording import RecordingEngine, plan_for_any

NOW = datetime(2026, 3, 10, tzinfo=UTC)
REQUEST = KeyedRequest(b"scope", b"fingerprint")


@pytest.fixture
async def store(engine: Engine) -> Store:
    await engine.change("INSERT INTO applications (id, name, created_at) VALUES ('acme', 'acme', 0)")
    store = Store(engine, "acme")
    for name in ("alice", "bob", "carol"):
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
    return store


def render(number: int) -> tuple[int, bytes]:
    return 201, b"%d" % number


async def write(
    store: Store, owners: Sequence[str], number: int = 1, *, request: KeyedRequest = REQUEST, now: datetime = NOW
) -> int:
    """Add to the number of the first profile, and answer with it."""

    async def operation(statements: Statements) -> int:
        for owner in sorted(set(owners)):
            await profiles.lock_profile(statements, owner)
        taken = await profiles.take_number(statements, owners[0])
        assert taken is not None
        return number

    return await once(store, request, owners, render, now).transaction(operation)


async def kept(store: Store, *, request: KeyedRequest = REQUEST, now: datetime = NOW) -> bytes | None:
    answer = await find_answer(store, request, now)
    return None if answer is None else answer.body


async def rows(engine: Engine) -> list[tuple[Any, ...]]:
    found = await engine.all("SELECT place, profile_id, owners FROM answered_requests ORDER BY scope, place")
    return [tuple(row) for row in found]


async def test_an_answer_belongs_to_every_profile_that_was_written_to(engine: Engine, store: Store) -> None:
    await write(store, ["carol", "alice", "alice", "bob"])
    assert await rows(engine) == [(0, "alice", 3), (1, "bob", None), (2, "carol", None)]
    assert await kept(store) == b"1"
    with pytest.raises(AnsweredBefore) as before:
        await write(store, ["carol", "alice", "bob"], 2)
    assert before.value.answer.body == b"1"
    assert await profiles.take_number(store, "carol") == ("carol", 2)


@pytest.mark.parametrize("name", ["alice", "bob", "carol"])
@pytest.mark.parametrize("is_cleared", [False, True])
async def test_it_goes_with_the_first_of_them_that_goes(
    engine: Engine, store: Store, name: str, *, is_cleared: bool
) -> None:
    await write(store, ["alice", "bob", "carol"])
    await profile_service.delete_profile(store, name, NOW)
    if is_cleared:
        await clear_deleted_profiles(engine)
        assert name not in {owner for _, owner, _ in await rows(engine)}
        assert len(await rows(engine)) == 2
    assert await kept(store) is None
    # What is left of it is in nobody's way: one profile first, then as many as before.
    left = sorted({"alice", "bob", "carol"} - {name})
    assert await write(store, left[:1], 2) == 2
    assert await kept(store) == b"2"
    await profile_service.delete_profile(store, left[0], NOW)
    if is_cleared:
        await clear_deleted_profiles(engine)
    for reference_id in (name, left[0]):
        await profile_service.create_profile(store, reference_id, None, NOW)
    assert await write(store, ["alice", "bob", "carol"], 3) == 3
    assert await kept(store) == b"3"


async def test_what_is_left_of_an_older_record_does_not_shorten_the_life_of_a_new_one(
    engine: Engine, store: Store
) -> None:
    await write(store, ["alice", "bob", "carol"])
    await profile_service.delete_profile(store, "alice", NOW)
    await clear_deleted_profiles(engine)
    await write(store, ["bob"], 2)
    assert await rows(engine) == [(0, "bob", 1), (1, "bob", None), (2, "carol", None)]
    await profile_service.delete_profile(store, "carol", NOW)
    assert await kept(store) == b"2"


async def test_an_answer_of_100_profiles_is_kept(engine: Engine, store: Store) -> None:
    names = [f"user-{number:03}" for number in range(100)]
    for name in names:
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
    await write(store, names)
    assert [owner for _, owner, _ in await rows(engine)] == names
    assert await kept(store) == b"1"


@pytest.mark.parametrize("owners", [["nobody"], ["alice", "nobody"]])
async def test_an_owner_that_is_not_there_is_a_mistake_that_writes_nothing(
    engine: Engine, store: Store, owners: list[str]
) -> None:
    async def operation(statements: Statements) -> int:
        await profiles.take_number(statements, "alice")
        return 1

    with pytest.raises(Exception, match=r"profile|NOT NULL"):
        await once(store, REQUEST, owners, render, NOW).transaction(operation)
    assert await rows(engine) == []
    assert await profiles.take_number(store, "alice") == ("alice", 1)


async def test_a_write_whose_answer_cannot_be_rendered_does_not_happen(engine: Engine, store: Store) -> None:
    def fail(_result: int) -> tuple[int, bytes]:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await once(store, REQUEST, ["alice"], fail, NOW).transaction(
            lambda statements: profiles.take_number(statements, "alice")
        )
    assert await rows(engine) == []
    assert await profiles.take_number(store, "alice") == ("alice", 1)


async def test_a_bare_statement_cannot_slip_past_the_key(store: Store) -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        await profiles.take_number(once(store, REQUEST, ["alice"], render, NOW), "alice")


async def test_a_second_request_waits_for_the_first_and_gets_its_answer(engine: Engine, store: Store) -> None:
    """It waits before it does anything, so that it holds nothing that others wait for, nor fails because of it."""
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other.
        return
    begun, go_on, order = asyncio.Event(), asyncio.Event(), list[str]()

    def create(name: str, *, slowly: bool) -> Any:
        async def operation(statements: Statements) -> int:
            order.append(name)
            if slowly:
                begun.set()
                await go_on.wait()
            if not await profiles.insert_profile(statements, Profile(name, "dave", None, NOW, NOW)):
                raise ReferenceIdTaken
            return 7

        return once(store, REQUEST, ["dave"], render, NOW).transaction(operation)

    first = asyncio.create_task(create("first", slowly=True))
    await begun.wait()
    second = asyncio.create_task(create("second", slowly=False))
    other = asyncio.create_task(write(store, ["alice"], request=REQUEST._replace(fingerprint=b"other")))
    await asyncio.sleep(0.2)
    assert not second.done()
    assert not other.done()
    go_on.set()
    assert await first == 7
    with pytest.raises(AnsweredBefore) as before:
        await second
    assert before.value.answer.body == b"7"
    with pytest.raises(IdempotencyKeyReused):
        await other
    assert order == ["first"]


async def test_a_second_request_goes_on_where_the_first_has_failed(engine: Engine, store: Store) -> None:
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other.
        return
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def fail(_statements: Statements) -> int:
        begun.set()
        await go_on.wait()
        raise ValueError("no")

    first = asyncio.create_task(once(store, REQUEST, ["alice"], render, NOW).transaction(fail))
    await begun.wait()
    second = asyncio.create_task(write(store, ["alice"], 2))
    await asyncio.sleep(0.1)
    go_on.set()
    with pytest.raises(ValueError, match="no"):
        await first
    assert await second == 2
    assert await kept(store) == b"2"


class _Pausing:
    """Statements that wait, once they have read, until they are told to go on."""

    def __init__(self, statements: Statements, has_read: asyncio.Event, go_on: asyncio.Event) -> None:
        self.one, self.change = statements.one, statements.change
        self._statements, self._has_read, self._go_on = statements, has_read, go_on

    async def all(self, sql: str, *values: Value) -> Sequence[Row]:
        found = await self._statements.all(sql, *values)
        self._has_read.set()
        await self._go_on.wait()
        return found


async def test_an_expired_answer_is_not_replaced_twice(engine: Engine, store: Store) -> None:
    """Whoever has found it expired must not clear away the new answer that another has put in its place."""
    if type(engine).__name__ == "SqliteEngine":
        # There one writing transaction runs after the other.
        return
    await write(store, ["alice"])
    later = NOW + KEPT_FOR
    has_read, go_on = asyncio.Event(), asyncio.Event()

    async def write_slowly(statements: Statements) -> None:
        assert await idempotency.claim(_Pausing(statements, has_read, go_on), REQUEST, later) is None
        await idempotency.keep(statements, REQUEST, ["alice"], status=201, body=b"slow")

    slow = asyncio.create_task(store.transaction(write_slowly))
    await has_read.wait()
    quick = asyncio.create_task(write(store, ["alice"], 2, now=later))
    await asyncio.sleep(0.2)
    assert not quick.done()
    go_on.set()
    await slow
    with pytest.raises(AnsweredBefore):
        await quick
    assert await kept(store, now=later) == b"slow"


async def test_answers_kept_while_their_profile_is_deleted_leave_nothing(engine: Engine, store: Store) -> None:
    async def try_to_write(name: str, number: int) -> None:
        request = KeyedRequest(b"%d" % number, b"fingerprint")
        try:
            await write(store, [name], request=request)
        except AssertionError:
            # The profile was gone.
            return

    for number in range(5):
        name = f"dave-{number}"
        await profiles.insert_profile(store, Profile(name, name, None, NOW, NOW))
        deleting = asyncio.create_task(profile_service.delete_profile(store, name, NOW))
        await asyncio.gather(*(try_to_write(name, each) for each in range(16)))
        await deleting
    await clear_deleted_profiles(engine)
    assert await rows(engine) == []


async def test_another_application_finds_nothing_and_frees_nothing(engine: Engine, store: Store) -> None:
    await write(store, ["alice"])
    globex = Store(engine, "globex")
    assert await kept(globex) is None
    await globex.transaction(lambda statements: statements.change(idempotency.FREE, REQUEST.scope, 0))
    assert await kept(store) == b"1"


async def _fill(engine: Engine, count: int, answered_at: datetime, *, first: int = 1) -> None:
    ms = int(answered_at.timestamp() * 1000)
    # Each database has its own way to make bytes of a number.
    scope = "CAST(CAST(n AS text) AS BLOB)" if type(engine).__name__ == "SqliteEngine" else "CAST(n AS text)::bytea"
    await engine.change(
        f"""
        WITH RECURSIVE numbers (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {first + count - 1})
        INSERT INTO answered_requests
            (application_id, scope, place, profile_id, answered_at, owners, fingerprint, status, body)
        SELECT 'acme', {scope}, 0, 'alice', {ms}, 1, {scope}, 201, {scope} FROM numbers
        """
    )


async def test_expired_answers_go_in_small_steps_and_others_stay(engine: Engine, store: Store) -> None:
    await _fill(engine, 1201, NOW - KEPT_FOR)
    await _fill(engine, 3, NOW - KEPT_FOR + timedelta(milliseconds=1), first=2001)
    left = []
    more = await idempotency.has_expired(engine, NOW)
    while more:
        more = await engine.transaction(lambda statements: idempotency.clear_expired(statements, NOW))
        left.append(len(await rows(engine)))
    assert left == [704, 204, 3]
    assert not await idempotency.has_expired(engine, NOW)
    await clear_expired_answers(engine, NOW + timedelta(milliseconds=1))
    assert await rows(engine) == []


async def test_to_see_that_none_has_expired_not_all_are_looked_at(engine: Engine) -> None:
    await _fill(engine, 1000, NOW)
    await engine.change("ANALYZE answered_requests")
    recording = RecordingEngine(engine)
    assert not await idempotency.has_expired(recording, NOW)
    [find] = recording.take()
    assert "answered_requests_by_time" in await plan_for_any(engine, find)


async def test_the_cleaner_clears_expired_answers_away(engine: Engine, store: Store) -> None:
    await write(store, ["alice"])
    await write(store, ["bob"], request=KeyedRequest(b"later", b""), now=NOW + timedelta(hours=1))
    task = asyncio.create_task(Cleaner(engine, lambda: NOW + KEPT_FOR).run())
    async with asyncio.timeout(5):
        while len(await rows(engine)) > 1:
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await rows(engine) == [(0, "bob", 1)]


async def test_every_statement_is_along_an_index(engine: Engine, store: Store) -> None:
    await _fill(engine, 20_000, NOW)
    await engine.change("ANALYZE")
    scope = b"777"
    statements: list[tuple[str, list[Any], str]] = [
        (idempotency.FIND, ["acme", scope], ""),
        (idempotency.KEEP, ["acme", scope, "alice", 1, 201, b""], ""),
        (idempotency.FREE, ["acme", scope, 0], ""),
        (idempotency.FIND_EXPIRED, [0], "answered_requests_by_time"),
        (idempotency.CLEAR_EXPIRED, [0, 500], "answered_requests_by_time"),
    ]
    for sql, values, index in statements:
        plan = await _plan(engine, sql, values)
        assert not re.search("Seq Scan on answered_requests|SCAN (a|answered_requests)\\b", plan), plan
        assert index in plan
    # As `removal.clear_step` looks for a profile's rows.
    assert "answered_requests" in removal.OWNED_TABLES
    plan = await _plan(engine, "SELECT scope FROM answered_requests WHERE profile_id = $1 LIMIT $2", ["bob", 500])
    assert "answered_requests_by_profile" in plan


async def _plan(engine: Engine, sql: str, values: list[Any]) -> str:
    if type(engine).__name__ == "PostgresqlEngine":
        return "\n".join(row[0] for row in await engine.all(f"EXPLAIN (COSTS OFF) {sql}", *values))
    return "\n".join(row[3] for row in await engine.all(f"EXPLAIN QUERY PLAN {sql}", *values))


def test_a_body_has_the_same_fingerprint_in_any_pieces() -> None:
    whole, pieces, other = (Fingerprint(b"application/json") for _ in range(3))
    whole.update(b'{"a": 1}')
    for piece in (b'{"a"', b"", b": 1}"):
        pieces.update(piece)
    other.update(b'{"a": 2}')
    assert whole.digest() == pieces.digest() != other.digest()


def test_method_path_and_key_make_the_scope() -> None:
    scopes = {
        scope_of(method, path, key)
        for method in ("POST", "PUT")
        for path in (b"/a", b"/a/b", b"/a%2Fb")
        for key in (b"k", b"k/b")
    }
    assert len(scopes) == 12
