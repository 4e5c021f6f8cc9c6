"""How custom foods are kept. Whatever writes here has locked the profile first; see `storage/profiles.py`."""

from collections.abc import Collection, Sequence
from operator import itemgetter

from provender.model.custom_foods import CustomFood
from provender.model.errors import ProfileNotFound
from provender.model.foods import FoodType
from provender.model.paging import Page, PageRequest
from provender.storage.bulk import insert_noted_rows, insert_rows
from provender.storage.engine import Row, Statements, Value
from provender.storage.fragments import StoredFood
from provender.storage.listing import Listing
from provender.storage.matching import WORD_LENGTH, Term, matching
from provender.storage.profiles import ID
from provender.storage.rooms import in_rooms, places

_OTHER_COLUMNS = ("f.id", "p.reference_id")
_OWN_COLUMNS = StoredFood._fields[len(_OTHER_COLUMNS) :]

_COLUMNS = ", ".join([*_OTHER_COLUMNS, *(f"f.{column}" for column in _OWN_COLUMNS)])

# Foods are found through their profile: from its deletion on, none of them is.
_FOODS = "custom_foods f JOIN profiles p ON p.application_id = f.application_id AND p.id = f.profile_id"

_OF_PROFILE = f"{_FOODS} WHERE f.application_id = $1 AND f.profile_id = $2"

NEWEST_FIRST = Listing(
    columns=_COLUMNS.replace("p.reference_id", "CAST($2 AS text)"),
    source=f"custom_foods f WHERE f.profile_id = {ID}",
    key=("f.id",),
    descending=True,
    id_column="f.id",
)

FIND = f"SELECT {_COLUMNS} FROM {_FOODS} WHERE f.application_id = $1 AND f.id = $2"

# Of several with one barcode, the newest. Where there is none, the profile's row is there alone.
FIND_BY_BARCODE = f"""
    SELECT {_COLUMNS} FROM profiles p LEFT JOIN custom_foods f ON f.profile_id = p.id
    AND f.id = (SELECT MAX(id) FROM custom_foods WHERE profile_id = p.id AND barcode = $3)
    WHERE p.application_id = $1 AND p.reference_id = $2
"""

# The application is asked of the profile alone: otherwise PostgreSQL may take the index of all its foods, and sort.
OLDEST_FIRST = f"""
    SELECT {_COLUMNS} FROM custom_foods f JOIN profiles p ON p.id = f.profile_id
    WHERE p.application_id = $1 AND p.id = $2 AND f.profile_id = $2 AND f.id > $3 ORDER BY f.id LIMIT $4
"""

_LOCK = f"{FIND} AND f.profile_id = $3 FOR UPDATE OF f"

_INSERT = f"""
    INSERT INTO custom_foods (application_id, profile_id, id, {", ".join(_OWN_COLUMNS)})
    VALUES ($1, $2, $3, {", ".join(f"${number}" for number in range(4, 4 + len(_OWN_COLUMNS)))})
"""

_UPDATE = f"""
    UPDATE custom_foods SET {", ".join(f"{column} = ${number}" for number, column in enumerate(_OWN_COLUMNS, 4))}
    WHERE application_id = $1 AND profile_id = $2 AND id = $3
"""

# Beside its words, each food has one that says its type. No word of a name has such a sign.
_TYPE_WORDS = {food_type: f"={food_type.value}" for food_type in FoodType}


async def insert_food(statements: Statements, profile_id: str, food: CustomFood) -> None:
    await statements.change(_INSERT, profile_id, food.id, *_values(food))
    await _insert_words(statements, profile_id, food)


async def insert_foods(statements: Statements, profile_id: str, foods: Sequence[CustomFood]) -> None:
    """Add foods of a profile that is being imported."""
    await insert_rows(
        statements, profile_id, "custom_foods", ("id", *_OWN_COLUMNS), [(food.id, *_values(food)) for food in foods]
    )
    words = [(word, food.id) for food in foods for word in sorted(words_of(food))]
    await insert_noted_rows(statements, profile_id, "custom_food_words", (("word", "text"), ("food_id", "text")), words)


async def read_foods(statements: Statements, profile_id: str, after: str, count: int) -> Sequence[StoredFood]:
    """So many of the profile's foods, oldest first, from after an id on."""
    return [_food(row) for row in await statements.all(OLDEST_FIRST, profile_id, after, count)]


async def update_food(statements: Statements, profile_id: str, before: CustomFood, food: CustomFood) -> None:
    await statements.change(_UPDATE, profile_id, food.id, *_values(food))
    if words_of(before) != words_of(food):
        await write_words(statements, profile_id, food)


