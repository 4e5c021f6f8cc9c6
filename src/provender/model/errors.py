"""Every way in which Provender says no, as one tree.

    ProvenderError
    ├── InvalidRequest           the caller must change what it sends
    │   ├── InvalidParameters    … and here is what is wrong with each parameter
    │   ├── InvalidBody
    │   ├── InvalidBarcode
    │   └── InvalidCursor
    ├── Unauthenticated          no key, or none that works
    ├── InsufficientScope        a key that works, but not for this
    ├── InvalidFormToken         a change by a session of the console that its pages did not ask for
    ├── NotFound
    │   ├── FoodNotFound
    │   ├── KeyNotFound
    │   ├── LogNotFound
    │   ├── MealNotFound
    │   └── ProfileNotFound
    ├── Conflict
    │   ├── IdempotencyKeyReused
    │   ├── MealItemsMissing
    │   ├── OwnKey
    │   └── ReferenceIdTaken
    ├── TooManyRequests          try again later; nothing was done
    ├── StorageUnavailable       the same, and nothing was half written
    ├── CatalogueUnavailable     the same, for the food catalogue
    ├── SchemaTooNew             an older program on newer storage; it must not start
    └── NotMoved                 a backup, a restore or a copy that was not made; nothing of it is left

A class's `code` is public and stable, its `title` is the same for every occurrence, and `advice` is what the page
`/docs/errors` tells the reader to do. The HTTP status of a class is known to `api/errors.py` alone. What is not found
or conflicts may name the parameters that it is about, such as one log of a batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


class ProvenderError(Exception):
    """Something that the caller, or the operator, can be told in one sentence."""

    code: ClassVar[str]
    title: ClassVar[str]
    advice: ClassVar[str]
    # What callers are told in the place of `detail`, where that is for the operator: it may name hosts and files.
    public_detail: ClassVar[str | None] = None

    def __init__(self, detail: str, *, faults: Sequence["Fault"] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        # What is wrong with single parameters, where the error is about some of them.
        self.faults = list(faults)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one parameter."""

    param: str
    code: str
    message: str


class InvalidRequest(ProvenderError):
    code = "invalid_request"
    title = "The request cannot be understood"
    advice = "Change the request as `detail` says; sending it again unchanged gives the same answer."


class InvalidParameters(InvalidRequest):
    code = "invalid_parameters"
    title = "Some parameters are not right"
    advice = (
        "`errors` lists what is wrong, at most 25 faults at once: the parameter, a code and a sentence for each. "
        "Nothing was changed."
    )

    def __init__(self, faults: list[Fault]) -> None:
        first = f"{faults[0].param}: {faults[0].message}"
        more = f" ({len(faults) - 1} more in errors.)" if len(faults) > 1 else ""
        super().__init__(f"{first}{more}", faults=faults)


class InvalidBody(InvalidRequest):
    code = "invalid_body"
    title = "The body cannot be read"
    advice = (
        "Send form-encoded pairs (`Content-Type: application/x-www-form-urlencoded`) or one JSON object "
        "(`Content-Type: application/json`), in UTF-8, no name twice."
    )


class InvalidCursor(InvalidRequest):
    code = "invalid_cursor"
    title = "The cursor is no item of this list"
    advice = (
        "`starting_after` and `ending_before` take the `_id` of an item of the same list. If that item was deleted "
        "meanwhile, start again without a cursor."
    )

    def __init__(
        self,
        detail: str = "The cursor is no item of this list. Use the _id of an item from its last answer, or start again "
        "without a cursor.",
    ) -> None:
        super().__init__(detail)


class InvalidBarcode(InvalidRequest):
    code = "invalid_barcode"
    title = "The barcode is no GTIN-13"
    advice = (
        "Send 13 digits with a right check digit. Shorter codes are padded with zeros on the left, and a UPC-E is "
        "expanded first; where that can be done, `detail` says what to send, and `provender gtin CODE` does it too."
    )


class Unauthenticated(ProvenderError):
    code = "unauthenticated"
    title = "A valid API key is needed"
    advice = (
        "Send `Authorization: Bearer <API_KEY>`. `provender keys create --application NAME` on the server makes a "
        "key; it is shown once."
    )


class InsufficientScope(ProvenderError):
    code = "insufficient_scope"
    title = "This key may not do that"
    advice = "Use a key of a larger scope: `read` may read, `write` may also change, `admin` may also manage keys."


class InvalidFormToken(ProvenderError):
    code = "invalid_form_token"
    title = "This change was not asked for by a page of the console"
    advice = (
        "Whoever is signed in to the console by a cookie sends the page's token with every change. Load the page "
        "again. A program sends `Authorization: Bearer <API_KEY>` and needs no token."
    )

    def __init__(self) -> None:
        super().__init__("The token of the console's page is missing or of another session. Load the page again.")


class NotFound(ProvenderError):
    code = "not_found"
    title = "There is nothing here"
    advice = "Compare the address with `/openapi.json`."


class FoodNotFound(NotFound):
    code = "food_not_found"
    title = "There is no such food"
    advice = (
        "Use the `_id` of a food from an answer of this server. A barcode that is not found may be new: import a newer "
        "catalogue."
    )


