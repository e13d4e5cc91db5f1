"""One question to a bot and its answer, on a fair clock."""

from typing import Final

import trio

from arena.referee.faults import HostFault
from arena.referee.meter import GLANCE, Meter
from arena.referee.process import Process
from arena.referee.wire import Broken, WireError

GRAIN: Final = 0.002
"""Seconds by which an answer may seem late without being it: a wait is timed no finer."""
STARVED: Final = 1.0
"""Seconds that others may take from one answer, or as much as its limit if that is more."""


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
    process.meter.begin(late=trio.current_time() - began - min(limit, GLANCE))
    try:
        answer = await _answer(process, began, limit)
        used = trio.current_time() - began
        used -= min(used, _checked(process.meter.excused(answered=True), limit))
        if limit < used <= limit + process.meter.doubt():
            used = limit
    finally:
        process.meter.finish()
    return answer, used


async def _answer(process: Process, began: float, limit: float) -> bytes:
    """The answer; the deadline moves as long as the bot is owed time."""
    deadline = began + limit
    while True:
        try:
            return await process.wire.answer(deadline)
        except WireError as error:
            if error.why is not Broken.TIMEOUT:
                raise
            owed = _owed(process.meter, began, deadline, limit)
            if owed < GRAIN:
                raise
            deadline = trio.current_time() + owed


def _owed(meter: Meter, began: float, deadline: float, limit: float) -> float:
    """Seconds that others took from a bot which has not answered by a deadline.

    That the referee looks only now is nothing that the bot has used.
    """
    owed = limit - (deadline - began) + _checked(meter.excused(answered=False), limit)
    owed += meter.doubt()
    if owed < GRAIN and meter.waits_unbooked():
        _checked(deadline - began - limit, limit)
        return GLANCE
    return owed


def _checked(excused: float, limit: float) -> float:
    """What is excused, unless it is too much to go on."""
    if excused > max(STARVED, limit):
        raise HostFault(
            f"the host was too busy: others had the core for {excused:.1f} s while a bot was to "
            "answer; play fewer matches at a time with --workers"
        ) from None
    return excused
