"""`make load` for a few seconds: every call of its mix is answered, and what it says of a server is so."""

import asyncio
import time
from array import array
from collections import Counter
from pathlib import Path
from typing import cast

import pytest

from benchmarks.bench.plan import Known, Sample
from benchmarks.load.clients import Load, Taken
from benchmarks.load.measure import measure
from benchmarks.load.memory import Held, slope
from benchmarks.load.mix import Kind, Mix, make_mix
from benchmarks.load.verdicts import Outcome, make_json, make_table, missed
from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.pantry import PANTRY
from tests.system.server import serving

STEADY_S = 2.5


def _pantry() -> Sample:
    words = sorted({word.lower() for food in PANTRY for word in food.name.replace(",", " ").split() if len(word) > 2})
    return Sample([Known(food.id, food.barcode, 0) for food in PANTRY], words, [])


async def test_a_server_stands_a_short_load_without_an_error(tmp_path: Path, catalogue_folder: CatalogueFolder) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    profiles = [f"p{number}" for number in range(20)]
    with serving(Settings(data_dir=data_dir)) as server:
        with server.client(server.key) as client:
            for name in profiles:
                client.post("/v1/profiles", data={"reference_id": name}).raise_for_status()
        outcome = await measure(
            "short",
            make_mix(_pantry(), profiles, server.key, run="new"),
            server.port,
            server.process.pid,
            connections=50,
            warm_up_s=0.5,
            maximum_s=1.5,
            steady_s=STEADY_S,
            say=lambda _: None,
        )
    assert outcome.errors == {}
    # Every request that was due was sent and answered, and there were some of every kind.
    assert outcome.steady.answers == int(outcome.rate * STEADY_S)
    assert outcome.maximum.answers > 200
    assert all(outcome.maximum.latencies)
    assert outcome.milliseconds()[outcome.steady.answers // 2] < 1000
    assert [len(held.own_mb) >= 2 and min(held.own_mb) > 10 for held in outcome.held.values()].count(True) == 1
    assert any(line.startswith("| log a food | ") for line in make_table(outcome))
    assert make_json(outcome)["errors"] == {}


class _Pausing(asyncio.Protocol):
    """Answers at once, but for half a second in which nobody is answered."""

    BEGIN_S, END_S = 0.5, 1.0

    def __init__(self, began: float) -> None:
        self._began = began

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, _data: bytes) -> None:
        now = time.perf_counter() - self._began
        wait = self.END_S - now if self.BEGIN_S <= now < self.END_S else 0.0
        asyncio.get_running_loop().call_later(wait, self._answer)

    def _answer(self) -> None:
        self._transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")


async def test_who_would_have_come_during_a_pause_has_waited() -> None:
    """Two connections see two slow answers; the requests that had to wait for them are counted as slow as they were."""
    began = time.perf_counter()
    server = await asyncio.get_running_loop().create_server(lambda: _Pausing(began), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    mix = Mix([Kind("ask", 100, iter(lambda: b"GET / HTTP/1.1\r\n\r\n", b""))])
    try:
        async with Load(port, mix, connections=2) as load:
            taken = await load.at_rate(200, 2)
    finally:
        server.close()
    assert taken.errors == {}
    assert taken.answers == 400
    slow = sum(seconds > 0.1 for seconds in taken.latencies[0])
    # A pause of half a second with 200 requests a second: 80 of them are due more than a tenth before its end.
    assert slow >= 60


async def test_a_connection_that_is_closed_and_a_status_that_is_no_success_are_errors() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    mix = Mix([Kind("ask", 100, iter(lambda: b"GET / HTTP/1.1\r\n\r\n", b""))])
    try:
        async with Load(server.sockets[0].getsockname()[1], mix, connections=1) as load:
            taken = await load.as_fast_as_answered(0.2)
    finally:
        server.close()
    assert taken.errors == {"ask: status 503": 1, "a connection was closed without an answer": 1}


def test_the_slope_of_what_grows_and_of_what_does_not() -> None:
    assert slope([(0, 1.0), (1, 3.0), (2, 5.0)]) == pytest.approx(2)
    assert slope([(0, 1.0), (1, 2.0), (2, 1.0), (3, 2.0), (4, 1.0)]) == pytest.approx(0)
    assert slope([(0, 1.0), (1, 2.0)]) is None
    # It fills for a minute and is flat then.
    held = Held([float(at) for at in range(300)], [min(at, 60.0) for at in range(300)], [0.0] * 300)
    assert held.growth(60) == pytest.approx(0)
    assert held.growth(0) > 5  # type: ignore[operator]


def _outcome(
    *, milliseconds: float = 5, grows_by_mb_a_second: float = 0, share: float = 0.3, errors: int = 0
) -> Outcome:
    maximum = Taken([array("d", [0.1] * 1000)], Counter({"ask: status 500": errors} if errors else {}), 10, share)
    steady = Taken([array("d", [milliseconds / 1000] * 1000)], Counter(), 300, share, array("d", [0.001]))
    own = [100 + grows_by_mb_a_second * at for at in range(300)]
    return Outcome("one", ["ask"], 500, maximum, 60, steady, {1: Held([float(at) for at in range(300)], own, own)})


def test_each_goal_that_is_missed_is_told() -> None:
    assert list(missed(_outcome())) == []
    assert [line[:14] for line in missed(_outcome(milliseconds=50))] == ["p99 is 50.0 ms"]
    assert "1.20 MB a minute" in next(missed(_outcome(grows_by_mb_a_second=0.02)))
    assert "of a core" in next(missed(_outcome(share=0.9)))
    assert next(missed(_outcome(errors=3))) == "3 errors: ask: status 500"
    assert any("**missed**" in line for line in make_table(_outcome(errors=3)))


def test_the_shares_of_the_mix_are_a_whole() -> None:
    mix = make_mix(_pantry(), ["p1"], "key", "run")
    assert sum(kind.share for kind in mix.kinds) == 100
    drawn = Counter(mix.draw()[0] for _ in range(1000))
    assert {mix.kinds[number].name: count for number, count in drawn.items()} == {
        kind.name: 10 * kind.share for kind in mix.kinds
    }
