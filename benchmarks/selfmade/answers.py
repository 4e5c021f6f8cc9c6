"""What it answers, and takes."""

from datetime import date as day

from pydantic import BaseModel, Field

from benchmarks.selfmade.tables import DiaryLog, Food


class MacroNutrients(BaseModel):
    energy_kcal: float | None
    total_fat_in_gm: float | None
    total_carbohydrates_in_gm: float | None
    total_protein_in_gm: float | None
    alcohol_in_gm: float | None
    caffeine_in_mg: float | None
    theobromine_in_mg: float | None


class FoodAnswer(BaseModel):
    id: str
    food_name: str
    food_type: str
    brand_name: str | None
    serving_description: str
    metric_serving_amount: int
    metric_serving_unit: str
    macro_nutrients: MacroNutrients
    water_in_gm: float | None
    created_at: int
    updated_at: int


class FoodWithVitamins(FoodAnswer):
    vitamins: dict[str, float]


class FoodPage(BaseModel):
    has_more: bool
    data: list[FoodAnswer]


class FoodPageWithVitamins(BaseModel):
    has_more: bool
    data: list[FoodWithVitamins]


class LogAnswer(BaseModel):
    id: int
    food_id: str
    food_name: str
    brand_name: str | None
    serving_description: str
    number_of_servings: float
    macro_nutrients: MacroNutrients
    meal: str
    date: day


class LogPage(BaseModel):
    has_more: bool
    data: list[LogAnswer]


class NewLog(BaseModel):
    food_id: str
    number_of_servings: float = Field(default=1, gt=0, le=100_000)
    meal: str = Field(default="snack", pattern="^(breakfast|lunch|dinner|snack)$")
    date: day | None = None


class Created(BaseModel):
    id: int
    created: bool = True


def _macro_nutrients(food: Food, servings: float = 1) -> MacroNutrients:
    values = {name: getattr(food, name) for name in MacroNutrients.model_fields}
    return MacroNutrients(**{name: None if value is None else value * servings for name, value in values.items()})


def answer_food(food: Food) -> FoodAnswer:
    return FoodAnswer(macro_nutrients=_macro_nutrients(food), **_fields(food))


def answer_with_vitamins(food: Food) -> FoodWithVitamins:
    return FoodWithVitamins(macro_nutrients=_macro_nutrients(food), vitamins=food.vitamins, **_fields(food))


def _fields(food: Food) -> dict[str, object]:
    return {name: getattr(food, name) for name in FoodAnswer.model_fields if name != "macro_nutrients"}


def answer_log(log: DiaryLog) -> LogAnswer:
    return LogAnswer(
        id=log.id,
        food_id=log.food.id,
        food_name=log.food.food_name,
        brand_name=log.food.brand_name,
        serving_description=log.food.serving_description,
        number_of_servings=log.number_of_servings,
        macro_nutrients=_macro_nutrients(log.food, log.number_of_servings),
        meal=log.meal,
        date=log.date,
    )
