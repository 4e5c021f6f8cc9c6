"""What operators ask for: keys, usage, the catalogue; and the nutrients there are."""

from __future__ import annotations

from typing import Literal

from provender_client.endpoints import D, Resource, endpoint, listing
from provender_client.models.answers import Deleted
from provender_client.models.foods import Nutrient
from provender_client.models.operating import Catalogue, Key, NewKey, Scope, Usage
from provender_client.resources.parameters import Day


class Nutrients(Resource[D]):
    """The nutrients that foods may have."""

    @listing("/v1/nutrients", Nutrient)
    def list(self) -> None:
        """Every nutrient with its group and unit."""


class TheCatalogue(Resource[D]):
    """The food catalogue as a whole."""

    @endpoint("GET", "/v1/catalogue", Catalogue)
    def retrieve(self) -> None:
        """The version that answers now, its datasets, and what the last import did."""


class Keys(Resource[D]):
    """The API keys of your application. A key of scope `admin` is needed."""

    @listing("/v1/keys", Key)
    def list(
        self, *, starting_after: str | None = None, ending_before: str | None = None, limit: int | None = None
    ) -> None:
        """All keys, newest first, also those that were revoked; never the keys themselves."""

    @endpoint("POST", "/v1/keys", NewKey)
    def create(
        self, *, scope: Scope | None = None, rate_limit: int | None = None, idempotency_key: str | None = None
    ) -> None:
        """A new key, which is shown this once; its `scope` is `write` unless another is named.

        `rate_limit` is how many requests a minute it may send, and 0 any number; not more than the key that asks.
        """

    @endpoint("DELETE", "/v1/keys/{key_id}", Deleted)
    def revoke(self, key_id: str) -> None:
        """The key stops working, within seconds in every server process."""


class UsageFigures(Resource[D]):
    """The requests of your application."""

    @endpoint("GET", "/v1/usage", Usage)
    def retrieve(
        self, *, from_: Day | None = None, to: Day | None = None, by: Literal["day", "hour"] | None = None
    ) -> None:
        """Requests, errors and latency, `by` day or hour, by endpoint, and altogether.

        Days are those of UTC: the last 30 up to `to`, or 7 by the hour, unless `from_` says otherwise.
        """
