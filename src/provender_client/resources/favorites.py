"""Favorites: the foods that a profile has marked."""

from __future__ import annotations

from provender_client.endpoints import D, Resource, endpoint, listing
from provender_client.models.answers import Created, Deleted
from provender_client.models.foods import Food
from provender_client.resources.parameters import Include


class Favorites(Resource[D]):
    """A profile's favorite foods."""

    @listing("/v1/foods/favorites", Food)
    def list(
        self,
        profile_reference_id: str,
        *,
        include: Include = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """The profile's favorites, last added first; with vitamins, unless `include` says otherwise."""

    @endpoint("POST", "/v1/foods/favorites/{food_id}", Created)
    def add(self, food_id: str, *, profile_reference_id: str, idempotency_key: str | None = None) -> None:
        """Add a food; one that is a favorite already keeps its place."""

    @endpoint("DELETE", "/v1/foods/favorites/{food_id}", Deleted)
    def remove(self, food_id: str, *, profile_reference_id: str) -> None:
        """Take a food out of the favorites."""
