"""What follows from writes to a diary: the sums of its days, and the foods that are eaten recently and most.

A Ledger gathers what one transaction does to one profile's logs, and brings all of that up to date at its end. Its
profile is locked alone meanwhile, so nobody else changes the same rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from provender.model.eaten import ALL_MEALS, EatenFood
from provender.model.sums import Sums
from provender.storage import diary_days, eaten
from provender.storage.diary import StoredLog
from provender.storage.engine import Statements


@dataclass(slots=True)
class _Change:
    """What happens to a food in a meal."""

    days: dict[int, int] = field(default_factory=dict)
    added: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)

    def count(self, day: int, by: int) -> None:
        self.days[day] = self.days.get(day, 0) + by


class Ledger:
    def __init__(self, profile_id: str, today: int) -> None:
        self._profile_id = profile_id
        self._today = today
        self._added: dict[int, list[Sums]] = {}
        self._removed: dict[int, list[Sums]] = {}
        self._changes: dict[tuple[str, str], _Change] = {}

    def add(self, log: StoredLog, sums: Sums, *, counts: bool) -> None:
        """A log that is in the diary from now on. It `counts` as eaten if its food exists."""
        self._added.setdefault(log.date, []).append(sums)
        if counts:
            for change in self._of(log):
                change.count(log.date, 1)
                change.added.add(log.number)

    def remove(self, log: StoredLog, sums: Sums, *, counts: bool) -> None:
        """A log that is not in the diary any more, or not as it was."""
        self._removed.setdefault(log.date, []).append(sums)
        if counts:
            for change in self._of(log):
                change.count(log.date, -1)
                change.removed.add(log.number)

    async def settle(self, statements: Statements) -> None:
        """To be called after the logs themselves have been written."""
        for day in self._added.keys() | self._removed.keys():
            await self._settle_day(statements, day)
        if self._changes:
            await self._settle_eaten(statements)

    def _of(self, log: StoredLog) -> Iterator[_Change]:
        for meal in (log.meal, ALL_MEALS):
            change = self._changes.get((log.food_id, meal))
            if change is None:
                change = self._changes[log.food_id, meal] = _Change()
            yield change

    async def _settle_day(self, statements: Statements, day: int) -> None:
        before = await diary_days.find_day(statements, self._profile_id, day)
        sums = Sums.total([before, *self._added.get(day, ())])
        for removed in self._removed.get(day, ()):
            sums = sums.minus(removed)
        if sums == before:
            return
        if day <= self._today and not before.entries:
            # Also where its first log is settled on a later day: nobody would come back to the day before it.
            await diary_days.show_day_before(statements, self._profile_id, day)
        await diary_days.save_day(statements, self._profile_id, day, sums, is_over=day != self._today)

    async def _settle_eaten(self, statements: Statements) -> None:
        rows = await eaten.find_rows(statements, self._profile_id, self._changes.keys())
        changed = []
        for (food_id, meal), change in self._changes.items():
            row = rows.get((food_id, meal))
            if row is None and not change.added:
                continue
            before = row or EatenFood(food_id, meal, 0, {})
            last_number = await self._last_number(statements, before, change)
            if last_number is None:
                await eaten.delete_row(statements, self._profile_id, food_id, meal)
            else:
                changed.append(before.changed(change.days, last_number, self._today))
        await eaten.save_rows(statements, self._profile_id, changed, self._today)
        meals = {meal for _, meal in self._changes}
        passed = await eaten.read_passed(statements, self._profile_id, meals, self._today)
        recounted = [row.changed({}, row.last_number, self._today) for row in passed]
        await eaten.save_rows(statements, self._profile_id, recounted, self._today)

    async def _last_number(self, statements: Statements, before: EatenFood, change: _Change) -> int | None:
        newest = max(change.added, default=0)
        if before.last_number in change.removed - change.added and newest < before.last_number:
            return await eaten.find_newest_number(statements, self._profile_id, before.food_id, before.meal)
        return max(before.last_number, newest)
