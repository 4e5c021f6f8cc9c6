"""`provender check` as an operator runs it: beside servers that are written to, and on damaged files."""

import asyncio
import json
import random
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from provender.model.checking import Kind
from provender.settings import Settings
from provender.storage.opening import open_engine
from tests.conftest import PostgresqlServer, Service
from tests.diary import day, new_log, summary
from tests.kitchen import GRANOLA, new_food, new_profile
from tests.pantry import BANANA, COLA, PLAIN
from tests.system.commands import Result, call, printed, refusal, run
from tests.system.server import serving

pytestmark = pytest.mark.usefixtures("anyio_backend")

PROFILES = ("alice", "bob")


def _change(settings: Settings, *statements: str) -> None:
    async def change() -> None:
        engine = await open_engine(settings)
        try:
            for sql in statements:
                await engine.change(sql)
        finally:
            await engine.close()

    asyncio.run(change())


def _lines(result: Result) -> list[str]:
    assert "Traceback" not in result.stderr, result.stderr[-1000:]
    return result.stdout.splitlines()


def _kinds(result: Result) -> set[str]:
    codes = {kind.code for kind in Kind}
    return {line.split(":")[0] for line in _lines(result)} & codes


def _fill(client: httpx.Client, owner: str, logs: int = 3) -> str:
    """A profile with a custom food and some logs; the food's id."""
    assert client.post("/v1/profiles", json={"reference_id": owner}).status_code == 201
    made = client.post("/v1/foods/custom", json=GRANOLA | {"profile_reference_id": owner})
    assert made.status_code == 201, made.text
    for _ in range(logs):
        sent = {"profile_reference_id": owner, "food_id": BANANA.id}
        assert client.post("/v1/diary-logs", json=sent).status_code == 201
    return str(made.json()["_id"])


@pytest.fixture
async def filled(service: Service, acme: httpx.AsyncClient) -> Settings:
    """Storage with a profile that has a custom food, three logs, and what follows from them."""
    await new_profile(acme)
    await new_food(acme)
    for _ in range(3):
        await new_log(acme, BANANA.id)
    await summary(acme, day(0), day(0))
    return service.settings


def test_a_check_says_what_is_wrong_and_repair_what_it_did(filled: Settings) -> None:
    *notes, summary = _lines(run("check", settings=filled))
    assert all(note.startswith("Note: ") for note in notes)
    assert summary.startswith(
        "Checked 1 profile with 3 logs and 1 custom food, 1 version of the catalogue with 4 foods"
    )
    assert summary.endswith(" s: nothing is wrong.")
    _change(filled, "UPDATE diary_days SET entries = 9", "UPDATE profiles SET last_logged_at = NULL")
    found = call("check", settings=filled)
    assert found.exit_code == 1
    assert _kinds(found) == {"day_sums", "last_logged_at"}
    assert any(line.endswith(": has 9 entries, should have 3 entries") for line in _lines(found))
    assert "acme/alice" in found.stdout
    assert "`provender check --repair` mends 2 of them." in found.stdout
    mended = call("check", "--repair", settings=filled)
    assert mended.exit_code == 0
    assert mended.stdout.count(". Mended.\n") == 2
    assert "2 findings. 2 mended, 0 left." in mended.stdout
    assert call("check", settings=filled).exit_code == 0


def test_what_cannot_be_mended_is_left_and_said(filled: Settings) -> None:
    _change(filled, "DELETE FROM logged_foods", "DELETE FROM eaten_foods")
    mended = call("check", "--repair", settings=filled)
    assert mended.exit_code == 1
    assert _kinds(mended) == {"log_without_food", "eaten_food"}
    assert "2 mended, 3 left." in mended.stdout
    assert "how-to-check-and-repair.md" in mended.stdout


def test_json_is_one_document(filled: Settings) -> None:
    whole = json.loads(printed(call("check", "--json", settings=filled)))
    assert (whole["findings"], whole["found"], whole["left"]) == ([], 0, 0)
    assert whole["checked"]["logs"] == 3
    _change(filled, "DELETE FROM custom_food_words", "UPDATE profiles SET last_logged_at = NULL")
    wrong = call("check", "--json", settings=filled)
    assert wrong.exit_code == 1
    document = json.loads(wrong.stdout)
    assert (document["found"], document["mended"], document["left"]) == (2, 0, 2)
    [logged, words] = document["findings"]
    assert (logged["kind"], logged["application"], logged["profile"]) == ("last_logged_at", "acme", "alice")
    assert (words["kind"], words["has"], words["should_have"]) == ("custom_food_words", "nothing", "=generic granola")
    assert words["can_be_mended"]


def test_parts_can_be_checked_alone(filled: Settings) -> None:
    assert "0 profiles" in printed(call("check", "--only", "catalogue", settings=filled))
    assert "0 versions" in printed(call("check", "--only", "storage", settings=filled))
    alone = printed(call("check", "--application", "acme", "--profile", "alice", settings=filled))
    assert "1 profile " in alone
    assert "0 versions" in alone
    assert "'globex'" in refusal(call("check", "--application", "globex", settings=filled))
    assert "'eve'" in refusal(call("check", "--application", "acme", "--profile", "eve", settings=filled))
    assert call("check", "--profile", "alice", settings=filled).exit_code == 2
    assert call("check", "--application", "acme", "--only", "catalogue", settings=filled).exit_code == 2


def test_a_line_stays_one_line(filled: Settings) -> None:
    _change(filled, "UPDATE profiles SET last_logged_at = NULL, reference_id = 'a\nb'")
    [line, *_] = _lines(call("check", "--only", "storage", settings=filled))
    assert line.startswith(r"last_logged_at: acme/a\nb: the profile: has never, should have 20")


