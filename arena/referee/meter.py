"""Whose time it was: what of a wait the host or the referee took, and what the bot.

The scheduler counts for every thread how long it ran and how long it could have run but had to
wait for a core. So an answer that is late because something else had the core is told from one
that took too long, and a bot that makes itself or the referee wait with busy processes of its own
gains nothing: what its own processes wanted of the core is never excused.
"""

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
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

DOUBT: Final = 0.015
"""Seconds over its limit that a bot may be where threads had to wait for a core: kernels since
6.12 leave some of these waits out of their books."""

_BUSY: Final = 0.001
"""Seconds that some thread has to wait for a core where something else wants it."""
_NAP: Final = 0.001
"""Seconds that the referee has to sleep to have been idle: else what woke it was there before."""
_NOTHING: Final = Share(0.0, 0.0)


class _Reading(Struct, frozen=True):
    """What was used up to a moment."""

    time: float
    processes: dict[int, float]
    """What each process of the bot ran."""
    threads: dict[int, Share]
    """What each thread of the bot got."""


class Meter(trio.abc.Instrument):
    """Tells apart the time of one bot's waits, one after another."""

    def __init__(self, processes: Callable[[], Sequence[int]]) -> None:
        """Take no reading yet.

        Args:
            processes: gives the bot's processes at any time.
        """
        self._processes = processes
        self._first = self._last = _Reading(0.0, {}, {})
        self._asleep = 0.0
        self._looked = 0.0
        """When it was last seen what has happened."""
        self._awake = 0.0
        """Since when the referee has been wanted, at the earliest."""
        self._delay = 0.0
        self._before = 0.0
        self._late = 0.0
        self._alarm = 0.0
        """When the referee is to wake at the latest."""
        self._overslept = 0.0
        """Seconds of the wait that it slept beyond that: its core was not to be had."""
        self._slow = True  # as far as is known
        self._in_line: tuple[int, Share] | None = None

    def prepare(self) -> None:
        """A question is about to be put: read for the glance too, if the last one took longer."""
        if self._slow:
            self._slow = False
            self._read()

    def begin(self, late: float) -> None:
        """A wait has lasted for a glance: measure it from here.

        Args:
            late: how much longer than asked for the glance took, in seconds.
        """
        self._slow = True
        self._in_line = None
        before, self._first = self._last, self._read()
        busiest, company = _wants(before, self._first)
        self._before = min(late, max(0.0, busiest.delay - company))
        self._late = late
        self._awake = self._looked = perf_counter() - late
        self._alarm, self._overslept = inf, 0.0
        trio.lowlevel.add_instrument(self)

    def finish(self) -> None:
        """The wait is over."""
        trio.lowlevel.remove_instrument(self)

    def before_io_wait(self, timeout: float) -> None:
        """The referee has nothing to do until something happens."""
        self._asleep = perf_counter()
        self._alarm = self._asleep + timeout
        self._delay = procfs.own_share().delay

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002  # Trio calls it
        """Something happened, a while ago if the referee had to wait for its core."""
        now = perf_counter()
        self._overslept += max(0.0, now - self._alarm - _BUSY)
        happened = now - (procfs.own_share().delay - self._delay)
        slept = happened - self._asleep > _NAP
        self._awake, self._looked = happened if slept else self._looked, now

    def excused(self, *, answered: bool) -> float:
        """Seconds of the wait so far that neither the bot needed nor its own processes caused.

        Args:
            answered: the answer is there, and the referee may have been late to see it.
        """
        first, now = self._first, self._read()
        if now.processes.keys() != first.processes.keys():
            return self._before  # processes that come and go could have used anything
        busiest, company = _wants(first, now)
        others = max(0.0, busiest.delay - company)
        if answered:  # a bot that has answered may still have waited, while the referee did
            others = max(others, self._lateness(company))
        cpu = sum(now.processes.values()) - sum(first.processes.values())
        others = max(others, self._overslept - cpu)  # a wait that no book of the kernel holds
        elapsed = self._late + now.time - first.time
        return min(self._before + others, max(0.0, elapsed - cpu))

    def doubt(self) -> float:
        """Seconds by which what is excused may be too little, as of the last reading."""
        busiest, _ = _wants(self._first, self._last)
        return DOUBT if max(self._late, busiest.delay, self._before) > _BUSY else 0.0

    def _lateness(self, company: float) -> float:
        """How long the referee has been wanted: it waited for its core, or had other matches."""
        waited = procfs.own_share().delay - self._delay
        caused = max(0.0, waited - SLICE) if company > SLICE else 0.0
        return max(0.0, perf_counter() - self._awake - caused)

    def waits_unbooked(self) -> bool:
        """Whether the bot's busiest thread stands in line for a core since before the last call.

        The kernel books a thread's wait when it ends: until then `excused` does not know of it.
        """
        now = self._read()
        wanted = {
            t: _wanted(_since(self._first.threads.get(t, _NOTHING), now.threads[t]))
            for t in now.threads
        }
        busiest = max(wanted, key=wanted.__getitem__, default=0)
        before, self._in_line = self._in_line, (busiest, now.threads.get(busiest, _NOTHING))
        return procfs.is_runnable(busiest) and before in (None, self._in_line)

    def _read(self) -> _Reading:
        processes = self._processes()
        self._last = _Reading(
            trio.current_time(),
            {pid: procfs.cpu_seconds(pid) for pid in processes},
            {thread: share for pid in processes for thread, share in procfs.shares(pid).items()},
        )
        return self._last


def _wants(before: _Reading, now: _Reading) -> tuple[Share, float]:
    """The thread that wanted a core most, and the seconds for which the others wanted one."""
    shares = [_since(before.threads.get(t, _NOTHING), now.threads[t]) for t in now.threads]
    busiest = max(shares, key=_wanted, default=_NOTHING)
    return busiest, sum(map(_wanted, shares)) - _wanted(busiest)


def _wanted(share: Share) -> float:
    return share.cpu + share.delay


def _since(before: Share, now: Share) -> Share:
    return Share(now.cpu - before.cpu, now.delay - before.delay)
