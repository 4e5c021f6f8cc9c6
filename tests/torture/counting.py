"""What follows from logs, against a fresh count of the logs: eaten lists, sums, and whether a profile is active."""

import itertools
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.diary import ALL, MEALS, MOST, RECENTLY, summarised
from tests.torture.state import Loss
from tests.torture.wire import Wire


async def read(wire: Wire, path: str, **query: str) -> Any:
    response = await wire.request("GET", path, query=query)
    if response.status != 200:
        raise Loss(f"{path} {query}: {response.text}")
    return response.json()


async def read_all(wire: Wire, path: str, **query: str) -> list[dict[str, Any]]:
    """A whole list, page by page."""
    found: list[dict[str, Any]] = []
    more = True
    while more:
        cursor = {"starting_after": found[-1]["_id"]} if found else {}
        page = await read(wire, path, limit="100", **query, **cursor)
        found, more = found + page["data"], page["has_more"]
    return found


async def check_counts(wire: Wire, owner: str, catalogue: set[str]) -> None:
    """Nobody may write to the profile meanwhile. What is counted depends on the day, which may end meanwhile."""
    while True:
        today = datetime.now(UTC).date()
        wrong = await _find_wrong(wire, owner, catalogue, today)
        if datetime.now(UTC).date() == today:
            break
    if wrong is not None:
        raise Loss(f"{owner}: {wrong}")


async def _find_wrong(wire: Wire, owner: str, catalogue: set[str], today: date) -> str | None:
    of_owner = {"profile_reference_id": owner}
    # The lists first: what had not been settled before the kill is settled by whoever asks for it.
    lists = {}
    for path, meal in itertools.product((RECENTLY, MOST), (None, *MEALS)):
        query = of_owner | {"include": ""} | ({} if meal is None else {"meal": meal})
        lists[path, meal] = [food["_id"] for food in await read_all(wire, path, **query)]
    days = {"from": (today - timedelta(days=200)).isoformat(), "to": (today + timedelta(days=190)).isoformat()}
    sums = await read(wire, "/v1/diary-logs/summary", **of_owner, **days)
    logs = await read_all(wire, "/v1/diary-logs", **of_owner, **days, include=ALL)
    document = await read(wire, f"/v1/profiles/{owner}/export")
    if sums != summarised(logs):
        return f"the sums are {sums} instead of {summarised(logs)}"
    order = {log["_id"]: place for place, log in enumerate(document["diary_logs"])}
    if order.keys() != {log["_id"] for log in logs}:
        return "the list of logs and the export differ"
    foods = catalogue | {food["_id"] for food in document["custom_foods"]}
    for (path, meal), listed in lists.items():
        eaten: dict[str, list[dict[str, Any]]] = {}
        for log in logs:
            if log["food_id"] in foods and meal in (None, log["meal"]):
                eaten.setdefault(log["food_id"], []).append(log)
        counted = _recently(eaten, order) if path == RECENTLY else _most(eaten, order, today)
        if listed != counted:
            return f"{path} of {meal or 'all meals'} is {listed} instead of {counted}"
    active = (await read(wire, f"/v1/profiles/{owner}"))["is_active"]
    return None if active == bool(logs) else f"is_active is {active} with {len(logs)} logs"


def _recently(eaten: dict[str, list[dict[str, Any]]], order: dict[str, int]) -> list[str]:
    return sorted(eaten, key=lambda food_id: -max(order[log["_id"]] for log in eaten[food_id]))


def _most(eaten: dict[str, list[dict[str, Any]]], order: dict[str, int], today: date) -> list[str]:
    first = (today - timedelta(days=29)).isoformat()
    counts = {
        food_id: sum(first <= log["date"] <= today.isoformat() for log in logs) for food_id, logs in eaten.items()
    }
    recent = _recently(eaten, order)
    return sorted((food_id for food_id in recent if counts[food_id]), key=lambda food_id: -counts[food_id])
