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
        """Log a food: by servings or by `metric_amount`; without more, one serving as a snack of today."""

    @endpoint("POST", "/v1/diary-logs/batch", CreatedList)
    def create_batch(self, logs: Sequence[NewLog], *, idempotency_key: str | None = None) -> None:
        """Log up to 100 foods, all of them or none."""

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
        """Log again, on the day `to`, what was logged on the day `from_`."""

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
        """The logs of a day, or of days, by date and then as they were made."""

    @endpoint("GET", "/v1/diary-logs/summary", Summary)
    def summary(
        self,
        profile_reference_id: str,
        *,
        date: Day | None = None,
        from_: Day | None = None,
        to: Day | None = None,
    ) -> None:
        """What a day, or each of up to 400 days, adds up to, exactly."""

    @endpoint("GET", "/v1/diary-logs/{log_id}", DiaryLog)
    def retrieve(self, log_id: str, *, profile_reference_id: str | None = None, include: IncludeGroups = None) -> None:
        """The log with this id."""

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
        """Only what is sent changes; a `note` of None takes it away."""

    @endpoint("DELETE", "/v1/diary-logs/{log_id}", Deleted)
    def delete(self, log_id: str, *, profile_reference_id: str | None = None) -> None:
        """Take a log out of the diary."""
