"""Words, as search compares them: without case, accents and apostrophes.

What comes out of here is stored, so the same text must give the same words for ever. Plurals, synonyms and everything
else that may become better with time belong to the side that asks, never here.
"""

import re
import unicodedata

# A run of letters and digits, in which a point or a comma between two digits does not split ("3.25"), and the percent
# sign right behind a digit ("2%"). Everything else that is no part of a word has become a blank before.
_WORD = re.compile(r"[^\s.,%]+(?:(?<=\d)[.,](?=\d)[^\s.,%]+)*(?:(?<=\d)%)?")

# Where none of these is in an ASCII text, its words are the runs of letters and digits, and a table finds them faster.
_NUMBER_WITH_MORE = re.compile(r"[0-9]['`]*[.,%]")

# "Kellogg's" is one word however its apostrophe is written.
_APOSTROPHES = frozenset("'`\u2018\u2019\u02bc\u00b4\u1ffd")

# Decomposition would glue these to the word or number before them: "Corn™" is no "corntm", and "1½" is no "11/2".
_MARKS_OF_TRADE = frozenset("\N{TRADE MARK SIGN}\N{SERVICE MARK}")
_FRACTION_SLASH = "\N{FRACTION SLASH}"

# What may stand in a number, or behind it.
_IN_NUMBERS = frozenset(".,%")

# The blocks of Unicode that have the accents.
_ACCENTS = (
    ("\u0300", "\u036f"),
    ("\u1ab0", "\u1aff"),
    ("\u1dc0", "\u1dff"),
    ("\u20d0", "\u20ff"),
    ("\ufe20", "\ufe2f"),
)

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
    if text.isascii():
        if _NUMBER_WITH_MORE.search(text) is None:
            return text.translate(_ASCII).split()
        folded = text.translate(_ASCII_WITH_NUMBERS)
    else:
        # Composed first, so that each character, and not half of one, is looked at.
        folded = unicodedata.normalize("NFC", text).translate(_FOLDING)
    words: list[str] = _WORD.findall(folded)
    return [word.replace(",", ".") for word in words] if "," in folded else words


def has_words_only(text: str) -> bool:
    """Whether the words are runs of ASCII letters and digits, wherever the text is cut between them."""
    return text.isascii() and _NUMBER_WITH_MORE.search(text) is None


def _fold_character(character: str) -> str:
    if character in _APOSTROPHES:
        return ""
    if character in _MARKS_OF_TRADE:
        return " "
    # Case comes before decomposition, since it makes a letter of one combining mark, the Greek iota below a letter;
    # and again after it, since that makes capitals, such as TEL of one sign.
    decomposed = unicodedata.normalize("NFKD", character.casefold())
    letters = "".join(
        _LETTERS.get(letter.casefold(), letter.casefold())
        for letter in decomposed
        if letter not in _APOSTROPHES and not _is_accent(letter)
    )
    # What is left of it together again: the voicing of a Japanese syllable makes another syllable of it.
    folded = "".join(map(_part_of_word, unicodedata.normalize("NFC", letters)))
    return f" {folded} " if _FRACTION_SLASH in letters else folded


def _is_accent(character: str) -> bool:
    """Whether it is an accent of Latin, Greek or Cyrillic letters. Marks of other scripts are letters of their own."""
    return any(first <= character <= last for first, last in _ACCENTS)


def _part_of_word(character: str) -> str:
    if character.isalnum() or character in _IN_NUMBERS or unicodedata.category(character).startswith("M"):
        return character
    return " "


_ASCII = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)} | {
    ord(apostrophe): "" for apostrophe in "'`"
}
_ASCII_WITH_NUMBERS = _ASCII | {ord(character): character for character in _IN_NUMBERS}
