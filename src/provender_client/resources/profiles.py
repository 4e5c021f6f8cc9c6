"""Profiles: one for each user of your application, by your own id of that user."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from provender_client.calls import OMITTED, Document, FileBody, Omitted
from provender_client.endpoints import D, Resource, endpoint, export, listing
from provender_client.models.answers import Deleted
from provender_client.models.profiles import Profile, ProfileItem

# A profile of many years is written in many small steps before the answer comes.
_IMPORT_MAY_TAKE_S = 600.0


def _document(document: bytes | Path | Mapping[str, Any] | str) -> Document:
    if isinstance(document, str):
        raise TypeError("A document is bytes, a pathlib.Path or a mapping. A str could be its text or its path.")
    if isinstance(document, Path):
        return Document(body=FileBody(document), patience_s=_IMPORT_MAY_TAKE_S)
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Document(body=body, patience_s=_IMPORT_MAY_TAKE_S)


class Profiles(Resource[D]):
    """The profiles of your application."""

    @endpoint("POST", "/v1/profiles", Profile)
    def create(self, reference_id: str, *, timezone: str | None = None, idempotency_key: str | None = None) -> None:
        """A profile for a user of yours; `reference_id` is your own id of that user.

        `timezone` is an IANA name such as Europe/Berlin, by which the days of the diary begin; UTC without one.
        """

    @listing("/v1/profiles", ProfileItem)
    def list(
        self, *, starting_after: str | None = None, ending_before: str | None = None, limit: int | None = None
    ) -> None:
        """All profiles, newest first."""

    @endpoint("GET", "/v1/profiles/{reference_id}", Profile)
    def retrieve(self, reference_id: str) -> None:
        """The profile of this user."""

    @endpoint("PATCH", "/v1/profiles/{reference_id}", Profile)
    def change(self, reference_id: str, *, timezone: str | Omitted | None = OMITTED) -> None:
        """Another `timezone`, or None for UTC."""

    @endpoint("DELETE", "/v1/profiles/{reference_id}", Deleted)
    def delete(self, reference_id: str) -> None:
        """The profile and everything that it has are gone at once."""

    @export("/v1/profiles/{reference_id}/export")
    def export(self, reference_id: str) -> None:
        """Everything the profile has, as a JSON document that comes piece by piece."""

    @endpoint("POST", "/v1/profiles/import", Profile, document=_document)
    def import_document(
        self,
        document: bytes | Path | Mapping[str, Any],
        *,
        reference_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """A new profile from what `export` gave, all of it or nothing; a path is read piece by piece.

        `reference_id` is given where the profile is to have another than it had.
        """
