"""Decides which record each food has, and the rank of each: from the few columns of the staged foods that tell.

The foods themselves are large and stay where they are until they are written, once, in the order of their rank.
"""

from collections.abc import Iterable, Sequence

import apsw

from provender.catalogue.naming import points
from provender.catalogue.staging import register

# How well a dataset documents its foods; of two that claim one food, or one barcode, the better documented is taken,
# and of equals the newer. An operator's own table knows best.
DOCUMENTATION = {"foundation": 5, "sr_legacy": 4, "sr28": 3, "fndds": 2, "usda_branded": 1, "off": 0}
_OPERATORS_OWN = 9
_KNOWN = " ".join(f"WHEN '{name}' THEN {known}" for name, known in DOCUMENTATION.items())
_DOCUMENTED = f"CASE dataset {_KNOWN} ELSE {_OPERATORS_OWN} END"

# In place of the number of a staging file: the food is still where the version before has it.
IN_BASE = -1

_COLUMNS = (
    "id", "dataset", "file", "number", "released_at", "digest", "points", "barcode", "tokens", "is_brand",
    "documentation", "created_at", "updated_at", "imported_at", "listed", "chosen", "seen",
)  # fmt: skip
_RANKED_COLUMNS = tuple(column for column in _COLUMNS if column != "seen")
_LISTED = ", ".join(_COLUMNS)
_RANKED_LISTED = ", ".join(_RANKED_COLUMNS)

_TABLES = f"""
    CREATE TABLE records ({_LISTED}, PRIMARY KEY (id, dataset)) WITHOUT ROWID;
    CREATE TABLE ranked (rank INTEGER PRIMARY KEY, {_RANKED_LISTED})
"""

_TAKE_OVER = f"""
    INSERT INTO records ({_LISTED})
    SELECT id, dataset, {IN_BASE}, rank, released_at, digest, %s, barcode, NULL, brand IS NOT NULL, documentation,
        created_at, updated_at, imported_at, listed, chosen, 0
    FROM base.foods ORDER BY id, dataset
"""
_POINTS_ANEW = "points(name, brand, besides, length(per_100), length(servings))"

# Every dataset that has a food keeps a record of it, so that one can step in for another that drops it. A record
# replaces its dataset's own unless that is newer; if it does not, it is in this release all the same. Content that did
# not change keeps its time.
_REPLACES = "(excluded.released_at >= released_at OR listed = 0)"
_REPLACED = (
    "file", "number", "released_at", "digest", "points", "barcode", "tokens", "is_brand", "documentation",
    "imported_at", "chosen",
)  # fmt: skip
_GATHER = f"""
    INSERT INTO records ({_LISTED})
    SELECT id, dataset, file, number, released_at, digest, points, barcode, tokens, brand IS NOT NULL, {_DOCUMENTED},
        ?1, ?1, ?1, 1, 1, 1
    FROM (%s) WHERE true ORDER BY id, dataset, number
    ON CONFLICT (id, dataset) DO UPDATE SET
        {", ".join(f"{c} = CASE WHEN {_REPLACES} THEN excluded.{c} ELSE {c} END" for c in _REPLACED)},
        updated_at = CASE WHEN {_REPLACES} AND digest <> excluded.digest THEN excluded.updated_at ELSE updated_at END,
        listed = 1, seen = 1
"""
_GATHERED = "SELECT {file} AS file, * FROM staged_{file}.staged"

# Of a food that several datasets have, the best documented that is in search answers; the others wait.
_CHOOSE = """
    UPDATE records SET
        chosen = dataset = (
            SELECT dataset FROM records AS best WHERE best.id = records.id
            ORDER BY listed DESC, documentation DESC, released_at DESC, dataset LIMIT 1
        ),
        created_at = (SELECT min(created_at) FROM records AS first WHERE first.id = records.id)
    WHERE id IN (SELECT id FROM records GROUP BY id HAVING count(*) > 1)
"""

# Those in search first, and of those the likeliest to be meant. A food that several datasets have is as likely meant as
# the likeliest of its records: a dataset that measured less of raw eggs makes them no odder.
_RANK = f"""
    INSERT INTO ranked ({_RANKED_LISTED})
    SELECT {_RANKED_LISTED} FROM records LEFT JOIN (
        SELECT id, min(points) AS fewest FROM records WHERE listed GROUP BY id HAVING count(*) > 1
    ) USING (id)
    ORDER BY chosen DESC, listed DESC, coalesce(fewest, points), id, dataset
"""


def make_tables(arranged: apsw.Connection) -> None:
    arranged.execute(_TABLES)


def take_over(arranged: apsw.Connection, *, read_anew: bool) -> None:
    """Begin with all that the attached `base` has; with `read_anew`, its names are read again for their points."""
    register(arranged, "points", points, 5)
    arranged.execute(_TAKE_OVER % (_POINTS_ANEW if read_anew else "points"))


def arrange(arranged: apsw.Connection, files: Sequence[int], whole: Iterable[str], now: int) -> None:
    """Fill `ranked` from what was taken over and from the attached staging files; `whole` datasets are complete."""
    if files:
        arranged.execute(_GATHER % " UNION ALL ".join(_GATHERED.format(file=file) for file in files), (now,))
    for dataset in whole:
        arranged.execute("UPDATE records SET listed = 0 WHERE dataset = ? AND seen = 0", (dataset,))
    arranged.execute(_CHOOSE)
    arranged.execute(_RANK)
    arranged.execute("DROP TABLE records")
