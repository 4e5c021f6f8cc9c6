"""Diary logs of the tests: short ways to make them, and to read what the diary and the eaten lists say."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx

GROUPS = ("vitamins", "minerals", "carbohydrates", "lipids", "proteins")
ALL = ",".join(GROUPS)
MEALS = ("breakfast", "lunch", "dinner", "snack")
RECENTLY, MOST = "/v1/foods/recently-eaten", "/v1/foods/most-eaten"

# The day on which the clock of the tests stands.
TODAY = date(2026, 3, 10)


def day(after: int, today: date = TODAY) -> str:
    """So many days after today, as it is written."""
    return (today + timedelta(days=after)).isoformat()


def at(text: str) -> datetime:
    """A time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def product(value: float, number: float) -> float:
    """By decimals, as the diary has it."""
    return float(round(Decimal(str(value)) * Decimal(str(number)), 9))


def times(values: Mapping[str, Any], number: float) -> dict[str, Any]:
    """All nutrients of a food as it is answered, so many times over."""
    found: dict[str, Any] = {
        group: {name: product(value, number) for name, value in values[group].items()}
        for group in ("macro_nutrients", *GROUPS)
        if group in values
    }
    if "water_in_gm" in values:
        found["water_in_gm"] = product(values["water_in_gm"], number)
    return found


