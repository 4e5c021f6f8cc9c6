"""What made-up requests meet: a server with profiles, foods, logs and meals, so that some of them find something."""

from dataclasses import dataclass, field

import httpx

from provender.model.foods import food_id
from tests.pantry import PANTRY

# Deleting is tried too, and each of these can be deleted once. The others are only ever read and changed.
_TO_DELETE = 40
_KEPT = 8

# The requests that set the stage have this id in the server's log.
REQUEST_ID = "stage"

_VALUES = {"energy_kcal": 50, "total_fat_in_gm": 1, "total_carbohydrates_in_gm": 9, "total_protein_in_gm": 1}


@dataclass
class Ids:
    """Ids of one sort: those that stay, and those that may go."""

    kept: list[str] = field(default_factory=list)
    to_delete: list[str] = field(default_factory=list)

    def add(self, number: int, new: str) -> None:
        (self.kept if number < _KEPT else self.to_delete).append(new)


@dataclass
class Stage:
    profiles: Ids = field(default_factory=Ids)
    foods: Ids = field(default_factory=Ids)
    logs: Ids = field(default_factory=Ids)
    meals: Ids = field(default_factory=Ids)
    keys: list[str] = field(default_factory=list)
    catalogue: list[str] = field(default_factory=lambda: [food_id(each.source, each.source_key) for each in PANTRY])
    barcodes: list[str] = field(default_factory=lambda: sorted({each.barcode for each in PANTRY if each.barcode}))


def set_up(client: httpx.Client) -> Stage:
    """Everything belongs to alice, except for the profiles that may be deleted."""
    stage = Stage()
    _create(client, "/v1/profiles", reference_id="alice")
    stage.profiles.kept.append("alice")
    # Revoking can be sent again, so these are enough.
    stage.keys += (_create(client, "/v1/keys", scope="read") for _ in range(_KEPT))
    for number in range(_KEPT + _TO_DELETE):
        if number >= _KEPT:
            _create(client, "/v1/profiles", reference_id=f"guest-{number}")
            stage.profiles.to_delete.append(f"guest-{number}")
        stage.foods.add(number, _create(client, "/v1/foods/custom", **_food(number)))
        eaten = {"profile_reference_id": "alice", "food_id": stage.catalogue[number % len(stage.catalogue)]}
        stage.logs.add(number, _create(client, "/v1/diary-logs", **eaten))
        meal = {"profile_reference_id": "alice", "name": f"Meal {number}", "items": [{"food_id": eaten["food_id"]}]}
        stage.meals.add(number, _create(client, "/v1/saved-meals", **meal))
        if number < _KEPT:
            _create(client, f"/v1/foods/favorites/{stage.foods.kept[-1]}", profile_reference_id="alice")
    return stage


def _food(number: int) -> dict[str, object]:
    return {
        "profile_reference_id": "alice",
        "food_name": f"Food {number}",
        "serving_description": "1 bowl",
        "metric_serving_amount": 100,
        "metric_serving_unit": "g",
        "macro_nutrients": _VALUES,
    }


def _create(client: httpx.Client, path: str, **body: object) -> str:
    response = client.post(path, json=body, headers={"X-Request-Id": REQUEST_ID})
    assert response.status_code == 201, response.text
    return str(response.json().get("_id", ""))
