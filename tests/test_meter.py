"""Whose time a wait was, where the kernel's books do not tell."""

import os
import time

import trio

from arena.referee.meter import Meter


async def test_what_the_referee_overslept_is_not_the_bots() -> None:
    meter = Meter(list[int])
    began = trio.current_time()
    meter.begin(late=0.0)
    meter.before_io_wait(0.01)
    time.sleep(0.05)
    meter.after_io_wait(0.01)
    excused = meter.excused(answered=False)
    meter.finish()
    assert 0.035 < excused < trio.current_time() - began - 0.01


async def test_what_the_bot_computed_meanwhile_is_its_own() -> None:
    meter = Meter(lambda: [os.getpid()])
    began = trio.current_time()
    meter.begin(late=0.0)
    meter.before_io_wait(0.01)
    computed = time.process_time() + 0.05
    while time.process_time() < computed:
        pass
    meter.after_io_wait(0.01)
    excused = meter.excused(answered=False)
    meter.finish()
    assert excused < trio.current_time() - began - 0.045
