"""The time zones of profiles that were asked for lately: a guess, which whoever uses it has the storage confirm."""

from provender.storage.store import Store

_REMEMBERED = 50_000


class Zones:
    """Which time zone a profile had the last time. Most have none, so that is the guess for the others.

    A statement that needs to know the day can then be sent before the profile was read, on the condition that its zone
    is this one.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def guess(self, store: Store, reference_id: str) -> str | None:
        return self._known.get((store.application_id, reference_id))

    def note(self, store: Store, reference_id: str, timezone: str | None) -> None:
        if timezone is None:
            self._known.pop((store.application_id, reference_id), None)
            return
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[store.application_id, reference_id] = timezone
