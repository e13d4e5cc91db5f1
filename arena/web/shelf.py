"""The store as pages read it: in threads, and what is dear to compute only when it changed."""

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import trio
from msgspec import Struct

from arena.store.db import Store

T = TypeVar("T")
Stamp: TypeAlias = tuple[tuple[int, int], ...]

READERS: Final = 4
"""How many threads read at a time."""
KEPT: Final = 64
"""How many answers are remembered."""
PATIENCE: Final = 5.0
"""An answer is good for so many times as long as it took, also when the store has changed since."""
LAG: Final = 10.0
"""Seconds for which it is given out even so, while a newer one is made: nobody waits."""


class _Answer(Struct, frozen=True):
    value: Any
    stamp: Stamp
    """Of the store that it was read from."""
    until: float
    """When it is to be renewed if the store changed meanwhile."""


class Shelf:
    """A store that is only read."""

    def __init__(self, path: Path, nursery: trio.Nursery) -> None:
        """Read a store.

        Args:
            path: its file.
            nursery: lives as long as answers are wanted.
        """
        self.path = path
        self._nursery = nursery
        self._idle: list[Store] = []
        self._limiter = trio.CapacityLimiter(READERS)
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._asked: dict[Hashable, trio.Lock] = {}

    async def read(self, function: Callable[[Store], T]) -> T:
        """What a function finds in the store; it runs in a thread."""
        return await trio.to_thread.run_sync(self._read, function, limiter=self._limiter)

    async def remembered(self, key: Hashable, function: Callable[[Store], T]) -> T:
        """What a function found in the store as it is now, or was a moment ago.

        While a tournament runs the store changes all the time; then an answer is renewed no more
        often than every `PATIENCE` times the time that it takes, and meanwhile the old one serves.
        """
        answer = self._answers.get(key)
        if answer is None or (self._outdated(answer) and time.monotonic() > answer.until + LAG):
            answer = await self._renewed(key, function)
        elif self._outdated(answer) and key not in self._asked:
            self._nursery.start_soon(self._renew, key, function)
        if key in self._answers:
            self._answers.move_to_end(key)  # what is asked for least is forgotten first
        value: T = answer.value
        return value

    async def _renewed(self, key: Hashable, function: Callable[[Store], Any]) -> _Answer:
        """The answer as the store is now; who asks the same meanwhile waits for it too."""
        lock = self._asked.setdefault(key, trio.Lock())
        async with lock:
            answer = self._answers.get(key)
            try:
                if answer is None or self._outdated(answer):
                    answer = await self.read(lambda store: self._ask(store, function))
                    self._keep(key, answer)
            finally:
                if not lock.statistics().tasks_waiting:
                    self._asked.pop(key, None)
        return answer

    async def _renew(self, key: Hashable, function: Callable[[Store], Any]) -> None:
        """Renew an answer that nobody waits for; where that fails, the next who asks is told."""
        try:
            await self._renewed(key, function)
        except Exception:
            self._answers.pop(key, None)

    def _keep(self, key: Hashable, answer: _Answer) -> None:
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while len(self._answers) > KEPT:
            self._answers.popitem(last=False)

    def stamp(self) -> Stamp:
        """Changes whenever anything is stored."""
        return tuple(map(_size_and_time, (str(self.path), f"{self.path}-wal")))

    def close(self) -> None:
        """Close the files that no thread reads."""
        while self._idle:
            self._idle.pop().close()

    def _read(self, function: Callable[[Store], T]) -> T:
        store = self._idle.pop() if self._idle else Store.open(self.path, read_only=True)
        try:
            return function(store)
        finally:
            self._idle.append(store)

    def _ask(self, store: Store, function: Callable[[Store], Any]) -> _Answer:
        stamp, began = self.stamp(), time.monotonic()
        value = function(store)
        now = time.monotonic()
        return _Answer(value, stamp, now + PATIENCE * (now - began))

    def _outdated(self, answer: _Answer) -> bool:
        return time.monotonic() > answer.until and self.stamp() != answer.stamp


def _size_and_time(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return (0, 0)
    return (found.st_size, found.st_mtime_ns)
