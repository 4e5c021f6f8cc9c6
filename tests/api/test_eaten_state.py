"""The eaten lists, the sums and is_active against a fresh count, after every step of random walks through the diary.

The model is a plain list of logs in Python that knows nothing of how the diary keeps its counts: whatever is asked of
it is counted from the beginning.
"""

from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import httpx
import pytest
from anyio import from_thread, to_thread
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from provender.model.checking import Finding, Tally
from provender.services.checking import StorageCheck
from provender.storage.engine import Engine
from tests.conftest import Service, SettableClock
from tests.diary import ALL, GROUPS, MEALS, MOST, RECENTLY, diary, walk
from tests.kitchen import GRANOLA
from tests.pantry import BANANA, COLA, PLAIN

T = TypeVar("T")

# The first is 14 hours ahead of UTC and the second 12 behind it; the clocks of others are put forward and back.
ENDS = ("Pacific/Kiritimati", "Etc/GMT+12")
ZONES = (*ENDS, "Pacific/Pago_Pago", "Europe/Berlin", "America/Santiago", None)

# Shortly before the end of a month, and of winter time.
START = datetime.fromisoformat("2026-03-27T09:40:00+00:00")

# What custom foods know besides what the catalogue's do. No two members of an answer have one name.
OWN: tuple[dict[str, Any], ...] = (
    {"macro_nutrients": {"energy_kcal": 0.1, "own_a": 0.7}, "water_in_gm": 0.3},
    {"vitamins": {"own_b": 0.001}, "minerals": {"iron_in_mg": 1.9}},
    {},
)


@dataclass
class Log:
    """A log as the model has it. `order` is its place among all logs that were ever made."""

    id: str
    food_id: str
    meal: str
    day: date
    number: Decimal
    order: int
    made_at: datetime


@dataclass
class Model:
    """What the profile's diary must be."""

    today: date
    logs: list[Log] = field(default_factory=list)
    # The foods that exist, and what each knows of one serving, also of those that are gone.
    foods: list[str] = field(default_factory=list)
    values: dict[str, dict[tuple[str, str], Decimal]] = field(default_factory=dict)

    def _eaten(self, meal: str | None) -> dict[str, list[Log]]:
        eaten = defaultdict(list)
        for log in self.logs:
            if log.food_id in self.foods and meal in (None, log.meal):
                eaten[log.food_id].append(log)
        return eaten

    def recently(self, meal: str | None) -> list[str]:
        eaten = self._eaten(meal)
        return sorted(eaten, key=lambda food_id: -max(log.order for log in eaten[food_id]))

    def most(self, meal: str | None) -> list[str]:
        def place(food_id: str) -> tuple[int, int]:
            first = self.today - timedelta(days=29)
            count = sum(first <= log.day <= self.today for log in eaten[food_id])
            return -count, -max(log.order for log in eaten[food_id])

        eaten = self._eaten(meal)
        return sorted((food_id for food_id in eaten if place(food_id)[0]), key=place)

    def is_active(self, now: datetime, zone: ZoneInfo) -> bool:
        if not self.logs:
            return False
        last = max(self.logs, key=lambda log: log.order).made_at.astimezone(zone)
        return (last.year, last.month) == (now.astimezone(zone).year, now.astimezone(zone).month)

    def summary(self, first: date, last: date) -> dict[str, Any]:
        logs = [log for log in self.logs if first <= log.day <= last]
        days = sorted({log.day for log in logs})
        return {
            "data": [{"date": day.isoformat()} | self._sums([log for log in logs if log.day == day]) for day in days],
            "total": self._sums(logs),
        }

    def _sums(self, logs: list[Log]) -> dict[str, Any]:
        found: dict[str, Any] = {"entries": len(logs), "unknown": {}, "macro_nutrients": {}}
        found |= {group: {} for group in GROUPS}
        for group, name in {key for log in logs for key in self.values[log.food_id]}:
            values = [
                self.values[log.food_id][group, name] * log.number
                for log in logs
                if (group, name) in self.values[log.food_id]
            ]
            (found[group] if group else found)[name] = float(sum(values))
            if len(values) < len(logs):
                found["unknown"][name] = len(logs) - len(values)
        return found


