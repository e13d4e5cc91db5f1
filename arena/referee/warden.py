"""Looks at a living bot now and then: its memory, and whether it computes out of turn.

The looks happen while the referee waits for some bot anyway. They are rarer where there is
nothing to see, so that a bot which does nothing costs nothing.
"""

import os
from collections.abc import Sequence
from typing import Final, Protocol

import trio

from arena.referee import procfs
from arena.referee.limits import Limits

_LOOK: Final = 0.1
"""Seconds between two looks."""
_RARE_LOOK: Final = 0.4
"""Seconds between two looks at a bot that does nothing."""
_SLACK: Final = 0.005
"""Seconds of computing out of turn that are passed over at each look."""
_SHARE: Final = 0.2
"""What share of its turns' time a bot may compute out of turn: it tidies up after an answer."""


class Watched(Protocol):
    """A bot as its warden sees it."""

    @property
    def asked(self) -> bool:
        """It is to answer right now."""

    def members(self) -> list[int]:
        """All its processes."""

    def stop(self) -> None:
        """Stop them."""

    def go_on(self) -> None:
        """Let them run again."""

    def kill_for_memory(self, used: int) -> None:
        """End them for what they used, in bytes."""


class Warden:
    """Watches one bot."""

    def __init__(self, bot: Watched, limits: Limits) -> None:
        self._bot = bot
        self._memory = limits.memory_mb << 20
        self._alarm = trio.Event()
        self._cpu = 0.0
        self._given_before = 0.0
        self._released = False
        self.given = 0.0
        """Seconds that the bot was given to answer, over its life."""
        self.leashed = False
        """It computed out of turn: it is stopped outside its turns until the next match."""

    async def watch(self) -> None:
        """Look at the bot until cancelled. What it used to be executed is not held against it."""
        self._cpu = _cpu_seconds(self._bot.members())
        pause = _LOOK
        while True:
            self._alarm = trio.Event()
            with trio.move_on_after(pause):
                await self._alarm.wait()
            if self._alarm.is_set():
                pause = _LOOK
            else:
                pause = _LOOK if self.look() else min(2 * pause, _RARE_LOOK)

    def attend(self) -> None:
        """Look again soon: the bot takes long to answer."""
        self._alarm.set()

    def look(self) -> bool:
        """Look once; whether the bot did anything since the last look."""
        processes = self._bot.members()
        used = _memory(processes, self._memory)
        if used > self._memory:
            self._bot.kill_for_memory(used)
        if self.leashed or self._released or self._bot.asked:
            return self._bot.asked
        cpu = _cpu_seconds(processes)
        spent, self._cpu = cpu - self._cpu, cpu
        given, self._given_before = self.given - self._given_before, self.given
        if spent > _SLACK and spent > _SLACK + (_cores() + _SHARE) * given:
            self.leashed = True
            self._bot.stop()
        return spent > 0

    def forgive(self) -> None:
        """Let it run between its turns, until it computes there again."""
        if self.leashed:
            self.leashed = False
            self._bot.go_on()

    def release(self) -> None:
        """Let it compute at any time: there is nobody at the table whom that could slow."""
        self._released = True
        self.forgive()


def _memory(processes: Sequence[int], limit: int) -> int:
    """What processes hold together, in bytes: exact where it is near the limit or above."""
    used = sum(map(procfs.private_bytes, processes))
    return sum(map(procfs.proportional_bytes, processes)) if used > limit else used


def _cpu_seconds(processes: Sequence[int]) -> float:
    """What processes used together."""
    return sum(map(procfs.cpu_seconds, processes))


def _cores() -> int:
    """How many cores a bot may use at a time: those that the referee may."""
    return len(os.sched_getaffinity(0))
