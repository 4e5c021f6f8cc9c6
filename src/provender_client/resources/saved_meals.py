"""Saved meals: foods that are eaten together, logged at once."""

from __future__ import annotations

from collections.abc import Sequence

from provender_client.endpoints import D, Resource, endpoint, listing
from provender_client.models.answers import Created, Deleted
from provender_client.models.diary import Meal
from provender_client.models.saved_meals import LoggedMeal, NewItem, SavedMeal, SavedMealWithTotals
from provender_client.resources.parameters import Day


class SavedMeals(Resource[D]):
    """A profile's saved meals."""

    @endpoint("POST", "/v1/saved-meals", Created)
    def create(
        self,
        *,
        profile_reference_id: str,
        name: str,
        items: Sequence[NewItem],
        meal: Meal | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Save a meal of these `items`: dicts with a `food_id` and, unless it is 1, a `number_of_servings`.

        It is logged at `meal` unless another is said then; as a snack where none is given.
        """

    @listing("/v1/saved-meals", SavedMeal)
    def list(
        self,
        profile_reference_id: str,
        *,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """The profile's saved meals, newest first, without their totals."""

    @endpoint("GET", "/v1/saved-meals/{meal_id}", SavedMealWithTotals)
    def retrieve(self, meal_id: str, *, profile_reference_id: str | None = None) -> None:
        """The saved meal with this id, and what it adds up to; `profile_reference_id`, if given, must be its own."""

    @endpoint("PATCH", "/v1/saved-meals/{meal_id}", SavedMealWithTotals)
    def change(
        self,
        meal_id: str,
        *,
        profile_reference_id: str | None = None,
        name: str | None = None,
        meal: Meal | None = None,
        items: Sequence[NewItem] | None = None,
    ) -> None:
        """Only what is sent changes; `items` replaces all items. `profile_reference_id`, if given, must be its own."""

    @endpoint("DELETE", "/v1/saved-meals/{meal_id}", Deleted)
    def delete(self, meal_id: str, *, profile_reference_id: str | None = None) -> None:
        """The meal is gone; what was logged of it stays in the diary.

        `profile_reference_id`, if given, must be its own.
        """

    @endpoint("POST", "/v1/saved-meals/{meal_id}/log", LoggedMeal)
    def log(
        self,
        meal_id: str,
        *,
        profile_reference_id: str | None = None,
        date: Day | None = None,
        meal: Meal | None = None,
        note: str | None = None,
        skip_missing: bool | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Log every item, all of them or none; `skip_missing` logs the others where foods no longer exist.

        Without a `date` it is today in the profile's time zone, without a `meal` that of the saved meal. The `note` is
        put into every log. `profile_reference_id`, if given, must be the meal's own.
        """