_foods = st.integers(0, 5)
_meals = st.sampled_from(MEALS)
# Days around the ends of the window, and of the future.
_days = st.sampled_from([0, 0, 0, -1, -2, -27, -28, -29, -30, -31, -32, 1, 2, 3, 30])
_numbers = st.sampled_from([Decimal(1), Decimal("0.25"), Decimal("1.333"), Decimal("0.1"), Decimal(3)])
_any_log = st.integers(0, 1000)

_has_logs = precondition(lambda machine: bool(machine.model.logs))


class DiaryMachine(RuleBasedStateMachine):
    """One profile and few foods, so that operations meet."""

    _profiles = 0

    def __init__(self, client: httpx.AsyncClient, engine: Engine, clock: SettableClock) -> None:
        super().__init__()
        self.client = client
        self.engine = engine
        self.clock = clock
        clock.now = START
        DiaryMachine._profiles += 1
        self.owner = f"profile-{DiaryMachine._profiles}"
        self.zone = ZoneInfo("UTC")
        self.model = Model(START.date())
        self.made = 0
        self.meals: list[tuple[str, str, list[tuple[str, Decimal]]]] = []
        self.send("POST", "/v1/profiles", json={"reference_id": self.owner})
        for food in (BANANA, COLA, PLAIN):
            self._know(food.id)
        for own in OWN:
            self._make_food(own)

    def run(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return from_thread.run(call)

    def send(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        response = self.run(partial(self.client.request, method, path, **sent))
        assert response.status_code in (200, 201), f"{method} {path} {sent}: {response.text}"
        answer: dict[str, Any] = response.json()
        return answer

    def _know(self, food_id: str) -> None:
        """What the model has to know of a food, as the food is shown."""
        shown = self.send("GET", f"/v1/foods/{food_id}", params={"include": ALL})
        self.model.foods.append(food_id)
        known = {
            (group, name): Decimal(str(value))
            for group in ("macro_nutrients", *GROUPS)
            for name, value in shown[group].items()
        }
        if "water_in_gm" in shown:
            known["", "water_in_gm"] = Decimal(str(shown["water_in_gm"]))
        self.model.values[food_id] = known

    def _make_food(self, own: dict[str, Any]) -> None:
        body = GRANOLA | {"profile_reference_id": self.owner} | own
        self._know(self.send("POST", "/v1/foods/custom", json=body)["_id"])

    def _day(self, after: int) -> date:
        return self.model.today + timedelta(days=after)

    def _food(self, number: int) -> str:
        return self.model.foods[number % len(self.model.foods)]

    def _log(self, number: int) -> Log:
        return self.model.logs[number % len(self.model.logs)]

    def _write_down(self, log_id: str, food_id: str, meal: str, day: date, number: Decimal) -> None:
        self.made += 1
        self.model.logs.append(Log(log_id, food_id, meal, day, number, self.made, self.clock.now))

    def _turn(self) -> None:
        """Time has passed, or the zone is another, so today may be another day."""
        self.model.today = self.clock.now.astimezone(self.zone).date()

    @rule(food=_foods, meal=_meals, after=_days, number=_numbers)
    def create(self, food: int, meal: str, after: int, number: Decimal) -> None:
        body = self._body(food, meal, after, number)
        self._write_down(
            self.send("POST", "/v1/diary-logs", json=body)["_id"], self._food(food), meal, self._day(after), number
        )

    def _body(self, food: int, meal: str, after: int, number: Decimal) -> dict[str, Any]:
        return {
            "profile_reference_id": self.owner,
            "food_id": self._food(food),
            "meal": meal,
            "date": self._day(after).isoformat(),
            "number_of_servings": float(number),
        }

    @rule(food=_foods)
    def create_without_saying_when(self, food: int) -> None:
        body = {"profile_reference_id": self.owner, "food_id": self._food(food)}
        made = self.send("POST", "/v1/diary-logs", json=body)["_id"]
        self._write_down(made, self._food(food), "snack", self.model.today, Decimal(1))

    @rule(
        items=st.lists(st.tuples(_foods, _meals, _days, _numbers), min_size=2, max_size=5),
        then=st.sampled_from(["nothing", "delete", "change", "copy", "move", "delete_food", "wait", "go_round"]),
        which=_any_log,
        after=_days,
    )
    def create_several_before_anybody_looks(
        self, items: list[tuple[int, str, int, Decimal]], then: str, which: int, after: int
    ) -> None:
        """What follows from them is not settled when the next thing happens."""
        for item in items:
            self.create(*item)
        match then:
            case "delete":
                self.delete([which, -1])
            case "change":
                self.change_date(-1 - which % len(items), after)
            case "copy":
                self.copy(-1, after, None)
            case "move":
                self.move(ZONES[which % len(ZONES)])
            case "delete_food" if len(self.model.foods) > 3:
                self.delete_food(which)
            case "wait":
                self.wait_for_days(abs(after) + 1)
            case "go_round":
                self.go_round_the_earth()

    @rule(items=st.lists(st.tuples(_foods, _meals, _days, _numbers), min_size=1, max_size=6))
    def create_in_batch(self, items: list[tuple[int, str, int, Decimal]]) -> None:
        made = self.send("POST", "/v1/diary-logs/batch", json={"logs": [self._body(*item) for item in items]})["data"]
        for confirmed, (food, meal, after, number) in zip(made, items, strict=True):
            self._write_down(confirmed["_id"], self._food(food), meal, self._day(after), number)

    @rule(items=st.lists(st.tuples(_foods, _numbers), min_size=1, max_size=3), meal=_meals, after=_days)
    def save_a_meal_and_log_it(self, items: list[tuple[int, Decimal]], meal: str, after: int) -> None:
        saved = self.send(
            "POST",
            "/v1/saved-meals",
            json={
                "profile_reference_id": self.owner,
                "name": "Usual",
                "meal": meal,
                "items": [{"food_id": self._food(food), "number_of_servings": float(number)} for food, number in items],
            },
        )
        self.meals.append((saved["_id"], meal, [(self._food(food), number) for food, number in items]))
        self._log_meal(*self.meals[-1], after)

    @precondition(lambda machine: bool(machine.meals))
    @rule(which=_any_log, after=_days)
    def log_a_meal_again(self, which: int, after: int) -> None:
        """Some of its foods may be gone by then."""
        self._log_meal(*self.meals[which % len(self.meals)], after)

    def _log_meal(self, meal_id: str, meal: str, items: list[tuple[str, Decimal]], after: int) -> None:
        there = [(food_id, number) for food_id, number in items if food_id in self.model.foods]
        if there:
            body = {"date": self._day(after).isoformat(), "skip_missing": True}
            made = self.send("POST", f"/v1/saved-meals/{meal_id}/log", json=body)["data"]
            for confirmed, (food_id, number) in zip(made, there, strict=True):
                self._write_down(confirmed["_id"], food_id, meal, self._day(after), number)

    @_has_logs
    @rule(which=_any_log, number=_numbers)
    def change_number(self, which: int, number: Decimal) -> None:
        log = self._log(which)
        self.send("PATCH", f"/v1/diary-logs/{log.id}", json={"number_of_servings": float(number)})
        log.number = number

    @_has_logs
    @rule(which=_any_log, after=_days)
    def change_date(self, which: int, after: int) -> None:
        log = self._log(which)
        self.send("PATCH", f"/v1/diary-logs/{log.id}", json={"date": self._day(after).isoformat()})
        log.day = self._day(after)

    @_has_logs
    @rule(which=_any_log, meal=_meals)
    def change_meal(self, which: int, meal: str) -> None:
        log = self._log(which)
        self.send("PATCH", f"/v1/diary-logs/{log.id}", json={"meal": meal})
        log.meal = meal

    @_has_logs
    @rule(which=_any_log, meal=_meals, after=_days, number=_numbers)
    def change_everything(self, which: int, meal: str, after: int, number: Decimal) -> None:
        log = self._log(which)
        body = {"meal": meal, "date": self._day(after).isoformat(), "number_of_servings": float(number)}
        self.send("PATCH", f"/v1/diary-logs/{log.id}", json=body)
        log.meal, log.day, log.number = meal, self._day(after), number

    @_has_logs
    @rule(which=st.lists(_any_log, min_size=1, max_size=4))
    def delete(self, which: list[int]) -> None:
        for each in which:
            if self.model.logs:
                log = self._log(each)
                self.send("DELETE", f"/v1/diary-logs/{log.id}")
                self.model.logs.remove(log)

    @_has_logs
    @rule()
    def delete_the_newest(self) -> None:
        log = max(self.model.logs, key=lambda log: log.order)
        self.send("DELETE", f"/v1/diary-logs/{log.id}")
        self.model.logs.remove(log)

    @_has_logs
    @rule(which=_any_log, after=_days, meal=st.none() | _meals)
    def copy(self, which: int, after: int, meal: str | None) -> None:
        source, target = self._log(which).day, self._day(after)
        # Days that are copied again and again would fill up.
        copied = [log for log in self.model.logs if log.day == source and meal in (None, log.meal)]
        if len(copied) > 12:
            return
        copied.sort(key=lambda log: log.id)
        body = {"profile_reference_id": self.owner, "from": source.isoformat(), "to": target.isoformat()}
        made = self.send("POST", "/v1/diary-logs/copy", json=body if meal is None else body | {"meal": meal})["data"]
        for confirmed, log in zip(made, copied, strict=True):
            self._write_down(confirmed["_id"], log.food_id, log.meal, target, log.number)

    @precondition(lambda machine: len(machine.model.foods) > 3)
    @rule(which=st.integers(0, 2))
    def delete_food(self, which: int) -> None:
        own = self.model.foods[3:]
        food_id = own[which % len(own)]
        self.send("DELETE", f"/v1/foods/custom/{food_id}", params={"profile_reference_id": self.owner})
        self.model.foods.remove(food_id)

    @precondition(lambda machine: len(machine.model.foods) < 6)
    @rule(own=st.sampled_from(OWN))
    def make_food(self, own: dict[str, Any]) -> None:
        self._make_food(own)

    @rule(timezone=st.sampled_from(ZONES))
    def move(self, timezone: str | None) -> None:
        self.send("PATCH", f"/v1/profiles/{self.owner}", json={"timezone": timezone})
        self.zone = ZoneInfo(timezone or "UTC")
        self._turn()

    @rule()
    def go_round_the_earth(self) -> None:
        """While it is noon in London, there are two days between the two ends of the time zones."""
        noon = self.clock.now.replace(hour=11, minute=30)
        self.clock.now = noon if noon > self.clock.now else noon + timedelta(days=1)
        self.move(ENDS[self.zone.key == ENDS[0]])

    @rule(hours=st.sampled_from([0.4, 1, 5, 13, 24, 26]))
    def wait_for_hours(self, hours: float) -> None:
        self.clock.advance(hours=hours)
        self._turn()

    @rule(days=st.sampled_from([1, 2, 3, 27, 28, 29, 30, 31, 33]))
    def wait_for_days(self, days: int) -> None:
        self.clock.advance(days=days)
        self._turn()

    @invariant()
    def everything_is_what_a_fresh_count_says(self) -> None:
        for meal in (None, *MEALS):
            asked: dict[str, Any] = {} if meal is None else {"meal": meal}
            assert self._walk(RECENTLY, asked) == self.model.recently(meal), f"recently eaten, {meal or 'all meals'}"
            assert self._walk(MOST, asked) == self.model.most(meal), f"most eaten, {meal or 'all meals'}"
        profile = self.send("GET", f"/v1/profiles/{self.owner}")
        assert profile["is_active"] == self.model.is_active(self.clock.now, self.zone)
        first, last = self._day(-350), self._day(49)
        asked = {"profile_reference_id": self.owner, "from": first.isoformat(), "to": last.isoformat()}
        assert self.send("GET", "/v1/diary-logs/summary", params=asked) == self.model.summary(first, last)

    def _walk(self, path: str, asked: dict[str, Any]) -> list[str]:
        return self.run(partial(walk, self.client, path, self.owner, limit=2, **asked))

    async def _check(self) -> list[Finding]:
        check = StorageCheck(self.engine, self.clock, Tally(), repair=False)
        return [finding async for finding in check.all("acme", self.owner)]

    def teardown(self) -> None:
        assert self.run(self._check) == [], "a check finds nothing wrong with the rows themselves"
        found = self.run(partial(diary, self.client, self.owner))
        expected = sorted(self.model.logs, key=lambda log: (log.day, log.id))
        assert [(log["_id"], log["food_id"], log["meal"], log["date"]) for log in found] == [
            (log.id, log.food_id, log.meal, log.day.isoformat()) for log in expected
        ]
        assert [log["number_of_servings"] for log in found] == [float(log.number) for log in expected]
        for path, counted in [(RECENTLY, self.model.recently(None)), (MOST, self.model.most(None))]:
            for gone in self.model.values.keys() - set(self.model.foods):
                asked = {"profile_reference_id": self.owner, "starting_after": gone}
                refused = self.run(partial(self.client.get, path, params=asked))
                assert refused.status_code == 400, f"{gone} has a place in {path} still"
            if counted:
                backwards = partial(walk, self.client, path, self.owner, limit=2, backwards_from=counted[-1])
                assert self.run(backwards) == counted[:-1]


# How many walks of how many steps; each step is followed by some 20 requests. A walk that fails is shown as it is: to
# look for a shorter one takes minutes, and pytest ends whatever takes two. `Phase.shrink` does it at home.
_EXTENT = hypothesis_settings(stateful_step_count=40, phases=[Phase.explicit, Phase.generate])


async def test_lists_sums_and_activity_are_always_what_a_fresh_count_says(service: Service) -> None:
    """The machine runs in a thread, and what it asks for in the event loop that the application belongs to."""
    async with httpx.AsyncClient(
        # Answers are held against the OpenAPI document elsewhere; here they are too many for that.
        transport=httpx.ASGITransport(service.app),
        base_url="http://provender.test",
        headers={"Authorization": f"Bearer {await service.key('acme')}"},
    ) as client:
        machine: Any = partial(DiaryMachine, client, service.engine, service.clock)
        walks = 6 if service.settings.database_url else 16
        extent = hypothesis_settings(_EXTENT, max_examples=walks)
        await to_thread.run_sync(partial(run_state_machine_as_test, machine, settings=extent))


def test_the_model_counts_as_the_rules_say() -> None:
    """So that the model and the diary are not wrong together."""
    today = date(2026, 3, 10)
    model = Model(today, foods=["a", "b", "c"])
    for order, (food_id, after, meal) in enumerate(
        [
            ("a", 0, "lunch"),
            ("b", -29, "lunch"),
            ("b", -30, "snack"),
            ("c", 1, "lunch"),
            ("a", -1, "snack"),
            ("d", 0, "snack"),
        ]
    ):
        day = today + timedelta(days=after)
        model.logs.append(Log("", food_id, meal, day, Decimal(1), order, START))
    assert model.recently(None) == ["a", "c", "b"]
    assert model.recently("lunch") == ["c", "b", "a"]
    assert model.most(None) == ["a", "b"]
    assert model.most("lunch") == ["b", "a"]
    assert model.most("snack") == ["a"]
    model.today += timedelta(days=1)
    assert model.most(None) == ["a", "c"]
    assert model.is_active(START, ZoneInfo("UTC"))
    assert not model.is_active(START + timedelta(days=5), ZoneInfo("UTC"))
    with pytest.raises(KeyError):
        model.summary(today, today)
