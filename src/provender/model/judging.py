"""The words of an import's report: why a record was rejected, what was mended in one, and how to say so to people."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a record was rejected."""

    UNREADABLE = "unreadable"
    NOT_A_FOOD = "not_a_food"
    NO_KEY = "no_key"
    SUPERSEDED = "superseded"
    NO_NAME = "no_name"
    NO_ENERGY = "no_energy"
    TOO_MUCH_ENERGY = "too_much_energy"
    MORE_THAN_100_G = "more_than_100_g"
    MACROS_OVER_105_G = "macros_over_105_g"
    NEGATIVE_VALUE = "negative_value"
    NO_BASIS = "no_basis"


class Mend(StrEnum):
    """What was put right, or left out, on the way to a food."""

    ENERGY_FROM_KJ = "energy_from_kj"
    ENERGY_WAS_KJ = "energy_was_kj"
    ENERGY_FROM_ATWATER = "energy_from_atwater"
    ENERGY_COMPUTED = "energy_computed"
    SODIUM_FROM_SALT = "sodium_from_salt"
    SODIUM_WAS_SALT = "sodium_was_salt"
    MILLIGRAMS_AS_GRAMS = "milligrams_as_grams"
    SLIGHTLY_NEGATIVE = "slightly_negative"
    SLIGHTLY_OVER_100_G = "slightly_over_100_g"
    NOT_A_NUMBER = "not_a_number"
    NAME_SHORTENED = "name_shortened"
    PER_SERVING = "per_serving"
    PER_100_AS_SERVING = "per_100_as_serving"
    BARCODE_WRONG_CHECK_DIGIT = "barcode_wrong_check_digit"
    BARCODE_IN_STORE = "barcode_in_store"
    BARCODE_UNUSABLE = "barcode_unusable"


_TITLES: dict[str, str] = {
    Reason.UNREADABLE: "The record cannot be read.",
    Reason.NOT_A_FOOD: "It is not a food.",
    Reason.NO_KEY: "It has no key to know it by from release to release.",
    Reason.SUPERSEDED: "The source has a newer record of the same food.",
    Reason.NO_NAME: "It has no name.",
    Reason.NO_ENERGY: "It has no energy, and not all of fat, carbohydrates and protein to work it out from.",
    Reason.TOO_MUCH_ENERGY: "It has more energy than anything can have.",
    Reason.MORE_THAN_100_G: "It has more than 100 g of something in 100 g or 100 ml.",
    Reason.MACROS_OVER_105_G: "Its fat, carbohydrates and protein weigh more than the food itself.",
    Reason.NEGATIVE_VALUE: "A value is below 0.",
    Reason.NO_BASIS: "Its values are for a serving of unknown size.",
    Mend.ENERGY_FROM_KJ: "Energy was converted from kJ.",
    Mend.ENERGY_WAS_KJ: "What was given as kcal was kJ.",
    Mend.ENERGY_FROM_ATWATER: "The energy that USDA worked out by Atwater factors was taken.",
    Mend.ENERGY_COMPUTED: "Energy was worked out from protein, carbohydrates, fat and alcohol.",
    Mend.SODIUM_FROM_SALT: "Sodium was worked out from salt.",
    Mend.SODIUM_WAS_SALT: "What was given as sodium was salt.",
    Mend.MILLIGRAMS_AS_GRAMS: "What was given in grams was milligrams.",
    Mend.SLIGHTLY_NEGATIVE: "Carbohydrates a little below 0 were set to 0.",
    Mend.SLIGHTLY_OVER_100_G: "A value a little above 100 g was set to 100 g.",
    Mend.NOT_A_NUMBER: "A value that is no number was left out.",
    Mend.NAME_SHORTENED: "A name or a brand of more than 255 characters was shortened.",
    Mend.PER_SERVING: "Values for a serving were converted to values for 100 g or 100 ml.",
    Mend.PER_100_AS_SERVING: "Values for 100 g or 100 ml had been entered as those of a serving.",
    Mend.BARCODE_WRONG_CHECK_DIGIT: "A barcode with a wrong check digit was left out.",
    Mend.BARCODE_IN_STORE: "A barcode that a shop gave out itself was left out.",
    Mend.BARCODE_UNUSABLE: "What is no barcode of a single piece was left out.",
}


def explain(word: str) -> str:
    """A word of a report as a sentence. One that only another version of Provender knows stays a word."""
    return _TITLES.get(word, word)
