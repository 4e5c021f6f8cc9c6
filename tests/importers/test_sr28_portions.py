"""Household portions in the words of people, and the ones that cannot be used."""

import pytest

from provender.importers.sr28_portions import describe_portion, make_servings
from provender.model.foods import Serving


@pytest.mark.parametrize(
    ("amount", "words", "described"),
    [
        # What reads well stays, behind an amount in fractions.
        (1, 'pat (1" sq, 1/3" high)', '1 pat (1" sq, 1/3" high)'),
        (0.5, "cup", "1/2 cup"),
        (0.333, "package (10 oz)", "1/3 package (10 oz)"),
        (3, "oz", "3 oz"),
        (1, "tablespoon", "1 tablespoon"),
        (1, "cup, chopped", "1 cup, chopped"),
        (1, 'medium (7" to 7-7/8" long)', '1 medium (7" to 7-7/8" long)'),
        (1, "jar Beech-Nut Stage 2 (4 oz)", "1 jar Beech-Nut Stage 2 (4 oz)"),
        (1, "portion, amount to make 1/2 cup", "1 portion, amount to make 1/2 cup"),
        (0.083, "package", "1/12 package"),
        (0.2, "block", "1/5 block"),
        # Spaces, capitals, points and brackets.
        (1, "serving ( 3 oz )", "1 serving (3 oz)"),
        (1, 'slice , 5/8"', '1 slice, 5/8"'),
        (1, "envelope  Swiss Miss (.53 oz)", "1 envelope Swiss Miss (0.53 oz)"),
        (1, 'potato large (3" to 4-1/4" dia.', '1 large potato (3" to 4-1/4" dia)'),
        (2, "Tbsp", "2 tbsp"),
        (1, "steak (yield from 1 raw steak weighing149g)", "1 steak (yield from 1 raw steak weighing 149 g)"),
        # A measure behind the word that it explains.
        (1, "serving 1/2 cup", "1 serving (1/2 cup)"),
        (1, "serving .25 cup", "1 serving (1/4 cup)"),
        (1, "serving 100 ml", "1 serving (100 ml)"),
        (1, "cup 8 fl oz", "1 cup (8 fl oz)"),
        (1, 'slice 1/8 of 12" pizza', '1 slice (1/8 of 12" pizza)'),
        (1, "package 0.6 oz 1 cup", "1 package (0.6 oz, 1 cup)"),
        (1, "link, 5/lb", "1 link (5 per lb)"),
        (1, 'slice (1 oz) (4" x 4" x 3/32" thick)', '1 slice (1 oz, 4" x 4" x 3/32" thick)'),
        # The serving that a law prescribes is the one on the label.
        (0.75, "cup (1 NLEA serving)", "3/4 cup (1 serving)"),
        (1, "NLEA serving", "1 serving"),
        (1, "serving (1 NLEA serving - about 4 crackers)", "1 serving (about 4 crackers)"),
        (1, "serving serving size varied from 1 to 3 tamales", "1 serving (1 to 3 tamales)"),
        # Large potatoes, and cups of what was chopped.
        (1, "potato large", "1 large potato"),
        (1, 'ear, medium (6-3/4" to 7-1/2" long)', '1 medium ear (6-3/4" to 7-1/2" long)'),
        (1, "serving medium 21 fl oz,  without ice", "1 medium serving (21 fl oz, without ice)"),
        (1, "extra large", "1 extra large"),
        (1, "cup chopped", "1 cup, chopped"),
        (1, "cup spaghetti not packed", "1 cup spaghetti, not packed"),
        (1, "thigh bone and skin removed", "1 thigh, bone and skin removed"),
        # The same thing twice, and notes that are for nobody.
        (1, "wing wing without skin", "1 wing without skin"),
        (1, "cup 12 fl oz 12 fl oz", "1 cup (12 fl oz)"),
        (1, "jar NFS", "1 jar"),
        (1, "can (303 x 406)", "1 can"),
        (1, "cookie (average weight of 1 cookie)", "1 cookie"),
        (1, "avocado, NS as to Florida or California", "1 avocado"),
        # Numbers, and what one says with them.
        (1.25, "cup (1 NLEA serving)", "1 1/4 cups (1 serving)"),
        (15, "cracker", "15 crackers"),
        (4, "patty", "4 patties"),
        (1, 'slices , 3/8"', '1 slice, 3/8"'),
        (5, "package (5 oz)", "1 package (5 oz)"),
        (6, "inch sub", "6-inch sub"),
        (0.333, "package (10 oz) yields", "yield of 1/3 package (10 oz)"),
        (1, "lemon yields", "yield of 1 lemon"),
    ],
)
def test_portions_are_described_as_people_say_them(amount: float, words: str, described: str) -> None:
    assert describe_portion(amount, words) == described


def test_servings_keep_the_order_and_the_weights_of_the_tables() -> None:
    portions = [(2, 1.0, "tbsp", 14.2), (3, 0.5, "cup", 113.5), (5, 1.0, "stick", 113.0)]
    assert make_servings(portions) == [Serving("1 tbsp", 14.2), Serving("1/2 cup", 113.5), Serving("1 stick", 113.0)]


def test_the_same_words_and_weight_are_one_serving() -> None:
    assert make_servings([(1, 1.0, "oz", 28.0), (2, 1.0, "oz", 28.35)]) == [Serving("1 oz", 28.0)]


def test_the_weight_tells_apart_what_the_words_do_not() -> None:
    assert make_servings([(1, 1.0, "slice", 29.0), (6, 1.0, "slice", 25.0)]) == [
        Serving("1 slice", 29.0),
        Serving("1 slice (25 g)", 25.0),
    ]
    assert make_servings([(3, 1.0, "jar (5 oz)", 128.0), (5, 1.0, "jar (5 oz)", 142.0)])[1].description == (
        "1 jar (5 oz, 142 g)"
    )


def test_a_weight_that_contradicts_its_words_gives_way_to_them() -> None:
    assert make_servings([(1, 3.0, "oz", 28.0)]) == [Serving("3 oz", 85.05)]


@pytest.mark.parametrize(
    ("amount", "words", "weight"),
    [
        # 03298, 19182 and 33875: volumes that would weigh twice what water does, or a fifth of it.
        (1, "tbsp", 29),
        (0.5, "cup", 202),
        (5, "fl oz", 30),
        # 07917 and 10805: the words begin with a weight that the portion does not have.
        (12, "oz serving 2.7 oz", 77),
        (1, "oz crumbles", 113),
        # 07973: nobody knows what this is.
        (1, "raw pr g", 15),
    ],
)
def test_a_portion_that_cannot_be_is_left_out(amount: float, words: str, weight: float) -> None:
    assert make_servings([(1, amount, words, weight)]) == []


@pytest.mark.parametrize(
    ("words", "weight"),
    [("oz, dry, yields", 177), ("lb (with shell), yield after shell removed", 68), ("oz with bone (yield)", 19)],
)
def test_what_a_weight_yields_may_weigh_anything(words: str, weight: float) -> None:
    assert len(make_servings([(1, 1, words, weight)])) == 1
