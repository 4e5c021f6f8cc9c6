"""Words as search compares them. They are stored, so what is shown here must stay so for ever."""

import sys
import timeit
import unicodedata

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from provender.model.folding import fold_words

# ruff: noqa: RUF001 - Characters that look alike are what this is about.

# Names in many alphabets, with what the rules are about strewn in.
texts = st.text(max_size=40) | st.text("aZ09éßÆøŁıİþ%.,'’`´ -_½™²ﬁ한ガ", max_size=20)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Bananas, raw", "bananas raw"),
        ("Kellogg's Corn-Flakes®", "kelloggs corn flakes"),
        ("KELLOGG’S Kelloggʼs kellogg`s Kellogg‘s Kellogg´s", "kelloggs kelloggs kelloggs kelloggs kelloggs"),
        ("Crème brûlée", "creme brulee"),
        ("Cre\u0300me bru\u0302le\u0301e", "creme brulee"),
        ("Smørrebrød", "smorrebrod"),
        ("Æbleskiver ŒUFS", "aebleskiver oeufs"),
        ("Łosoś Đuveč", "losos duvec"),
        ("Weißwurst WEISSWURST", "weisswurst weisswurst"),
        ("ISPARTA ısparta İsparta", "isparta isparta isparta"),
        ("Þorskur Skyrið", "thorskur skyrid"),
        ("Milk, 2% fat", "milk 2% fat"),
        ("100% juice 100 % 50%off", "100% juice 100 50% off"),
        ("Milk 3.25%", "milk 3.25%"),
        ("Cola 0,5 l", "cola 0.5 l"),
        ("1.000,5 1..2 a.1 1.a .5 5.", "1.000.5 1 2 a 1 1 a 5 5"),
        ("7UP H2O b12 omega-3", "7up h2o b12 omega 3"),
        ("H₂O 10²", "h2o 102"),
        ("1½ cups, ¼tsp", "1 1 2 cups 1 4 tsp"),
        ("Corn™ Snack℠s", "corn snack s"),
        ("snake_case", "snake case"),
        ("２％ ｍｉｌｋ", "2% milk"),
        ("ΜΟΥΣΑΚΆΣ μουσακάς", "μουσακασ μουσακασ"),
        ("Борщ БОРЩ", "борщ борщ"),
        ("寿司 (sushi)", "寿司 sushi"),
        # A voiced syllable is another syllable, and a vowel sign is a vowel: パン is bread, and no ハン.
        ("パン ハンバーグ ハ\u309aン", "パン ハンバーグ パン"),
        ("दाल हिन्दी ไก่ 김치", "दाल हिन्दी ไก่ 김치"),
        ("🍌 banana 🍌", "banana"),
        ("'' ` % , . -", ""),
        ("", ""),
        ("2'%", "2%"),
    ],
)
def test_what_becomes_of_names(text: str, words: str) -> None:
    assert fold_words(text) == words.split()


def test_every_character_folds_to_what_stays_so() -> None:
    """All of Unicode, alone and between letters or digits: once folded, folding again changes nothing.

    Letters without case and decomposition, such as those of Chinese, are themselves; a thousandth of them is enough.
    """
    for character in map(chr, range(sys.maxunicode + 1)):
        plain = unicodedata.category(character) in ("Lo", "Cn", "Co") and not unicodedata.decomposition(character)
        if plain and ord(character) % 1000:
            continue
        for text in (character, f"a{character}b", f"1{character}2"):
            words = fold_words(text)
            for word in words:
                assert fold_words(word) == [word], repr(text)
            assert fold_words(text.upper()) == words, repr(text)
            assert fold_words(text.lower()) == words, repr(text)


@given(texts)
@hypothesis_settings(max_examples=500)
def test_any_text_gives_words_without_spaces(text: str) -> None:
    for word in fold_words(text):
        assert word
        assert not any(character.isspace() for character in word)
        assert not set(word) & set("'`’_-")


@given(texts)
@hypothesis_settings(max_examples=500)
def test_a_word_folds_to_itself(text: str) -> None:
    words = fold_words(text)
    assert [fold_words(word) for word in words] == [[word] for word in words]
    assert fold_words(" ".join(words)) == words


@given(texts)
@hypothesis_settings(max_examples=500)
def test_upper_and_lower_case_give_the_same(text: str) -> None:
    assert fold_words(text.upper()) == fold_words(text.lower()) == fold_words(text)


@given(texts)
@hypothesis_settings(max_examples=500)
def test_it_does_not_matter_how_an_accent_is_encoded(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert fold_words(unicodedata.normalize(form, text)) == fold_words(text)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
@hypothesis_settings(max_examples=500)
def test_the_short_way_for_ascii_gives_the_same(text: str) -> None:
    assert [*fold_words(text), "寿司"] == fold_words(f"{text} 寿司")


@pytest.mark.parametrize(
    "name",
    [
        "Chicken, broilers or fryers, breast meat only cooked",
        "Milk, reduced fat, fluid, 2% milkfat, vitamin added",
    ],
)
def test_an_ascii_name_of_eight_words_takes_a_few_microseconds(name: str) -> None:
    """The catalogue's builder folds a million of them. 5 µs is what it may take; a busy machine gets twice that."""
    assert len(fold_words(name)) == 8
    assert min(timeit.repeat(lambda: fold_words(name), number=2000, repeat=9)) / 2000 < 10e-6


def test_lone_surrogates_are_no_letters() -> None:
    assert fold_words("a\ud800b") == ["a", "b"]
