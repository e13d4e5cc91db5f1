"""What chance gave each side of a match, in the eyes of a fixed evaluator.

The luck of a chance event is what a side can expect after its outcome less what it could expect
before: the mean over all outcomes. Each event has the mean 0 whatever the evaluator holds of the
states, since the probabilities are those of the game; so has their sum over a match. What is left
of a result without it is as fair as the result, and varies less the better the evaluator judges:
a control variate, as the luck-adjusted results of backgammon and AIVAT (Burch, Schmid, Moravčík,
Morrill and Bowling, 2018).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from arena.replay import Replay
from engine import evaluation
from engine.evaluation import Evaluator
from engine.game import CHANCE, AnyGame, AnyTable


class Chanced(Struct, frozen=True):
    """A chance event of a match."""

    place: int
    """Of its entry in the log, from 0."""
    luck: tuple[float, ...]
    """What it gave each side, in shares of the win; they sum to 0."""


@cache
def evaluator_of(game: AnyGame, table: AnyTable) -> Evaluator | None:
    """The evaluator that prices a game's luck on a table, made once; None: there is none."""
    return evaluation.evaluator(game, table)


def luck_by_place(replay: Replay) -> dict[int, tuple[float, ...]]:
    """By place in the log the luck of each chance event; empty where luck has no price.

    Raises:
        Mismatch: the record does not replay.
    """
    evaluator = evaluator_of(replay.game, replay.table)
    if evaluator is None:
        return {}
    return {event.place: event.luck for event in priced(replay, evaluator)}


def priced(replay: Replay, evaluator: Evaluator) -> Iterator[Chanced]:
    """The luck of every chance event of a match, in order.

    Raises:
        Mismatch: the record does not replay.
    """
    for place, step in enumerate(replay.steps()):
        if step.entry.by == CHANCE:
            yield Chanced(place, luck_of(replay.game, evaluator, step.before, step.entry.do))


def luck_of(game: AnyGame, evaluator: Evaluator, before: Any, outcome: str) -> tuple[float, ...]:
    """What an outcome gives each side, in shares of the win."""
    chances = game.chances(before)
    values = evaluator.results_of([game.apply(before, name) for name, _ in chances])
    weighed = list(zip(values, (chance for _, chance in chances), strict=True))
    came = next(value for value, (name, _) in zip(values, chances, strict=True) if name == outcome)
    return tuple(
        came[side] - sum(chance * value[side] for value, chance in weighed)
        for side in range(len(came))
    )


def luck_of_match(events: Iterable[Chanced], sides: int) -> Sequence[float]:
    """The luck of each side over all chance events of a match."""
    sums = [0.0] * sides
    for event in events:
        sums = [so_far + luck for so_far, luck in zip(sums, event.luck, strict=True)]
    return sums
