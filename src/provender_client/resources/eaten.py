"""Eaten foods: what a profile has logged last, and what it logs most."""

from __future__ import annotations

from provender_client.endpoints import D, Resource, listing
from provender_client.models.diary import Meal
from provender_client.models.foods import Food
from provender_client.resources.parameters import Include


class Eaten(Resource[D]):
    """Foods as they are now, ready to be logged again."""

    @listing("/v1/foods/recently-eaten", Food)
    def recently(
        self,
        profile_reference_id: str,
        *,
        meal: Meal | None = None,
        include: Include = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """The foods that the profile has logged, or at one `meal` only, the last one first.

        They come with vitamins, unless `include` says otherwise. `limit` is the size of a page.
        """

    @listing("/v1/foods/most-eaten", Food)
    def most(
        self,
        profile_reference_id: str,
        *,
        meal: Meal | None = None,
        include: Include = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """The foods with the most logs of the past 30 days, or with those of one `meal` only.

        They come with vitamins, unless `include` says otherwise. `limit` is the size of a page.
        """
