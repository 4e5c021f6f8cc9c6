"""Writes what search reads: the words of every food that is in search, by its rank."""

from typing import Any

import apsw

from provender.catalogue.arranging import IN_BASE
from provender.catalogue.naming import tokens
from provender.catalogue.search import INDEX
from provender.catalogue.staging import register
from provender.catalogue.vocabulary import TABLES, collect_words

# The index is merged once, at its end, and not on the way: nobody searches in it meanwhile. Half of it in memory at a
# time makes few pieces to merge.
_WHILE_WRITING = {"automerge": 0, "crisismerge": 2000, "hashsize": 48 * 1024 * 1024}

# What FTS5 keeps an index of this kind in.
_INDEX_TABLES = ("search_data", "search_idx", "search_config")
_WORD_TABLES = ("words", "beginnings", "spellings")

_READ_NOW = f"""
    SELECT ranked.rank, coalesce(ranked.tokens, tokens(taken.name, taken.brand, taken.besides))
    FROM ranked LEFT JOIN base.foods AS taken ON ranked.file = {IN_BASE} AND taken.rank = ranked.number
    WHERE ranked.chosen AND ranked.listed ORDER BY ranked.rank
"""
_READ_BEFORE = "SELECT rank, tokens FROM ranked WHERE chosen AND listed ORDER BY rank"


def index(foods: apsw.Connection, *, has_base: bool) -> None:
    """Index the foods of the attached `ranked`; those that are in the attached `base` are read now."""
    foods.execute(INDEX)
    for setting, value in _WHILE_WRITING.items():
        foods.execute("INSERT INTO search (search, rank) VALUES (?, ?)", (setting, value))
    register(foods, "tokens", tokens, 3)
    foods.execute(f"INSERT INTO search (rowid, tokens) {_READ_NOW if has_base else _READ_BEFORE}")
    foods.execute("INSERT INTO search (search) VALUES ('optimize')")
    # A reader has no use for them.
    foods.executemany("DELETE FROM search_config WHERE k = ?", [(setting,) for setting in _WHILE_WRITING])
    foods.execute(TABLES)
    rows: Any = foods.execute("SELECT count(*) FROM ranked WHERE is_brand AND chosen AND listed")
    [(brands,)] = rows
    collect_words(foods, brands)


def take_index(foods: apsw.Connection) -> None:
    """Copy the index, and its words, from the attached `built`, where another process has written it."""
    foods.execute(INDEX)
    foods.execute(TABLES)
    # An index that is new has its own beginnings in these, which are those of an empty one.
    for table in _INDEX_TABLES:
        foods.execute(f"DELETE FROM main.{table}")
    for table in (*_INDEX_TABLES, *_WORD_TABLES):
        foods.execute(f"INSERT INTO main.{table} SELECT * FROM built.{table}")
