"""The logs of a document that is imported. There may be a million of them, so they have a quick way of their own."""

from array import array
from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import UNSET, UnsetType

from provender.api.diary import MEAL, SERVINGS, WRITTEN_DATE
from provender.api.kinds import Unfit
from provender.api.sent_profile import ID, METRIC_AMOUNT, NOTE, NUMBER, TIME
from provender.model.ids import LENGTH
from provender.model.portions import Quantity


class Ids:
    """Which ids of a long list come twice, in twenty bytes for each."""

    def __init__(self) -> None:
        self._buckets = [(bytearray(), array("I")) for _ in range(256)]

    def add(self, id_: str, place: int) -> None:
        ids, places = self._buckets[hash(id_) & 255]
        ids += id_.encode()
        places.append(place)

    def repeated(self) -> Iterator[int | None]:
        """The places of ids that were there before, and a None for each part that is looked through."""
        for ids, places in self._buckets:
            seen: set[bytes] = set()
            for number, place in enumerate(places):
                id_ = bytes(ids[number * LENGTH : (number + 1) * LENGTH])
                if id_ in seen:
                    yield place
                seen.add(id_)
            yield None


class QuickLog(msgspec.Struct, forbid_unknown_fields=True):
    """A log of the document. The types are right; the values need not be."""

    id: str = msgspec.field(name="_id")
    food_id: str
    is_custom: bool
    logged_food_id: str
    number_of_servings: float
    meal: str
    date: str | int
    created_at: int
    updated_at: int
    metric_amount: float | UnsetType = UNSET
    note: str | UnsetType | None = UNSET


decode_log = msgspec.json.Decoder(QuickLog).decode

# A diary has the same few days, meals and amounts again and again.
day_of = lru_cache(4096)(WRITTEN_DATE.from_json)
_meal_of = lru_cache(16)(MEAL.from_json)
ratio_of = lru_cache(4096)(Quantity.ratio)


def read_quickly(raw: bytes) -> QuickLog | None:
    """A log in which nothing is wrong by itself. Of anything else the reader says what is, in ten times the time."""
    try:
        log = decode_log(raw)
        # A name that comes twice has a colon too many, and so has a note with one.
        if raw.count(b":") != _LEAST_NAMES + (log.metric_amount is not UNSET) + (log.note is not UNSET):
            return None
        for id_ in (log.id, log.food_id, log.logged_food_id):
            ID.from_text(id_)
        if log.metric_amount is UNSET:
            SERVINGS.from_json(log.number_of_servings)
        else:
            NUMBER.from_json(log.number_of_servings)
            METRIC_AMOUNT.from_json(log.metric_amount)
        if isinstance(log.note, str):
            NOTE.from_text(log.note)
        TIME.from_json(log.created_at)
        TIME.from_json(log.updated_at)
        _meal_of(log.meal)
        day_of(log.date)
    except (msgspec.DecodeError, UnicodeDecodeError, Unfit):
        return None
    return log


_LEAST_NAMES = len(QuickLog.__struct_fields__) - 2
