"""Finds the words that a misspelt one may stand for.

Two words are near when both become the same by leaving out letters. Each word of the catalogue is filed under all it
becomes so; a misspelt word is looked up under all that it becomes, and what is found is measured.
"""

import zlib
from typing import TypeVar

_Text = TypeVar("_Text", str, bytes)

# Letters that are filed; what comes behind them is only measured. Beyond this, filing costs more than it finds.
_FILED = 7
SHORTEST = 4
# From this many letters on two mistakes are found, though in a word that is not long only behind its first letter.
_MIDDLE = 6
_LONG = 8
# Nobody types a longer word.
_LONGEST = 40


def forgiven(word: str) -> int:
    """How many letters may be wrong, missing, extra or swapped in a word of this length."""
    if not SHORTEST <= len(word) <= _LONGEST or not word.isalpha():
        return 0
    return 1 if len(word) < _MIDDLE else 2


def explains(written: str, meant: str, mistakes: float) -> bool:
    """Whether so many mistakes are likely. Hardly anybody gets the first letter of a word wrong."""
    return mistakes <= 1 or len(written) >= _LONG or written[0] == meant[0]


def file_under(word: str, mistakes: int) -> set[int]:
    """Short numbers for all that the beginning of a word becomes by leaving out at most so many letters."""
    filed = word[:_FILED]
    if filed.isascii():
        # A byte is a letter, so that what is left need not be encoded each time.
        return set(map(zlib.crc32, _leave_out(filed.encode(), mistakes)))
    return {zlib.crc32(text.encode()) for text in _leave_out(filed, mistakes)}


def _leave_out(word: _Text, mistakes: int) -> set[_Text]:
    found = shorter = {word}
    for _ in range(mistakes):
        shorter = {text[:place] + text[place + 1 :] for text in shorter for place in range(len(text))}
        found = found | shorter
    return found


def count_mistakes(written: str, meant: str, most: int) -> int | None:
    """Wrong, missing, extra and swapped letters between two words; None where there are more than `most`."""
    if written == meant:
        return 0
    if not most or abs(len(written) - len(meant)) > most:
        return None
    same = 0
    while written[same : same + 1] == meant[same : same + 1]:
        same += 1
    written, meant = written[same:], meant[same:]
    # The first letter that differs is wrong, extra, missing, or swapped with the one behind it.
    ways = [(written[1:], meant[1:]), (written[1:], meant), (written, meant[1:])]
    if written[:2] == meant[:2][::-1] and len(written) > 1:
        ways.append((written[2:], meant[2:]))
    counts = [count_mistakes(*way, most - 1) for way in ways]
    return min((count + 1 for count in counts if count is not None), default=None)
