"""The floor under every referee: bytes through pipes on one core, without any rules."""

import os
import subprocess
import time
from collections.abc import Mapping
from functools import cache

import msgspec

from arena.bench.machine import on_one_core
from arena.bench.workshop import Workshop
from engine.game import CHANCE
from engine.options import make_table
from engine.registry import game
from protocol.codec import LINE_LIMIT, encode
from protocol.messages import Act, ActTime

TURN = 9
"""The turn of Savanna Ten whose question is exchanged: in the middle of a match."""
BATCH = 100
"""Round trips between two looks at the clock."""


@cache
def question() -> bytes:
    """A question in the middle of a match, with its legal actions."""
    rules = game("savanna-ten")
    state = rules.initial(make_table(rules, 2, {}))
    events = []
    while rules.turn(state) < TURN or rules.to_act(state) == CHANCE:
        drawn = rules.to_act(state) == CHANCE
        action = rules.chance(state, "bench") if drawn else rules.legal(state)[0]
        before, state = state, rules.apply(state, action)
        events.append(rules.redact(before, action, state, 0))
    view, legal = rules.view(state, 0), rules.legal(state)
    return encode(Act("m1", TURN, 0, view, events[-4:], legal, ActTime(1000, None)))


def answer() -> bytes:
    """What a bench bot in C answers."""
    first = msgspec.json.decode(question())["legal"][:1]
    return msgspec.json.encode({"type": "action", "id": TURN, "actions": first}) + b"\n"


async def floor(workshop: Workshop, seconds: float) -> Mapping[str, float]:
    """Two bare processes and two pipes."""
    sizes = (str(len(question())), str(len(answer())))
    command = (*workshop.command("pingpong"), f"{seconds:g}", *sizes)
    with on_one_core():
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    return {"round trips/s": float(done.stdout)}


async def bare(workshop: Workshop, seconds: float) -> Mapping[str, float]:
    """A blocking Python loop that asks the bench bot the same question."""
    with on_one_core():
        command = workshop.bot("legal").command
        with subprocess.Popen(command, 0, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
            assert bot.stdin is not None
            assert bot.stdout is not None
            rate = _ask_on(bot.stdin.fileno(), bot.stdout.fileno(), seconds)
            bot.stdin.close()
    return {"round trips/s": rate}


def _ask_on(stdin: int, stdout: int, seconds: float) -> float:
    """Ask for so long; round trips a second."""
    line, trips, began = question(), 0, time.perf_counter()
    while (used := time.perf_counter() - began) < seconds or not trips:
        for _ in range(BATCH):
            os.write(stdin, line)
            os.read(stdout, LINE_LIMIT)
        trips += BATCH
    return trips / used
