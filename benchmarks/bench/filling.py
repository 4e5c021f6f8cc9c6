"""Fills a storage: some profiles through the interface, and copies of them by SQL, up to a million.

A copy has the rows of its template in every table, under ids of its own. Whatever columns a table has are copied, so
that a new one needs nothing here.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime

import httpx

from benchmarks.bench.databases import Database
from benchmarks.bench.plan import Template
from benchmarks.diaries import log_foods, multiply_diary
from provender.settings import Settings
from provender.storage.access import find_application
from provender.storage.opening import open_engine
from provender.storage.store import Store

APPLICATION = "benchmark"
# The profile that most of a million are copies of.
_LIGHT = "light"
_AT_ONCE = 50

# Profiles whose diaries have as many logs in 30 days as the mapping says, and those that have ten logs a day.
EATERS = {"few": 100, "many": 20_000, "most": 1_000_000}
DIARIES = {"short": 100, "year": 20_000, "most": 1_000_000}

# What every copy has, and what one in ten has: for most of a million, a few rows that are in the way are enough.
_EVERYWHERE = ("favorites", "diary_logs", "eaten_foods")
_IN_WHOLE_ONES = ("custom_foods", "custom_food_words", "logged_foods", "diary_days")

# Ids of copies: a number, and the end of the original id, which is random.
_OWN_ID = "b.tag || substr(t.{column}, 11, 6)"
_OWN_IDS = {("custom_foods", "id"), ("custom_food_words", "food_id"), ("diary_logs", "id")}

_COPIES = """
    CREATE TEMPORARY TABLE copies AS
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {profiles}),
    tagged AS (
        SELECT n, substr('0000000000', 1, 10 - length(CAST(n AS text))) || CAST(n AS text) AS tag,
            CASE WHEN n % {step} = 0 THEN 'template-' || CAST((n / {step}) % {templates} AS text)
                ELSE '{light}' END AS template
        FROM numbers
    )
    SELECT n, tag, '0Bench' || tag AS id, 'p' || CAST(n AS text) AS reference_id, p.id AS template_id,
        CASE WHEN n % {step} = 0 OR n % 10 = 0 THEN 1 ELSE 0 END AS is_whole
    FROM tagged JOIN profiles p ON p.reference_id = tagged.template ORDER BY n
"""


def find_full(profiles: int, full: int) -> list[int]:
    """The numbers of the profiles that are copies of whole templates, spread over all."""
    step = profiles // full
    return list(range(step, profiles + 1, step))


def make_templates(client: httpx.Client, templates: Sequence[Template], today: date) -> None:
    """The profiles that others are copies of, as applications make them."""
    for number, template in enumerate(templates):
        _make_profile(client, f"template-{number}", template, custom_foods=12)
    light = Template(templates[0].favorites[:1], [log for log in templates[0].logs if log.day == today][:1])
    _make_profile(client, _LIGHT, light, custom_foods=1)


def _make_profile(client: httpx.Client, name: str, template: Template, *, custom_foods: int) -> None:
    client.post("/v1/profiles", data={"reference_id": name}).raise_for_status()
    owner = {"profile_reference_id": name}
    for food in template.favorites:
        client.post(f"/v1/foods/favorites/{food}", data=owner).raise_for_status()
    for number in range(custom_foods):
        custom = {
            "food_name": f"Granola {number}",
            "serving_description": "1 bowl",
            "metric_serving_amount": 60,
            "metric_serving_unit": "g",
            "macro_nutrients": {"energy_kcal": 282, "total_fat_in_gm": 12.5},
        }
        client.post("/v1/foods/custom", json={**owner, **custom}).raise_for_status()
    logs = [
        {
            **owner,
            "food_id": log.food,
            "number_of_servings": log.servings,
            "meal": log.meal,
            "date": log.day.isoformat(),
        }
        for log in template.logs
    ]
    for first in range(0, len(logs), _AT_ONCE):
        client.post("/v1/diary-logs/batch", json={"logs": logs[first : first + _AT_ONCE]}).raise_for_status()


def copy_profiles(database: Database, templates: int, profiles: int, full: int) -> None:
    """So many profiles, of which some, spread over all, are copies of whole templates."""
    database.run("BEGIN")
    step = profiles // full
    database.run(_COPIES.format(profiles=profiles, step=step, templates=templates, light=_LIGHT))
    _copy(database, "profiles", "t.id = b.template_id", {"id": "b.id", "reference_id": "b.reference_id"})
    for table in (*_EVERYWHERE, *_IN_WHOLE_ONES):
        own = {"profile_id": "b.id"} | {
            column: _OWN_ID.format(column=column) for owner, column in _OWN_IDS if owner == table
        }
        matching = "t.profile_id = b.template_id" + (" AND b.is_whole = 1" if table in _IN_WHOLE_ONES else "")
        _copy(database, table, matching, own)
    database.run("DROP TABLE copies")
    database.run("COMMIT")
    database.run("ANALYZE")


def _copy(database: Database, table: str, matching: str, own: dict[str, str]) -> None:
    columns = database.columns(table)
    values = ", ".join(own.get(column, f"t.{column}") for column in columns)
    # The join is written so that SQLite takes the copies in their order, which is that of the tables.
    rows = f"SELECT {values} FROM copies b CROSS JOIN {table} t WHERE {matching}"
    database.run(f"INSERT INTO {table} ({', '.join(columns)}) {rows}")


async def make_eaters(url: str, key: str, settings: Settings, foods: Sequence[str], most: int) -> None:
    """Diaries of very different lengths. Up to 20,000 logs come through the interface; the longest multiplies one."""
    today = datetime.now(UTC).date()
    many = min(EATERS["many"], most)
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
        await log_foods(client, "few", foods, EATERS["few"], today=today, days=30)
        await log_foods(client, "short", foods, DIARIES["short"], today=today, days=10)
        await log_foods(client, "many", foods, many, today=today, days=30)
        await log_foods(client, "year", foods, many, today=today, days=many // 10)
        if most <= many:
            return
        (await client.post("/v1/profiles", data={"reference_id": "most"})).raise_for_status()
    engine = await open_engine(settings)
    try:
        application = await find_application(engine, APPLICATION)
        if application is None:
            raise LookupError(f"There is no application {APPLICATION}.")
        await multiply_diary(Store(engine, application.id), "many", "most", most // many, datetime.now(UTC))
    finally:
        await engine.close()


def fill_eaters(url: str, key: str, settings: Settings, foods: Sequence[str], most: int) -> None:
    asyncio.run(make_eaters(url, key, settings, foods, most))
