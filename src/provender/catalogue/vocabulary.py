"""The words of a version of the catalogue: which there are, how many foods have each, and which are near a word."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import apsw

from provender.catalogue.spelling import SHORTEST, count_mistakes, explains, file_under, forgiven


class Word(NamedTuple):
    """A word, the classes it has in names, and how many plain and brand foods have it."""

    text: str
    classes: str
    plain: int
    brand: int

    @property
    def foods(self) -> int:
        return self.plain + self.brand


# No word has this character, and every character that a word has comes before it.
_AFTER_ALL = "\U0010ffff"

# So many words are kept as what a beginning will likely be.
MOST_LIKELY = 6

# A word that a misspelt one is read as must be known from a plain food, or from one in so many brand foods.
_BRAND_FOODS = 250_000

# The words are taken from the index itself, so that neither has one that the other lacks.
TABLES = """
    CREATE TABLE words (word TEXT PRIMARY KEY, classes TEXT NOT NULL, plain INTEGER NOT NULL, brand INTEGER NOT NULL)
        WITHOUT ROWID;
    CREATE TABLE beginnings (beginning TEXT PRIMARY KEY, words TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE spellings (filed INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (filed, word)) WITHOUT ROWID
"""

_COLLECT = """
    INSERT INTO words (word, classes, plain, brand)
    SELECT substr(term, 2), group_concat(substr(term, 1, 1), ''),
        sum(CASE WHEN substr(term, 1, 1) < 'p' THEN doc ELSE 0 END),
        sum(CASE WHEN substr(term, 1, 1) < 'p' THEN 0 ELSE doc END)
    FROM temp.terms GROUP BY 1 ORDER BY 1
"""

# For each short beginning, the commonest words that begin so and name foods.
_BEGIN = f"""
    INSERT INTO beginnings (beginning, words)
    SELECT beginning, group_concat(word, ' ' ORDER BY place) FROM (
        SELECT word, substr(word, 1, ?1) AS beginning, row_number() OVER (
            PARTITION BY substr(word, 1, ?1) ORDER BY plain + brand DESC, word
        ) AS place FROM words WHERE length(word) >= ?1 AND instr(classes, 'a')
    ) WHERE place <= {MOST_LIKELY} GROUP BY 1
"""
# Beginnings of so many letters are in the index; see `search.INDEX`.
INDEXED_BEGINNING = 5


def collect_words(foods: apsw.Connection, brands: int) -> None:
    """Fill the tables of words from the index that has just been written, which has so many brands' foods."""
    foods.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, row)")
    foods.execute(_COLLECT)
    foods.execute("DROP TABLE temp.terms")
    for length in range(1, INDEXED_BEGINNING + 1):
        foods.execute(_BEGIN, (length,))
    foods.execute("CREATE TABLE temp.filed (filed INTEGER NOT NULL, word TEXT NOT NULL)")
    foods.executemany("INSERT INTO temp.filed VALUES (?, ?)", _file_words(foods, brands))
    # In the order of its key a table is written once, from its beginning to its end.
    foods.execute("INSERT INTO spellings (filed, word) SELECT filed, word FROM temp.filed ORDER BY 1, 2")
    foods.execute("DROP TABLE temp.filed")


def _file_words(foods: apsw.Connection, brands: int) -> Iterator[tuple[int, str]]:
    rows: Any = foods.execute("SELECT word FROM words WHERE plain > 0 OR brand > ?", (brands // _BRAND_FOODS,))
    for (word,) in rows:
        if len(word) >= SHORTEST - 1:
            yield from zip(file_under(word, forgiven(word) or 1), itertools.repeat(word))


class Vocabulary:
    """The words of the version that is open."""

    def __init__(self, foods: apsw.Connection) -> None:
        self._foods = foods

    def find(self, text: str) -> Word | None:
        rows = self._read("SELECT word, classes, plain, brand FROM words WHERE word = ?", (text,))
        return rows[0] if rows else None

    def has_beginning(self, beginning: str) -> bool:
        sql = "SELECT 1 FROM words WHERE word >= ? AND word < ? LIMIT 1"
        return bool(self._foods.execute(sql, (beginning, beginning + _AFTER_ALL)).fetchall())

    def likely_completions(self, beginning: str) -> list[Word]:
        """The commonest words that begin so and name foods, for a beginning that is in the index."""
        rows: Any = self._foods.execute("SELECT words FROM beginnings WHERE beginning = ?", (beginning,)).fetchall()
        return [word for text in rows[0][0].split(" ") if (word := self.find(text))] if rows else []

    def completions(self, beginning: str, most: int) -> list[Word]:
        """The commonest words that begin so, the word itself among them."""
        return self._read(
            """
            SELECT word, classes, plain, brand FROM words WHERE word >= ? AND word < ?
            ORDER BY min(plain, 50) DESC, brand DESC, word LIMIT ?
            """,
            (beginning, beginning + _AFTER_ALL, most),
        )

    def near(self, written: str, mistakes: int, *, alike: bool, unfinished: bool = False) -> list[Word]:
        """The words that a misspelt one may stand for with so many mistakes, the commonest first.

        With `alike`, only those that begin with the same letter; with `unfinished`, letters may still be to come.
        """
        keys = sorted(file_under(written, mistakes))
        sql = f"SELECT DISTINCT word FROM spellings WHERE filed IN ({', '.join('?' * len(keys))})"
        values: list[int | str] = [*keys]
        if alike:
            sql += " AND word >= ? AND word < ?"
            values += (written[0], written[0] + _AFTER_ALL)
        filed: Any = self._foods.execute(sql, values)
        measured = []
        for (text,) in filed:
            if text != written:
                wrong = _measure(written, text, mistakes, unfinished=unfinished)
                if wrong is not None and explains(written, text, wrong):
                    measured.append((wrong, text))
        least = min(measured, default=(0.0, ""))[0]
        nearest = [word for wrong, text in measured if wrong == least and (word := self.find(text))]
        nearest.sort(key=lambda word: (-word.plain, -word.brand, word.text))
        return nearest

    def _read(self, sql: str, values: tuple[Any, ...]) -> list[Word]:
        rows: Any = self._foods.execute(sql, values)
        return [Word(*row) for row in rows]


def _measure(written: str, meant: str, most: int, *, unfinished: bool) -> float | None:
    wrong = count_mistakes(written, meant, most)
    if wrong is not None or not unfinished or len(meant) <= len(written) or written[0] != meant[0]:
        return wrong
    # Compared with as much of the word as was written; worse than a whole word with as many mistakes.
    begun = count_mistakes(written, meant[: len(written)], most)
    return None if begun is None else begun + 0.25
