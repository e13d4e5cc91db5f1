"""Fair clocks: what the referee charges a bot that answers just in time while every core is busy.

`python -m benchmarks.fair_clocks [TURNS]` plays a bot that sleeps until 20 ms before a limit of
100 ms on a core that it shares with a busy process and three matches of the same kind. It
prints what was charged; no turn may be faulted. Then a bot that sleeps until 30 ms after the
limit has to be faulted at each of a hundred attempts, one match at a time: of a referee that
plays several, what it does for one counts as lateness for the others. Void matches are played
again.
"""

import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import trio

from arena.referee.clock import Clocks
from arena.referee.faults import HostFault
from tests.contest import contest, hostile
from tests.test_faults_time import spinning

LIMIT = Clocks(turn_ms=100, first_ms=100, start_ms=30_000)
MATCHES = 16
LANES = 4
ATTEMPTS = 100


async def main(turns: int) -> None:
    charged: list[float] = []
    codes: list[str | None] = []
    began = time.monotonic()

    async def just_in_time() -> None:
        bot = hostile("answer_before", 0.02)
        played = await contest(bot, clocks=LIMIT, turns=3 * turns // MATCHES)
        charged.extend(entry.ms or 0.0 for entry in played.record.log if entry.by == 0)
        codes.append(played.code)
        if played.code is not None:
            print(f"turn {played.record.faults[0].turn}: {played.message}")

    async def late() -> None:
        codes.append((await contest(hostile("answer_before", -0.03), clocks=LIMIT)).code)

    with a_busy_core():
        voids = await _all([just_in_time] * MATCHES, LANES)
        faults = MATCHES - codes.count(None)
        minutes = (time.monotonic() - began) / 60
        voids += await _all([late] * ATTEMPTS, 1)
    print(f"{len(charged)} turns on {os.cpu_count()} busy cores in {minutes:.1f} minutes")
    print(f"20 ms before the limit: {faults} faults; charged, in ms: {_quantiles(charged)}")
    print(f"30 ms after the limit: {codes.count('timeout') - faults} of {ATTEMPTS} faulted")
    print(f"{voids} matches were void and played again")
    sys.exit(faults > 0 or codes.count("timeout") < ATTEMPTS)


@contextmanager
def a_busy_core() -> Iterator[None]:
    """Keep this process and its bots to one core, as a worker does, while every core is busy."""
    cores = os.sched_getaffinity(0)
    children = [spinning(core) for core in cores]
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)


async def _all(matches: Sequence[Callable[[], Awaitable[None]]], lanes: int) -> int:
    """Play matches, so many at a time; how many were void."""
    voids = 0
    places = trio.CapacityLimiter(lanes)

    async def one(match: Callable[[], Awaitable[None]]) -> None:
        nonlocal voids
        async with places:
            played = False
            while not played:
                try:
                    await match()
                    played = True
                except* HostFault:
                    voids += 1

    async with trio.open_nursery() as nursery:
        for match in matches:
            nursery.start_soon(one, match)
    return voids


def _quantiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    places = {"least": 0.0, "median": 0.5, "99 %": 0.99, "99.9 %": 0.999, "most": 1.0}
    return ", ".join(
        f"{name} {ordered[round(place * (len(ordered) - 1))]:.1f}" for name, place in places.items()
    )


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]) if sys.argv[1:] else 10_000)
