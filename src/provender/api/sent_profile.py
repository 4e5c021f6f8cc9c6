"""What the document of an import may hold, declared like the parameters of any request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812 - The member is called date.
from typing import Annotated, Any, ClassVar

from provender.api.custom_foods import LARGEST_AMOUNT, brand_goes_with_its_type
from provender.api.diary import MEAL, SERVINGS, WRITTEN_DATE
from provender.api.kinds import (
    REFERENCE_ID,
    Amount,
    Barcode,
    Choice,
    Flag,
    Group,
    Id,
    Items,
    Number,
    Text,
    Timezone,
    Unfit,
    Whole,
)
from provender.api.parameters import NULLABLE
from provender.model.diary import METRIC_AMOUNT_MAX, NOTE_MAX_LENGTH
from provender.model.errors import Fault
from provender.model.export_format import FORMAT, ITEMS_MAX
from provender.model.foods import FoodType, Unit
from provender.model.saved_meals import ITEMS_MAX as MEAL_ITEMS_MAX

# Up to the end of the year 9999. What lies more than a day ahead is refused too, when it is known what now is.
TIME = Whole(0, 253_402_300_799_999)

ID = Id()
NUMBER = Number()
METRIC_AMOUNT = Amount(METRIC_AMOUNT_MAX)
NOTE = Text(longest=NOTE_MAX_LENGTH)

_OLD_ID = "Its `_id` in the document. It gets a new one."
_MADE = "When it was made."
_CHANGED = "When it was last changed."
_SERVING_FOR = "Nutrients of this group in the serving."

_Members = dict[str, float | None]


@dataclass(frozen=True, kw_only=True)
class SentFood:
    """What a custom food and a food as it was logged have in common."""

    RULES: ClassVar = (brand_goes_with_its_type,)

    _id: Annotated[str, ID, _OLD_ID]
    food_name: Annotated[str, Text(), "The name of the food."]
    food_type: Annotated[str, Choice(tuple(FoodType)), "Whether the food is a generic or a brand item."]
    brand_name: Annotated[str | None, Text(), "The name of the brand, for `food_type` `brand` only.", NULLABLE] = None
    serving_description: Annotated[str, Text(), "The serving that all values are for."]
    metric_serving_unit: Annotated[str, Choice(tuple(Unit)), "The unit of `metric_serving_amount`."]
    macro_nutrients: Annotated[_Members, Group(), "Energy and macro-nutrients of the serving."]
    water_in_gm: Annotated[float | None, Number(), "Water in the serving, in grams.", NULLABLE] = None
    vitamins: Annotated[_Members, Group(), _SERVING_FOR]
    minerals: Annotated[_Members, Group(), _SERVING_FOR]
    carbohydrates: Annotated[_Members, Group(), _SERVING_FOR]
    lipids: Annotated[_Members, Group(), _SERVING_FOR]
    proteins: Annotated[_Members, Group(), _SERVING_FOR]

    @property
    def id(self) -> str:
        return self._id


@dataclass(frozen=True, kw_only=True)
class SentCustomFood(SentFood):
    metric_serving_amount: Annotated[int, Whole(1, LARGEST_AMOUNT), "What the serving weighs or holds."]
    barcode: Annotated[str | None, Barcode(), "The GTIN-13 on the package.", NULLABLE] = None
    created_at: Annotated[int, TIME, _MADE]
    updated_at: Annotated[int, TIME, _CHANGED]


@dataclass(frozen=True, kw_only=True)
class SentLoggedFood(SentFood):
    food_id: Annotated[str, ID, "The food that was logged."]
    is_rounded: Annotated[bool, Flag(), "Whether its values are shown rounded, as those of catalogue foods are."]
    metric_serving_amount: Annotated[float, Amount(LARGEST_AMOUNT), "What the serving weighs or holds."]


@dataclass(frozen=True, kw_only=True)
class SentFavorite:
    food_id: Annotated[str, ID, "The food."]
    added_at: Annotated[int, TIME, "When it was added."]


@dataclass(frozen=True, kw_only=True)
class SentItem:
    food_id: Annotated[str, ID, "The food."]
    food_name: Annotated[str, Text(), "The name that it had when it was put into the meal."]
    number_of_servings: Annotated[float, SERVINGS, "How many servings of it."]
    is_custom: Annotated[bool, Flag(), "Whether it is, or was, a custom food of the profile."]


@dataclass(frozen=True, kw_only=True)
class SentMeal:
    _id: Annotated[str, ID, _OLD_ID]
    name: Annotated[str, Text(), "The name of the saved meal."]
    meal: Annotated[str, MEAL, "The meal that it is logged at unless another is said."]
    items: Annotated[tuple[SentItem, ...], Items(SentItem, MEAL_ITEMS_MAX), "Its foods in their order."]
    created_at: Annotated[int, TIME, _MADE]
    updated_at: Annotated[int, TIME, _CHANGED]

    @property
    def id(self) -> str:
        return self._id


def _number_fits_unless_it_was_weighed(sent: Mapping[str, Any]) -> Iterable[Fault]:
    """What was weighed says how much it is, and its number of servings is worked out from that again."""
    if sent.keys() >= {"number_of_servings", "metric_amount"} and sent["metric_amount"] is None:
        try:
            SERVINGS.from_json(sent["number_of_servings"])
        except Unfit as unfit:
            yield Fault("number_of_servings", unfit.code, unfit.message)


@dataclass(frozen=True, kw_only=True)
class SentLog:
    RULES: ClassVar = (_number_fits_unless_it_was_weighed,)

    _id: Annotated[str, ID, _OLD_ID]
    food_id: Annotated[str, ID, "The food that was logged."]
    is_custom: Annotated[bool, Flag(), "Whether it is, or was, a custom food of the profile."]
    logged_food_id: Annotated[str, ID, "The `_id` of one of `logged_foods` with the same `food_id`."]
    number_of_servings: Annotated[float, NUMBER, "How many servings of it. Worked out again where it was weighed."]
    metric_amount: Annotated[float | None, METRIC_AMOUNT, "How much it was, where it was weighed."] = None
    meal: Annotated[str, MEAL, "The meal that it was eaten at."]
    date: Annotated[Day, WRITTEN_DATE, "The day it was eaten."]
    note: Annotated[str | None, NOTE, "What there is to remark.", NULLABLE] = None
    created_at: Annotated[int, TIME, _MADE]
    updated_at: Annotated[int, TIME, _CHANGED]

    @property
    def id(self) -> str:
        return self._id


def _list_of(declaration: type[Any]) -> Items:
    return Items(declaration, ITEMS_MAX, least=0)


@dataclass(frozen=True, kw_only=True)
class SentProfile:
    """A whole document. A list that is not there is empty."""

    format: Annotated[int, Whole(FORMAT, FORMAT), "The form of the document."]
    _id: Annotated[str | None, ID, "The `_id` of the profile that was exported. It gets a new one."] = None
    reference_id: Annotated[str, REFERENCE_ID, "Your own id of this user, unless the address has another."]
    timezone: Annotated[str | None, Timezone(), "The IANA name of the user's time zone.", NULLABLE] = None
    created_at: Annotated[int, TIME, _MADE]
    updated_at: Annotated[int, TIME, _CHANGED]
    exported_at: Annotated[int | None, TIME, "When it was exported. It means nothing here."] = None
    custom_foods: Annotated[
        tuple[SentCustomFood, ...], _list_of(SentCustomFood), "The foods that the profile made, oldest first."
    ] = ()
    favorites: Annotated[
        tuple[SentFavorite, ...], _list_of(SentFavorite), "The favorite foods, first added first."
    ] = ()
    saved_meals: Annotated[tuple[SentMeal, ...], _list_of(SentMeal), "The saved meals, oldest first."] = ()
    logged_foods: Annotated[
        tuple[SentLoggedFood, ...], _list_of(SentLoggedFood), "The foods as they were logged, that logs refer to."
    ] = ()
    diary_logs: Annotated[tuple[SentLog, ...], _list_of(SentLog), "The logs, in the order they were made."] = ()
