"""Fills an application with the people of the demo, by the same services that requests use.

Everything is given the moment at which it would have happened, and is written in the order of these moments. So the
lists of what was eaten, and when a profile last logged something, look as they would after a month.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial

from msgspec import structs

from provender.model.access import Application
from provender.model.errors import InvalidRequest, StorageUnavailable
from provender.model.ids import new_id
from provender.services.access import check_application_name
from provender.services.catalogue import CurrentCatalogue
from provender.services.custom_foods import create_custom_food
from provender.services.demo.foods import KNOWN, OWN
from provender.services.demo.lives import LIVES, Bite, Life
from provender.services.demo.planning import PlannedMeal, first_moment, plan_meals
from provender.services.favorites import add_favorite
from provender.services.meal_logs import MealToLog, log_meal
from provender.services.new_logs import create_logs
from provender.services.portions import NewLog
from provender.services.profiles import create_profile, delete_profile
from provender.services.removal import clear_deleted_profiles
from provender.services.saved_meals import NewItem, create_meal
from provender.services.settling import settle_profile
from provender.storage import access
from provender.storage.engine import Engine
from provender.storage.profiles import find_profile
from provender.storage.store import Store

# Favorites are found one after the other.
_BETWEEN_FAVORITES = timedelta(hours=31)

REFERENCE_IDS = tuple(life.reference_id for life in LIVES)


@dataclass(slots=True)
class FilledProfile:
    """What a person has got."""

    life: Life
    logs: int = 0
    days: set[date] = field(default_factory=set)
    custom_foods: dict[str, str] = field(default_factory=dict)
    favorites: int = 0
    saved_meals: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filled:
    """What an application has got, and the names of the foods that were left out, since the catalogue lacks them."""

    profiles: Sequence[FilledProfile]
    missing: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Step:
    """Something that is written at its moment."""

    at: datetime
    write: Callable[[datetime], Awaitable[None]]


async def fill_application(
    engine: Engine,
    current: CurrentCatalogue,
    application_name: str,
    *,
    days: int,
    seed: int,
    replace: bool,
    now: datetime,
    watch: Callable[[int, int], None] = lambda _done, _all: None,
) -> Filled:
    """Make the profiles with everything they have. Those that are there already are refused, or replaced."""
    check_application_name(application_name)
    missing = sorted(name for name, known in KNOWN.items() if not current.get().has(known.id))
    if len(missing) == len(KNOWN):
        raise InvalidRequest(
            "The catalogue in use has none of the demo's foods, which are USDA's. `provender import sr28` adds them."
        )
    began = min(first_moment(life, days, now) for life in LIVES)
    await access.insert_application(engine, Application(new_id(began), application_name, began))
    application = await access.find_application(engine, application_name)
    if application is None:
        raise StorageUnavailable("The application was removed while it was being filled.")
    store = Store(engine, application.id)
    await _make_room(engine, store, application_name, replace=replace, now=now)
    people = [_Person(life, store, current, frozenset(missing)) for life in LIVES]
    steps = sorted((step for person in people for step in person.steps(days, seed, now)), key=lambda step: step.at)
    for done, step in enumerate(steps):
        watch(done, len(steps))
        await step.write(step.at)
    for person in people:
        await settle_profile(store, person.filled.life.reference_id, now)
    return Filled([person.filled for person in people], missing)


async def _make_room(engine: Engine, store: Store, application_name: str, *, replace: bool, now: datetime) -> None:
    found = [each for each in REFERENCE_IDS if await find_profile(store, each) is not None]
    if found and not replace:
        raise InvalidRequest(
            f"The application {application_name!r} has {' and '.join(found)} already. With --replace they are deleted, "
            "with everything they have, and made anew; --application names another application."
        )
    for reference_id in found:
        await delete_profile(store, reference_id, now)
    if found:
        await clear_deleted_profiles(engine)


class _Person:
    """One of the people, who is being written."""

    def __init__(self, life: Life, store: Store, current: CurrentCatalogue, missing: frozenset[str]) -> None:
        self.filled = FilledProfile(life)
        self._life = life
        self._store = store
        self._current = current
        self._missing = missing

    def steps(self, days: int, seed: int, now: datetime) -> Iterator[_Step]:
        """All that is to be written. What is needed for something else comes before it."""
        start = min(first_moment(self._life, days, now), now)
        yield _Step(start, self._create)
        for name in self._life.own_foods:
            yield _Step(start, partial(self._add_own_food, name))
        for name in self._life.saved:
            yield _Step(start, partial(self._save_meal, name))
        for place, name in enumerate(self._life.favorites):
            yield _Step(min(start + place * _BETWEEN_FAVORITES, now), partial(self._add_favorite, name))
        for meal in plan_meals(self._life, days, seed, now):
            yield _Step(max(meal.at, start), partial(self._log, meal))

    async def _create(self, at: datetime) -> None:
        await create_profile(self._store, self._life.reference_id, self._life.timezone, at)

    async def _add_own_food(self, name: str, at: datetime) -> None:
        food = OWN[name]
        self.filled.custom_foods[name] = await create_custom_food(
            self._store,
            self._life.reference_id,
            at,
            name=food.name,
            brand=food.brand,
            food_type=food.food_type,
            serving_description=food.serving_description,
            serving_amount=food.serving_amount,
            unit=food.unit,
            barcode=food.barcode,
            nutrients=food.nutrients,
        )

    async def _save_meal(self, name: str, at: datetime) -> None:
        meal, dish = self._life.saved[name]
        items = [NewItem(self._food_id(bite), self._servings(bite)) for bite in self._present(dish.bites)]
        if items:
            self.filled.saved_meals[name] = await create_meal(
                self._current, self._store, self._life.reference_id, at, name=name, meal=meal, items=items
            )

    async def _add_favorite(self, name: str, at: datetime) -> None:
        if name in self._missing:
            return
        food_id = self._food_id(Bite(name, 1, is_weighed=False))
        await add_favorite(self._current, self._store, self._life.reference_id, food_id, at)
        self.filled.favorites += 1

    async def _log(self, meal: PlannedMeal, at: datetime) -> None:
        if meal.dish.saved_as is None:
            logs = [self._new_log(meal, bite) for bite in self._present(meal.dish.bites)]
            written = len(await create_logs(self._current, self._store, logs, at)) if logs else 0
        elif meal.dish.saved_as in self.filled.saved_meals:
            meal_id = self.filled.saved_meals[meal.dish.saved_as]
            asked = MealToLog(meal_id, self._life.reference_id, meal.day, meal.meal, meal.dish.note, skip_missing=False)
            written = len((await log_meal(self._current, self._store, asked, at)).log_ids)
        else:
            return
        if written:
            self.filled.logs += written
            self.filled.days.add(meal.day)

    def _present(self, bites: Iterable[Bite]) -> list[Bite]:
        """Without what this catalogue does not have."""
        return [bite for bite in bites if bite.food not in self._missing]

    def _food_id(self, bite: Bite) -> str:
        return self.filled.custom_foods.get(bite.food) or KNOWN[bite.food].id

    def _new_log(self, meal: PlannedMeal, bite: Bite) -> NewLog:
        food_id = self._food_id(bite)
        by_measure = NewLog(self._life.reference_id, food_id, meal.meal, bite.amount, day=meal.day, note=meal.dish.note)
        known = None if bite.food in self.filled.custom_foods else KNOWN[bite.food]
        if bite.is_weighed:
            return structs.replace(by_measure, number_of_servings=None, metric_amount=bite.amount)
        if known is None:
            return by_measure
        record = self._current.get().read(food_id)
        if record is not None and record.as_measured(known.serving_id) is not None:
            return structs.replace(by_measure, serving_id=known.serving_id)
        # Another release of the food has other measures.
        return structs.replace(by_measure, number_of_servings=None, metric_amount=round(bite.amount * known.weight, 1))

    def _servings(self, bite: Bite) -> float:
        """How many they are of the serving that the food is shown with: items of saved meals are counted in it."""
        if bite.food in self.filled.custom_foods:
            return bite.amount
        record = self._current.get().read(self._food_id(bite))
        weight = bite.amount if bite.is_weighed else bite.amount * KNOWN[bite.food].weight
        return weight if record is None else max(0.01, round(weight / record.as_shown().serving_amount, 2))
