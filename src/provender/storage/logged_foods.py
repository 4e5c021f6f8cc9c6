"""How foods as they were logged are kept: one row for all logs of a food with the same content."""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, Self

from provender.model.decimals import times, to_billionths
from provender.model.foods import for_reading
from provender.model.ids import id_of
from provender.model.nutrients import OPTIONAL_GROUPS, Group, Nutrients
from provender.model.portions import LoggedFood, Quantity, for_weighing, round_all
from provender.model.sums import LARGEST, Sums, TooMuch
from provender.storage.bulk import insert_rows
from provender.storage.engine import Row, Statements
from provender.storage.groups import Groups
from provender.storage.rooms import in_rooms, places

# Far enough from the limit that it does not matter how floats are rounded.
_SURELY_COUNTED = 0.99 * LARGEST


class StoredLoggedFood(NamedTuple):
    """A food as it was logged, as it is kept. The names are those of the columns."""

    id: str
    food_name: str
    brand_name: str | None
    food_type: str
    serving_description: str
    metric_serving_amount: float
    metric_serving_unit: str
    is_rounded: int
    macro_nutrients: bytes
    water_in_gm: float | None
    vitamins: bytes
    minerals: bytes
    carbohydrates: bytes
    lipids: bytes
    proteins: bytes

    @classmethod
    def of(cls, food: LoggedFood) -> Self:
        stored = cls(
            id="",
            food_name=food.name,
            brand_name=food.brand,
            food_type=food.food_type.value,
            serving_description=food.serving_description,
            # As the database gives it back: the id is a hash of it, and must be the same after an export and an import.
            metric_serving_amount=float(food.serving_amount),
            metric_serving_unit=food.unit.value,
            is_rounded=int(food.is_rounded),
            **Groups.of(food.nutrients)._asdict(),
        )
        return stored._replace(id=stored.content_id())

    def content_id(self) -> str:
        """The id that follows from everything else."""
        content = ("", *self[1:])
        return id_of("\0".join(value.decode() if isinstance(value, bytes) else repr(value) for value in content))

    @property
    def groups(self) -> Groups:
        return Groups(*(getattr(self, name) for name in Groups._fields))

    def sums(self, quantity: Quantity) -> Sums:
        """What an entry of so much of it adds to its day."""
        return _sums(self, quantity)

    def check(self, quantity: Quantity) -> None:
        """Raise TooMuch where `sums` would, without working them out."""
        largest = _largest(self, quantity.is_weighed)
        if largest <= LARGEST and largest * quantity.number_of_servings < _SURELY_COUNTED:
            return
        # What is the most before it is multiplied and rounded is the most afterwards.
        if largest > LARGEST or times(largest, quantity.ratio(self.metric_serving_amount)) > LARGEST:
            raise TooMuch

    def nutrients(self, *, is_weighed: bool, groups: frozenset[Group] = frozenset(Group)) -> Nutrients:
        """The values of one serving that are multiplied with how much was eaten, of the groups that are asked for."""
        found = self.groups.nutrients(groups)
        return round_all(found, for_weighing if is_weighed else for_reading) if self.is_rounded else found


@lru_cache(maxsize=1024)
def _one_serving(food: StoredLoggedFood, is_weighed: bool) -> Sums:
    return Sums.of(food.nutrients(is_weighed=is_weighed))


@lru_cache(maxsize=1024)
def _sums(food: StoredLoggedFood, quantity: Quantity) -> Sums:
    """People eat the same things in the same amounts again."""
    return _one_serving(food, quantity.is_weighed).times(quantity.ratio(food.metric_serving_amount))


@lru_cache(maxsize=2048)
def _largest(food: StoredLoggedFood, is_weighed: bool) -> int:
    """The most that a serving has of anything, in billionths."""
    largest = max((max(members.values(), default=0) for members in food.groups.nutrients().values()), default=0)
    if food.is_rounded:
        largest = for_weighing(largest) if is_weighed else for_reading(largest)
    return to_billionths(largest)


COLUMNS = ", ".join(f"e.{column}" for column in StoredLoggedFood._fields)


@cache
def columns_with(include: frozenset[str]) -> str:
    """The columns with only those of the optional groups that are asked for: a food with all of them is large."""
    unasked = {group.value for group in OPTIONAL_GROUPS} - include
    return ", ".join("NULL" if column in unasked else f"e.{column}" for column in StoredLoggedFood._fields)


_INSERTED = ("food_id", *StoredLoggedFood._fields)

IN_ORDER = f"""
    SELECT e.food_id, {COLUMNS} FROM logged_foods e
    WHERE e.application_id = $1 AND e.profile_id = $2 AND (e.id, e.food_id) > ($3, $4)
    AND EXISTS (SELECT 1 FROM profiles WHERE application_id = $1 AND id = $2)
    ORDER BY e.id, e.food_id LIMIT $5
"""

# The logs of a food are found by it, and nearly always the first of them still uses the row. Asking for the first in
# the order of that index is what makes SQLite take it; otherwise it prefers to read the whole diary.
DELETE_UNUSED = """
    DELETE FROM logged_foods WHERE application_id = $1 AND profile_id = $2 AND id = $3 AND food_id = $4 AND (
        SELECT number FROM diary_logs WHERE profile_id = $2 AND food_id = $4 AND logged_food_id = $3
        ORDER BY food_id, meal, number LIMIT 1
    ) IS NULL
"""


async def insert_logged_foods(
    statements: Statements, profile_id: str, foods: Sequence[tuple[str, StoredLoggedFood]]
) -> None:
    """Add those of the foods that are not there yet, each with its food's id."""
    rows = [(food_id, *food) for food_id, food in foods]
    await insert_rows(statements, profile_id, "logged_foods", _INSERTED, rows, unless_there=True)


async def read_logged_foods(
    statements: Statements, profile_id: str, after: tuple[str, str], count: int
) -> Sequence[tuple[str, StoredLoggedFood]]:
    """So many of the profile's foods as they were logged, each with its food's id, in the order of both ids."""
    rows = await statements.all(IN_ORDER, profile_id, *after, count)
    return [(row[0], StoredLoggedFood(*row[1:])) for row in rows]


async def find_logged_foods(
    statements: Statements, profile_id: str, ids: Collection[str]
) -> dict[str, StoredLoggedFood]:
    found: list[Row] = []
    for filled in in_rooms(ids):
        found += await statements.all(
            f"""
            SELECT {COLUMNS} FROM logged_foods e
            WHERE e.application_id = $1 AND e.profile_id = $2 AND e.id IN ({places(3, len(filled))})
            """,
            profile_id,
            *filled,
        )
    return {row[0]: StoredLoggedFood(*row) for row in found}


async def delete_unused(statements: Statements, profile_id: str, id_: str, food_id: str) -> None:
    """Remove the food as it was logged, if no log uses it any more."""
    await statements.change(DELETE_UNUSED, profile_id, id_, food_id)
