"""One question to a bot and its answer, on a fair clock."""

from typing import Final

import trio

from arena.referee.faults import HostFault
from arena.referee.meter import GLANCE
from arena.referee.process import Process
from arena.referee.wire import Broken, WireError

GRAIN: Final = 0.002
"""Seconds by which an answer may seem late without being it: a wait is timed no finer."""
STARVED: Final = 1.0
"""Seconds that others may take from one answer, or as much as its limit if that is more."""

_NOTICEABLE: Final = 0.02


async def exchange(process: Process, line: bytes | bytearray, limit: float) -> tuple[bytes, float]:
    """Put a question and wait for the line that answers it.

    What the host or the referee was late by is not charged, and moves the deadline.

    Args:
        process: whom to ask.
        line: the question, with its end.
        limit: seconds that the bot has for hearing and answering; inf: no limit.

    Returns:
        The answer without its end, and the seconds charged for it: over the limit by GRAIN at
        most if it came in time.

    Raises:
        WireError: any; TIMEOUT when the limit is used up without an answer.
        HostFault: others had the core for so long that the match says nothing.
    """
    warden = process.warden
    if warden.leashed:
        process.go_on()
    process.meter.prepare()
    clock = trio.lowlevel.current_clock()
    began = clock.current_time()
    glance = min(limit, GLANCE)
    try:
        answer = await process.wire.ask(line, began + glance)
        used = clock.current_time() - began
    except WireError as error:
        if error.why is not Broken.TIMEOUT:
            raise
        answer = None
    if answer is None:
        answer, used = await _wait_on(process, began, limit)
    elif used > limit:
        used -= _checked(used - glance, limit)  # it was there by now, and nobody looked
    warden.given += used
    if warden.leashed:
        process.stop()
    return answer, used


async def _wait_on(process: Process, began: float, limit: float) -> tuple[bytes, float]:
    """After the first glance."""
    process.warden.attend()
    meter = process.meter
    meter.begin(late=trio.current_time() - began - min(limit, GLANCE))
    deadline = began + limit
    try:
        while True:
            try:
                answer = await process.wire.answer(deadline)
            except WireError as error:
                if error.why is not Broken.TIMEOUT:
                    raise
                timeout = error
            else:
                used = trio.current_time() - began
                if used > _NOTICEABLE:
                    used -= min(used, _checked(meter.excused(answered=True), limit))
                return answer, used
            now = trio.current_time()
            left = limit - (now - began - _checked(meter.excused(answered=False), limit))
            if left < GRAIN and meter.waits_unbooked():
                _checked(now - began - limit, limit)
                left = GLANCE
            if left < GRAIN:
                raise timeout
            deadline = now + left
    finally:
        meter.finish()


def _checked(excused: float, limit: float) -> float:
    """What is excused, unless it is too much to go on."""
    if excused > max(STARVED, limit):
        raise HostFault(
            f"the host was too busy: others had the core for {excused:.1f} s while a bot was to "
            "answer; play fewer matches at a time with --workers"
        )
    return excused
