"""What is good to know of a bot and no rule: speed, memory, whether it plays the same again."""

from statistics import median

from arena.check.report import Advice
from arena.check.talk import Measures
from arena.referee.clock import Clocks
from arena.referee.limits import Limits


def advise(measures: Measures) -> tuple[Advice, ...]:
    """What was measured of a bot that follows the rules, and what it means."""
    start, answer = median(measures.start_ms), median(measures.answer_ms)
    turn, memory = max(measures.turn_ms), max(measures.memory_mb)
    clocks, limits = Clocks(), Limits()
    return (
        _of("start-up", start, f"{start:.0f} ms", f"{clocks.start_ms} ms"),
        Advice("answer", f"{answer:.2f} ms in the middle", answer),
        _of("slowest-turn", turn, f"{turn:.0f} ms", f"{clocks.turn_ms} ms"),
        _of("memory", memory, f"{memory:.1f} MiB", f"{limits.memory_mb} MiB"),
        _determinism(measures.plays_the_same),
        _pondering(measures.ponders),
    )


def _of(name: str, value: float, words: str, limit: str) -> Advice:
    return Advice(name, f"{words}; the usual limit is {limit}", value)


def _determinism(plays_the_same: bool) -> Advice:
    if plays_the_same:
        return Advice("determinism", "it plays the same again when its seed is the same")
    return Advice(
        "determinism",
        "it does not play the same again when its seed is the same: take random numbers from the "
        "seed of start, and matches can be reproduced",
    )


def _pondering(ponders: bool) -> Advice:
    if not ponders:
        return Advice("pondering", "it rests while it is not asked")
    return Advice(
        "pondering",
        "it computes while it is not asked: it is stopped outside its turns then",
    )
