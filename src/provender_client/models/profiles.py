"""Profiles: one for each user of your application."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from provender_client.models.answers import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileItem(Answer):
    """A profile as the list has it."""

    id: str
    reference_id: str
    is_active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(ProfileItem):
    """A whole profile."""

    created_at: datetime
    updated_at: datetime
    timezone: str | None
