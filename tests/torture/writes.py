"""The writes that a caller may send, each with what it changes if it is carried out."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.diary import MEALS
from tests.torture.state import Change, Content, Key, State

# What all callers write to, each with notes of its own.
COMMONS = "commons"

_NUMBERS = (0.5, 1.0, 1.25, 2.0, 3.0)
# Days around today and around the end of the 30 days that the eaten lists count.
_DAYS = (0, 0, 0, -1, -2, -29, -30, 1)

# A profile beyond so many logs is deleted, and so many of one caller's are kept in the commons.
_MOST_LOGS = 80
_MOST_IN_COMMONS = 20


@dataclass
class Write:
    method: str
    path: str
    change: Change
    body: Any = None
    query: dict[str, str] = field(default_factory=dict)
    # Whether the answer says which ids the added things have.
    tells_ids: bool = True
    key: str | None = None


class Writer:
    """Draws writes that are right as things stand."""

    def __init__(self, name: str, chance: random.Random, foods: dict[str, Content]) -> None:
        self.name = name
        self._chance = chance
        # The foods of the catalogue, by their ids.
        self._foods = foods
        self._numbers = itertools.count(1)

    def draw(self, state: State) -> Write:
        profiles = sorted({owner for owner, _, _ in state} - {COMMONS})
        if not profiles:
            return self._create_profile()
        owner = self._chance.choice(profiles)
        drawn = self._chance.choices([make for make, _ in self._WRITES], [weight for _, weight in self._WRITES])[0]
        if len(_of(state, owner, "log")) > _MOST_LOGS:
            drawn = Writer._delete_profile
        elif len(_of(state, COMMONS, "log")) > _MOST_IN_COMMONS:
            owner, drawn = COMMONS, Writer._delete_log
        write = drawn(self, state, owner) or self._create_log(state, owner)
        if write.method == "POST" and self._chance.random() < 0.7:
            write.key = f"{self.name}-{next(self._numbers)}"
        return write

    def _new_name(self, kind: str) -> str:
        return f"{self.name}-{kind}-{next(self._numbers)}"

    def _create_profile(self) -> Write:
        owner = self._new_name("profile")
        return Write("POST", "/v1/profiles", Change(put={(owner, "profile", ""): {}}), {"reference_id": owner})

    def _delete_profile(self, state: State, owner: str) -> Write:
        return Write("DELETE", f"/v1/profiles/{owner}", Change(removed={key for key in state if key[0] == owner}))

    def import_profile(self, state: State, owner: str, document: bytes) -> Write:
        """What was exported of the owner, under another name."""
        new = self._new_name("profile")
        added = [(new, kind, content) for (of, kind, _), content in state.items() if of == owner and kind != "profile"]
        change = Change(added, {(new, "profile", ""): {}})
        key = self._new_name("import") if self._chance.random() < 0.5 else None
        query = {"reference_id": new}
        return Write("POST", "/v1/profiles/import", change, document, query, tells_ids=False, key=key)

    def _some_food(self, state: State, owner: str) -> tuple[str, Content]:
        """The id of a food, and what a log of it shows."""
        return self._chance.choice([*self._foods.items(), *_of(state, owner, "food")])

    def _new_log(self, state: State, owner: str) -> tuple[Content, tuple[str, str, Content]]:
        """A log as it is sent, and as it is then there."""
        food_id, food = self._some_food(state, owner)
        meal, date, number = self._chance.choice(MEALS), self._some_day(), self._chance.choice(_NUMBERS)
        note = self._new_name("log")
        sent = {"food_id": food_id, "meal": meal, "date": date, "number_of_servings": number, "note": note}
        content = food | {"meal": meal, "date": date, "number": number, "note": note}
        return sent | {"profile_reference_id": owner}, (owner, "log", content)

    def _create_log(self, state: State, owner: str) -> Write:
        sent, made = self._new_log(state, COMMONS if self._chance.random() < 0.2 else owner)
        return Write("POST", "/v1/diary-logs", Change([made]), sent)

    def _create_batch(self, state: State, owner: str) -> Write:
        owners = [self._chance.choice([owner, owner, owner, COMMONS]) for _ in range(self._chance.randint(2, 8))]
        logs = [self._new_log(state, each) for each in owners]
        return Write("POST", "/v1/diary-logs/batch", Change([made for _, made in logs]), {"logs": [s for s, _ in logs]})

    def _change_log(self, state: State, owner: str) -> Write | None:
        if (log := self._any(state, self._chance.choice([owner, COMMONS]), "log")) is None:
            return None
        sent: Content = {"number_of_servings": self._chance.choice(_NUMBERS), "date": self._some_day()}
        sent["meal"] = self._chance.choice(MEALS)
        content = log[1] | {"number": sent["number_of_servings"], "date": sent["date"], "meal": sent["meal"]}
        return Write("PATCH", f"/v1/diary-logs/{log[0][2]}", Change(put={log[0]: content}), sent)

    def _delete_log(self, state: State, owner: str) -> Write | None:
        log = self._any(state, owner, "log")
        return log and Write("DELETE", f"/v1/diary-logs/{log[0][2]}", Change(removed={log[0]}))

    def _copy_logs(self, state: State, owner: str) -> Write | None:
        if (log := self._any(state, owner, "log")) is None:
            return None
        from_, to = log[1]["date"], self._some_day()
        added = [
            (owner, "log", content | {"date": to})
            for _, content in _of(state, owner, "log")
            if content["date"] == from_
        ]
        sent = {"profile_reference_id": owner, "from": from_, "to": to}
        # In which order the day has them is not known here.
        return Write("POST", "/v1/diary-logs/copy", Change(added), sent, tells_ids=False)

    def _add_favorite(self, state: State, owner: str) -> Write:
        food_id, food = self._some_food(state, owner)
        change = Change(put={(owner, "favorite", food_id): {"food": food["food"]}})
        return Write("POST", f"/v1/foods/favorites/{food_id}", change, {"profile_reference_id": owner})

    def _remove_favorite(self, state: State, owner: str) -> Write | None:
        if (favorite := self._any(state, owner, "favorite")) is None:
            return None
        path, query = f"/v1/foods/favorites/{favorite[0][2]}", {"profile_reference_id": owner}
        return Write("DELETE", path, Change(removed={favorite[0]}), query=query)

    def _create_food(self, _state: State, owner: str) -> Write:
        food = {"food": self._new_name("food")} | self._new_values()
        sent = {"profile_reference_id": owner, "food_name": food["food"], "metric_serving_amount": 60}
        sent |= {"metric_serving_unit": "g"} | _sent_values(food)
        return Write("POST", "/v1/foods/custom", Change([(owner, "food", food)]), sent)

    def _change_food(self, state: State, owner: str) -> Write | None:
        if (food := self._any(state, owner, "food")) is None:
            return None
        values = self._new_values()
        change = Change(put={food[0]: food[1] | values})
        sent = {"profile_reference_id": owner} | _sent_values(values)
        return Write("PATCH", f"/v1/foods/custom/{food[0][2]}", change, sent)

    def _delete_food(self, state: State, owner: str) -> Write | None:
        if (food := self._any(state, owner, "food")) is None:
            return None
        food_id = food[0][2]
        change = Change(removed={food[0], (owner, "favorite", food_id)} & state.keys())
        return Write("DELETE", f"/v1/foods/custom/{food_id}", change, query={"profile_reference_id": owner})

    def _save_meal(self, state: State, owner: str) -> Write:
        sent, content = self._meal(state, owner)
        return Write(
            "POST", "/v1/saved-meals", Change([(owner, "meal", content)]), sent | {"profile_reference_id": owner}
        )

    def _change_meal(self, state: State, owner: str) -> Write | None:
        if (meal := self._any(state, owner, "meal")) is None:
            return None
        sent, content = self._meal(state, owner)
        return Write("PATCH", f"/v1/saved-meals/{meal[0][2]}", Change(put={meal[0]: content}), sent)

    def _delete_meal(self, state: State, owner: str) -> Write | None:
        meal = self._any(state, owner, "meal")
        return meal and Write("DELETE", f"/v1/saved-meals/{meal[0][2]}", Change(removed={meal[0]}))

    def _log_meal(self, state: State, owner: str) -> Write | None:
        if (meal := self._any(state, owner, "meal")) is None:
            return None
        foods = {food["food"]: food for _, food in [*self._foods.items(), *_of(state, owner, "food")]}
        date, note = self._some_day(), self._new_name("log")
        added = [
            (owner, "log", foods[name] | {"meal": meal[1]["meal"], "date": date, "number": number, "note": note})
            for name, number in meal[1]["items"]
            if name in foods
        ]
        sent = {"date": date, "note": note, "skip_missing": True}
        return Write("POST", f"/v1/saved-meals/{meal[0][2]}/log", Change(added), sent)

    def _meal(self, state: State, owner: str) -> tuple[Content, Content]:
        """A saved meal as it is sent, and as it is then there."""
        foods = [self._some_food(state, owner) for _ in range(self._chance.randint(1, 5))]
        numbers = [self._chance.choice(_NUMBERS) for _ in foods]
        items = [
            {"food_id": food_id, "number_of_servings": number}
            for (food_id, _), number in zip(foods, numbers, strict=True)
        ]
        same = {"name": self._new_name("meal"), "meal": self._chance.choice(MEALS)}
        kept = [[food["food"], number] for (_, food), number in zip(foods, numbers, strict=True)]
        return same | {"items": items}, same | {"items": kept}

    def _new_values(self) -> Content:
        """The serving's name is another with every change, and a log shows it."""
        return {"serving": self._new_name("bowl"), "energy": self._chance.randint(1, 9999) / 10}

    def _some_day(self) -> str:
        return (datetime.now(UTC).date() + timedelta(days=self._chance.choice(_DAYS))).isoformat()

    def _any(self, state: State, owner: str, kind: str) -> tuple[Key, Content] | None:
        found = [(key, content) for key, content in state.items() if key[:2] == (owner, kind)]
        return self._chance.choice(found) if found else None

    _WRITES: tuple[tuple[Callable[["Writer", State, str], Write | None], int], ...] = (
        (_create_log, 30),
        (_create_batch, 10),
        (_change_log, 10),
        (_delete_log, 8),
        (_copy_logs, 4),
        (_add_favorite, 8),
        (_remove_favorite, 4),
        (_create_food, 6),
        (_change_food, 4),
        (_delete_food, 3),
        (_save_meal, 4),
        (_change_meal, 3),
        (_delete_meal, 1),
        (_log_meal, 4),
        (_delete_profile, 1),
    )


def _of(state: State, owner: str, kind: str) -> list[tuple[str, Content]]:
    return [(key[2], content) for key, content in state.items() if key[:2] == (owner, kind)]


def _sent_values(food: Content) -> Content:
    return {"serving_description": food["serving"], "macro_nutrients": {"energy_kcal": food["energy"]}}
