"""One profile that is being checked: where it is, and how something about it is looked at alone.

Checks read without locks, so that nobody waits for them, and what they read may be changed meanwhile. So a difference
is looked at a second time before anybody hears of it, with the profile locked, and put right there if it is to be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from provender.model.checking import Finding, Kind, Owner, Tally
from provender.model.diary import today
from provender.model.times import Clock, to_day
from provender.storage import checking
from provender.storage.engine import Operation, Statements
from provender.storage.store import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CheckedProfile:
    store: Store
    id: str
    owner: Owner
    clock: Clock
    repair: bool
    # Not while logs are about that have lost their profile: it may be theirs what nobody seems to use.
    clear_unused: bool
    tally: Tally

    def finding(
        self, kind: Kind, what: str, kept: str | None = None, right: str | None = None, *, is_mended: bool | None = None
    ) -> Finding:
        """Something that is wrong. What follows from other rows is mended, unless the caller says otherwise."""
        mended = self.repair and kind.is_derived if is_mended is None else is_mended
        return Finding(kind, what, kept, right, self.owner, mended)

    def today(self, timezone: str | None) -> int:
        """To be asked after rows were read: no row is of a later day, unless the servers' clocks differ."""
        return to_day(today(timezone, self.clock()))

    async def alone(self, operation: Operation[T], gone: Callable[[], T]) -> T:
        """Run the operation in a transaction that has locked the profile alone; `gone` is for one that is deleted."""

        async def locked(statements: Statements) -> T:
            return await operation(statements) if await checking.lock(statements, self.id) else gone()

        return await self.store.transaction(locked)
