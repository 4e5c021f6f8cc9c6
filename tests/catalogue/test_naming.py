"""How a name is read: which of its words name the food, which say how it is, and how odd it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.catalogue.naming import (
    ALONE,
    AMONG,
    ASIDE,
    BRANDS_FROM,
    FIRST,
    KIND,
    LATER,
    NAMED,
    PART,
    PRODUCT,
    SECOND,
    points,
    read_name,
    tokens,
)


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("Honey", {"honey": ALONE}),
        ("Milk, whole, 3.25% milkfat", {"milk": ALONE, "whole": KIND, "milkfat": PART, "3.25%": PART}),
        ("Bread, white, toasted", {"bread": ALONE, "white": KIND}),
        ("Apples, raw, with skin", {"apple": ALONE, "raw": KIND}),
        ("Peanut butter, smooth style", {"peanut": FIRST, "butter": SECOND}),
        ("Orange juice, raw", {"orange": FIRST, "juice": SECOND, "raw": KIND}),
        ("Chicken breast tenders, breaded", {"chicken": AMONG, "breast": AMONG, "tender": AMONG}),
        ("Cheese, cheddar", {"cheese": ALONE, "cheddar": KIND}),
        # What is under a heading is the food.
        ("Fish, salmon, pink, raw", {"fish": KIND, "salmon": ALONE}),
        ("Nuts, almonds", {"nut": KIND, "almond": ALONE}),
        ("Beverages, coffee, brewed", {"beverage": KIND, "coffee": ALONE}),
        # A dish is not what it tastes of.
        ("Soup, tomato, canned", {"soup": ALONE, "tomato": PART}),
        ("Cake, chocolate chip", {"cake": ALONE, "chocolate": PART, "chip": PART}),
        # A name that is one wherever it stands.
        ("Pork, cured, bacon, cooked", {"pork": ALONE, "bacon": ALONE}),
        # Another name, near the beginning, and a remark, further back.
        ("Quinces (membrillo), raw", {"quince": ALONE, "membrillo": KIND}),
        ("Lettuce, iceberg (includes crisphead types), raw", {"lettuce": ALONE, "crisphead": LATER}),
        # What comes with a food does not name it.
        ("Noodles with cheese", {"noodle": ALONE, "cheese": PART}),
        # What is odd is behind all that is plain.
        ("Babyfood, apples, strained", {"apple": LATER}),
    ],
)
def test_a_word_of_a_plain_name_has_the_class_of_what_it_does(name: str, classes: dict[str, str]) -> None:
    read = read_name(name, None, None).classes
    assert {word: read.get(word) for word in classes} == classes


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("Tea, herb, other than chamomile, brewed", "chamomile"),
        ("Puddings, all flavors except chocolate", "chocolate"),
        ("Candies, coconut bar, not chocolate covered", "chocolate"),
    ],
)
def test_what_a_food_is_not_is_a_remark_at_most(name: str, missing: str) -> None:
    """It is found by its whole name, but not among foods that are what it is not."""
    assert read_name(name, None, None).classes[missing] == LATER


def test_other_names_of_the_source_are_words_of_the_food() -> None:
    read = read_name("Beans, mung, mature seeds", None, "green gram, golden gram").classes
    assert read["gram"] == PART
    assert read_name("Cucumber", None, "gherkins").classes["pickle"] == KIND


@pytest.mark.parametrize("besides", ["URMIS #2345", "IMPS 1185B", "Commodity 321", "recipe"])
def test_numbers_of_cuts_and_programmes_are_no_names(besides: str) -> None:
    assert read_name("Beef, loin", None, besides) == read_name("Beef, loin", None, None)


def test_a_brands_words_are_the_products_or_the_brands() -> None:
    read = read_name("Corn Flakes", "Kellogg's", None)
    assert read.classes == {"corn": PRODUCT, "flake": PRODUCT, "kellogg": ASIDE}
    assert read.points >= BRANDS_FROM / 2


def test_what_a_product_comes_with_stands_aside() -> None:
    classes = read_name("Yogurt with Strawberries", "Acme", None).classes
    assert classes == {"yogurt": PRODUCT, "strawberry": ASIDE, "acme": ASIDE}


def test_a_brand_that_the_name_says_too_is_the_products() -> None:
    assert read_name("KELLOGG'S Corn Flakes", "Kellogg's", None).classes["kellogg"] == PRODUCT


def test_a_shouted_word_makes_a_name_a_brands_though_none_is_known() -> None:
    read = read_name("Snacks, COMBOS Snacks Cheddar Pretzel", None, None)
    assert read.classes["combo"] == NAMED
    assert read.classes["pretzel"] == NAMED
    assert read.points > BRANDS_FROM / 2


def test_a_name_that_is_all_shouted_is_no_brands() -> None:
    assert read_name("APPLES, RAW", None, None).classes == read_name("Apples, raw", None, None).classes


def test_a_percentage_is_found_by_its_number_too() -> None:
    classes = read_name("Beef, ground, 80% lean meat / 20% fat, raw", None, None).classes
    assert {"80%", "80", "20%", "20"} <= classes.keys()


@pytest.mark.parametrize(
    ("plainer", "odder"),
    [
        ("Apples, raw", "Apples, dried"),
        ("Apples, raw", "Apples, raw, gala"),
        ("Potatoes, boiled", "Potatoes, mashed, dehydrated"),
        ("Egg, whole, raw, fresh", "Egg, whole, dried"),
        ("Milk, whole", "Milk, dry, whole"),
        ("Rice, white, cooked", "Babyfood, rice"),
        ("Oil, olive, salad or cooking", "Oil, industrial, soy"),
        ("Butter, salted", "Butter, whipped, with salt"),
        ("Chicken, breast, raw", "Chicken, skin only, raw"),
    ],
)
def test_the_common_form_has_fewer_points(plainer: str, odder: str) -> None:
    assert read_name(plainer, None, None).points < read_name(odder, None, None).points


def test_a_plain_food_has_fewer_points_than_any_brands() -> None:
    worst = points("Babyfood, oil, industrial, dehydrated, imitation, restaurant, freeze-dried", None, None, 0, 0)
    best = points("Milk", "Milk", None, 10**6, 10**6)
    assert worst < best


def test_of_equal_names_the_food_of_which_more_is_known_has_fewer_points() -> None:
    assert points("Milk", None, None, 3000, 500) < points("Milk", None, None, 30, 0)
    assert points("Milk", "Acme", None, 3000, 500) < points("Milk", "Acme", None, 30, 0)


@given(st.text(max_size=255), st.none() | st.text(max_size=80), st.none() | st.text(max_size=80))
def test_any_name_is_read_and_each_of_its_words_is_indexed_once(
    name: str, brand: str | None, besides: str | None
) -> None:
    written = tokens(name, brand, besides).split()
    words = [token[1:] for token in written]
    assert len(set(words)) == len(words)
    assert all(words)
    assert {token[0] for token in written} <= set("abcdefgpqrs")
