"""The calls that are measured, in the words of each contestant: thousands of different requests of each kind."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec

from benchmarks.bench.load import Sent, address, form
from benchmarks.bench.plan import Known, Sample, reference_id

PROVENDER, BARE, SELFMADE, DATASETTE = "Provender", "bare app", "FastAPI", "Datasette"

# For those who only want to know which calls there are.
NO_FOODS = Sample([Known("0" * 16, None, 1)], [], [])

_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_LOGS = 4000


@dataclass(frozen=True, slots=True)
class Call:
    """Something that an application asks for. Of others there may be nothing like it."""

    name: str
    provender: Sequence[Sent]
    others: dict[str, Sequence[Sent]] = field(default_factory=dict)


def main_calls(sample: Sample, profiles: Sequence[int]) -> list[Call]:
    """What is measured against the limit and against others."""
    foods = sample.foods
    names, writers = read_and_written(profiles)
    today = datetime.now(UTC).date().isoformat()
    logs = list(
        itertools.islice(zip(itertools.cycle(writers), itertools.cycle(food.id for food in foods), strict=False), _LOGS)
    )
    return [
        Call(
            "food by id",
            [Sent(f"/v1/foods/{food.id}") for food in foods],
            {
                SELFMADE: [Sent(f"/foods/{food.id}") for food in foods],
                DATASETTE: [Sent(f"/foods/foods/{food.number}.json?_shape=object") for food in foods],
            },
        ),
        Call(
            "food by barcode",
            [Sent(address("/v1/foods/barcode", barcode=food.barcode)) for food in foods if food.barcode],
            {SELFMADE: [Sent(f"/foods/barcode/{food.barcode}") for food in foods if food.barcode]},
        ),
        _search("search for a common word", sample.words),
        _search("search for two common words", sample.pairs),
        *(
            Call(
                f"{name}, 10 foods a page",
                [Sent(address(path, profile_reference_id=profile, limit=10)) for profile in names],
                {SELFMADE: [Sent(f"/profiles/{profile}/{path.rpartition('/')[2]}?size=10") for profile in names]},
            )
            for name, path in _LISTS.items()
        ),
        Call(
            "a day of the diary",
            [
                Sent(address("/v1/diary-logs", profile_reference_id=profile, date=today, limit=10))
                for profile in names
            ],
            {SELFMADE: [Sent(f"/profiles/{profile}/diary?date={today}&size=10") for profile in names]},
        ),
        Call(
            "log a food, durable",
            [_log(profile, food) for profile, food in logs],
            {
                SELFMADE: [
                    Sent(f"/profiles/{profile}/diary", "POST", _encode({"food_id": food, "meal": "lunch"}), _JSON)
                    for profile, food in logs
                ]
            },
        ),
    ]  # fmt: skip


_LISTS = {
    "favorites": "/v1/foods/favorites",
    "recently eaten": "/v1/foods/recently-eaten",
    "most eaten": "/v1/foods/most-eaten",
}


def read_and_written(profiles: Sequence[int]) -> tuple[list[str], list[str]]:
    """Half of the profiles are read and the others are logged to, so that logging makes no reading dearer."""
    return [reference_id(number) for number in profiles[::2]], [reference_id(number) for number in profiles[1::2]]


def profile_calls(sample: Sample, profiles: Sequence[int]) -> list[Call]:
    """Everything that concerns one profile, for storages of different sizes."""
    names, writers = read_and_written(profiles)
    today = datetime.now(UTC).date().isoformat()
    foods = itertools.cycle(food.id for food in sample.spread(300))

    def ask(path: str, **more: str | int) -> list[Sent]:
        return [Sent(address(path, profile_reference_id=profile, **more)) for profile in names]

    return [
        Call("retrieve a profile", [Sent(f"/v1/profiles/{profile}") for profile in names]),
        Call("list profiles", [Sent(address("/v1/profiles", limit=10, starting_after=f"0Bench{number:010}"))
                               for number in profiles[:-20]]),
        *(Call(name, ask(path, limit=10)) for name, path in _LISTS.items()),
        Call("custom foods", ask("/v1/foods/custom", limit=10)),
        Call("search with a profile", ask("/v1/foods/search", query="granola", limit=10)),
        Call("a day of the diary", ask("/v1/diary-logs", date=today, limit=10)),
        Call("the sums of a day", ask("/v1/diary-logs/summary", date=today)),
        Call("log a food", [_log(profile, next(foods)) for profile in writers]),
    ]  # fmt: skip


def eaten_calls(profile: str) -> list[Call]:
    return [
        Call(f"{name}, 10 foods a page", [Sent(address(_LISTS[name], profile_reference_id=profile, limit=10))])
        for name in ("recently eaten", "most eaten")
    ]


def day_call(profile: str) -> Call:
    today = datetime.now(UTC).date().isoformat()
    path = address("/v1/diary-logs", profile_reference_id=profile, date=today, limit=10)
    return Call("a day of the diary", [Sent(path)])


def _search(name: str, queries: Sequence[str]) -> Call:
    return Call(
        f"{name}, 10 foods a page",
        [Sent(address("/v1/foods/search", query=query, limit=10)) for query in queries],
        {
            SELFMADE: [Sent(address("/foods/search", query=query, size=10)) for query in queries],
            # Neither a count nor suggestions of facets, which would only make it slower.
            DATASETTE: [
                Sent(address("/foods/foods.json", _search=query, _size=10, _nocount=1, _nofacet=1, _nosuggest=1))
                for query in queries
            ],
        },
    )


def _log(profile: str, food: str) -> Sent:
    return Sent("/v1/diary-logs", "POST", form(profile_reference_id=profile, food_id=food, meal="lunch"), _FORM)


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
