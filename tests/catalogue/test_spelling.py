"""Which words a misspelt one may stand for."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.catalogue.spelling import count_mistakes, file_under, forgiven

# With three letters, words have much in common.
_words = st.text("abc", max_size=9)


def _distance(written: str, meant: str) -> int:
    """Wrong, missing, extra and swapped letters by the book: the optimal string alignment, by a table."""
    table = [[i + j if not i * j else 0 for j in range(len(meant) + 1)] for i in range(len(written) + 1)]
    for i in range(1, len(written) + 1):
        for j in range(1, len(meant) + 1):
            wrong = written[i - 1] != meant[j - 1]
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + wrong)
            if i > 1 and j > 1 and written[i - 2 : i] == meant[j - 2 : j][::-1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(written=_words, meant=_words, most=st.integers(0, 3))
@hypothesis_settings(max_examples=1000)
def test_mistakes_are_counted_as_by_the_book(written: str, meant: str, most: int) -> None:
    expected = _distance(written, meant)
    assert count_mistakes(written, meant, most) == (expected if expected <= most else None)


@pytest.mark.parametrize(
    ("written", "meant", "mistakes"),
    [
        ("milk", "milk", 0),
        ("melk", "milk", 1),
        ("mlk", "milk", 1),
        ("millk", "milk", 1),
        ("mikl", "milk", 1),
        ("imlk", "milk", 1),
        ("milkab", "milk", 2),
        ("mozarela", "mozzarella", 2),
        ("", "ab", 2),
        ("ab", "", 2),
        # Between two letters that were swapped nothing more can be mended.
        ("ca", "abc", None),
        ("apple", "banana", None),
    ],
)
def test_a_letter_is_wrong_missing_extra_or_swapped(written: str, meant: str, mistakes: int | None) -> None:
    assert count_mistakes(written, meant, 2) == mistakes


@pytest.mark.parametrize(
    ("word", "mistakes"),
    [("egg", 0), ("milk", 1), ("bread", 1), ("broccoli", 2), ("mozzarella", 2), ("7upp", 0), ("2%", 0), ("", 0)],
)
def test_one_mistake_is_forgiven_from_four_letters_on_and_two_from_eight(word: str, mistakes: int) -> None:
    assert forgiven(word) == mistakes


def test_in_a_word_that_nobody_types_nothing_is_forgiven() -> None:
    assert forgiven("a" * 500) == 0


@st.composite
def _misspelt(draw: st.DrawFn) -> tuple[str, str, int]:
    """A word, the same with some mistakes, and how many."""
    word = draw(st.text("abcde", min_size=4, max_size=14))
    mistakes = draw(st.integers(1, 1 if len(word) < 8 else 2))
    letters = list(word)
    for _ in range(mistakes):
        place = draw(st.integers(0, len(letters) - 1))
        how = draw(st.sampled_from(["wrong", "missing", "extra", "swapped"]))
        if how == "wrong":
            letters[place] = draw(st.sampled_from("abcde"))
        elif how == "missing":
            del letters[place]
        elif how == "extra":
            letters.insert(place, draw(st.sampled_from("abcde")))
        else:
            letters[place : place + 2] = letters[place : place + 2][::-1]
    return word, "".join(letters), mistakes


@given(_misspelt())
@hypothesis_settings(max_examples=1000)
def test_a_word_is_filed_where_each_of_its_misspellings_is_looked_up(misspelt: tuple[str, str, int]) -> None:
    word, written, mistakes = misspelt
    assert file_under(word, mistakes) & file_under(written, mistakes)