def _write(client: httpx.Client, owner: str, chance: random.Random, ended: threading.Event) -> None:
    """Whatever changes what a check compares, as fast as the server takes it."""
    own = _fill(client, owner)
    logs: list[str] = []
    sent = {"profile_reference_id": owner}
    while not ended.is_set():
        about = {"meal": chance.choice(["lunch", "snack"]), "number_of_servings": chance.choice([1, 2.5])}
        on = day(-chance.randrange(3), datetime.now(UTC).date())
        match chance.randrange(8) if logs else 0:
            case 0 | 1 | 2:
                body = sent | about | {"food_id": chance.choice([BANANA.id, COLA.id, PLAIN.id, own]), "date": on}
                answer = client.post("/v1/diary-logs", json=body)
                logs.append(answer.json()["_id"])
            case 3:
                answer = client.patch(f"/v1/diary-logs/{chance.choice(logs)}", json=about | {"date": on})
            case 4:
                answer = client.delete(f"/v1/diary-logs/{logs.pop(chance.randrange(len(logs)))}")
            case 5:
                answer = client.patch(f"/v1/foods/custom/{own}", json=sent | {"food_name": f"Soup {chance.random()}"})
            case 6:
                answer = client.get("/v1/foods/most-eaten", params=sent)
            case _:
                answer = client.post(f"/v1/foods/favorites/{BANANA.id}", json=sent)
        assert answer.status_code < 300, answer.text


@pytest.fixture
def written(settings: Settings) -> Iterator[Settings]:
    """Storage on which a server is being written to, all the time."""
    ended, failures = threading.Event(), list[BaseException]()
    with serving(settings, workers=2) as server:
        clients = [server.client(server.key) for _ in PROFILES]

        def write(client: httpx.Client, owner: str, seed: int) -> None:
            try:
                _write(client, owner, random.Random(seed), ended)  # noqa: S311 - No secret.
            except BaseException as error:  # noqa: BLE001 - It fails the test, below.
                failures.append(error)

        writers = [
            threading.Thread(target=write, args=(client, owner, seed))
            for seed, (client, owner) in enumerate(zip(clients, PROFILES, strict=True))
        ]
        for writer in writers:
            writer.start()
        yield settings
        ended.set()
        for writer in writers:
            writer.join()
        for client in clients:
            client.close()
    assert failures == []


def test_a_check_beside_writers_finds_nothing_and_stops_nobody(written: Settings) -> None:
    for arguments in [("--repair",), (), (), (), ("--repair",), ()]:
        result = call("check", "--only", "storage", *arguments, settings=written)
        assert _kinds(result) == set(), result.stdout
        assert result.exit_code == 0


def test_a_damaged_database_is_told_in_lines_and_not_written_to(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir)
    with serving(settings) as server, server.client(server.key) as client:
        _fill(client, "alice", logs=40)
    path, chance = data_dir / "provender.db", random.Random(1)  # noqa: S311 - It is to be the same every time.
    assert call("check", settings=settings).exit_code == 0
    whole = path.read_bytes()
    pages = range(0, len(whole), 4096)
    for page in [0, *chance.sample(pages[1:], 6)]:
        damaged = whole[:page] + chance.randbytes(4096) + whole[page + 4096 :]
        path.write_bytes(damaged)
        result = call("check", "--repair", settings=settings)
        number = page // 4096 + 1
        assert result.exit_code == 1, f"page {number}"
        assert _kinds(result) & {"database_damaged", "storage_unreadable"}, f"page {number}: {result.stdout}"
        assert path.read_bytes() == damaged, f"page {number}"
        for rest in ("-wal", "-shm"):
            path.with_name(path.name + rest).unlink(missing_ok=True)
    path.write_bytes(b"This is no database." * 1000)
    result = run("check", settings=settings)
    assert result.exit_code == 1
    assert _kinds(result) == {"storage_unreadable"}
    assert "with 4 foods" in result.stdout, "the catalogue is checked all the same"


def test_storage_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = call("check", settings=Settings(data_dir=tmp_path / "none"))
    assert result.exit_code == 1
    assert "holds no storage of Provender" in result.stdout
    assert not (tmp_path / "none").exists()


def test_nothing_is_mended_where_postgresql_finds_damage(postgresql: PostgresqlServer, data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir, database_url=asyncio.run(postgresql.new_database()))
    call("keys", "create", "--application", "acme", settings=settings)
    assert "Note: The indexes of PostgreSQL were not compared" in printed(call("check", settings=settings))
    index = "WHERE indexrelid = 'diary_logs_by_id'::regclass"
    _change(
        settings,
        """
        INSERT INTO profiles (application_id, id, reference_id, created_at, updated_at, last_logged_at)
        SELECT id, 'p', 'alice', 0, 0, 1 FROM applications
        """,
        f"UPDATE pg_index SET indisvalid = false {index}",
    )
    for options in ((), ("--application", "acme")):
        damaged = call("check", "--repair", *options, settings=settings)
        assert damaged.exit_code == 1
        assert "database_damaged: The index diary_logs_by_id is not whole." in damaged.stdout
        assert _kinds(damaged) == {"database_damaged", "last_logged_at"}
        assert "Mended." not in damaged.stdout
        assert "Note: Nothing is mended in a damaged database." in damaged.stdout
    _change(settings, f"UPDATE pg_index SET indisvalid = true {index}")
    assert call("check", "--repair", settings=settings).exit_code == 0