async def delete_food(statements: Statements, profile_id: str, food_id: str) -> bool:
    """Remove the food, and say whether it was there."""
    # The food first: whoever is changing it has its row, and the words that come of the change are seen after it.
    rows = await statements.change(
        "DELETE FROM custom_foods WHERE application_id = $1 AND profile_id = $2 AND id = $3 RETURNING id",
        profile_id,
        food_id,
    )
    if rows:
        await delete_words(statements, profile_id, food_id)
    return bool(rows)


async def find_food(statements: Statements, food_id: str) -> StoredFood | None:
    """A food of any profile of the application."""
    return _first(await statements.one(FIND, food_id))


async def lock_food(statements: Statements, profile_id: str, food_id: str) -> StoredFood | None:
    """Find a food of the profile, and keep it from being changed by others until the transaction ends."""
    return _first(await statements.one(_LOCK, food_id, profile_id))


async def find_food_by_barcode(statements: Statements, reference_id: str, gtin13: str) -> StoredFood | None:
    """The profile's food with this barcode. Where there is no such profile, the same statement tells."""
    row = await statements.one(FIND_BY_BARCODE, reference_id, gtin13)
    if row is None:
        raise ProfileNotFound
    return None if row[0] is None else _food(row)


async def list_foods(statements: Statements, reference_id: str, request: PageRequest) -> Page[StoredFood]:
    return (await NEWEST_FIRST.page(statements, request, reference_id)).map(_food)


async def find_foods(statements: Statements, profile_id: str, ids: Collection[str]) -> dict[str, StoredFood]:
    """Those of the foods that the profile has, by their ids."""
    found: list[Row] = []
    for filled in in_rooms(ids):
        sql = f"SELECT {_COLUMNS} FROM {_OF_PROFILE} AND f.id IN ({places(3, len(filled))})"
        found += await statements.all(sql, profile_id, *filled)
    return {food.id: food for food in map(_food, found)}


async def list_matching(
    statements: Statements,
    reference_id: str,
    words: Sequence[Term],
    request: PageRequest,
    *,
    food_type: FoodType | None = None,
) -> Page[StoredFood]:
    """The profile's foods that have every one of the terms, newest first. As above, there may be no such profile."""
    terms = [*words, Term(frozenset({_TYPE_WORDS[food_type]}))] if food_type is not None else words
    sql, values = matching(_COLUMNS, terms, request)
    rows = await statements.all(sql, reference_id, *values)
    if not rows:
        raise ProfileNotFound
    found = sorted((row for row in rows if row[0] is not None), key=itemgetter(0), reverse=not request.backwards)
    if request.cursor is not None and (not found or found[0][0] != request.cursor):
        found = []
    # A food that is being deleted may have words yet, but is none any more.
    page = Page.cut(found, request)
    return Page([_food(row[1:]) for row in page.items if row[1] is not None], page.has_more)


async def write_words(statements: Statements, profile_id: str, food: CustomFood) -> None:
    """Let the food have the words of its name, and no others."""
    await delete_words(statements, profile_id, food.id)
    await _insert_words(statements, profile_id, food)


async def _insert_words(statements: Statements, profile_id: str, food: CustomFood) -> None:
    for words in in_rooms(sorted(words_of(food))):
        listed = ", ".join(f"(CAST(${number} AS text))" for number in range(4, 4 + len(words)))
        await statements.change(
            f"""
            INSERT INTO custom_food_words (profile_id, word, food_id)
            SELECT p.id, w.column1, CAST($3 AS text) FROM profiles p CROSS JOIN (VALUES {listed}) AS w
            WHERE p.application_id = $1 AND p.id = $2
            ON CONFLICT DO NOTHING
            """,
            profile_id,
            food.id,
            *words,
        )


async def delete_words(statements: Statements, profile_id: str, food_id: str) -> None:
    """Reads all words of the profile. They are few; an index by food would cost more with every food that is added."""
    await statements.change(
        """
        DELETE FROM custom_food_words
        WHERE profile_id = (SELECT id FROM profiles WHERE application_id = $1 AND id = $2) AND food_id = $3
        """,
        profile_id,
        food_id,
    )


def words_of(food: CustomFood) -> set[str]:
    """The words that search finds the food by, and the one that says its type."""
    return {word[:WORD_LENGTH] for word in food.words} | {_TYPE_WORDS[food.food_type]}


def _values(food: CustomFood) -> Sequence[Value]:
    """The values of the food's own columns, in their order."""
    return StoredFood.of(food, reference_id="")[len(_OTHER_COLUMNS) :]


def _food(row: Row) -> StoredFood:
    return StoredFood(*row)


def _first(row: Row | None) -> StoredFood | None:
    return None if row is None else _food(row)
