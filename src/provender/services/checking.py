"""A check of the whole storage: the database itself, and every profile against a fresh count of its logs.

It reads as others write, profile by profile and in pages, so its memory does not grow with what there is. What follows
from other rows can be repaired, each thing in a transaction of its own. What does not is never touched.
"""

from collections.abc import AsyncGenerator, Mapping
from functools import partial

from provender.model.checking import Finding, Kind, Owner, Tally
from provender.model.errors import StorageUnavailable
from provender.model.times import Clock
from provender.services.checked_profile import CheckedProfile
from provender.services.day_checks import check_days
from provender.services.eaten_checks import check_eaten
from provender.services.profile_checks import check_custom_foods, check_logged_foods, check_meals, check_row
from provender.storage import owners
from provender.storage.access import list_applications
from provender.storage.engine import Engine
from provender.storage.owners import Owned
from provender.storage.removal import OWNED_TABLES
from provender.storage.store import Store

_PROFILES_AT_ONCE = 500

# In this order, because what the first ones mend is what the later ones go by.
_CHECKS = (check_row, check_logged_foods, check_days, check_eaten, check_custom_foods, check_meals)


class StorageCheck:
    """One check, and how much it has looked at so far. `notes` are what it could not look at."""

    def __init__(self, engine: Engine, clock: Clock, tally: Tally, *, repair: bool) -> None:
        self._engine = engine
        self._clock = clock
        self._tally = tally
        self._repair = repair
        self._has_lost_rows = False
        self.notes: list[str] = []

    async def all(self, application: str | None = None, reference_id: str | None = None) -> AsyncGenerator[Finding]:
        """Everything; or the profiles of one application alone, or one of these."""
        try:
            names = {each.id: each.name for each in await list_applications(self._engine)}
            # Whoever writes has to know first what state the database is in.
            if application is None or self._repair:
                async for finding in self._tables(names):
                    yield finding
            async for owned in self._profiles(names, application, reference_id):
                async for finding in self._profile(owned, Owner(names[owned.application_id], owned.reference_id)):
                    yield finding
        except StorageUnavailable as error:
            yield Finding(Kind.STORAGE_UNREADABLE, error.detail)

    async def _tables(self, names: Mapping[str, str]) -> AsyncGenerator[Finding]:
        """What is not about one profile that is there."""
        damage = await self._engine.find_damage()
        self.notes += damage.notes
        for fault in damage.faults:
            yield Finding(Kind.DATABASE_DAMAGED, fault)
        if damage.faults and self._repair:
            self._repair = False
            self.notes.append("Nothing is mended in a damaged database. Restore a backup, or mend the database first.")
        for table in OWNED_TABLES:
            try:
                async for finding in self._lost(table):
                    yield finding
            except StorageUnavailable as error:
                # There may be lost rows that were not seen.
                self._has_lost_rows = True
                yield Finding(Kind.STORAGE_UNREADABLE, f"{table}: {error.detail}")
        for application_id, id_, reference_id in await owners.read_noted(self._engine):
            owner = Owner(names.get(application_id, application_id), reference_id)
            yield Finding(Kind.PROFILE_NOTED_AS_DELETED, f"profile {id_}", owner=owner)

    async def _lost(self, table: str) -> AsyncGenerator[Finding]:
        is_derived = table in owners.DERIVED_TABLES
        kind = Kind.DERIVED_WITHOUT_PROFILE if is_derived else Kind.ROWS_WITHOUT_PROFILE
        for profile_id in await owners.read_lost(self._engine, table):
            self._has_lost_rows = self._has_lost_rows or not is_derived
            if self._repair and is_derived:
                clear = partial(owners.clear_lost, table=table, profile_id=profile_id)
                while await self._engine.transaction(clear):
                    pass
            yield Finding(kind, f"{table} of profile {profile_id!r}", is_mended=self._repair and is_derived)

    async def _profiles(
        self, names: dict[str, str], application: str | None, reference_id: str | None
    ) -> AsyncGenerator[Owned]:
        wanted = next((id_ for id_, name in names.items() if name == application), None)
        if wanted is not None and reference_id is not None:
            found = await owners.find_owned(self._engine, wanted, reference_id)
            if found is not None:
                yield found
            return
        after = (wanted or "", "")
        while page := await owners.read_profiles(self._engine, after, _PROFILES_AT_ONCE):
            for owned in page:
                if wanted not in (None, owned.application_id):
                    return
                # One that has been made since the check began.
                names.setdefault(owned.application_id, owned.application_id)
                yield owned
            after = (page[-1].application_id, page[-1].id)

    async def _profile(self, owned: Owned, owner: Owner) -> AsyncGenerator[Finding]:
        store = Store(self._engine, owned.application_id)
        clear_unused = self._repair and not self._has_lost_rows
        profile = CheckedProfile(store, owned.id, owner, self._clock, self._repair, clear_unused, self._tally)
        self._tally.profiles += 1
        for check in _CHECKS:
            try:
                async for finding in check(profile):
                    yield finding
            except StorageUnavailable as error:
                yield profile.finding(Kind.STORAGE_UNREADABLE, "the profile", error.detail)
                # Where nothing at all can be read any more, there is no use in going on.
                await list_applications(self._engine)
                if self._repair:
                    # The later ones go by what this one would have mended.
                    return
