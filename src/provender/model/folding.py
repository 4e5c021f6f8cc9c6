"""Words, as search compares them: without case, accents and apostrophes.

What comes out of here is stored, so the same text must give the same words for ever. Plurals, synonyms and everything
else that may become better with time belong to the side that asks, never here.
"""

import re
import unicodedata

# A run of letters and digits, in which a point or a comma between two digits does not split ("3.25"), and the percent
# sign right behind a digit ("2%").
_WORD = re.compile(r"[^\W_]+(?:(?<=\d)[.,](?=\d)[^\W_]+)*(?:(?<=\d)%)?")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:(?<=[0-9])[.,](?=[0-9])[a-z0-9]+)*(?:(?<=[0-9])%)?")

# Where none of these is in an ASCII text, its words are the runs of letters and digits, and a table finds them faster.
_NUMBER_WITH_MORE = re.compile(r"[0-9]['`]*[.,%]")

# "Kellogg's" is one word however its apostrophe is written.
_APOSTROPHES = frozenset("'`\u2018\u2019\u02bc\u00b4\u1ffd")

# Decomposition would glue these to the word or number before them: "Corn™" is no "corntm", and "1½" is no "11/2".
_MARKS_OF_TRADE = frozenset("\N{TRADE MARK SIGN}\N{SERVICE MARK}")
_FRACTION_SLASH = "\N{FRACTION SLASH}"

# Letters that have no decomposition, and that people type without what makes them special; U+0131 is the i without a
# dot. ß is left to casefold.
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "\u0131": "i", "þ": "th", "ð": "d"}

# More characters than any language's names have, and few enough that whoever sends all of Unicode fills no memory.
_MOST_REMEMBERED = 20_000


class _Folding(dict[int, str]):
    """What each character becomes, worked out when it is first met.

    One character at a time is enough: case folding and decomposition know no neighbours, but for the order of combining
    marks, and those are dropped.
    """

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < _MOST_REMEMBERED:
            self[code] = folded
        return folded


_FOLDING = _Folding()


def fold_words(text: str) -> list[str]:
    """The words of a name, in its order: "Crème de Cassis, 0,5 l" is creme, de, cassis, 0.5, l."""
    folded = text if text.isascii() else text.translate(_FOLDING)
    if folded.isascii():
        if _NUMBER_WITH_MORE.search(folded) is None:
            return folded.translate(_ASCII).split()
        words: list[str] = _ASCII_WORD.findall(folded.lower().replace("'", "").replace("`", ""))
    else:
        words = _WORD.findall(folded)
    return [word.replace(",", ".") for word in words] if "," in folded else words


def _fold_character(character: str) -> str:
    if character in _APOSTROPHES:
        return ""
    if character in _MARKS_OF_TRADE:
        return " "
    # Case comes before decomposition, since it makes a letter of one combining mark, the Greek iota below a letter;
    # and again after it, since that makes capitals, such as TEL of one sign.
    decomposed = unicodedata.normalize("NFKD", character.casefold())
    letters = [
        _LETTERS.get(letter.casefold(), letter.casefold())
        for letter in decomposed
        if not unicodedata.category(letter).startswith("M") and letter not in _APOSTROPHES
    ]
    folded = "".join(letters)
    return f" {folded} " if _FRACTION_SLASH in folded else folded


_ASCII = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)} | {
    ord(apostrophe): "" for apostrophe in "'`"
}
