"""Finds the words that a misspelt one may stand for.

Two words are near when both become the same by leaving out letters. Each word of the catalogue is filed under all it
becomes so; a misspelt word is looked up under all that it becomes, and what is found is measured.
"""

import zlib
from itertools import combinations

# Letters that are filed; what comes behind them is only measured. Beyond this, filing costs more than it finds.
_FILED = 7
SHORTEST = 4
_LONG = 8


def forgiven(word: str) -> int:
    """How many letters may be wrong, missing, extra or swapped in a word of this length."""
    if len(word) < SHORTEST or not word.isalpha():
        return 0
    return 1 if len(word) < _LONG else 2


def file_under(word: str, mistakes: int) -> set[int]:
    """Short numbers for all that the beginning of a word becomes by leaving out at most so many letters."""
    beginning = word[:_FILED]
    found = {beginning}
    for left_out in range(1, mistakes + 1):
        for places in combinations(range(len(beginning)), left_out):
            found.add("".join([letter for place, letter in enumerate(beginning) if place not in places]))
    return {zlib.crc32(text.encode()) for text in found}


def count_mistakes(written: str, meant: str, most: int) -> int | None:
    """Wrong, missing, extra and swapped letters between two words; None where there are more than `most`."""
    if abs(len(written) - len(meant)) > most:
        return None
    before: list[int] = []
    row = list(range(len(meant) + 1))
    for i, letter in enumerate(written, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(meant, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and other == written[i - 2]:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return None
    return row[-1] if row[-1] <= most else None