def nutrients(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer says of nutrients, and nothing else."""
    return {name: answer[name] for name in ("macro_nutrients", "water_in_gm", *GROUPS) if name in answer}


async def food(client: httpx.AsyncClient, food_id: str) -> dict[str, Any]:
    """The food with everything that can be asked for."""
    response = await client.get(f"/v1/foods/{food_id}", params={"include": f"{ALL},servings"})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def serving_ids(client: httpx.AsyncClient, food_id: str) -> dict[str, str]:
    """The ids of the food's servings, by their descriptions."""
    servings = (await food(client, food_id))["servings"]
    return {serving["serving_description"]: serving["_id"] for serving in servings}


async def create_log(
    client: httpx.AsyncClient, food_id: str, owner: str = "alice", /, **parameters: Any
) -> httpx.Response:
    body = {"profile_reference_id": owner, "food_id": food_id} | parameters
    return await client.post("/v1/diary-logs", json=body)


async def new_log(client: httpx.AsyncClient, food_id: str, owner: str = "alice", /, **parameters: Any) -> str:
    """A log of the profile, and its id."""
    response = await create_log(client, food_id, owner, **parameters)
    assert response.status_code == 201, response.text
    return str(response.json()["_id"])


async def create_logs(client: httpx.AsyncClient, *logs: Mapping[str, Any]) -> httpx.Response:
    """Logs in one batch, of alice unless they say otherwise."""
    body = {"logs": [{"profile_reference_id": "alice"} | dict(log) for log in logs]}
    return await client.post("/v1/diary-logs/batch", json=body)


async def new_logs(client: httpx.AsyncClient, *logs: Mapping[str, Any]) -> list[str]:
    response = await create_logs(client, *logs)
    assert response.status_code == 201, response.text
    return [confirmation["_id"] for confirmation in response.json()["data"]]


async def log(client: httpx.AsyncClient, log_id: str, include: str = ALL) -> dict[str, Any]:
    """The log with all five groups."""
    response = await client.get(f"/v1/diary-logs/{log_id}", params={"include": include})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def change_log(client: httpx.AsyncClient, log_id: str, **parameters: Any) -> httpx.Response:
    return await client.patch(f"/v1/diary-logs/{log_id}", json=parameters)


async def delete_log(client: httpx.AsyncClient, log_id: str, **parameters: Any) -> httpx.Response:
    return await client.delete(f"/v1/diary-logs/{log_id}", params=parameters)


async def copy_logs(
    client: httpx.AsyncClient, from_: str, to: str, owner: str = "alice", /, **parameters: Any
) -> httpx.Response:
    body = {"profile_reference_id": owner, "from": from_, "to": to} | parameters
    return await client.post("/v1/diary-logs/copy", json=body)


async def delete_food(client: httpx.AsyncClient, food_id: str, owner: str = "alice") -> None:
    response = await client.delete(f"/v1/foods/custom/{food_id}", params={"profile_reference_id": owner})
    assert response.status_code == 200, response.text


async def set_timezone(client: httpx.AsyncClient, timezone: str | None, owner: str = "alice") -> None:
    response = await client.patch(f"/v1/profiles/{owner}", json={"timezone": timezone})
    assert response.status_code == 200, response.text


async def is_active(client: httpx.AsyncClient, owner: str = "alice") -> bool:
    active: bool = (await client.get(f"/v1/profiles/{owner}")).json()["is_active"]
    return active


async def ids_on(
    client: httpx.AsyncClient, path: str, owner: str = "alice", /, **parameters: Any
) -> tuple[list[str], bool]:
    """The ids of a page of one of the profile's lists, and whether there are more."""
    response = await client.get(path, params={"profile_reference_id": owner} | parameters)
    assert response.status_code == 200, response.text
    page = response.json()
    return [item["_id"] for item in page["data"]], page["has_more"]


async def list_logs(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> tuple[list[str], bool]:
    return await ids_on(client, "/v1/diary-logs", owner, **parameters)


async def walk(
    client: httpx.AsyncClient,
    path: str,
    owner: str = "alice",
    /,
    *,
    limit: int = 100,
    backwards_from: str | None = None,
    **parameters: Any,
) -> list[str]:
    """The ids of a whole list, or of all before one of its items, page by page."""
    seen: list[str] = []
    cursor: dict[str, Any] = {} if backwards_from is None else {"ending_before": backwards_from}
    more = True
    while more:
        page, more = await ids_on(client, path, owner, limit=limit, **cursor, **parameters)
        assert len(page) == limit or not more, "a page that others follow is full"
        seen = seen + page if backwards_from is None else page + seen
        if page:
            cursor = {"starting_after": page[-1]} if backwards_from is None else {"ending_before": page[0]}
    return seen


async def recently(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> list[str]:
    return await walk(client, RECENTLY, owner, **parameters)


async def most(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> list[str]:
    return await walk(client, MOST, owner, **parameters)


async def diary(client: httpx.AsyncClient, owner: str = "alice", /, **parameters: Any) -> list[dict[str, Any]]:
    """Every log of the profile, with all five groups, in the list's order."""
    found: list[dict[str, Any]] = []
    sent: dict[str, Any] = {"profile_reference_id": owner, "from": "0001-01-01", "include": ALL, "limit": 100}
    cursor: dict[str, str] = {}
    more = True
    while more:
        response = await client.get("/v1/diary-logs", params=sent | parameters | cursor)
        assert response.status_code == 200, response.text
        page = response.json()
        found, more = found + page["data"], page["has_more"]
        cursor = {"starting_after": found[-1]["_id"]} if more else {}
    return found


async def summary(client: httpx.AsyncClient, from_: str, to: str, owner: str = "alice", /) -> dict[str, Any]:
    response = await client.get(
        "/v1/diary-logs/summary", params={"profile_reference_id": owner, "from": from_, "to": to}
    )
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def summarised(logs: list[dict[str, Any]]) -> dict[str, Any]:
    """What the summary of these logs must be: a fresh count, by decimals, over what each of them says."""

    def members(entry: Mapping[str, Any]) -> dict[tuple[str, str], Decimal]:
        water = {("", "water_in_gm"): Decimal(str(entry["water_in_gm"]))} if "water_in_gm" in entry else {}
        return water | {
            (group, name): Decimal(str(value))
            for group in ("macro_nutrients", *GROUPS)
            for name, value in entry[group].items()
        }

    known = {key for entry in logs for key in members(entry)}

    def sums(entries: list[dict[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {"entries": len(entries), "macro_nutrients": {}, "unknown": {}}
        found |= {group: {} for group in GROUPS}
        for group, name in known:
            values = [members(entry)[group, name] for entry in entries if (group, name) in members(entry)]
            if values and group:
                found[group][name] = float(sum(values))
            elif values:
                found[name] = float(sum(values))
            if len(values) < len(entries):
                found["unknown"][name] = len(entries) - len(values)
        return found

    days = sorted({entry["date"] for entry in logs})
    return {
        "data": [{"date": each} | sums([entry for entry in logs if entry["date"] == each]) for each in days],
        "total": sums(logs),
    }
