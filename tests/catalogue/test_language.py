"""Words as search compares them, and the lists that say what they mean."""

import re
from importlib import resources

import pytest

from provender.catalogue import naming
from provender.catalogue.language import (
    STOP_WORDS,
    fold_telling,
    read_list,
    read_words,
    singular,
    understand,
    written_as,
)
from provender.model.folding import fold_words


@pytest.mark.parametrize(
    ("one", "plural"),
    [
        ("egg", "eggs"),
        ("apple", "apples"),
        ("cherry", "cherries"),
        ("potato", "potatoes"),
        ("potato", "potatos"),
        ("peach", "peaches"),
        ("radish", "radishes"),
        ("box", "boxes"),
        ("cookie", "cookies"),
        ("pie", "pies"),
        ("leaf", "leaves"),
        ("loaf", "loaves"),
        ("goose", "geese"),
        ("olive", "olives"),
        ("sausage", "sausages"),
        ("quiche", "quiches"),
        ("brioche", "brioches"),
        ("fish", "fishes"),
        ("kellogg", "kelloggs"),
    ],
)
def test_singular_and_plural_come_out_alike(one: str, plural: str) -> None:
    assert understand([one]) == understand([plural])


@pytest.mark.parametrize(
    "word",
    ["egg", "milk", "asparagus", "hummus", "swiss", "lotus", "octopus", "gas", "s", "as", "2%", "7up", "", "couscous"],
)
def test_what_is_no_plural_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ketchup", ["catsup"]),
        ("tomato ketchup", ["catsup"]),
        ("skimmed milk", ["nonfat", "milk"]),
        ("fat free milk", ["nonfat", "milk"]),
        ("fat-free milk", ["nonfat", "milk"]),
        ("garbanzo beans", ["chickpea"]),
        ("garbanzo", ["chickpea"]),
        ("green beans", ["green", "snap", "bean"]),
        ("a glass of milk", ["glass", "milk"]),
        ("half and half", ["halfandhalf"]),
        ("oj", ["orange", "juice"]),
        ("aubergines and courgettes", ["eggplant", "zucchini"]),
        ("milk", ["milk"]),
        ("", []),
        ("and", []),
    ],
)
def test_words_are_replaced_by_what_they_mean_the_longest_first(text: str, words: list[str]) -> None:
    assert read_words(text) == words


def test_folded_words_are_understood_where_they_stand_together() -> None:
    assert understand(["hot", "dogs"]) == ["frankfurter"]
    assert understand(["dogs", "hot"]) == ["dog", "hot"]
    assert understand(["hot"]) == ["hot"]
    assert understand([]) == []


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("eggplant", {"eggplant", "eggplants", "aubergine", "aubergines", "brinjal"}),
        ("aubergines", {"aubergines", "aubergine", "eggplant", "eggplants"}),
        ("cherry", {"cherry", "cherries"}),
        ("cherries", {"cherry", "cherries"}),
        ("potatoes", {"potato", "potatoes", "potatos", "spud"}),
        ("peach", {"peach", "peaches"}),
        ("xyzzy", {"xyzzy", "xyzzys", "xyzzies"}),
    ],
)
def test_a_word_may_be_written_in_other_forms_and_as_other_words(word: str, forms: set[str]) -> None:
    written = written_as(word)
    assert written[0] == word
    assert forms <= set(written)
    assert len(set(written)) == len(written)


# What a line of the forms may begin with, besides points: what the file itself says of them.
FORMS = resources.files("provender.catalogue").joinpath("data", "forms.txt").read_text(encoding="utf-8")
KINDS = set(re.findall(r"^#   ([a-z]+) NAME", FORMS, re.MULTILINE))


def test_every_line_of_the_synonyms_says_what_words_mean() -> None:
    for line in read_list("synonyms.txt"):
        assert ("=" in line) != (">" in line), line
        assert line.count(">") <= 1, line
        sides = [side for part in line.split(">") for side in part.split("=")]
        if ">" in line:
            sides = [sides[0], *sides[1].split(",")]
        assert all(fold_words(side) for side in sides), line
        folded = [tuple(fold_words(side)) for side in sides]
        assert len(set(folded)) == len(folded), f"twice: {line}"


def test_the_kinds_of_lines_are_explained() -> None:
    assert {"category", "name", "dish", "plain"} <= KINDS


def test_every_line_of_the_forms_has_a_kind_or_points_and_a_form() -> None:
    for line in read_list("forms.txt"):
        kind, _, form = line.partition(" ")
        assert kind in KINDS or -5 <= float(kind) <= 10, line
        assert read_words(form), line


def test_no_form_comes_twice() -> None:
    """Of two lines for one form, one would be without effect, and nobody could say which."""
    seen: dict[tuple[str, ...], str] = {}
    twice = []
    for line in read_list("forms.txt"):
        kind, _, form = line.partition(" ")
        if kind not in KINDS:
            words = tuple(read_words(form))
            if words in seen:
                twice.append((seen[words], line))
            seen[words] = line
    assert twice == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Thé vert", ["the", "vert"]),
        ("THÉ", ["the"]),
        ("The\u0301 glacé", ["the", "glace"]),
        ("The crème", ["creme"]),
        ("the vert", ["vert"]),
        # These say nothing in the languages that have them.
        ("Tarte à la crème", ["tarte", "la", "creme"]),
    ],
)
def test_a_word_with_an_accent_is_not_the_word_that_says_nothing(text: str, words: list[str]) -> None:
    assert fold_telling(text) == words


def _meanings() -> dict[tuple[str, ...], tuple[str, ...]]:
    """For all that is replaced, in the singular, what it is replaced by."""
    meanings: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in read_list("synonyms.txt"):
        if "=" in line:
            meaning, *others = (tuple(map(singular, fold_words(side))) for side in line.split("="))
            meanings |= dict.fromkeys(others, meaning)
    return meanings


def test_nothing_means_two_things() -> None:
    sides = [
        tuple(map(singular, fold_words(side)))
        for line in read_list("synonyms.txt")
        if "=" in line
        for side in line.split("=")[1:]
    ]
    assert [side for side in sides if sides.count(side) > 1] == []


def test_what_a_word_means_is_not_replaced_itself() -> None:
    """With a = b and b = c, whoever writes c would look for b, which no name has any more."""
    chained = [
        (" ".join(written), " ".join(meaning))
        for written, meaning in _meanings().items()
        if understand([word for word in meaning if word not in STOP_WORDS])
        != [word for word in meaning if word not in STOP_WORDS]
    ]
    assert chained == []


def test_what_is_called_otherwise_is_called_so_in_the_tables_words() -> None:
    """A name is read before it is compared with this list, so a word here that is replaced would never be met."""
    for line in read_list("synonyms.txt"):
        known, besides, _ = line.partition(">")
        if besides:
            words = [singular(word) for word in fold_words(known) if word not in STOP_WORDS]
            assert read_words(known) == words, line


def test_every_form_that_is_listed_is_read_as_one() -> None:
    for line in read_list("forms.txt"):
        kind, _, form = line.partition(" ")
        if kind not in KINDS and len(read_words(form)) == 1 and float(kind) > 0:
            assert (
                naming.read_name(f"Thing, {form}", None, None).points > naming.read_name("Thing", None, None).points
            ), line
