"""What operators ask about: keys, usage, the catalogue and where its foods are from."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal

from provender_client.models.answers import Answer

Scope = Literal["read", "write", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Answer):
    """An API key of the application. Its `id` is how the key begins; the key itself is shown once, when it is made."""

    id: str
    scope: Scope
    created_at: dt.datetime
    last_used_on: dt.date | None
    revoked_at: dt.datetime | None
    rate_limit: int | None
    works: bool
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey(Answer):
    """A key that was made. `key` is None where an earlier try had made it, whose answer was lost: then revoke it."""

    id: str
    # Answers get into logs, and this one must not.
    key: str | None = field(repr=False)
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures(Answer):
    """How many requests there were, and how long they took; quantiles are None where there were none."""

    requests: int
    client_errors: int
    server_errors: int
    p50_ms: float | None
    p95_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRow(Figures):
    """One day or, where hours were asked for, one hour."""

    date: dt.date | None = None
    hour: dt.datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointUsage(Figures):
    """One endpoint, such as `GET /v1/foods/search`."""

    endpoint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Answer):
    """The requests of the application over time, by endpoint, and altogether."""

    data: tuple[UsageRow, ...]
    endpoints: tuple[EndpointUsage, ...]
    total: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset(Answer):
    """A dataset that the catalogue has foods of."""

    name: str
    release: str | None
    foods: int
    imported_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueVersion(Answer):
    """A version of the catalogue that the server keeps; little is known of one that it cannot read."""

    version: str
    created_at: dt.datetime | None
    foods: int | None
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSource(Answer):
    """What an import has read."""

    kind: str
    dataset: str | None
    release: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection(Answer):
    """Why records were rejected, and how many."""

    reason: str
    title: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend(Answer):
    """What was put right in records, and in how many."""

    mend: str
    title: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport(Answer):
    """What an import did."""

    at: dt.datetime
    sources: tuple[ImportSource, ...]
    read: int
    accepted: int
    rejected: int
    rejections: tuple[Rejection, ...]
    mends: tuple[Mend, ...]
    took_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue(Answer):
    """The version of the food catalogue that answers now, and the import that made it."""

    version: str
    created_at: dt.datetime
    foods: int
    listed: int
    barcodes: int
    datasets: tuple[Dataset, ...]
    versions: tuple[CatalogueVersion, ...]
    last_import: ImportReport | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance(Answer):
    """Where a food is from. `calculated` has the nutrients that its source does not have."""

    id: str
    source: str
    source_key: str | None
    source_name: str
    dataset: str | None
    release: str | None
    imported_at: dt.datetime | None
    url: str | None
    license: str | None
    is_listed: bool
    calculated: tuple[str, ...]
    profile_reference_id: str | None
    created_at: dt.datetime
