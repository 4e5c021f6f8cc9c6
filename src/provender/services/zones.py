"""The time zones of profiles that were asked for lately: a guess, which whoever uses it has the storage confirm.

A statement that depends on the day can then be sent before the profile was read, on the condition that its time zone is
this one. Most profiles have none, so that is the guess for those that nothing is known of.
"""

from provender.model.kept import Kept
from provender.storage.store import Store

_REMEMBERED = 50_000
_zones: Kept[tuple[str, str], str] = Kept(_REMEMBERED, lambda _: 1)


def guess(store: Store, reference_id: str) -> str | None:
    return _zones.get((store.application_id, reference_id)) or None


def note(store: Store, reference_id: str, timezone: str | None) -> None:
    """What was read just now. Not to be called inside a transaction, which may run in a thread of its own."""
    _zones.put((store.application_id, reference_id), timezone or "")
