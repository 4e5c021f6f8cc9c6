"""Which meals the people of the demo have, and when: the same for the same seed, person and day."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from provender.model.diary import Meal, today
from provender.model.times import zone
from provender.services.demo.lives import Bite, Dish, Life, Occasion

# Days back from today on which nobody leaves a gap, so that every week that is looked at first has something in it.
_WITHOUT_GAPS = 7
_SATURDAY = 5
# How far what is weighed is from what was meant, and how late a meal is.
_SCALES = (0.85, 1.15)
_LATEST_MIN = 35
# A note is written seldom.
_NOTED = 0.6


@dataclass(frozen=True, slots=True)
class PlannedMeal:
    """A dish that was eaten, at the moment at which it was logged."""

    at: datetime
    reference_id: str
    day: date
    meal: Meal
    dish: Dish


def first_moment(life: Life, days: int, now: datetime) -> datetime:
    """When the person began: early on the first day."""
    first = today(life.timezone, now) - timedelta(days=days - 1)
    return datetime(first.year, first.month, first.day, 5, tzinfo=zone(life.timezone)).astimezone(UTC)


def plan_meals(life: Life, days: int, seed: int, now: datetime) -> Iterator[PlannedMeal]:
    """The meals of so many days up to now. Today has a first meal at any hour, or it would often look empty."""
    own_today = today(life.timezone, now)
    for ago in range(days - 1, -1, -1):
        day = own_today - timedelta(days=ago)
        drawn = random.Random(f"{seed} {life.reference_id} {day}")  # noqa: S311 - The same meals each time are the point.
        if drawn.random() < life.gaps and ago >= _WITHOUT_GAPS:
            continue
        meals = list(_plan_day(life, day, drawn))
        for place, meal in enumerate(meals):
            if meal.at <= now:
                yield meal
            elif place == 0:
                yield replace(meal, at=now)


def _plan_day(life: Life, day: date, drawn: random.Random) -> Iterator[PlannedMeal]:
    occasions = life.weekends if day.weekday() >= _SATURDAY else life.weekdays
    for occasion in occasions:
        dish = drawn.choice(occasion.dishes)
        late = timedelta(minutes=drawn.randrange(_LATEST_MIN), seconds=drawn.randrange(60))
        weighed = Dish(tuple(_weigh(bite, drawn) for bite in dish.bites), _note(dish, drawn), dish.saved_as)
        if drawn.random() < occasion.chance:
            yield PlannedMeal(_moment(life, day, occasion) + late, life.reference_id, day, occasion.meal, weighed)


def _moment(life: Life, day: date, occasion: Occasion) -> datetime:
    return datetime.combine(day, occasion.at, zone(life.timezone)).astimezone(UTC)


def _weigh(bite: Bite, drawn: random.Random) -> Bite:
    """Nobody puts the same weight on a plate twice; a scale shows whole grams."""
    share = drawn.uniform(*_SCALES)
    return replace(bite, amount=float(round(bite.amount * share))) if bite.is_weighed else bite


def _note(dish: Dish, drawn: random.Random) -> str | None:
    return dish.note if drawn.random() < _NOTED else None
