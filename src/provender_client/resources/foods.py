"""Foods: search, and look up by id and by barcode."""

from __future__ import annotations

from provender_client.endpoints import D, Resource, endpoint, listing
from provender_client.gtin import gtin
from provender_client.models.foods import Food, FoodType
from provender_client.models.operating import Provenance
from provender_client.resources.parameters import Include


class Foods(Resource[D]):
    """The foods of the catalogue and, where a profile is named, its own."""

    @listing("/v1/foods/search", Food)
    def search(
        self,
        query: str,
        *,
        food_type: FoodType | None = None,
        profile_reference_id: str | None = None,
        include: Include = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """Foods by what people type, the likeliest first; the last word may be unfinished.

        With `profile_reference_id` that profile's own foods that match go first; `food_type` leaves out the others.
        `include` names groups of nutrients, and `servings`, to come with each food. `limit` is the size of a page.
        """

    @endpoint("GET", "/v1/foods/{food_id}", Food)
    def retrieve(self, food_id: str, *, include: Include = None) -> None:
        """The food with this id, of the catalogue or of a profile.

        `include` names the groups of nutrients that come with it, such as `vitamins`, and `servings`.
        """

    @endpoint("GET", "/v1/foods/barcode", Food, barcode=gtin)
    def by_barcode(self, barcode: str, *, profile_reference_id: str | None = None, include: Include = None) -> None:
        """The food with this barcode in any form: UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14.

        With `profile_reference_id` that profile's own food goes first. `include` is as with `retrieve`. What is no
        barcode raises `InvalidBarcode`, and nothing is sent.
        """

    @endpoint("GET", "/v1/foods/{food_id}/provenance", Provenance)
    def provenance(self, food_id: str) -> None:
        """Where the food is from: its source, release and licence."""
