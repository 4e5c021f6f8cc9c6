"""Which complaints of schemathesis are none, each with its reason. Whatever else it finds fails the run.

It calls what the document describes as right, and the server refuses, a fault. But a schema looks at one value, or at
one object, at a time, and knows neither what is stored nor what day it is.
"""

import re
from typing import Any

import schemathesis
from schemathesis import Case, HookContext, Response
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.openapi.checks import AllowHeaderMismatch, RejectedPositiveData

# The code of a fault, the parameters that may have it, and why no schema can say it.
BEYOND_A_SCHEMA = (
    ("invalid_cursor", "", "Whether an id is an item of the list, only the list knows."),
    ("invalid_barcode", r"(.*\.barcode)?", "A pattern cannot work out a check digit."),
    ("unknown_timezone", "timezone", "There are hundreds of names, and more with every release of tzdata."),
    ("not_found", r"diary_logs\[\d+\]\.logged_food_id", "It names another object of the same document."),
    ("unknown_serving", r"(.*\.)?serving_id", "It is an id of the food that is named beside it."),
    ("not_allowed", "_id", "It may only repeat the id in the path."),
    ("not_combinable", ".*", "What is null counts as not sent, and queries have no schema for all their parameters."),
    ("required", r"(.*\.)?brand_name", "It depends on food_type."),
    ("required", "date|from|to", "One of them is enough, and queries have no schema for all their parameters."),
    ("out_of_range", r"(.*\.)?date|from|to", "A date that is a string has no bounds in a schema; and what day is it?"),
    ("out_of_range", r"(.*\.)?(created|updated|added|exported)_at", "What lies ahead depends on the clock."),
    ("out_of_range", r"diary_logs\[\d+\]\.number_of_servings", "It is worked out again where metric_amount is sent."),
    ("out_of_range", r"(.*\.)?food_id", "A custom food may have more of something than can be counted."),
    (
        "out_of_range",
        r"((logs|items)\[\d+\]\.)?(number_of_servings|metric_amount)",
        "So much of such a food is too much.",
    ),
)

# A profile may be called `import`, so the path takes what the path of a profile takes, as `Allow` says.
SHARED_PATH = "/v1/profiles/import"


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case[Any], response: Response) -> bool:
    """Whether it is one."""
    if isinstance(failure, RejectedPositiveData):
        return not is_beyond_a_schema(response.json())
    if isinstance(failure, AcceptedNegativeData):
        return not names_nothing(case)
    return not (isinstance(failure, AllowHeaderMismatch) and case.operation.path == SHARED_PATH)


def names_nothing(case: Case[Any]) -> bool:
    """Whether the names of groups are sent and are empty: `include[]=` asks for no group, as `include=` does."""
    sent = (case.query or {}).get("include[]")
    names = sent if isinstance(sent, list) else [sent]
    return sent is not None and all(name == "" for name in names)


def is_beyond_a_schema(problem: dict[str, object]) -> bool:
    faults = problem.get("errors") or [{"code": problem["code"], "param": ""}]
    assert isinstance(faults, list)
    return all(
        any(fault["code"] == code and re.fullmatch(params, fault["param"]) for code, params, _ in BEYOND_A_SCHEMA)
        for fault in faults
    )
