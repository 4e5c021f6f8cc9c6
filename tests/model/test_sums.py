"""What diary entries add up to."""

import hashlib
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.model.decimals import BILLION, times
from provender.model.nutrients import GROUPS, NUTRIENTS, STORED_ORDER, Group, Nutrients
from provender.model.sums import LARGEST, Sums, TooMuch

# A hash of the names that the first release with a diary has stored days by.
RELEASED_NAMES = "870f88e5dc30548cbf45b7a7bbd93b2f04c766f24c7bcd35ebbee32a3c7f0e9a"

_NAMES = ["energy_kcal", "water_in_gm", "vitamin_c_in_mg", "iron_in_mg", "leucine_in_g"]


@st.composite
def foods(draw: st.DrawFn) -> Nutrients:
    """Nutrients of the registry in their groups, and others of a custom food's own."""
    values = st.integers(0, 10**15).map(lambda value: value / 10**6)
    found: dict[Group, dict[str, float]] = {}
    for name in draw(st.sets(st.sampled_from(_NAMES))):
        found.setdefault(GROUPS[name], {})[name] = draw(values)
    for name in draw(st.sets(st.sampled_from(["zeal_in_g", "iron_in_mg"]))):
        found.setdefault(Group.VITAMINS, {})[name] = draw(values)
    return found


def _shown(sums: Sums) -> dict[tuple[str, str], float]:
    return {(group, name): value for group, members in sums.groups().items() for name, value in members.items()}


def _add_up(entries: list[Nutrients]) -> tuple[dict[tuple[str, str], float], dict[str, int]]:
    """The same with fractions, one nutrient after the other."""
    totals: dict[tuple[str, str], Fraction] = {}
    known: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        for group, members in entry.items():
            for name, value in members.items():
                key = group.value, name
                totals[key] = totals.get(key, Fraction(0)) + Fraction(repr(value))
                known[key] += 1
    missing: dict[str, int] = {}
    for (_, name), count in known.items():
        missing[name] = max(missing.get(name, 0), len(entries) - count)
    return {key: float(total) for key, total in totals.items()}, {name: n for name, n in missing.items() if n}


@given(st.lists(foods(), max_size=8))
def test_sums_are_exact_and_count_who_did_not_know(entries: list[Nutrients]) -> None:
    sums = Sums.total(map(Sums.of, entries))
    totals, missing = _add_up(entries)
    assert sums.entries == len(entries)
    assert _shown(sums) == totals
    assert sums.unknown() == missing


@given(st.lists(foods(), max_size=6), st.lists(foods(), max_size=6))
def test_what_is_taken_away_leaves_nothing_behind(kept: list[Nutrients], gone: list[Nutrients]) -> None:
    sums = Sums.total(map(Sums.of, [*gone, *kept]))
    for entry in gone:
        sums = sums.minus(Sums.of(entry))
    assert sums == Sums.total(map(Sums.of, kept))


@given(foods(), st.integers(1, 1000), st.integers(1, 10**4))
def test_multiplying_is_exact_to_the_billionth(entry: Nutrients, above: int, below: int) -> None:
    once = Sums.of(entry)
    for key, value in _shown(once.times((above, below))).items():
        exact = Fraction(repr(_shown(once)[key])) * above / below
        assert abs(Fraction(repr(value)) - exact) <= Fraction(1, 10**9) + abs(exact) / 2**52


_largest = st.integers(0, 10**12) | st.integers(10**12 - 5, 10**12)
_factors = st.integers(1, 2**28) | st.integers(1, 100) | st.sampled_from([2**24 - 1, 2**24, 2**96, 10**300])


@given(st.lists(_largest, min_size=4, max_size=4), _factors, _factors)
def test_all_values_are_multiplied_as_each_would_be_by_itself(values: list[int], above: int, below: int) -> None:
    """Neighbours in the long number, the first and the last of it, whatever the factor is."""
    names = (*STORED_ORDER[:2], *STORED_ORDER[-2:])
    food: dict[Group, dict[str, float]] = {}
    for name, value in zip(names, values, strict=True):
        food.setdefault(GROUPS[name], {})[name] = value
    expected = [times(value * BILLION, (above, below)) for value in values]
    if max(expected) > LARGEST and above != below:
        with pytest.raises(TooMuch):
            Sums.of(food).times((above, below))
        return
    found = _shown(Sums.of(food).times((above, below)))
    assert [found[GROUPS[name].value, name] for name in names] == [value / BILLION for value in expected]


@given(st.lists(foods(), max_size=4))
def test_sums_are_the_same_after_they_were_stored(entries: list[Nutrients]) -> None:
    sums = Sums.total(map(Sums.of, entries))
    assert Sums.stored(sums.entries, *sums.to_bytes(), sums.others) == sums


def test_the_largest_values_do_not_run_over_into_each_other() -> None:
    most = {Group.MINERALS: {name: 1e12 for name in GROUPS if GROUPS[name] is Group.MINERALS}}
    sums = Sums.total([Sums.of(most)] * 1000)
    assert set(_shown(sums).values()) == {1e15}
    for values in ({"iron_in_mg": 1e300}, {"iron_in_mg": 1.1e12}):
        with pytest.raises(TooMuch):
            Sums.of({Group.MINERALS: values})
    with pytest.raises(TooMuch):
        Sums.of(most).times((11, 10))
    with pytest.raises(TooMuch):
        Sums.of({Group.VITAMINS: {"zeal_in_g": 1e12}}).times((11, 10))


def test_days_of_a_release_that_knew_fewer_nutrients_can_be_read() -> None:
    values, known = Sums.of({Group.MACRO_NUTRIENTS: {"energy_kcal": 105}}).to_bytes()
    shorter = Sums.stored(1, values[:-24], known[:-8], {})
    assert shorter.groups()["macro_nutrients"] == {"energy_kcal": 105}


def test_the_stored_order_of_nutrients_only_grows_at_its_end() -> None:
    """Days that are stored are read by it. A nutrient that is new goes into `_CAME_LATER`; nothing else may change."""
    released = 159
    names = "\n".join(STORED_ORDER[:released])
    assert hashlib.sha256(names.encode()).hexdigest() == RELEASED_NAMES
    assert sorted(STORED_ORDER) == sorted(NUTRIENTS)
