"""The endpoints of the food diary."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812 - The parameter is called date.
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, UnsetType

from provender.api import render, render_diary
from provender.api.answers import Answer
from provender.api.kinds import REFERENCE_ID, Amount, Choice, Choices, Date, Items, Text
from provender.api.lists import ListParameters
from provender.api.parameters import NULLABLE
from provender.api.render import Created, Deleted
from provender.api.render_diary import CreatedList, LogAnswer, LogPage, SummaryAnswer
from provender.api.routing import Call, Route
from provender.model.access import Scope
from provender.model.diary import (
    BATCH_MAX,
    EARLIEST,
    METRIC_AMOUNT_MAX,
    NOTE_MAX_LENGTH,
    SERVINGS_MAX,
    SUMMARY_DAYS_MAX,
    Meal,
)
from provender.model.errors import (
    CatalogueUnavailable,
    Fault,
    FoodNotFound,
    InvalidCursor,
    LogNotFound,
    ProfileNotFound,
)
from provender.model.nutrients import OPTIONAL_GROUPS
from provender.services import diary, new_logs
from provender.services.diary import LogChange
from provender.services.portions import NewLog

MEAL = Choice(tuple(Meal))
WRITTEN_DATE = Date(earliest=EARLIEST, until="one year ahead")
SERVINGS = Amount(SERVINGS_MAX)

_OWNER = "The `reference_id` of the profile whose diary it is."
_FOOD = "The `_id` of a food of the catalogue, or of a custom food of this profile."
_NUMBER = "How many servings were eaten: of the serving that the food is shown with, or of `serving_id`."
_METRIC = "How much was eaten in the food's own unit, in the place of a number of servings."
_SERVING = "The `_id` of another of the food's `servings`."
_MEAL = "The meal that it was eaten at."
_DATE = "The day it was eaten: `YYYY-MM-DD`, or days since 1970-01-01. Today in the profile's time zone if not sent."
_NOTE = "What there is to remark."
_OWN_LOG = "If it is sent, the log must be one of this profile."

_GROUPS = tuple(group.value for group in OPTIONAL_GROUPS)


@dataclass(frozen=True, kw_only=True)
class GroupParameters:
    include: Annotated[frozenset[str], Choices(_GROUPS), "Groups of nutrients to add to each log."] = frozenset()


@dataclass(frozen=True, kw_only=True)
class NewLogParameters:
    EXCLUSIVE: ClassVar = (("number_of_servings", "metric_amount"), ("serving_id", "metric_amount"))

    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    food_id: Annotated[str, Text(), _FOOD]
    number_of_servings: Annotated[float | None, SERVINGS, f"{_NUMBER} 1 if not sent.", NULLABLE] = None
    metric_amount: Annotated[float | None, Amount(METRIC_AMOUNT_MAX), _METRIC, NULLABLE] = None
    serving_id: Annotated[str | None, Text(), _SERVING, NULLABLE] = None
    meal: Annotated[str, MEAL, _MEAL] = Meal.SNACK.value
    date: Annotated[Day | None, WRITTEN_DATE, _DATE, NULLABLE] = None
    note: Annotated[str | None, Text(longest=NOTE_MAX_LENGTH), _NOTE, NULLABLE] = None

    def new_log(self, name: str = "") -> NewLog:
        return NewLog(
            reference_id=self.profile_reference_id,
            food_id=self.food_id,
            meal=Meal(self.meal),
            number_of_servings=self.number_of_servings,
            metric_amount=self.metric_amount,
            serving_id=self.serving_id,
            day=self.date,
            note=self.note,
            name=name,
        )


@dataclass(frozen=True, kw_only=True)
class LogBatch:
    logs: Annotated[
        tuple[NewLogParameters, ...], Items(NewLogParameters, BATCH_MAX), "The logs, each as in a single one."
    ]


def _dates_make_a_range(sent: Mapping[str, Any]) -> Iterable[Fault]:
    if sent.get("from") is not None and sent.get("to") is not None and sent["to"] < sent["from"]:
        yield Fault("to", "out_of_range", "must not be before from.")


def _some_date_is_sent(sent: Mapping[str, Any]) -> Iterable[Fault]:
    # A date that does not fit has been told, and is not missing.
    if sent.keys() >= {"date", "from", "to"} and sent["date"] is sent["from"] is sent["to"] is None:
        yield Fault("date", "required", "is required, or from or to, or both: the days that are meant.")


def _summary_is_not_too_long(sent: Mapping[str, Any]) -> Iterable[Fault]:
    if None not in (sent.get("from"), sent.get("to")) and (sent["to"] - sent["from"]).days >= SUMMARY_DAYS_MAX:
        yield Fault("to", "out_of_range", f"must be within {SUMMARY_DAYS_MAX} days, counted from from.")


@dataclass(frozen=True, kw_only=True)
class LogList(ListParameters, GroupParameters):
    RULES: ClassVar = (_some_date_is_sent, _dates_make_a_range)
    EXCLUSIVE: ClassVar = (*ListParameters.EXCLUSIVE, ("date", "from"), ("date", "to"))

    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    date: Annotated[Day | None, Date(), "The day whose logs to list."] = None
    from_: Annotated[Day | None, Date(), "The first day whose logs to list."] = None
    to: Annotated[Day | None, Date(), "The last day whose logs to list."] = None
    meal: Annotated[str | None, MEAL, "The only meal whose logs to list."] = None


@dataclass(frozen=True, kw_only=True)
class LogRetrieval(GroupParameters):
    profile_reference_id: Annotated[str | None, REFERENCE_ID, _OWN_LOG] = None


@dataclass(frozen=True, kw_only=True)
class LogChangeParameters:
    EXCLUSIVE: ClassVar = (("number_of_servings", "metric_amount"),)

    profile_reference_id: Annotated[str | None, REFERENCE_ID, _OWN_LOG] = None
    number_of_servings: Annotated[float | UnsetType, SERVINGS, "How many servings were eaten."] = UNSET
    metric_amount: Annotated[float | UnsetType, Amount(METRIC_AMOUNT_MAX), _METRIC] = UNSET
    meal: Annotated[str | UnsetType, MEAL, _MEAL] = UNSET
    date: Annotated[Day | UnsetType, WRITTEN_DATE, "The day it was eaten."] = UNSET
    note: Annotated[str | UnsetType | None, Text(longest=NOTE_MAX_LENGTH), _NOTE, NULLABLE] = UNSET

    def change(self) -> LogChange:
        """What was sent."""
        change: LogChange = {}
        if self.number_of_servings is not UNSET:
            change["number_of_servings"] = self.number_of_servings
        if self.metric_amount is not UNSET:
            change["metric_amount"] = self.metric_amount
        if self.meal is not UNSET:
            change["meal"] = Meal(self.meal)
        if self.date is not UNSET:
            change["date"] = self.date
        if self.note is not UNSET:
            change["note"] = self.note
        return change


@dataclass(frozen=True, kw_only=True)
class LogOwner:
    profile_reference_id: Annotated[str | None, REFERENCE_ID, _OWN_LOG] = None


@dataclass(frozen=True, kw_only=True)
class LogCopyParameters:
    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    from_: Annotated[Day, Date(), "The day whose logs to copy."]
    to: Annotated[Day, WRITTEN_DATE, "The day to copy them to."]
    meal: Annotated[str | None, MEAL, "The only meal to copy."] = None


def _summary_has_two_ends(sent: Mapping[str, Any]) -> Iterable[Fault]:
    if sent.keys() >= {"date", "from", "to"} and sent["date"] is None:
        missing = [end for end in ("from", "to") if sent[end] is None]
        yield from (Fault(end, "required", "is required, unless date is sent.") for end in missing)


@dataclass(frozen=True, kw_only=True)
class SummaryParameters:
    RULES: ClassVar = (_summary_has_two_ends, _dates_make_a_range, _summary_is_not_too_long)
    EXCLUSIVE: ClassVar = (("date", "from"), ("date", "to"))

    profile_reference_id: Annotated[str, REFERENCE_ID, _OWNER]
    date: Annotated[Day | None, Date(), "The only day to sum up."] = None
    from_: Annotated[Day | None, Date(), "The first day to sum up."] = None
    to: Annotated[Day | None, Date(), "The last day to sum up; at most 400 days in all."] = None

    @property
    def days(self) -> tuple[Day, Day]:
        """Both ends; the rules have seen to it that they are there."""
        return self.date or self.from_ or Day.min, self.date or self.to or Day.max


async def create_log(call: Call[NewLogParameters]) -> Answer:
    def answer(ids: Sequence[str]) -> Answer:
        return render.created(ids[0])

    store = call.store_once([call.parameters.profile_reference_id], answer)
    ids = await new_logs.create_logs(call.services.catalogue, store, [call.parameters.new_log()], call.now)
    call.services.settler.note(store.application_id, [call.parameters.profile_reference_id])
    return answer(ids)


async def create_logs_in_batch(call: Call[LogBatch]) -> Answer:
    new = [log.new_log(f"logs[{place}].") for place, log in enumerate(call.parameters.logs)]
    owners = [log.reference_id for log in new]
    store = call.store_once(owners, render_diary.created_list)
    ids = await new_logs.create_logs(call.services.catalogue, store, new, call.now)
    call.services.settler.note(store.application_id, owners)
    return render_diary.created_list(ids)


async def copy_logs(call: Call[LogCopyParameters]) -> Answer:
    asked = call.parameters
    meal = None if asked.meal is None else Meal(asked.meal)
    store = call.store_once([asked.profile_reference_id], render_diary.created_list)
    ids = await diary.copy_logs(store, asked.profile_reference_id, asked.from_, asked.to, meal, call.now)
    call.services.settler.note(store.application_id, [asked.profile_reference_id])
    return render_diary.created_list(ids)


async def list_logs(call: Call[LogList]) -> Answer:
    asked = call.parameters
    page = await diary.list_entries(
        call.store,
        asked.profile_reference_id,
        asked.page,
        first=asked.date or asked.from_,
        last=asked.date or asked.to,
        meal=None if asked.meal is None else Meal(asked.meal),
        include=asked.include,
    )
    return render_diary.log_page(page, asked.include)


async def summarise_logs(call: Call[SummaryParameters]) -> Answer:
    asked = call.parameters
    return render_diary.summary(await diary.summarise(call.store, asked.profile_reference_id, *asked.days, call.now))


async def retrieve_log(call: Call[LogRetrieval]) -> Answer:
    asked = call.parameters
    return render_diary.log(await diary.get_entry(call.store, call.path[0], asked.profile_reference_id), asked.include)


async def change_log(call: Call[LogChangeParameters]) -> Answer:
    asked = call.parameters
    entry = await diary.change_log(call.store, call.path[0], asked.profile_reference_id, call.now, **asked.change())
    return render_diary.log(entry, frozenset(_GROUPS))


async def delete_log(call: Call[LogOwner]) -> Answer:
    await diary.delete_log(call.store, call.path[0], call.parameters.profile_reference_id, call.now)
    return render.deleted(call.path[0])


ROUTES = (
    Route(
        method="POST",
        path="/v1/diary-logs",
        handler=create_log,
        summary="Log a food",
        description="The log keeps the food as it is now: no later change of the food changes it.",
        tag="Food diary",
        scope=Scope.WRITE,
        parameters=NewLogParameters,
        answers={201: Created},
        errors=(FoodNotFound, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="POST",
        path="/v1/diary-logs/batch",
        handler=create_logs_in_batch,
        summary="Log several foods",
        description="All of them or none, for one profile or several. Faults name the place: `logs[3].food_id`.",
        tag="Food diary",
        scope=Scope.WRITE,
        parameters=LogBatch,
        answers={201: CreatedList},
        errors=(FoodNotFound, ProfileNotFound, CatalogueUnavailable),
    ),
    Route(
        method="POST",
        path="/v1/diary-logs/copy",
        handler=copy_logs,
        summary="Copy a day, or a meal of it",
        description="The copies have the values of the logs they are copies of, even where a food is gone since. "
        "Where there is nothing to copy, the answer is 200.",
        tag="Food diary",
        scope=Scope.WRITE,
        parameters=LogCopyParameters,
        answers={200: CreatedList, 201: CreatedList},
        errors=(ProfileNotFound,),
    ),
    Route(
        method="GET",
        path="/v1/diary-logs",
        handler=list_logs,
        summary="List a profile's logs",
        description="By date, then in the order in which they were made: of one day, or from one day to another.",
        tag="Food diary",
        scope=Scope.READ,
        parameters=LogList,
        answers={200: LogPage},
        errors=(InvalidCursor, ProfileNotFound),
    ),
    Route(
        method="GET",
        path="/v1/diary-logs/summary",
        handler=summarise_logs,
        summary="Sum up days",
        description="For each day that has entries, and for all of them, the sum of every nutrient, and how many "
        "entries did not know it. A nutrient that no entry of the answer knows is not mentioned.",
        tag="Food diary",
        scope=Scope.READ,
        parameters=SummaryParameters,
        answers={200: SummaryAnswer},
        errors=(ProfileNotFound,),
    ),
    Route(
        method="GET",
        path="/v1/diary-logs/{log_id}",
        handler=retrieve_log,
        summary="Retrieve a log",
        description="With the values of what was eaten, as the food was when it was logged.",
        tag="Food diary",
        scope=Scope.READ,
        parameters=LogRetrieval,
        answers={200: LogAnswer},
        errors=(LogNotFound,),
    ),
    Route(
        method="PATCH",
        path="/v1/diary-logs/{log_id}",
        handler=change_log,
        summary="Change a log",
        description="Only what is sent is changed. The answer has all groups.",
        tag="Food diary",
        scope=Scope.WRITE,
        parameters=LogChangeParameters,
        answers={200: LogAnswer},
        errors=(LogNotFound,),
    ),
    Route(
        method="DELETE",
        path="/v1/diary-logs/{log_id}",
        handler=delete_log,
        summary="Delete a log",
        description="It leaves the sums of its day and the eaten lists too.",
        tag="Food diary",
        scope=Scope.WRITE,
        parameters=LogOwner,
        answers={200: Deleted},
        errors=(LogNotFound,),
    ),
)
