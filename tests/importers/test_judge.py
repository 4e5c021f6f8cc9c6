"""Every rule by which a record becomes a food, or does not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.importers.judge import judge
from provender.importers.records import Accepted, Candidate, Rejected
from provender.model.foods import Serving
from provender.model.judging import Mend, Reason
from provender.model.nutrients import GRAMS, NUTRIENTS

MACROS = {"total_fat_in_gm": 10.0, "total_carbohydrates_in_gm": 20.0, "total_protein_in_gm": 5.0}
EXPECTED_KCAL = 9 * 10 + 4 * 20 + 4 * 5


def _candidate(nutrients: dict[str, float] | None = None, **more: Any) -> Candidate:
    defaults: dict[str, Any] = {"source": "test", "key": "1", "name": "Banana"}
    return Candidate(**defaults | more, nutrients={"energy_kcal": 190.0, **MACROS} if nutrients is None else nutrients)


def _accepted(candidate: Candidate) -> Accepted:
    outcome = judge(candidate, {})
    assert isinstance(outcome, Accepted), outcome
    return outcome


def _reason(candidate: Candidate) -> Reason:
    outcome = judge(candidate, {"the": "record"})
    assert isinstance(outcome, Rejected), outcome
    assert outcome.record == {"the": "record"}
    assert outcome.key == candidate.key
    return outcome.reason


def test_a_sound_record_is_accepted_as_it_is() -> None:
    outcome = _accepted(_candidate(servings=[Serving("1 medium", 118.0)]))
    assert outcome.mends == ()
    assert outcome.food.nutrients == {"energy_kcal": 190.0, **MACROS}
    assert outcome.food.servings == [Serving("1 medium", 118.0)]
    assert outcome.food.computed == frozenset()


def test_energy_in_kilojoules_alone_is_converted() -> None:
    outcome = _accepted(_candidate(MACROS, energy_kj=795.0))
    assert outcome.food.nutrients["energy_kcal"] == pytest.approx(795 / 4.184)
    assert outcome.mends == (Mend.ENERGY_FROM_KJ,)
    assert outcome.food.computed == frozenset()


def test_kilojoules_in_the_place_of_kilocalories_are_noticed_by_the_macros() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 795.0, **MACROS}))
    assert outcome.food.nutrients["energy_kcal"] == pytest.approx(795 / 4.184)
    assert outcome.mends == (Mend.ENERGY_WAS_KJ,)


def test_energy_is_worked_out_from_the_macros_where_there_is_none_and_marked() -> None:
    outcome = _accepted(_candidate({**MACROS, "alcohol_in_gm": 10.0}))
    assert outcome.food.nutrients["energy_kcal"] == EXPECTED_KCAL + 70
    assert outcome.food.computed == {"energy_kcal"}
    assert outcome.mends == (Mend.ENERGY_COMPUTED,)


def test_without_energy_and_without_all_three_macros_there_is_no_food() -> None:
    assert _reason(_candidate({"total_fat_in_gm": 10.0, "total_protein_in_gm": 5.0})) is Reason.NO_ENERGY
    assert _reason(_candidate({})) is Reason.NO_ENERGY


def test_net_carbohydrates_are_worked_out_where_fiber_is_among_the_carbohydrates() -> None:
    known = {"energy_kcal": 190.0, "total_carbohydrates_in_gm": 20.0, "fiber_in_g": 3.5}
    outcome = _accepted(_candidate(known, by_difference=True))
    assert outcome.food.nutrients["net_carbs_in_g"] == 16.5
    assert outcome.food.computed == {"net_carbs_in_g"}
    assert "net_carbs_in_g" not in _accepted(_candidate(known)).food.nutrients
    only_fiber = {"energy_kcal": 190.0, "fiber_in_g": 3.5}
    assert "net_carbs_in_g" not in _accepted(_candidate(only_fiber, by_difference=True)).food.nutrients


def test_more_energy_than_pure_fat_has_is_refused() -> None:
    assert _reason(_candidate({"energy_kcal": 911.0})) is Reason.TOO_MUCH_ENERGY
    assert _accepted(_candidate({"energy_kcal": 902.0, "total_fat_in_gm": 100.0}))


def test_water_has_no_energy_and_is_a_food() -> None:
    assert _accepted(_candidate({"energy_kcal": 0.0, "water_in_gm": 99.9})).mends == ()


def test_sodium_comes_from_salt_where_it_is_missing() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 190.0}, salt_in_g=1.25))
    assert outcome.food.nutrients["sodium_in_mg"] == pytest.approx(500.0)
    assert outcome.mends == (Mend.SODIUM_FROM_SALT,)


def test_salt_in_the_place_of_sodium_is_noticed() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 190.0, "sodium_in_mg": 1250.0}, salt_in_g=1.25))
    assert outcome.food.nutrients["sodium_in_mg"] == pytest.approx(500.0)
    assert outcome.mends == (Mend.SODIUM_WAS_SALT,)


def test_sodium_that_agrees_with_salt_stays() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 190.0, "sodium_in_mg": 500.0}, salt_in_g=1.25))
    assert outcome.mends == ()


# White chocolate: the label's values for 100 g, taken for those of a serving of 36 g, and divided by it once more.
DOUBLED = {"total_fat_in_gm": 139.0, "total_carbohydrates_in_gm": 123.0, "total_protein_in_gm": 15.4}


def test_values_for_100_g_that_were_entered_as_a_servings_are_noticed_by_their_weight() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 494.0, "sugars_in_g": 116.0, **DOUBLED}, divided_by=36.0))
    values = outcome.food.nutrients
    assert values["total_fat_in_gm"] == pytest.approx(50.04)
    assert values["sugars_in_g"] == pytest.approx(41.76)
    # The energy, 177.84, is far from what the macros make, so it is worked out.
    assert values["energy_kcal"] == pytest.approx(9 * 50.04 + 4 * 44.28 + 4 * 5.544)
    assert outcome.food.computed == {"energy_kcal"}
    assert outcome.mends == (Mend.PER_100_AS_SERVING, Mend.ENERGY_COMPUTED)


def test_their_energy_is_kept_where_it_agrees_with_the_macros() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 1790.0, **DOUBLED}, divided_by=36.0, salt_in_g=1.0))
    assert outcome.food.nutrients["energy_kcal"] == pytest.approx(644.4)
    assert outcome.food.nutrients["sodium_in_mg"] == pytest.approx(144.0)
    assert outcome.food.computed == frozenset()


def test_values_that_no_serving_explains_are_refused() -> None:
    assert _reason(_candidate({"energy_kcal": 494.0, **DOUBLED})) is Reason.MORE_THAN_100_G
    assert _reason(_candidate({"energy_kcal": 494.0, **DOUBLED}, divided_by=90.0)) is Reason.MORE_THAN_100_G


def test_more_than_100_g_of_anything_is_refused() -> None:
    assert _reason(_candidate({"energy_kcal": 400.0, "sugars_in_g": 140.0})) is Reason.MORE_THAN_100_G
    assert _reason(_candidate({"energy_kcal": 400.0, "cholesterol_in_mg": 200_000.0})) is Reason.MORE_THAN_100_G
    assert _accepted(_candidate({"energy_kcal": 400.0, "sugars_in_g": 100.4})).food.nutrients["sugars_in_g"] == 100.0


def test_milligrams_written_as_grams_are_noticed_in_minerals() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 90.0, "calcium_in_mg": 120_000.0}))
    assert outcome.food.nutrients["calcium_in_mg"] == 120.0
    assert outcome.mends == (Mend.MILLIGRAMS_AS_GRAMS,)


def test_macros_over_105_g_are_refused() -> None:
    heavy = {"total_fat_in_gm": 40.0, "total_carbohydrates_in_gm": 40.0, "total_protein_in_gm": 26.0}
    assert _reason(_candidate({"energy_kcal": 600.0, **heavy})) is Reason.MACROS_OVER_105_G


def test_slightly_negative_carbohydrate_is_none_and_other_negatives_are_refused() -> None:
    outcome = _accepted(_candidate({"energy_kcal": 100.0, "total_carbohydrates_in_gm": -0.4}))
    assert outcome.food.nutrients["total_carbohydrates_in_gm"] == 0.0
    assert outcome.mends == (Mend.SLIGHTLY_NEGATIVE,)
    assert _reason(_candidate({"energy_kcal": 100.0, "total_carbohydrates_in_gm": -9.0})) is Reason.NEGATIVE_VALUE
    assert _reason(_candidate({"energy_kcal": 100.0, "total_fat_in_gm": -0.1})) is Reason.NEGATIVE_VALUE


@pytest.mark.parametrize("name", ["", "   ", "\x00\n", "\ud800"])
def test_a_record_without_a_name_is_refused(name: str) -> None:
    assert _reason(_candidate(name=name)) is Reason.NO_NAME


def test_names_are_kept_but_for_what_cannot_be_shown() -> None:
    assert _accepted(_candidate(name=" Crème \n brûlée\x00 ")).food.name == "Crème brûlée"
    long = _accepted(_candidate(name="x" * 300))
    assert len(long.food.name) == 255
    assert long.mends == (Mend.NAME_SHORTENED,)


@pytest.mark.parametrize(
    ("code", "gtin13", "mends"),
    [
        ("4006381333931", "4006381333931", ()),
        ("036000291452", "0036000291452", ()),
        ("4006381333932", None, (Mend.BARCODE_WRONG_CHECK_DIGIT,)),
        ("2000000000008", None, (Mend.BARCODE_IN_STORE,)),
        ("12", None, (Mend.BARCODE_UNUSABLE,)),
        ("", None, ()),
        (None, None, ()),
    ],
)
def test_a_wrong_barcode_keeps_the_food_without_it(
    code: str | None, gtin13: str | None, mends: tuple[Mend, ...]
) -> None:
    outcome = _accepted(_candidate(barcode=code))
    assert outcome.food.barcode == gtin13
    assert outcome.mends == mends


numbers = st.floats(-10, 2000) | st.sampled_from([float("nan"), float("inf"), 1e12, 0.0])


@given(
    st.dictionaries(st.sampled_from(list(NUTRIENTS)), numbers, max_size=12),
    st.none() | numbers,
    st.none() | numbers,
    st.text(max_size=12),
)
def test_whatever_is_accepted_is_possible(
    nutrients: dict[str, float], energy_kj: float | None, salt: float | None, name: str
) -> None:
    outcome = judge(_candidate(nutrients, energy_kj=energy_kj, salt_in_g=salt, name=name), {})
    if isinstance(outcome, Rejected):
        return
    values = outcome.food.nutrients
    assert 0 <= values["energy_kcal"] <= 910
    assert all(value >= 0 for value in values.values())
    assert all(
        value * GRAMS[NUTRIENTS[key].unit] <= 101 for key, value in values.items() if NUTRIENTS[key].unit in GRAMS
    )
