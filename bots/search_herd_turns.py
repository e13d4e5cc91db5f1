"""Whole turns of Herd that look good: a beam search over removals and placements."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from math import inf
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from engine.evaluation.herd import HerdEvaluator
from engine.evaluation.herd_network import Floats
from engine.herd import Herd, HerdState

GAME: Final = Herd()

TRIED: Final = 3
"""For each place in the beam so many actions are tried: their order often makes no difference."""


class Turn(NamedTuple):
    """A turn, or the beginning of one."""

    odds: float
    """The log-odds of the seat that plays it, as the evaluator sees them."""
    state: HerdState
    """Where it leads, before the dice are rolled."""
    actions: tuple[str, ...] = ()


def good_turns(evaluator: HerdEvaluator, state: HerdState, width: int) -> list[Turn]:
    """Turns from here to the end of the turn, the best first.

    Of the beginnings that have as much left to do the `width` best are kept: at least as many
    turns come out where there are so many.
    """
    ended: dict[tuple[int, int], Turn] = {}
    begun = {_left(state): {state.stones: Turn(0, state)}}
    while begun:
        beam = nlargest(width, begun.pop(max(begun)).values(), key=attrgetter("odds"))
        for turn in _continued(evaluator, beam, width):
            left = _left(turn.state)
            found = begun.setdefault(left, {}) if any(left) else ended
            found.setdefault(turn.state.stones, turn)
    return sorted(ended.values(), key=attrgetter("odds"), reverse=True)


def quick_turns(evaluator: HerdEvaluator, states: Iterable[HerdState]) -> list[Turn]:
    """A turn for each state, action by action the best at sight.

    They are found side by side: many cost little more than one.
    """
    turns = [Turn(0, state) for state in states]
    while any(most := max(_left(turn.state) for turn in turns)):
        alike = [number for number, turn in enumerate(turns) if _left(turn.state) == most]
        continued = _continued_at_sight(evaluator, [turns[number] for number in alike])
        for number, turn in zip(alike, continued, strict=True):
            turns[number] = turn
    return turns


def _continued_at_sight(evaluator: HerdEvaluator, begun: Sequence[Turn]) -> list[Turn]:
    """Each with the action that looks best."""
    odds = evaluator.ahead([turn.state for turn in begun])
    names = evaluator.removals if begun[0].state.remove else evaluator.placements
    chosen = odds.argmax(axis=0).tolist()
    return [
        Turn(
            float(odds[place, column]),
            GAME.apply(turn.state, names[place]),
            (*turn.actions, names[place]),
        )
        for column, (place, turn) in enumerate(zip(chosen, begun, strict=True))
    ]


def _continued(evaluator: HerdEvaluator, beam: Sequence[Turn], width: int) -> Iterator[Turn]:
    """The beginnings with one more action, the best first, each outcome once."""
    odds = evaluator.ahead([turn.state for turn in beam])
    names = evaluator.removals if beam[0].state.remove else evaluator.placements
    seen: set[tuple[int, int]] = set()
    for index in _best(odds.ravel(), TRIED * width):
        place, column = divmod(index, len(beam))
        turn, worth = beam[column], float(odds[place, column])
        if len(seen) == width or worth == -inf:
            break
        after = GAME.apply(turn.state, names[place])
        if after.stones not in seen:
            seen.add(after.stones)
            yield Turn(worth, after, (*turn.actions, names[place]))


def _best(values: Floats, count: int) -> list[int]:
    """Where the highest values stand, the highest first."""
    if count >= len(values):
        best = np.argsort(-values)
    else:
        unordered = np.argpartition(values, -count)[-count:]
        best = unordered[np.argsort(-values[unordered])]
    indices: list[int] = best.tolist()
    return indices


def _left(state: HerdState) -> tuple[int, int]:
    """What is left to remove and to place in this turn."""
    return state.remove, state.place
