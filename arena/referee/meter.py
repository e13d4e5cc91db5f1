"""Whose time it was: what of a wait the host or the referee took, and what the bot.

The scheduler counts for every thread how long it ran and how long it could have run but had to
wait for a core. So an answer that is late because something else had the core is told from one
that took too long, and a bot that makes itself or the referee wait with busy processes of its own
gains nothing: what its own processes ran is never excused.
"""

from collections.abc import Callable, Sequence
from typing import Final

import trio
from msgspec import Struct

from arena.referee import procfs
from arena.referee.procfs import Share

GLANCE: Final = 0.005
"""Seconds that an answer may take before anything is measured: quick answers cost nothing."""
SLICE: Final = 0.015
"""Seconds that the referee's own wait for a core is excused where the bot has several threads
that could have caused it."""


class _Reading(Struct, frozen=True):
    """What was used up to a moment."""

    time: float
    referee: Share
    processes: dict[int, float]
    """What each process of the bot ran."""
    threads: dict[int, Share]
    """What each thread of the bot ran and waited for a core."""


class Meter:
    """Tells the time of one wait apart. It is set up when the first glance is over."""

    def __init__(self, processes: Callable[[], Sequence[int]], late: float) -> None:
        """Take the first reading.

        Args:
            processes: gives the bot's processes at any time.
            late: how much longer than asked for the first glance took, in seconds.
        """
        self._processes = processes
        self._first = self._read()
        self._before = late if len(self._first.threads) <= 1 else min(late, SLICE)

    def excused(self) -> float:
        """Seconds so far that neither the bot needed nor its own processes caused."""
        first, now = self._first, self._read()
        if now.processes.keys() != first.processes.keys():
            return self._before  # processes that come and go could have used anything
        elapsed = now.time - first.time
        cpu = sum(now.processes.values()) - sum(first.processes.values())
        busiest, company = _busiest(
            [_since(first.threads.get(t), now.threads[t]) for t in now.threads]
        )
        referee = _since(first.referee, now.referee)
        waited = referee.delay if company <= SLICE else min(referee.delay, SLICE)
        others = referee.cpu + waited + max(0.0, busiest.delay - company)
        return self._before + min(others, max(0.0, elapsed - cpu))

    def _read(self) -> _Reading:
        processes = self._processes()
        return _Reading(
            trio.current_time(),
            procfs.own_share(),
            {pid: procfs.cpu_seconds(pid) for pid in processes},
            {thread: share for pid in processes for thread, share in procfs.shares(pid).items()},
        )


def _busiest(shares: Sequence[Share]) -> tuple[Share, float]:
    """The thread that wanted a core most, and the seconds for which the others wanted one."""
    busiest = max(shares, key=_wanted, default=Share(0.0, 0.0))
    return busiest, sum(map(_wanted, shares)) - _wanted(busiest)


def _wanted(share: Share) -> float:
    return share.cpu + share.delay


def _since(before: Share | None, now: Share) -> Share:
    return now if before is None else Share(now.cpu - before.cpu, now.delay - before.delay)
