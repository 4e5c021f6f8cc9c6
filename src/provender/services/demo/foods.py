"""The foods that the people of the demo eat: of the shipped catalogue by their NDB numbers, and some of their own."""

from collections.abc import Mapping
from dataclasses import dataclass

from provender.model.foods import FoodType, Unit, food_id, serving_id
from provender.model.nutrients import Group

# As `importers/sr28.py` has it: SR28, SR Legacy and what FoodData Central makes of them are one source.
_SOURCE = "usda"


@dataclass(frozen=True, slots=True)
class Known:
    """A food of the catalogue, and the household measure it is eaten by, with what one of it weighs in grams."""

    ndb_number: str
    measure: str
    weight: float

    @property
    def id(self) -> str:
        return food_id(_SOURCE, self.ndb_number)

    @property
    def serving_id(self) -> str:
        return serving_id(self.id, self.measure)


@dataclass(frozen=True, slots=True)
class Own:
    """A custom food. Its values are those of one serving."""

    name: str
    serving_description: str
    serving_amount: int
    unit: Unit
    nutrients: Mapping[Group, Mapping[str, float]]
    brand: str | None = None
    barcode: str | None = None

    @property
    def food_type(self) -> FoodType:
        return FoodType.GENERIC if self.brand is None else FoodType.BRAND


KNOWN: Mapping[str, Known] = {
    "almonds": Known("12061", "1 oz (23 whole kernels)", 28.35),
    "apple": Known("09003", '1 medium (3" dia)', 182),
    "avocado": Known("09037", "1 avocado", 201),
    "bagel": Known("18001", "1 bagel", 99),
    "banana": Known("09040", '1 medium (7" to 7-7/8" long)', 118),
    "beer": Known("14003", "1 can", 356),
    "black beans": Known("16015", "1 cup", 172),
    "blueberries": Known("09050", "1 cup", 148),
    "bread": Known("18075", "1 slice", 32),
    "broccoli": Known("11091", "1/2 cup, chopped", 78),
    "brown rice": Known("20037", "1 cup", 202),
    "butter": Known("01001", "1 tbsp", 14.2),
    "carrot": Known("11124", "1 medium", 61),
    "cheddar": Known("01009", "1 slice (1 oz)", 28),
    "cheeseburger": Known("21095", "1 sandwich", 228),
    "chicken breast": Known("05064", "1/2 breast, bone and skin removed", 86),
    "chickpeas": Known("16057", "1 cup", 164),
    "chocolate": Known("19902", "1 oz", 28.35),
    "coffee": Known("14209", "1 cup (8 fl oz)", 237),
    "cola": Known("14148", "1 can or bottle (12 fl oz)", 370),
    "cottage cheese": Known("01012", "4 oz", 113),
    "croissant": Known("18239", "1 medium croissant", 57),
    "cucumber": Known("11205", "1/2 cup slices", 52),
    "dressing": Known("04114", "1 tbsp", 14.7),
    "egg": Known("01129", "1 large", 50),
    "feta": Known("01019", "1 wedge (1.33 oz)", 38),
    "fried egg": Known("01128", "1 large", 46),
    "ground beef": Known("13494", "3 oz", 85),
    "honey": Known("19296", "1 tbsp", 21),
    "hummus": Known("16158", "1 tbsp", 15),
    "ice cream": Known("19089", "1/2 cup", 107),
    "jam": Known("19297", "1 tbsp", 20),
    "lasagna": Known("22977", "1 center piece", 255),
    "lentils": Known("16070", "1 cup", 198),
    "lettuce": Known("11251", "1 cup, shredded", 47),
    "maple syrup": Known("19353", "1 tbsp", 20),
    "marinara": Known("06931", "1 serving (1/2 cup)", 132),
    "milk": Known("01079", "1 cup", 244),
    "minestrone": Known("06440", "1 cup (8 fl oz)", 241),
    "mozzarella": Known("01026", "1 oz", 28.35),
    "muffin": Known("18274", "1 medium", 113),
    "mushrooms": Known("11260", "1 cup, pieces or slices", 70),
    "noodles": Known("20110", "1 cup", 160),
    "oats": Known("08120", "1 cup", 81),
    "olive oil": Known("04053", "1 tablespoon", 13.5),
    "orange": Known("09200", '1 fruit (2-5/8" dia)', 131),
    "orange juice": Known("09209", "1 cup", 249),
    "pancake": Known("18290", '1 pancake (6" dia)', 77),
    "parmesan": Known("01032", "1 tbsp", 5),
    "pasta": Known("20121", "1 cup spaghetti, packed", 151),
    "peanut butter": Known("16098", "2 tbsp", 32),
    "peas": Known("11305", "1 cup", 160),
    "pizza": Known("21299", "1 slice", 107),
    "popcorn": Known("19034", "1 cup", 8),
    "potato": Known("11674", "1 medium potato", 173),
    "quinoa": Known("20137", "1 cup", 185),
    "red pepper": Known("11821", "1 cup, sliced", 92),
    "rice": Known("20045", "1 cup", 158),
    "salmon": Known("15237", "1/2 fillet", 178),
    "shrimp": Known("15151", "3 oz", 85),
    "soymilk": Known("16139", "1 cup", 243),
    "spinach": Known("11457", "1 cup", 30),
    "sweet potato": Known("11508", '1 medium (2" dia, 5" long, raw)', 114),
    "tea": Known("14355", "1 cup (8 fl oz)", 237),
    "tofu": Known("16126", "1/2 cup", 126),
    "tomato": Known("11529", "1 cup, chopped or sliced", 180),
    "tortilla": Known("18364", '1 tortilla (about 10" dia)', 72),
    "tuna": Known("15121", "1 can", 165),
    "walnuts": Known("12155", "1 oz (14 halves)", 28.35),
    "water": Known("14411", "1 serving (8 fl oz)", 237),
    "wine": Known("14096", "1 serving (5 fl oz)", 147),
    "yogurt": Known("01256", "1 container", 170),
}


def _macros(energy: float, fat: float, carbohydrates: float, protein: float) -> dict[str, float]:
    return {
        "energy_kcal": energy,
        "total_fat_in_gm": fat,
        "total_carbohydrates_in_gm": carbohydrates,
        "total_protein_in_gm": protein,
    }


# The barcodes begin with 952, which GS1 keeps for examples.
OWN: Mapping[str, Own] = {
    "protein shake": Own(
        "Whey protein shake, vanilla",
        "1 scoop (30 g)",
        30,
        Unit.GRAM,
        {Group.MACRO_NUTRIENTS: _macros(119, 1.8, 2.4, 23.1), Group.MINERALS: {"calcium_in_mg": 140}},
        brand="Example Nutrition",
        barcode="9520000000011",
    ),
    "energy balls": Own(
        "Date and oat energy balls",
        "1 ball",
        25,
        Unit.GRAM,
        {Group.MACRO_NUTRIENTS: _macros(98, 3.6, 14.5, 2.3)},
    ),
    "dal": Own(
        "Red lentil dal, grandmother's",
        "1 bowl",
        350,
        Unit.GRAM,
        {Group.MACRO_NUTRIENTS: _macros(385, 9.8, 54, 21), Group.MINERALS: {"iron_in_mg": 6.1, "sodium_in_mg": 640}},
    ),
    "iced tea": Own(
        "Iced tea, peach",
        "1 bottle",
        500,
        Unit.MILLILITRE,
        {Group.MACRO_NUTRIENTS: _macros(95, 0, 23, 0)},
        brand="Example Drinks",
        barcode="9520000000028",
    ),
}