class KeyNotFound(NotFound):
    code = "key_not_found"
    title = "There is no such key"
    advice = (
        "Use the `_id` of a key from an answer of `GET /v1/keys`: the first 11 characters of the key, and not the key "
        "itself. Keys of other applications are not there."
    )

    def __init__(self) -> None:
        super().__init__("No key of this application has this _id. Take the _id from an answer of GET /v1/keys.")


class LogNotFound(NotFound):
    code = "log_not_found"
    title = "There is no such diary log"
    advice = (
        "Use the `_id` of a log from an answer of `GET /v1/diary-logs`, with the profile that it belongs to. A log "
        "that was deleted does not come back."
    )

    def __init__(
        self,
        detail: str = "There is no diary log with this _id, or it is not one of the profile that was named. Take the "
        "_id from an answer of GET /v1/diary-logs.",
        *,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(detail, faults=faults)


class MealNotFound(NotFound):
    code = "meal_not_found"
    title = "There is no such saved meal"
    advice = (
        "Use the `_id` of a saved meal from an answer of `GET /v1/saved-meals`, with the profile that it belongs to. "
        "Breakfast, lunch, dinner and snack are no saved meals."
    )

    def __init__(
        self,
        detail: str = "No saved meal has this _id. Take the _id from an answer of GET /v1/saved-meals.",
        *,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(detail, faults=faults)


class ProfileNotFound(NotFound):
    code = "profile_not_found"
    title = "There is no such profile"
    advice = (
        "Profiles are found by the `reference_id` they were created with, compared letter by letter and "
        "percent-encoded in a path. Create the profile with `POST /v1/profiles`."
    )

    def __init__(self, *, faults: Sequence[Fault] = ()) -> None:
        super().__init__(
            "No profile of this application has that reference_id. Create it with POST /v1/profiles.", faults=faults
        )


class Conflict(ProvenderError):
    """Not possible as things stand: what it conflicts with is the subclass."""


class IdempotencyKeyReused(Conflict):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used for another body"
    advice = (
        "Make a new key for every new request, and send a key again only with the body it was first sent with. Nothing "
        "was written."
    )

    def __init__(self) -> None:
        super().__init__(
            "In the last 24 hours this Idempotency-Key was sent to this path with another body. Send that body again, "
            "or a new key for this one."
        )


class MealItemsMissing(Conflict):
    code = "meal_items_missing"
    title = "The saved meal has items whose food no longer exists"
    advice = (
        "Nothing was logged. Send `skip_missing=true` to log the other items, or change the items of the meal with "
        "`PATCH /v1/saved-meals/{meal_id}`; those that are `missing` have no food."
    )

    def __init__(
        self,
        detail: str = "This saved meal has items whose food no longer exists, so nothing was logged. Send "
        "skip_missing=true to log the others, or change the meal.",
        *,
        faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(detail, faults=faults)


class OwnKey(Conflict):
    code = "own_key"
    title = "A key cannot revoke itself"
    advice = (
        "Send the request with another key of scope `admin`; `POST /v1/keys` makes one. So nobody is locked out by "
        "mistake. Operators can revoke any key with `provender keys revoke`."
    )

    def __init__(self) -> None:
        super().__init__(
            "This is the key that the request was sent with, and a key cannot revoke itself. Use another key of scope "
            "admin."
        )


class ReferenceIdTaken(Conflict):
    code = "reference_id_taken"
    title = "A profile with this reference_id exists already"
    advice = "Retrieve the profile with `GET /v1/profiles/{reference_id}`, or choose another `reference_id`."

    def __init__(self, *, faults: Sequence[Fault] = ()) -> None:
        super().__init__(
            "A profile with this reference_id exists already. Retrieve it with GET /v1/profiles/{reference_id}, or "
            "choose another reference_id.",
            faults=faults,
        )


class TooManyRequests(ProvenderError):
    code = "too_many_requests"
    title = "Too many requests in a short time"
    advice = (
        "Wait as many seconds as `Retry-After` says, then send the request again; nothing was done. `RateLimit-Limit`, "
        "`RateLimit-Remaining` and `RateLimit-Reset` tell how much of the key's quota is left."
    )

    def __init__(self, detail: str, retry_after_s: int) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class StorageUnavailable(ProvenderError):
    code = "storage_unavailable"
    title = "The storage does not answer"
    public_detail = "The storage does not answer. Nothing was half written; try again in a moment."
    advice = (
        "Send the request again after the seconds in `Retry-After`. Operators: the server's log names the cause "
        "(disk full, database down, all connections in use)."
    )


class CatalogueUnavailable(ProvenderError):
    code = "catalogue_unavailable"
    title = "The food catalogue does not answer"
    public_detail = "The food catalogue does not answer. Try again in a moment."
    advice = (
        "Send the request again after the seconds in `Retry-After`. Operators: `provender catalogue list` shows the "
        "versions there are, `provender catalogue use VERSION` goes back to one, and an import makes a new one."
    )


class SchemaTooNew(ProvenderError):
    code = "schema_too_new"
    title = "The storage was written by a newer Provender"
    advice = "Start the Provender release that wrote the storage, or a later one. This one has changed nothing."


class NotMoved(ProvenderError):
    code = "not_moved"
    title = "The data was not backed up, restored or copied"
    advice = "Do what `detail` says, then run the command again. What was there is as it was."
