"""The food diary: log, list, change, copy, and sum up."""

from __future__ import annotations

from collections.abc import Sequence

from provender_client.calls import OMITTED, Omitted
from provender_client.endpoints import D, Resource, endpoint, listing
from provender_client.models.answers import Created, CreatedList, Deleted
from provender_client.models.diary import DiaryLog, Meal, NewLog, Summary
from provender_client.resources.parameters import Day, IncludeGroups


class Diary(Resource[D]):
    """What profiles have eaten. A log keeps its food as it was eaten."""

    @endpoint("POST", "/v1/diary-logs", Created)
    def create(
        self,
        *,
        profile_reference_id: str,
        food_id: str,
        number_of_servings: float | None = None,
        metric_amount: float | None = None,
        serving_id: str | None = None,
        meal: Meal | None = None,
        date: Day | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Log a food; without more, one serving as a snack of today in the profile's time zone.

        `number_of_servings` counts the serving that the food is shown with, or that of `serving_id`, one of the food's
        `servings`. `metric_amount` takes its place, in grams, ml or whatever the food's own unit is.
        """

    @endpoint("POST", "/v1/diary-logs/batch", CreatedList)
    def create_batch(self, logs: Sequence[NewLog], *, idempotency_key: str | None = None) -> None:
        """Log up to 100 foods, of one profile or several, all of them or none.

        Each of `logs` is a dict with the parameters of `create`; an error names its place, as in `logs[3].food_id`.
        """

    @endpoint("POST", "/v1/diary-logs/copy", CreatedList)
    def copy(
        self,
        *,
        profile_reference_id: str,
        from_: Day,
        to: Day,
        meal: Meal | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Log again, on the day `to`, what was logged on the day `from_`, or one `meal` of it only.

        Where there is nothing to copy, the answer has nothing in it, and is no error.
        """

    @listing("/v1/diary-logs", DiaryLog)
    def list(
        self,
        profile_reference_id: str,
        *,
        date: Day | None = None,
        from_: Day | None = None,
        to: Day | None = None,
        meal: Meal | None = None,
        include: IncludeGroups = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        limit: int | None = None,
    ) -> None:
        """The logs of one `date`, or of the days `from_` to `to`, by date and then as they were made.

        `include` names the groups of nutrients that come with each log. `limit` is the size of a page.
        """

    @endpoint("GET", "/v1/diary-logs/summary", Summary)
    def summary(
        self,
        profile_reference_id: str,
        *,
        date: Day | None = None,
        from_: Day | None = None,
        to: Day | None = None,
    ) -> None:
        """What one `date`, or each of up to 400 days `from_` to `to`, adds up to, exactly."""

    @endpoint("GET", "/v1/diary-logs/{log_id}", DiaryLog)
    def retrieve(self, log_id: str, *, profile_reference_id: str | None = None, include: IncludeGroups = None) -> None:
        """The log with this id; where `profile_reference_id` is given it must be one of that profile.

        `include` names the groups of nutrients that come with it.
        """

    @endpoint("PATCH", "/v1/diary-logs/{log_id}", DiaryLog)
    def change(
        self,
        log_id: str,
        *,
        profile_reference_id: str | None = None,
        number_of_servings: float | None = None,
        metric_amount: float | None = None,
        meal: Meal | None = None,
        date: Day | None = None,
        note: str | Omitted | None = OMITTED,
    ) -> None:
        """Only what is sent changes; a `note` of None takes it away.

        `metric_amount` takes the place of `number_of_servings`. Where `profile_reference_id` is given, the log must be
        one of that profile.
        """

    @endpoint("DELETE", "/v1/diary-logs/{log_id}", Deleted)
    def delete(self, log_id: str, *, profile_reference_id: str | None = None) -> None:
        """Take a log out of the diary; where `profile_reference_id` is given it must be one of that profile."""
