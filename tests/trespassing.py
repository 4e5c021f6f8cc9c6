"""Requests for what is somebody else's: lines for every route that keeps callers apart."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.kitchen import GRANOLA
from tests.pantry import BANANA


class Asked(NamedTuple):
    """A request of a trespasser. {bob} is a profile of its own; all else in braces is of alice, or nobody's."""

    method: str
    path: str
    query: Mapping[str, str] = MappingProxyType({})
    body: dict[str, Any] | None = None


_BY_ALICE = {"profile_reference_id": "{alice}"}
_BY_BOB = {"profile_reference_id": "{bob}"}
_DAYS = {"from": "2026-03-01", "to": "2026-03-20"}
_MEAL = {"name": "Usual", "items": [{"food_id": "{food}"}]}

_DOCUMENT = {"format": 1, "reference_id": "imported-by-globex", "created_at": 0, "updated_at": 0}

REQUESTS = [
    Asked("GET", "/v1/profiles"),
    Asked("POST", "/v1/profiles", body={"reference_id": "made-by-globex"}),
    Asked("GET", "/v1/profiles/{reference_id}"),
    Asked("PATCH", "/v1/profiles/{reference_id}", body={"timezone": "Asia/Tokyo"}),
    Asked("DELETE", "/v1/profiles/{reference_id}"),
    Asked("GET", "/v1/profiles/{reference_id}/export"),
    # What a document may name of others, and does not reach, is in test_import_profile.py.
    Asked("POST", "/v1/profiles/import", body=_DOCUMENT),
    Asked("GET", "/v1/foods/{food_id}"),
    Asked("GET", "/v1/foods/{food_id}/provenance"),
    Asked("GET", "/v1/foods/barcode", _BY_ALICE | {"barcode": "{barcode}"}),
    Asked("GET", "/v1/foods/barcode", _BY_BOB | {"barcode": "{barcode}"}),
    Asked("GET", "/v1/foods/barcode", {"barcode": "{barcode}"}),
    Asked("GET", "/v1/foods/search", _BY_ALICE | {"query": "granola"}),
    Asked("GET", "/v1/foods/search", _BY_BOB | {"query": "granola"}),
    Asked("GET", "/v1/foods/search", {"query": "granola"}),
    Asked("GET", "/v1/foods/custom", _BY_ALICE),
    Asked("GET", "/v1/foods/custom", _BY_BOB),
    Asked("POST", "/v1/foods/custom", body=GRANOLA | _BY_ALICE),
    Asked("PATCH", "/v1/foods/custom/{food_id}", body=_BY_ALICE | {"food_name": "Renamed"}),
    Asked("PATCH", "/v1/foods/custom/{food_id}", body=_BY_BOB | {"food_name": "Renamed"}),
    Asked("DELETE", "/v1/foods/custom/{food_id}", _BY_ALICE),
    Asked("DELETE", "/v1/foods/custom/{food_id}", _BY_BOB),
    Asked("GET", "/v1/foods/favorites", _BY_ALICE),
    Asked("GET", "/v1/foods/favorites", _BY_BOB),
    Asked("POST", "/v1/foods/favorites/{food_id}", body=_BY_ALICE),
    Asked("POST", "/v1/foods/favorites/{food_id}", body=_BY_BOB),
    Asked("DELETE", "/v1/foods/favorites/{food_id}", _BY_ALICE),
    Asked("DELETE", "/v1/foods/favorites/{food_id}", _BY_BOB),
    Asked("GET", "/v1/foods/recently-eaten", _BY_ALICE),
    Asked("GET", "/v1/foods/recently-eaten", _BY_BOB),
    Asked("GET", "/v1/foods/most-eaten", _BY_ALICE),
    Asked("GET", "/v1/foods/most-eaten", _BY_BOB),
    Asked("POST", "/v1/diary-logs", body=_BY_ALICE | {"food_id": BANANA.id}),
    Asked("POST", "/v1/diary-logs", body=_BY_ALICE | {"food_id": "{food}"}),
    Asked("POST", "/v1/diary-logs", body=_BY_BOB | {"food_id": "{food}"}),
    Asked("POST", "/v1/diary-logs/batch", body={"logs": [_BY_ALICE | {"food_id": BANANA.id}]}),
    Asked(
        "POST", "/v1/diary-logs/batch", body={"logs": [_BY_BOB | {"food_id": each} for each in (BANANA.id, "{food}")]}
    ),
    Asked("GET", "/v1/diary-logs", _BY_ALICE | {"date": "2026-03-10"}),
    Asked("GET", "/v1/diary-logs", _BY_BOB | _DAYS),
    Asked("GET", "/v1/diary-logs/{log_id}"),
    Asked("GET", "/v1/diary-logs/{log_id}", _BY_ALICE),
    Asked("GET", "/v1/diary-logs/{log_id}", _BY_BOB),
    Asked("PATCH", "/v1/diary-logs/{log_id}", body={"meal": "lunch"}),
    Asked("PATCH", "/v1/diary-logs/{log_id}", body=_BY_ALICE | {"date": "2026-03-11"}),
    Asked("DELETE", "/v1/diary-logs/{log_id}"),
    Asked("DELETE", "/v1/diary-logs/{log_id}", _BY_BOB),
    Asked("POST", "/v1/diary-logs/copy", body=_BY_ALICE | {"from": "2026-03-10", "to": "2026-03-11"}),
    Asked("POST", "/v1/diary-logs/copy", body=_BY_BOB | {"from": "2026-03-10", "to": "2026-03-11"}),
    Asked("GET", "/v1/diary-logs/summary", _BY_ALICE | _DAYS),
    Asked("GET", "/v1/diary-logs/summary", _BY_BOB | _DAYS),
    Asked("GET", "/v1/saved-meals", _BY_ALICE),
    Asked("GET", "/v1/saved-meals", _BY_BOB),
    Asked("POST", "/v1/saved-meals", body=_BY_ALICE | _MEAL | {"items": [{"food_id": BANANA.id}]}),
    Asked("POST", "/v1/saved-meals", body=_BY_BOB | _MEAL),
    Asked("GET", "/v1/saved-meals/{meal_id}"),
    Asked("GET", "/v1/saved-meals/{meal_id}", _BY_ALICE),
    Asked("GET", "/v1/saved-meals/{meal_id}", _BY_BOB),
    Asked("PATCH", "/v1/saved-meals/{meal_id}", body={"name": "Renamed"}),
    Asked("PATCH", "/v1/saved-meals/{meal_id}", body=_BY_BOB | _MEAL),
    Asked("DELETE", "/v1/saved-meals/{meal_id}"),
    Asked("DELETE", "/v1/saved-meals/{meal_id}", _BY_BOB),
    Asked("POST", "/v1/saved-meals/{meal_id}/log", body={}),
    Asked("POST", "/v1/saved-meals/{meal_id}/log", body=_BY_ALICE | {"skip_missing": True}),
    Asked("POST", "/v1/saved-meals/{meal_id}/log", body=_BY_BOB),
]

# The places of a path, and what stands in them.
_PLACES = (("reference_id", "alice"), ("food_id", "food"), ("meal_id", "meal"), ("log_id", "log"))


def filled(asked: Asked, names: Mapping[str, str]) -> dict[str, Any]:
    """The request as a client takes it, with names in the places of braces."""
    path = asked.path
    for place, name in _PLACES:
        path = path.replace(f"{{{place}}}", names[name])

    def fill(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: fill(each) for name, each in value.items()}
        if isinstance(value, list):
            return [fill(each) for each in value]
        return value.format(**names) if isinstance(value, str) else value

    request: dict[str, Any] = {"method": asked.method, "url": path, "params": fill(asked.query)}
    return request if asked.body is None else request | {"json": fill(asked.body)}
