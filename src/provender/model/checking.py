"""What a check can find: each kind has a short name that stays, what it means, and whether it can be mended."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class _Meaning(NamedTuple):
    name: str
    sentence: str
    # Whether what is right follows from other rows, so that it can be worked out anew.
    is_derived: bool


class Kind(Enum):
    DATABASE_DAMAGED = _Meaning("database_damaged", "The database finds its own files damaged.", False)
    STORAGE_UNREADABLE = _Meaning("storage_unreadable", "The storage, or all of a profile, cannot be read.", False)
    ROW_UNREADABLE = _Meaning("row_unreadable", "A row has content that cannot be read.", False)
    ROWS_WITHOUT_PROFILE = _Meaning(
        "rows_without_profile",
        "Rows of no profile, and of none that is noted as deleted, are what a lost profile has left.",
        False,
    )
    DERIVED_WITHOUT_PROFILE = _Meaning(
        "derived_without_profile", "Rows that only ever follow from others are those of no profile.", True
    )
    PROFILE_NOTED_AS_DELETED = _Meaning(
        "profile_noted_as_deleted",
        "A profile that is there is noted as deleted: a server would clear its rows away.",
        False,
    )
    WRONG_APPLICATION = _Meaning(
        "wrong_application", "Rows of a profile name another application than the profile does.", True
    )
    LAST_NUMBER = _Meaning(
        "last_number", "The profile has a log or a favorite with a greater number than the last it has given.", True
    )
    UNSETTLED = _Meaning("unsettled", "The profile owes another number of logs than it says; see decision 0023.", True)
    LAST_LOGGED_AT = _Meaning("last_logged_at", "The profile's last log was made at another time than it says.", True)
    LOG_WITHOUT_FOOD = _Meaning("log_without_food", "A log's food as it was logged is not there.", False)
    LOGGED_FOOD_CHANGED = _Meaning(
        "logged_food_changed", "A food as it was logged is not what its id is a hash of.", False
    )
    LOGGED_FOOD_UNUSED = _Meaning("logged_food_unused", "No log uses this food as it was logged.", True)
    DAY_SUMS = _Meaning("day_sums", "What is kept of a day is not what its logs add up to.", True)
    DAY_SHOWN = _Meaning("day_shown", "A day is shown with other sums than it has.", True)
    EATEN_FOOD = _Meaning("eaten_food", "How often, or when last, a food was eaten is not what the logs say.", True)
    CUSTOM_FOOD_WORDS = _Meaning(
        "custom_food_words", "The words that search finds a custom food by are not those of its name.", True
    )
    CATALOGUE_UNREADABLE = _Meaning(
        "catalogue_unreadable", "A version of the catalogue, or the name of the one in use, cannot be read.", False
    )
    CATALOGUE_DAMAGED = _Meaning("catalogue_damaged", "A file of the catalogue is damaged.", False)
    CATALOGUE_COUNT = _Meaning(
        "catalogue_count", "A version has another number of something than its manifest says.", False
    )
    CATALOGUE_FOOD = _Meaning("catalogue_food", "A food of the catalogue is not what was imported.", False)
    CATALOGUE_BARCODE = _Meaning("catalogue_barcode", "A barcode of the catalogue leads to no food that has it.", False)
    CATALOGUE_WORDS = _Meaning("catalogue_words", "The words of a version are not those of its search index.", False)

    @property
    def code(self) -> str:
        return self.value.name

    @property
    def sentence(self) -> str:
        return self.value.sentence

    @property
    def is_derived(self) -> bool:
        return self.value.is_derived


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose something is, as an operator knows it."""

    application: str
    reference_id: str


@dataclass(frozen=True, slots=True)
class Finding:
    kind: Kind
    # Which of the things of its kind: a day, a food, a table.
    what: str
    kept: str | None = None
    right: str | None = None
    owner: Owner | None = None
    is_mended: bool = False


@dataclass(slots=True)
class Tally:
    """How much was looked at."""

    profiles: int = 0
    logs: int = 0
    custom_foods: int = 0
    catalogue_versions: int = 0
    catalogue_foods: int = 0
