"""Types of parameters that several resources take."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from provender_client.models.foods import Group

# As a date, or written as YYYY-MM-DD.
Day: TypeAlias = dt.date | str
# What a food may be asked to come with. None leaves it to the endpoint, an empty one asks for nothing.
Include: TypeAlias = Iterable[Group | Literal["servings"]] | None
# A log has no servings to include.
IncludeGroups: TypeAlias = Iterable[Group] | None
# Nutrients of a custom food by name; None takes one away.
SentAmounts: TypeAlias = Mapping[str, float | None] | None
