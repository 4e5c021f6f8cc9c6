"""Measures one server: its maximum first, then sixty hundredths of it for as long as is wanted."""

import asyncio
from collections.abc import Callable

from benchmarks.load.clients import Load
from benchmarks.load.memory import Watch
from benchmarks.load.mix import Mix
from benchmarks.load.verdicts import SHARE_OF_MAXIMUM, Outcome


async def measure(
    name: str,
    mix: Mix,
    port: int,
    main_process: int,
    *,
    connections: int,
    warm_up_s: float,
    maximum_s: float,
    steady_s: float,
    say: Callable[[str], None],
) -> Outcome:
    watch = Watch(main_process)
    async with Load(port, mix, connections) as load:
        warm = await load.as_fast_as_answered(warm_up_s)
        maximum = await load.as_fast_as_answered(maximum_s)
        # What fails while everything warms up is a failure, too.
        maximum.errors += warm.errors
        rate = SHARE_OF_MAXIMUM * maximum.rate
        say(f"{name}: {maximum.rate:,.0f} requests a second at most; {rate:,.0f} a second for {steady_s:.0f} s now")
        watching = asyncio.create_task(watch.run())
        steady = await load.at_rate(rate, steady_s)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    return Outcome(name, mix.names, connections, maximum, rate, steady, watch.held)
