"""Which of a profile's custom foods have the words of a search: the statement that finds the profile and them.

Their ids are found first, and a food by each of them: PostgreSQL, as long as it has no statistics of a profile that is
new, would rather read all of its foods than the few that a page has.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from provender.model.paging import PageRequest
from provender.storage.engine import Value
from provender.storage.profiles import ID

# An index of PostgreSQL takes no key of more than 2,704 bytes. No word that people look for is as long as this, and of
# one that is the beginning is enough.
WORD_LENGTH = 64

# No word has this character, and every character that a word has comes before it.
_AFTER_ALL = "\U0010ffff"

# So many alternatives a statement has room for; the rest of the room is filled with one that is there already.
_ROOMS = (1, 2, 4, 8, 16)


class Term(NamedTuple):
    """One word of a search: a food has it if it has one of the alternatives, or a word that begins with the prefix."""

    alternatives: frozenset[str]
    prefix: str | None = None


class Matching(NamedTuple):
    """A statement, and its values after the profile's reference_id, which is `$2`."""

    sql: str
    values: tuple[Value, ...]


def matching(columns: str, terms: Sequence[Term], request: PageRequest) -> Matching:
    """Select the profile's foods that have all the terms, as many as the page has to reach for, in no order.

    Each row begins with the food's id. Where the profile has no such food, there is one row without an id; where there
    is no such profile, there is none.
    """
    # Terms with a prefix go last and all get room for equally many alternatives: so there are few different statements,
    # each of which is prepared once.
    ordered = sorted(terms, key=lambda term: term.prefix is not None)
    most = max(len(term.alternatives) for term in ordered)
    room = next((room for room in _ROOMS if room >= most), most)
    values: list[Value] = [request.reach]
    if request.cursor is not None:
        values.append(request.cursor)
    for term in ordered:
        # A word that is given twice changes nothing, and the empty word is no food's.
        words = sorted(word[:WORD_LENGTH] for word in term.alternatives) or [""]
        values += [*words, *[words[-1]] * (room - len(words))]
        if term.prefix is not None:
            prefix = term.prefix[:WORD_LENGTH]
            values += (prefix, prefix + _AFTER_ALL)
    prefixed = sum(term.prefix is not None for term in ordered)
    shape = (len(ordered), prefixed, room)
    sql = _statement(columns, *shape, backwards=request.backwards, after=request.cursor is not None)
    return Matching(sql, tuple(values))


@cache
def _statement(columns: str, terms: int, prefixed: int, room: int, *, backwards: bool, after: bool) -> str:
    """The foods that every term finds. Each term reads its own stretches of the index, and nothing else."""
    # The cursor's own row is read too, so that whoever cuts the page knows whether it is in the list.
    beyond = f" AND food_id {'>=' if backwards else '<='} $4" if after else ""
    found = f"SELECT food_id FROM custom_food_words WHERE profile_id = {ID}{beyond} AND word"
    number = 5 if after else 4
    arms = []
    for place in range(terms):
        arm = f"{found} IN ({', '.join(f'${number + each}' for each in range(room))})"
        number += room
        if place >= terms - prefixed:
            begins = f"{found} >= ${number} AND word < ${number + 1}"
            arm = f"SELECT food_id FROM ({arm} UNION ALL {begins}) AS either"
            number += 2
        arms.append(arm)
    # INTERSECT leaves each food once; a single term has to say so.
    if terms == 1:
        arms[0] = arms[0].replace("SELECT", "SELECT DISTINCT", 1)
    ids = f"{' INTERSECT '.join(arms)} ORDER BY food_id {'ASC' if backwards else 'DESC'} LIMIT $3"
    return f"""
        SELECT page.food_id, {columns} FROM profiles p LEFT JOIN ({ids}) AS page ON 1 = 1
        LEFT JOIN custom_foods f ON f.profile_id = p.id AND f.id = page.food_id
        WHERE p.application_id = $1 AND p.reference_id = $2
    """
