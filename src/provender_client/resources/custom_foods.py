"""Custom foods: those that a profile has made for itself."""

from __future__ import annotations

from provender_client.calls import OMITTED, Omitted
from provender_client.endpoints import D, Resource, endpoint, listing
from provender_client.gtin import gtin
from provender_client.models.answers import Created, Deleted
from provender_client.models.foods import Food, FoodType, Unit
from provender_client.resources.parameters import Include, SentAmounts


class CustomFoods(Resource[D]):
    """A profile's own foods. They are retrieved as foods are: with `foods.retrieve`."""

    @endpoint("POST", "/v1/foods/custom", Created, barcode=gtin)
    def create(
        self,
        *,
        profile_reference_id: str,
        food_name: str,
        serving_description: str,
        metric_serving_amount: int,
        metric_serving_unit: Unit,
        food_type: FoodType | None = None,
        brand_name: str | None = None,
        barcode: str | None = None,
        macro_nutrients: SentAmounts = None,
        water_in_gm: float | None = None,
        vitamins: SentAmounts = None,
        minerals: SentAmounts = None,
        carbohydrates: SentAmounts = None,
        lipids: SentAmounts = None,
        proteins: SentAmounts = None,
        idempotency_key: str | None = None,
    ) -> None:
        """A new food of the profile; nutrients are those of the one serving that is described.

        `brand_name` goes with the `food_type` `brand`. The `barcode` may have any form. A group such as `vitamins` is a
        dict of amounts by name; the names are those of `nutrients.list`, or of your own.
        """

    @listing("/v1/foods/custom", Food)
    def list(
        self,
        profile_reference_id: str,
        *,
        include: Include = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """The profile's own foods, newest first; `include` names groups of nutrients that come with them."""

    @endpoint("PATCH", "/v1/foods/custom/{food_id}", Food, barcode=gtin)
    def change(
        self,
        food_id: str,
        *,
        profile_reference_id: str,
        food_name: str | None = None,
        serving_description: str | None = None,
        metric_serving_amount: int | None = None,
        metric_serving_unit: Unit | None = None,
        food_type: FoodType | None = None,
        brand_name: str | Omitted | None = OMITTED,
        barcode: str | Omitted | None = OMITTED,
        macro_nutrients: SentAmounts | Omitted = OMITTED,
        water_in_gm: float | Omitted | None = OMITTED,
        vitamins: SentAmounts | Omitted = OMITTED,
        minerals: SentAmounts | Omitted = OMITTED,
        carbohydrates: SentAmounts | Omitted = OMITTED,
        lipids: SentAmounts | Omitted = OMITTED,
        proteins: SentAmounts | Omitted = OMITTED,
    ) -> None:
        """Only what is sent changes; None takes away. Groups are merged, nutrient by nutrient."""

    @endpoint("DELETE", "/v1/foods/custom/{food_id}", Deleted)
    def delete(self, food_id: str, *, profile_reference_id: str) -> None:
        """The food is gone; logs of it stay as they are."""
