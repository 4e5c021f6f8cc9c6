"""A caller: it writes, keeps a ledger of what was answered, and finds out what became of what was not."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.torture.state import Change, Content, Loss, State, difference
from tests.torture.wire import Gone, Response, Wire
from tests.torture.writes import COMMONS, Write, Writer

# A write whose caller has gone, or whose worker has died, may still be carried out: by a worker that has it in its
# queue, or by a database that has been told to. Looking at once would be too early.
_QUIET_S = 1.0
_LOOKS = 5
_PAUSE_S = 0.05


class Caller:
    """The only one that writes to its profiles, so that it knows what must be there."""

    def __init__(self, name: str, wire: Wire, seed: str, foods: dict[str, Content]) -> None:
        self.name = name
        self.counts: Counter[str] = Counter()
        self.state: State = {}
        self._wire = wire
        self._chance = random.Random(seed)
        self._foods = foods
        self._writer = Writer(name, self._chance, foods)
        # What was sent and may have been carried out, and whether it was answered and so must have been.
        self._unsure: Write | None = None
        self._must_be_done = False

    async def write_until(self, stop: asyncio.Event) -> None:
        """One write after the other. Whoever hears nothing finds out first, as a program with a queue would."""
        while not stop.is_set():
            try:
                if self._unsure is None:
                    await self._send(await self._draw())
                elif not await self._find_out():
                    await asyncio.sleep(_PAUSE_S)
            except Gone:
                await asyncio.sleep(_PAUSE_S)

    async def settle(self) -> None:
        """Find out what became of the last write."""
        while self._unsure is not None:
            try:
                await self._find_out()
            except Gone:
                await asyncio.sleep(_PAUSE_S)

    async def reckon(self) -> None:
        """Everything that was answered is there, and nothing else."""
        # What was kept open to a worker that died is found broken only now.
        self._wire.close()
        found = await self._look({owner for owner, _, _ in self.state} | {COMMONS})
        self._compare(self.state, Change(), found)

    def close(self) -> None:
        self._wire.close()

    async def _draw(self) -> Write:
        owners = sorted({owner for owner, _, _ in self.state} - {COMMONS})
        if len(owners) == 1 and self._chance.random() < 0.01:
            response = await self._wire.request("GET", f"/v1/profiles/{owners[0]}/export")
            if response.status == 200:
                return self._writer.import_profile(self.state, owners[0], response.content)
        return self._writer.draw(self.state)

    async def _send(self, write: Write) -> None:
        self._unsure = write
        self.counts["sent"] += 1
        # Now and then one goes away before it can have heard anything.
        patience = self._chance.uniform(0, 0.02) if self._chance.random() < 0.015 else None
        try:
            async with asyncio.timeout(patience):
                response = await self._request(write)
        except TimeoutError:
            return
        self._hear(write, response)
        if write.key is not None and self._is_sure() and self._chance.random() < 0.05:
            again = await self._request(write)
            if again.status != 503 and again.content != response.content:
                raise Loss(f"{self.name}: the same key was answered with {response.text} and with {again.text}")

    def _is_sure(self) -> bool:
        return self._unsure is None

    async def _request(self, write: Write) -> Response:
        body = write.body if write.body is None or isinstance(write.body, bytes) else json.dumps(write.body).encode()
        headers = {} if write.key is None else {"Idempotency_Key": write.key}
        return await self._wire.request(write.method, write.path, body, write.query, **headers)

    def _hear(self, write: Write, response: Response) -> None:
        if response.status == 503:
            self.counts["refused"] += 1
            if "retry-after" not in response.headers:
                raise Loss(f"{self.name}: a 503 that does not say when to try again: {response.text}")
            return
        if response.status not in (200, 201):
            raise Loss(f"{self.name}: {write.method} {write.path} was answered with {response.text}")
        self.counts["answered"] += 1
        if not write.tells_ids:
            self._must_be_done = True
            return
        answer = response.json()
        added = answer.get("data", [answer])
        if write.change.added and len(added) != len(write.change.added):
            raise Loss(f"{self.name}: {len(write.change.added)} were to be added by {write.body}: {response.text}")
        self.state = write.change.apply(self.state)
        for (owner, kind, content), made in zip(write.change.added, added, strict=False):
            self.state[owner, kind, made["_id"]] = content
        self._unsure = None

    async def _find_out(self) -> bool:
        """Whether it is known now what became of the last write."""
        write = self._unsure
        assert write is not None
        if write.key is not None and not self._must_be_done and self._chance.random() < 0.7:
            self.counts["sent again"] += 1
            self._hear(write, await self._request(write))
            return self._is_sure()
        owners = write.change.owners()
        before = {key: content for key, content in self.state.items() if key[0] in owners}
        for _ in range(1 if self._must_be_done else _LOOKS):
            if not self._must_be_done:
                await asyncio.sleep(_QUIET_S)
            # One profile after the other: what is carried out between two of these looks seems to be half done.
            found = await self._look(owners)
            undone = not self._must_be_done and difference(before, Change(), found) is None
            if undone or difference(before, write.change, found) is None:
                break
        if not undone:
            self._compare(before, write.change, found)
        self.counts["found undone" if undone else "found done"] += 1
        self.state = {key: content for key, content in self.state.items() if key[0] not in owners} | found
        self._unsure, self._must_be_done = None, False
        return True

    def _compare(self, state: State, change: Change, found: State) -> None:
        if (wrong := difference(state, change, found)) is not None:
            last = f" after {self._unsure}" if self._unsure else ""
            raise Loss(f"{self.name}{last}:\n{wrong}")

    async def _look(self, owners: Iterable[str]) -> State:
        """What is there of these profiles; of the one that everybody writes to, what is this caller's."""
        found: State = {}
        for owner in owners:
            response = await self._wire.request("GET", f"/v1/profiles/{owner}/export")
            if response.status == 503:
                raise Gone(response.text)
            if response.status == 404:
                continue
            for key, content in self._read(owner, response.json()).items():
                if owner != COMMONS or str(content.get("note", "")).startswith(f"{self.name}-"):
                    found[key] = content
        return found

    def _read(self, owner: str, document: dict[str, Any]) -> State:
        """An export as a state."""
        found: State = {(owner, "profile", ""): {}}
        foods = dict(self._foods)
        for food in document["custom_foods"]:
            foods[food["_id"]] = found[owner, "food", food["_id"]] = shown(food)
        for favorite in document["favorites"]:
            food_id = favorite["food_id"]
            found[owner, "favorite", food_id] = {"food": foods[food_id]["food"]}
        for meal in document["saved_meals"]:
            items = [[item["food_name"], item["number_of_servings"]] for item in meal["items"]]
            found[owner, "meal", meal["_id"]] = {"name": meal["name"], "meal": meal["meal"], "items": items}
        logged = {(food["_id"], food["food_id"]): shown(food) for food in document["logged_foods"]}
        for log in document["diary_logs"]:
            # A log without its food would be half a log.
            food = logged.get((log["logged_food_id"], log["food_id"]))
            if food is None:
                raise Loss(f"{owner}: the log {log['_id']} has lost its food")
            same = {name: log[name] for name in ("meal", "date", "note")}
            found[owner, "log", log["_id"]] = food | same | {"number": log["number_of_servings"]}
        return found


def shown(food: dict[str, Any]) -> Content:
    """What a food is known by here."""
    energy = food["macro_nutrients"].get("energy_kcal")
    return {"food": food["food_name"], "serving": food["serving_description"], "energy": energy}
