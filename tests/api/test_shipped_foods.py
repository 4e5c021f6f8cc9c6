"""Foods of the shipped catalogue, through the API: what USDA's tables say, scaled to the serving that is shown."""

import httpx
import pytest

from provender.model.foods import food_id
from tests.importers.test_sr28_foods import KNOWN, Known

GROUPS = "vitamins,minerals,carbohydrates,lipids,proteins"


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.ndb_number)
async def test_a_food_is_answered_with_the_tables_values_for_one_serving(
    shipped: httpx.AsyncClient, known: Known
) -> None:
    response = await shipped.get(f"/v1/foods/{food_id('usda', known.ndb_number)}", params={"include": GROUPS})
    assert response.status_code == 200
    food = response.json()
    assert food["food_name"] == known.name
    assert food["brand_name"] == known.brand
    assert food["food_type"] == ("generic" if known.brand is None else "brand")
    assert (food["serving_description"], food["metric_serving_amount"]) == known.serving
    values = {"water_in_gm": food.get("water_in_gm")}
    for group in ("macro_nutrients", *GROUPS.split(",")):
        values |= food[group]
    for name, value in known.scaled.items():
        assert values[name] == value
    for entry in known.per_100_g.split(", "):
        _, name, per_100_g = entry.split(" ")
        exact = float(per_100_g) * food["metric_serving_amount"] / 100
        assert values[name] == pytest.approx(exact, rel=6e-4), name
    for name in known.absent:
        assert name not in values


def test_there_are_at_least_20_of_them() -> None:
    assert len(KNOWN) >= 20
