"""How long the search bot thinks in a turn: all its time, less what a busy host could cost it."""

from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from msgspec import Struct

from protocol.messages import Act, Start

TIME_FRACTION: Final = 0.92
"""How much of a turn's time is used, if not told otherwise."""
RESERVE: Final = 0.010
"""Seconds of a turn that are never used: for the way there and back."""
LEAST_USED: Final = 0.5
"""Even of a very short turn the reserve leaves this share."""
UNLIMITED: Final = 1.0
"""Seconds for a turn without a limit."""
FADING: Final = 0.5
"""From turn to turn the longest pause seen counts this much less."""


class Budget(Protocol):
    """What may be spent on a turn."""

    def spend(self, work: Callable[[], None]) -> int:
        """Do pieces of work; how many were done."""


class Count(Struct, frozen=True):
    """A number of pieces of work, whatever the time."""

    pieces: int

    def spend(self, work: Callable[[], None]) -> int:
        """Do them all."""
        for _ in range(self.pieces):
            work()
        return self.pieces


class Clock:
    """The time of a turn.

    A process that others keep from running learns of it late. So a piece of work is begun only
    where there is time for the longest that one took in the last turns, waiting included.
    """

    def __init__(self, time_fraction: float, now: Callable[[], float] = monotonic) -> None:
        self._fraction = time_fraction
        self._now = now
        self._started = 0.0
        self._end = 0.0
        self._longest = 0.0

    def start(self) -> None:
        """A question has come."""
        self._started = self._now()
        self._longest *= FADING

    def limit(self, seconds: float | None) -> None:
        """So long may the turn take; None: no limit."""
        if seconds is None:
            used = UNLIMITED
        else:
            used = min(self._fraction * seconds, max(seconds - RESERVE, LEAST_USED * seconds))
        self._end = self._started + used

    def spend(self, work: Callable[[], None]) -> int:
        """Work while there is time."""
        now, end, longest, done = self._now, self._end, self._longest, 0
        before = now()
        while before + longest < end:
            work()
            done += 1
            after = now()
            longest = max(longest, after - before)
            before = after
        self._longest = longest
        return done


def time_for(act: Act, start: Start, turns: float) -> float | None:
    """Seconds that the turn may take; None: there is no limit.

    A longer first turn is for starting up, so no more than a usual turn is used of it. The bank
    is shared out over the turns that the seat is likely to have, this one included.
    """
    limits = [limit for limit in (act.time.turn_ms, start.time.turn_ms) if limit is not None]
    seconds = [limit / 1000 for limit in limits]
    if act.time.bank_ms is not None:
        share = act.time.bank_ms / turns + (start.time.increment_ms or 0)
        seconds.append(min(act.time.bank_ms, share) / 1000)
    return min(seconds, default=None)
