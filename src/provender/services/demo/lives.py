"""The three people of the demo: an athlete, a vegetarian who eats seldom, and somebody without regular days.

What they eat is written as one says it: "2 egg" are two of the measure that `foods.py` has, "180 g rice" is weighed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time

from provender.model.diary import Meal

_AMOUNT = re.compile(r"([0-9.]+)( g)? (.+)")


@dataclass(frozen=True, slots=True)
class Bite:
    """So much of a food: by its measure, or by weight in grams."""

    food: str
    amount: float
    is_weighed: bool


@dataclass(frozen=True, slots=True)
class Dish:
    """What is eaten together. A saved meal is one with a name; it is logged as a whole."""

    bites: tuple[Bite, ...]
    note: str | None = None
    saved_as: str | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """When a person eats, about, how likely that is on a day, and what it may be then."""

    meal: Meal
    at: time
    dishes: Sequence[Dish]
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class Life:
    reference_id: str
    about: str
    timezone: str
    weekdays: Sequence[Occasion]
    weekends: Sequence[Occasion]
    own_foods: tuple[str, ...]
    favorites: tuple[str, ...]
    # How likely a day is on which nothing is logged at all.
    gaps: float = 0.0
    # Saved meals, by their names.
    saved: Mapping[str, tuple[Meal, Dish]] = field(default_factory=dict)


def _dish(text: str, note: str | None = None, saved_as: str | None = None) -> Dish:
    return Dish(tuple(_bite(part) for part in text.split(", ")), note, saved_as)


def _bite(text: str) -> Bite:
    read = _AMOUNT.fullmatch(text)
    if read is None:
        raise ValueError(f"{text!r} is no amount of a food")
    return Bite(read[3], float(read[1]), read[2] is not None)


def _saved(*meals: tuple[Meal, Dish]) -> dict[str, tuple[Meal, Dish]]:
    return {dish.saved_as: (meal, dish) for meal, dish in meals if dish.saved_as is not None}


_OATMEAL = _dish("1 oats, 1 milk, 1 banana, 0.5 blueberries, 1 honey", saved_as="Oatmeal before training")
_RECOVERY = _dish("2 protein shake, 1 milk, 1 banana", saved_as="After training")
_COFFEE = _dish("1 coffee")

ALICE = Life(
    "alice",
    "an athlete, five meals a day",
    "Europe/Berlin",
    weekdays=(
        Occasion(Meal.BREAKFAST, time(6, 40), (_OATMEAL,)),
        Occasion(Meal.BREAKFAST, time(7, 5), (_dish("1 coffee, 1 water"),)),
        Occasion(Meal.SNACK, time(10, 15), (_RECOVERY, _RECOVERY, _dish("1 yogurt, 1 almonds, 1 apple"))),
        Occasion(
            Meal.LUNCH,
            time(12, 50),
            (
                _dish("170 g chicken breast, 250 g rice, 2 broccoli, 1 olive oil, 1 water"),
                _dish("1 tuna, 2.5 pasta, 1 marinara, 2 parmesan, 1 water", "After intervals: legs are heavy."),
                _dish("160 g chicken breast, 1.5 sweet potato, 1 avocado, 2 spinach, 1 dressing"),
                _dish("2 tortilla, 150 g chicken breast, 0.5 black beans, 0.5 avocado, 0.5 tomato"),
                _dish("150 g ground beef, 1.5 rice, 1 peas, 1 water"),
            ),
        ),
        Occasion(
            Meal.SNACK, time(16, 10), (_dish("3 energy balls, 1 coffee"), _dish("2 bread, 1 peanut butter, 1 banana"))
        ),
        Occasion(
            Meal.DINNER,
            time(19, 20),
            (
                _dish("180 g salmon, 300 g potato, 2 broccoli, 1 butter, 2 water"),
                _dish("150 g shrimp, 2 noodles, 1 red pepper, 1 mushrooms, 1 olive oil"),
                _dish("3 egg, 3 bread, 1 butter, 1 tomato, 1 cheddar"),
                _dish("180 g chicken breast, 1.5 quinoa, 1 feta, 1 cucumber, 1 tomato, 1 olive oil"),
                _dish("1.5 lentils, 1 rice, 1 carrot, 1 olive oil, 1 yogurt", "Rest day tomorrow."),
            ),
        ),
    ),
    weekends=(
        Occasion(
            Meal.BREAKFAST,
            time(8, 45),
            (_dish("4 pancake, 2 maple syrup, 0.5 blueberries, 1 coffee"), _dish("2 fried egg, 2 bread, 1 avocado")),
        ),
        Occasion(Meal.SNACK, time(12, 10), (_RECOVERY,)),
        Occasion(
            Meal.LUNCH,
            time(14, 0),
            (
                _dish("2 pasta, 1 marinara, 100 g ground beef, 3 parmesan, 2 water", "Long ride: 84 km."),
                _dish("180 g chicken breast, 1.5 rice, 1 avocado, 1 orange"),
            ),
        ),
        Occasion(Meal.DINNER, time(19, 50), (_dish("3 pizza, 1 beer"), _dish("1 salmon, 2 potato, 2 spinach, 1 wine"))),
        Occasion(Meal.SNACK, time(21, 15), (_dish("1 ice cream"), _dish("1 chocolate, 1 tea")), chance=0.7),
    ),
    own_foods=("protein shake", "energy balls"),
    favorites=("oats", "banana", "salmon", "protein shake", "sweet potato", "almonds", "coffee"),
    saved=_saved((Meal.BREAKFAST, _OATMEAL), (Meal.SNACK, _RECOVERY)),
)

_YOGURT = _dish("1 yogurt, 0.5 blueberries, 1 walnuts, 1 honey", saved_as="Yogurt with walnuts")
_DAL = _dish("1 dal, 1 brown rice, 1 spinach", saved_as="Dal and rice")

BOB = Life(
    "bob",
    "a vegetarian, few meals",
    "America/New_York",
    weekdays=(
        Occasion(Meal.BREAKFAST, time(8, 30), (_COFFEE,)),
        Occasion(
            Meal.LUNCH,
            time(11, 45),
            (
                _dish("2 chickpeas, 2 lettuce, 1 tomato, 1 feta, 2 dressing, 1 bread"),
                _dish("2 minestrone, 3 bread, 2 cheddar, 1 apple"),
                _dish("2 tortilla, 1 black beans, 0.5 avocado, 1 cheddar, 1 tomato"),
                _dish("8 hummus, 3 bread, 2 carrot, 1 cucumber, 1 orange", "At the desk again."),
            ),
        ),
        Occasion(Meal.SNACK, time(15, 40), (_YOGURT, _YOGURT, _dish("1 apple, 1 almonds, 1 tea"))),
        Occasion(
            Meal.DINNER,
            time(18, 30),
            (
                _DAL,
                _dish("1.5 tofu, 1.5 brown rice, 2 broccoli, 1 red pepper, 1 olive oil, 1 water"),
                _dish("2 pasta, 1 marinara, 2 mozzarella, 1 mushrooms, 1 olive oil"),
                _dish("1 potato, 1 cottage cheese, 1 butter, 1 peas, 1 egg, 1 water"),
                _dish("1.5 quinoa, 1 feta, 1 tomato, 1 olive oil, 1 orange"),
            ),
        ),
    ),
    weekends=(
        Occasion(
            Meal.BREAKFAST,
            time(10, 15),
            (_dish("1 bagel, 2 cheddar, 1 tomato, 1 coffee"), _dish("2 fried egg, 2 bread, 1 butter, 1 coffee")),
        ),
        Occasion(Meal.SNACK, time(15, 0), (_dish("1 muffin, 1 tea"), _YOGURT)),
        Occasion(
            Meal.DINNER,
            time(18, 50),
            (_dish("3 pizza, 1 wine"), _dish("1 dal, 1 brown rice, 1 yogurt", "Made for four.")),
        ),
    ),
    own_foods=("dal",),
    favorites=("dal", "feta", "chickpeas", "walnuts", "coffee"),
    saved=_saved((Meal.SNACK, _YOGURT), (Meal.DINNER, _DAL)),
)

_CROISSANT = _dish("1 croissant, 1 jam, 1 orange juice", saved_as="Croissant on the way")

CAROL = Life(
    "carol",
    "irregular days, with gaps, far from UTC",
    "Pacific/Auckland",
    weekdays=(
        Occasion(Meal.BREAKFAST, time(9, 10), (_CROISSANT, _dish("1 coffee, 1 muffin")), chance=0.6),
        Occasion(
            Meal.LUNCH,
            time(13, 30),
            (
                _dish("2 bread, 2 cheddar, 1 tomato, 1 iced tea"),
                _dish("1 tuna, 2 lettuce, 1 tomato, 2 dressing, 2 bread"),
                _dish("1 bagel, 2 egg, 1 butter, 1 iced tea", "Between two meetings."),
            ),
        ),
        Occasion(Meal.SNACK, time(17, 0), (_dish("1.5 chocolate"), _dish("1 almonds, 1 cola")), chance=0.5),
        Occasion(
            Meal.DINNER,
            time(20, 40),
            (
                _dish("1.5 lasagna, 1 wine, 1 lettuce, 1 dressing, 1 ice cream"),
                _dish("200 g rice, 150 g shrimp, 1 red pepper, 1 olive oil, 2 chocolate"),
                _dish("1 cheeseburger, 1 cola", "Too late to cook."),
                _dish("2 noodles, 1 tofu, 1 mushrooms, 1 olive oil, 1 beer"),
            ),
        ),
    ),
    weekends=(
        Occasion(
            Meal.BREAKFAST,
            time(11, 20),
            (_dish("3 pancake, 2 maple syrup, 1 coffee"), _dish("2 fried egg, 2 bread, 1 butter, 1 orange juice")),
        ),
        Occasion(Meal.SNACK, time(16, 0), (_dish("2 ice cream"), _dish("6 popcorn, 1 cola")), chance=0.6),
        Occasion(
            Meal.DINNER,
            time(21, 30),
            (_dish("3 pizza, 2 beer", "With friends."), _dish("2 lasagna, 2 wine, 1 ice cream")),
        ),
    ),
    own_foods=("iced tea",),
    favorites=("chocolate", "iced tea", "pizza", "wine"),
    gaps=0.3,
    saved=_saved((Meal.BREAKFAST, _CROISSANT)),
)

LIVES = (ALICE, BOB, CAROL)
