"""What a profile is: one user of an integrating application, known by that application's own `reference_id`."""

from dataclasses import dataclass
from datetime import datetime

from provender.model.times import zone

REFERENCE_ID_MAX_LENGTH = 255

# Clients take these two out of a path before they send it, so such a profile could never be reached.
UNREACHABLE_REFERENCE_IDS = frozenset({".", ".."})


@dataclass(frozen=True, slots=True)
class Profile:
    id: str
    reference_id: str
    timezone: str | None
    created_at: datetime
    updated_at: datetime
    # The time the newest of its diary logs was made, whatever day that log is for.
    last_logged_at: datetime | None = None

    def is_active(self, now: datetime) -> bool:
        """Whether a log was made in the current calendar month, by the profile's own calendar."""
        if self.last_logged_at is None:
            return False
        own = zone(self.timezone)
        logged, today = self.last_logged_at.astimezone(own), now.astimezone(own)
        return (logged.year, logged.month) == (today.year, today.month)
