"""What the things of a document that is imported become, once nothing is wrong with them."""

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from provender.api.sent_profile import SentCustomFood, SentFood, SentLoggedFood, SentMeal
from provender.model.custom_foods import CustomFood, merge
from provender.model.diary import Meal
from provender.model.foods import FoodType, Unit
from provender.model.nutrients import Group, Nutrients
from provender.model.portions import LoggedFood, Quantity
from provender.model.saved_meals import MealItem, SavedMeal
from provender.model.times import from_ms
from provender.services import profile_imports


def quantity_of(number_of_servings: float, metric_amount: float | UnsetType | None, serving_amount: float) -> Quantity:
    if metric_amount is None or metric_amount is UNSET:
        return Quantity(number_of_servings)
    return Quantity.weighing(metric_amount, serving_amount)


def nutrients(food: SentFood) -> Nutrients:
    sent: Mapping[Group, Mapping[str, float | None]] = {
        group: {group.value: food.water_in_gm} if group is Group.WATER else getattr(food, group.value)
        for group in Group
    }
    return merge({}, sent)


def custom_food(food: SentCustomFood) -> CustomFood:
    return CustomFood(
        id=food.id,
        name=food.food_name,
        brand=food.brand_name,
        food_type=FoodType(food.food_type),
        serving_description=food.serving_description,
        serving_amount=food.metric_serving_amount,
        unit=Unit(food.metric_serving_unit),
        nutrients=nutrients(food),
        barcode=food.barcode,
        created_at=from_ms(food.created_at),
        updated_at=from_ms(food.updated_at),
    )


def saved_meal(meal: SentMeal) -> SavedMeal:
    return SavedMeal(
        id=meal.id,
        name=meal.name,
        meal=Meal(meal.meal),
        items=tuple(
            MealItem(item.food_id, item.food_name, item.number_of_servings, item.is_custom) for item in meal.items
        ),
        created_at=from_ms(meal.created_at),
        updated_at=from_ms(meal.updated_at),
    )


def logged_food(food: SentLoggedFood) -> profile_imports.SentLoggedFood:
    logged = LoggedFood(
        name=food.food_name,
        brand=food.brand_name,
        food_type=FoodType(food.food_type),
        serving_description=food.serving_description,
        serving_amount=food.metric_serving_amount,
        unit=Unit(food.metric_serving_unit),
        nutrients=nutrients(food),
        is_rounded=food.is_rounded,
    )
    return profile_imports.SentLoggedFood(food.id, food.food_id, logged)
