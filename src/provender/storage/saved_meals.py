"""How saved meals are kept. Whatever writes here has locked the profile alone first; see `storage/profiles.py`."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from provender.model.diary import Meal
from provender.model.paging import Page, PageRequest
from provender.model.saved_meals import MealItem, SavedMeal
from provender.model.times import from_ms, to_ms
from provender.storage.bulk import insert_rows
from provender.storage.engine import Row, Statements
from provender.storage.listing import Listing
from provender.storage.profiles import ID

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[MealItem, ...]).decode


class StoredMeal(NamedTuple):
    """A saved meal, and whose it is."""

    meal: SavedMeal
    profile_id: str
    reference_id: str


_COLUMNS = "m.id, m.name, m.meal, m.items, m.created_at, m.updated_at, p.id, p.reference_id"

# Meals are found through their profile: from its deletion on, none of them is.
_MEALS = "saved_meals m JOIN profiles p ON p.application_id = m.application_id AND p.id = m.profile_id"

NEWEST_FIRST = Listing(
    columns=_COLUMNS.replace("p.id, p.reference_id", "m.profile_id, CAST($2 AS text)"),
    source=f"saved_meals m WHERE m.profile_id = {ID}",
    key=("m.id",),
    descending=True,
    id_column="m.id",
)

# As of custom foods: the application is asked of the profile alone.
OLDEST_FIRST = f"""
    SELECT {_COLUMNS} FROM saved_meals m JOIN profiles p ON p.id = m.profile_id
    WHERE p.application_id = $1 AND p.id = $2 AND m.profile_id = $2 AND m.id > $3 ORDER BY m.id LIMIT $4
"""

FIND = f"SELECT {_COLUMNS} FROM {_MEALS} WHERE m.application_id = $1 AND m.id = $2"


async def insert_meal(statements: Statements, profile_id: str, meal: SavedMeal) -> None:
    await statements.change(
        """
        INSERT INTO saved_meals (application_id, profile_id, id, name, meal, items, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        profile_id,
        meal.id,
        meal.name,
        meal.meal.value,
        _encode(meal.items),
        to_ms(meal.created_at),
        to_ms(meal.updated_at),
    )


async def insert_meals(statements: Statements, profile_id: str, meals: Sequence[SavedMeal]) -> None:
    """Add meals of a profile that is being imported."""
    rows = [
        (meal.id, meal.name, meal.meal.value, _encode(meal.items), to_ms(meal.created_at), to_ms(meal.updated_at))
        for meal in meals
    ]
    await insert_rows(
        statements, profile_id, "saved_meals", ("id", "name", "meal", "items", "created_at", "updated_at"), rows
    )


async def read_meals(statements: Statements, profile_id: str, after: str, count: int) -> Sequence[SavedMeal]:
    """So many of the profile's meals, oldest first, from after an id on."""
    return [_meal(row).meal for row in await statements.all(OLDEST_FIRST, profile_id, after, count)]


async def update_meal(statements: Statements, profile_id: str, meal: SavedMeal) -> None:
    await statements.change(
        """
        UPDATE saved_meals SET name = $4, meal = $5, items = $6, updated_at = $7
        WHERE application_id = $1 AND profile_id = $2 AND id = $3
        """,
        profile_id,
        meal.id,
        meal.name,
        meal.meal.value,
        _encode(meal.items),
        to_ms(meal.updated_at),
    )


async def delete_meal(statements: Statements, profile_id: str, meal_id: str) -> None:
    await statements.change(
        "DELETE FROM saved_meals WHERE application_id = $1 AND profile_id = $2 AND id = $3", profile_id, meal_id
    )


async def find_meal(statements: Statements, meal_id: str) -> StoredMeal | None:
    """A meal of any profile of the application."""
    row = await statements.one(FIND, meal_id)
    return None if row is None else _meal(row)


async def list_meals(statements: Statements, reference_id: str, request: PageRequest) -> Page[StoredMeal]:
    return (await NEWEST_FIRST.page(statements, request, reference_id)).map(_meal)


def find_fault(meal: str, items: bytes) -> str | None:
    """What of a kept meal cannot be read."""
    try:
        Meal(meal)
        _decode(items)
    except (ValueError, msgspec.MsgspecError) as error:
        return str(error)
    return None


def _meal(row: Row) -> StoredMeal:
    id_, name, meal, items, created_at, updated_at, profile_id, reference_id = row
    found = SavedMeal(
        id=id_,
        name=name,
        meal=Meal(meal),
        items=_decode(items),
        created_at=from_ms(created_at),
        updated_at=from_ms(updated_at),
    )
    return StoredMeal(found, profile_id, reference_id)
