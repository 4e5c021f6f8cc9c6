"""The Python client of Provender, a self-hosted nutrition API.

    from provender_client import Client

    client = Client("pv_…")
    for food in client.foods.search("banana"):
        print(food.food_name, food.energy_kcal)

Begin to read in `client.py`; each file of `resources/` is a noun of the API with what can be done with it.
"""

from provender_client.calls import OMITTED
from provender_client.client import AsyncClient, Client
from provender_client.errors import (
    ApiError,
    Conflict,
    ConnectionFailed,
    FieldError,
    InvalidRequest,
    NotFound,
    PermissionDenied,
    ProvenderError,
    ServerError,
    ServiceUnavailable,
    TimedOut,
    TooManyRequests,
    Unauthenticated,
    UnexpectedAnswer,
)
from provender_client.gtin import InvalidBarcode, gtin
from provender_client.models.answers import Created, CreatedList, Deleted, Page
from provender_client.models.diary import DaySums, DiaryLog, Meal, NewLog, Summary, Sums
from provender_client.models.foods import Food, FoodType, Group, Nutrient, Nutrients, Serving, Totals, Unit
from provender_client.models.operating import Catalogue, Key, NewKey, Provenance, Scope, Usage
from provender_client.models.profiles import Profile, ProfileItem
from provender_client.models.saved_meals import LoggedMeal, MealItem, NewItem, SavedMeal, SavedMealWithTotals
from provender_client.pages import AsyncDownload, AsyncPages, Download, Pages
from provender_client.version import __version__

__all__ = [
    "OMITTED",
    "ApiError",
    "AsyncClient",
    "AsyncDownload",
    "AsyncPages",
    "Catalogue",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Created",
    "CreatedList",
    "DaySums",
    "Deleted",
    "DiaryLog",
    "Download",
    "FieldError",
    "Food",
    "FoodType",
    "Group",
    "InvalidBarcode",
    "InvalidRequest",
    "Key",
    "LoggedMeal",
    "Meal",
    "MealItem",
    "NewItem",
    "NewKey",
    "NewLog",
    "NotFound",
    "Nutrient",
    "Nutrients",
    "Page",
    "Pages",
    "PermissionDenied",
    "Profile",
    "ProfileItem",
    "Provenance",
    "ProvenderError",
    "SavedMeal",
    "SavedMealWithTotals",
    "Scope",
    "ServerError",
    "ServiceUnavailable",
    "Serving",
    "Summary",
    "Sums",
    "TimedOut",
    "TooManyRequests",
    "Totals",
    "Unauthenticated",
    "UnexpectedAnswer",
    "Unit",
    "Usage",
    "__version__",
    "gtin",
]
