"""Running a command's asynchronous part: one place for signals."""

import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar, TypeVarTuple, Unpack

import trio

from arena.cli import INTERRUPTED

T = TypeVar("T")
Args = TypeVarTuple("Args")


def run_async(function: Callable[[Unpack[Args]], Awaitable[T]], *args: *Args) -> T:
    """Run to the end; Ctrl-C and SIGTERM cancel it and end the command with status 130."""

    async def guarded() -> list[T]:
        results: list[T] = []
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_cancel_on, signals, nursery.cancel_scope)
                results.append(await function(*args))
                nursery.cancel_scope.cancel()
        return results

    results = trio.run(guarded)
    if not results:
        sys.exit(INTERRUPTED)
    return results[0]


async def _cancel_on(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
    async for _ in signals:
        scope.cancel()
