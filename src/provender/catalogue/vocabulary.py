"""The words of a version of the catalogue: which there are, how many foods have each, and which are near a word."""

from typing import Any, NamedTuple

import apsw

from provender.catalogue.spelling import count_mistakes, file_under, forgiven


class Word(NamedTuple):
    """A word, the classes it has in names, and how many plain and brand foods have it."""

    text: str
    classes: str
    plain: int
    brand: int

    @property
    def foods(self) -> int:
        return self.plain + self.brand


# A word that a misspelt one is read as must be known from this many brand foods, or from one plain food.
_LEAST_BRAND_FOODS = 3

# The words are taken from the index itself, so that neither has one that the other lacks. Letters that nobody types
# first by mistake, such as digits, need no filing.
TABLES = """
    CREATE TABLE words (word TEXT PRIMARY KEY, classes TEXT NOT NULL, plain INTEGER NOT NULL, brand INTEGER NOT NULL)
        WITHOUT ROWID;
    CREATE TABLE beginnings (beginning TEXT PRIMARY KEY, foods INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE spellings (filed INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (filed, word)) WITHOUT ROWID
"""

_COLLECT = """
    INSERT INTO words (word, classes, plain, brand)
    SELECT substr(term, 2), group_concat(substr(term, 1, 1), ''),
        sum(CASE WHEN substr(term, 1, 1) < 'o' THEN doc ELSE 0 END),
        sum(CASE WHEN substr(term, 1, 1) < 'o' THEN 0 ELSE doc END)
    FROM temp.terms GROUP BY 1 ORDER BY 1
"""


# For each short beginning, the foods of the commonest word that begins so, of those that name foods.
_BEGIN = """
    INSERT INTO beginnings (beginning, foods)
    SELECT substr(word, 1, ?1), max(plain + brand) FROM words
    WHERE length(word) >= ?1 AND instr(classes, 'a') GROUP BY 1
"""
INDEXED_BEGINNING = 3


def collect_words(foods: apsw.Connection) -> None:
    """Fill the tables of words from the index that has just been written."""
    foods.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, row)")
    foods.execute(_COLLECT)
    foods.execute("DROP TABLE temp.terms")
    for length in range(1, INDEXED_BEGINNING + 1):
        foods.execute(_BEGIN, (length,))
    rows: Any = foods.execute("SELECT word FROM words WHERE plain > 0 OR brand >= ?", (_LEAST_BRAND_FOODS,)).fetchall()
    filed = [(key, word) for (word,) in rows if len(word) > 2 for key in file_under(word, forgiven(word) or 1)]
    filed.sort()
    foods.executemany("INSERT INTO spellings (filed, word) VALUES (?, ?)", filed)


class Vocabulary:
    def __init__(self, foods: apsw.Connection) -> None:
        self._foods = foods

    def find(self, text: str) -> Word | None:
        rows = self._read("SELECT word, classes, plain, brand FROM words WHERE word = ?", (text,))
        return rows[0] if rows else None

    def commonest_completion(self, beginning: str) -> int:
        """The foods of the commonest word that begins so, of those that name foods; for a beginning in the index."""
        rows: Any = self._foods.execute("SELECT foods FROM beginnings WHERE beginning = ?", (beginning,)).fetchall()
        return rows[0][0] if rows else 0

    def completions(self, beginning: str, most: int) -> list[Word]:
        """The commonest words that begin so, the word itself among them."""
        return self._read(
            """
            SELECT word, classes, plain, brand FROM words WHERE word >= ? AND word < ?
            ORDER BY min(plain, 50) DESC, brand DESC, word LIMIT ?
            """,
            (beginning, beginning + "\U0010ffff", most),
        )

    def near(self, written: str, most: int, *, unfinished: bool) -> list[Word]:
        """What a misspelt word may stand for, the nearest first; `unfinished` where letters may still be to come."""
        mistakes = forgiven(written)
        if not mistakes:
            return []
        keys = sorted(file_under(written, mistakes))
        found = self._read(
            f"""
            SELECT word, classes, plain, brand FROM words
            WHERE word IN (SELECT word FROM spellings WHERE filed IN ({", ".join("?" * len(keys))}))
            """,
            tuple(keys),
        )
        measured = []
        for word in found:
            wrong = _measure(written, word.text, mistakes, unfinished=unfinished)
            if wrong is not None:
                # Hardly anybody gets the first letter wrong.
                measured.append((wrong + 0.5 * (word.text[0] != written[0]), -word.plain, -word.brand, word))
        measured.sort()
        nearest = [word for wrong, *_, word in measured if wrong == measured[0][0]]
        return nearest[:most]

    def _read(self, sql: str, values: tuple[Any, ...]) -> list[Word]:
        rows: Any = self._foods.execute(sql, values)
        return [Word(*row) for row in rows]


def _measure(written: str, meant: str, most: int, *, unfinished: bool) -> float | None:
    wrong = count_mistakes(written, meant, most)
    if wrong is not None or not unfinished or len(meant) <= len(written):
        return wrong
    # Compared with as much of the word as was written; worse than a whole word with as many mistakes.
    begun = count_mistakes(written, meant[: len(written)], most)
    return None if begun is None else begun + 0.25
