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
"""Seconds that a bot with busy threads can keep the referee from looking at the end of a glance,
at most: more is taken for the bot's own doing."""


class _Reading(Struct, frozen=True):
    """What was used up to a moment."""

    time: float
    referee: float
    """What the referee ran and waited for a core."""
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
        others = (now.referee - first.referee) + self._held_up(first, now, cpu)
        return self._before + min(others, max(0.0, elapsed - cpu))

    def _held_up(self, first: _Reading, now: _Reading, cpu: float) -> float:
        """How long some thread of the bot waited for a core while no other thread of it ran."""
        longest = 0.0
        for thread, share in now.threads.items():
            before = first.threads.get(thread, Share(0.0, 0.0))
            company = cpu - (share.cpu - before.cpu)
            longest = max(longest, share.delay - before.delay - company)
        return longest

    def _read(self) -> _Reading:
        own = procfs.own_share()
        processes = self._processes()
        return _Reading(
            trio.current_time(),
            own.cpu + own.delay,
            {pid: procfs.cpu_seconds(pid) for pid in processes},
            {thread: share for pid in processes for thread, share in procfs.shares(pid).items()},
        )
