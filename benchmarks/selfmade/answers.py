"""What it answers, and takes."""

from datetime import date as day

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.selfmade.tables import DiaryLog, Food


class MacroNutrients(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    energy_kcal: float | None
    total_fat_in_gm: float | None
    total_carbohydrates_in_gm: float | None
    total_protein_in_gm: float | None
    alcohol_in_gm: float | None
    caffeine_in_mg: float | None
    theobromine_in_mg: float | None

    def times(self, servings: float) -> "MacroNutrients":
        known = {name: value * servings for name, value in self if value is not None}
        return self.model_copy(update=known)


class FoodAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

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


def answer_food(food: Food) -> FoodAnswer:
    return FoodAnswer.model_validate(food)


def answer_with_vitamins(food: Food) -> FoodWithVitamins:
    return FoodWithVitamins.model_validate(food)


def answer_log(log: DiaryLog) -> LogAnswer:
    return LogAnswer(
        id=log.id,
        food_id=log.food.id,
        food_name=log.food.food_name,
        brand_name=log.food.brand_name,
        serving_description=log.food.serving_description,
        number_of_servings=log.number_of_servings,
        macro_nutrients=MacroNutrients.model_validate(log.food).times(log.number_of_servings),
        meal=log.meal,
        date=log.date,
    )
