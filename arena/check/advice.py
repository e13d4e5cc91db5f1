"""What is good to know of a bot and no rule: speed, memory, whether it plays the same again."""

from statistics import median
from typing import Final

import trio

from arena.check.report import Advice
from arena.check.rules import sitting_of
from arena.check.talk import Lab, Measures
from arena.referee.clock import Clocks
from arena.referee.limits import Limits

_IDLE_S: Final = 0.3
"""For so long a bot that is not asked is watched."""
_BUSY: Final = 0.2
"""What share of a core a bot uses that ponders."""


async def advise(lab: Lab) -> tuple[Advice, ...]:
    """Look at a bot that follows the rules.

    Raises:
        BotFault, CannotStart, HostFault: it follows them no longer.
    """
    same, pondering = await _same_again(lab), await _pondering(lab)
    return (*_measured(lab.measures), same, pondering)


def _measured(measures: Measures) -> tuple[Advice, ...]:
    start, answer = median(measures.start_ms), median(measures.answer_ms)
    turn, memory = max(measures.turn_ms), max(measures.memory_mb)
    clocks, limits = Clocks(), Limits()
    return (
        _of("start-up", start, f"{start:.0f} ms", f"{clocks.start_ms} ms"),
        Advice("answer", f"{answer:.2f} ms in the middle", answer),
        _of("slowest-turn", turn, f"{turn:.0f} ms", f"{clocks.turn_ms} ms"),
        _of("memory", memory, f"{memory:.1f} MiB", f"{limits.memory_mb} MiB"),
    )


def _of(name: str, value: float, words: str, limit: str) -> Advice:
    return Advice(name, f"{words}; the usual limit is {limit}", value)


async def _same_again(lab: Lab) -> Advice:
    """Whether two processes with the same seed play the same."""
    played = []
    for _ in range(2):
        async with lab.bot() as talk:
            sitting = sitting_of(lab, talk)
            await talk.play(sitting, most=10)
            played.append(sitting.actions)
    if played[0] == played[1]:
        return Advice("determinism", "it plays the same again when its seed is the same")
    return Advice(
        "determinism",
        "it does not play the same again when its seed is the same: take random numbers from the "
        "seed of start, and matches can be reproduced",
    )


async def _pondering(lab: Lab) -> Advice:
    """Whether it computes while others are to move."""
    async with lab.bot() as talk:
        await talk.play(sitting_of(lab, talk), most=3)
        await trio.sleep(_IDLE_S)
        before = talk.cpu_s()
        await trio.sleep(_IDLE_S)
        busy = talk.bot.process.warden.leashed or talk.cpu_s() - before > _BUSY * _IDLE_S
    if not busy:
        return Advice("pondering", "it rests while it is not asked")
    return Advice(
        "pondering",
        "it computes while it is not asked: it is stopped outside its turns then",
    )
