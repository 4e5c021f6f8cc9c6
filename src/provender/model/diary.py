"""What a diary is: entries at meals of days. A day is a calendar date of the profile's own time zone."""

from datetime import date, datetime
from enum import StrEnum

from provender.model.times import zone

BATCH_MAX = 100
COPY_MAX = 1000
SUMMARY_DAYS_MAX = 400
NOTE_MAX_LENGTH = 1000
SERVINGS_MAX = 100_000
METRIC_AMOUNT_MAX = 1_000_000

EARLIEST = date(1900, 1, 1)


class Meal(StrEnum):
    BREAKFAST = "breakfast"
    LUNCH = "lunch"
    DINNER = "dinner"
    SNACK = "snack"


def today(timezone: str | None, now: datetime) -> date:
    return now.astimezone(zone(timezone)).date()


def latest(day: date) -> date:
    """The last day that can be written on a day: the same of the next year."""
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return day.replace(year=day.year + 1, day=28)
