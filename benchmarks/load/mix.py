"""What is sent: every call that an application makes while people use it, each as often as they do.

The shares are a guess of ours at a day of a diary app: somebody looks for food by typing, opens some of what was found,
logs one, and looks at the day. Nothing is drawn by chance when it is sent, so that two runs send the same.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

import msgspec

from benchmarks.bench.load import address, form
from benchmarks.bench.plan import Sample

_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_DECK = 1000
# So many different requests of each kind, where there are as many.
_DIFFERENT = 4_000
# Somebody who has typed less than this is not asked about yet.
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of call: how many of a hundred are of it, and its requests, as they go over the wire, without an end."""

    name: str
    share: int
    requests: Iterator[bytes]


class Mix:
    """The next request, and the number of its kind."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = kinds
        deck = [number for number, kind in enumerate(kinds) for _ in range(kind.share * _DECK // 100)]
        self._deck = itertools.cycle(Random(1).sample(deck, len(deck)))
        self._requests = [kind.requests for kind in kinds]

    @property
    def names(self) -> list[str]:
        return [kind.name for kind in self.kinds]

    def draw(self) -> tuple[int, bytes]:
        number = next(self._deck)
        return number, next(self._requests[number])


class _Wire:
    """Writes requests as bytes."""

    def __init__(self, key: str) -> None:
        self._headers = f"Host: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"

    def get(self, path: str, **parameters: str | int) -> bytes:
        target = address(path, **parameters) if parameters else path
        return f"GET {target} HTTP/1.1\r\n{self._headers}\r\n".encode()

    def post(self, path: str, body: str, kind: str) -> bytes:
        length = len(body.encode())
        head = f"POST {path} HTTP/1.1\r\n{self._headers}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        return (head + body).encode()


def make_mix(sample: Sample, profiles: Sequence[str], key: str, run: str) -> Mix:
    """The mix for these foods and profiles. New profiles are named after the run, which must have a name of its own."""
    wire, today = _Wire(key), datetime.now(UTC).date().isoformat()
    barcodes = [food.barcode for food in sample.foods if food.barcode]
    typed = list(itertools.islice(itertools.cycle(_type(sample)), _DIFFERENT))
    owners = Random(2).choices(profiles, k=_DIFFERENT)

    def ask(path: str, **more: str | int) -> Iterator[bytes]:
        return itertools.cycle([wire.get(path, profile_reference_id=owner, **more) for owner in owners])

    def search(query: str, **more: str) -> bytes:
        return wire.get("/v1/foods/search", query=query, limit=10, **more)

    searched = [search(query) for query in typed]
    searched_by = [search(query, profile_reference_id=owner) for query, owner in zip(typed, owners, strict=True)]
    foods = [wire.get(f"/v1/foods/{food.id}") for food in sample.foods]
    packages = [wire.get("/v1/foods/barcode", barcode=code) for code in barcodes]
    return Mix(
        [
            Kind("search as typed", 20, itertools.cycle(searched)),
            Kind("search as typed, with a profile", 10, itertools.cycle(searched_by)),
            Kind("food by id", 15, itertools.cycle(foods)),
            Kind("food by barcode", 5, itertools.cycle(packages)),
            Kind("log a food", 12, _logs(wire, sample, profiles)),
            Kind("a day of the diary", 12, ask("/v1/diary-logs", date=today, limit=10)),
            Kind("the sums of a day", 8, ask("/v1/diary-logs/summary", date=today)),
            Kind("favorites", 6, ask("/v1/foods/favorites", limit=10)),
            Kind("recently eaten", 5, ask("/v1/foods/recently-eaten", limit=10)),
            Kind("most eaten", 4, ask("/v1/foods/most-eaten", limit=10)),
            Kind("create a custom food", 2, _custom_foods(wire, profiles)),
            Kind("create a profile", 1, _profiles(wire, run)),
        ]
    )


def _type(sample: Sample) -> Iterator[str]:
    """Queries letter by letter, as a search field sends them: `ba`, `ban`, `bana` …"""
    for query in itertools.chain.from_iterable(zip(sample.words, sample.pairs or sample.words, strict=False)):
        for length in range(_SHORTEST, len(query) + 1):
            if not query[:length].endswith(" "):
                yield query[:length]


def _logs(wire: _Wire, sample: Sample, profiles: Sequence[str]) -> Iterator[bytes]:
    for owner, food, meal in zip(
        itertools.cycle(profiles),
        itertools.cycle(food.id for food in sample.foods),
        itertools.cycle(("breakfast", "lunch", "dinner", "snack", "snack")),
        strict=False,
    ):
        yield wire.post("/v1/diary-logs", form(profile_reference_id=owner, food_id=food, meal=meal), _FORM)


def _custom_foods(wire: _Wire, profiles: Sequence[str]) -> Iterator[bytes]:
    for number, owner in enumerate(itertools.cycle(profiles)):
        food = {
            "profile_reference_id": owner,
            "food_name": f"Home-made granola {number}",
            "serving_description": "1 bowl",
            "metric_serving_amount": 60,
            "metric_serving_unit": "g",
            "macro_nutrients": {"energy_kcal": 282, "total_fat_in_gm": 12.5},
        }
        yield wire.post("/v1/foods/custom", msgspec.json.encode(food).decode(), _JSON)


def _profiles(wire: _Wire, run: str) -> Iterator[bytes]:
    return (wire.post("/v1/profiles", form(reference_id=f"{run}-{number}"), _FORM) for number in itertools.count())
