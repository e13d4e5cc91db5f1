"""Whole turns of Herd that look good: a beam search over removals and placements."""

from collections.abc import Iterator, Sequence
from heapq import nlargest
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np

from engine.evaluation.herd import HerdEvaluator
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
    begun = {_due(state): {state.stones: Turn(0, state)}}
    while begun:
        beam = nlargest(width, begun.pop(max(begun)).values(), key=attrgetter("odds"))
        for turn in _continued(evaluator, beam, width):
            after = turn.state
            if after.turn != state.turn or not _due(after):
                ended.setdefault(after.stones, turn)
            else:
                begun.setdefault(_due(after), {}).setdefault(after.stones, turn)
    return sorted(ended.values(), key=attrgetter("odds"), reverse=True)


def _continued(evaluator: HerdEvaluator, beam: Sequence[Turn], width: int) -> Iterator[Turn]:
    """The beginnings with one more action, the best first, each outcome once."""
    odds, legal = evaluator.ahead([turn.state for turn in beam])
    names = evaluator.removals if beam[0].state.remove else evaluator.placements
    seen = set()
    for place, column in _best(
        np.where(legal, odds, -np.inf), min(TRIED * width, int(legal.sum()))
    ):
        turn, name = beam[column], names[place]
        after = GAME.apply(turn.state, name)
        if after.stones not in seen:
            seen.add(after.stones)
            yield Turn(float(odds[place, column]), after, (*turn.actions, name))
        if len(seen) == width:
            break


def _best(values: np.ndarray, count: int) -> list[tuple[int, int]]:
    """Where the highest values stand, the highest first."""
    flat = values.ravel()
    chosen = np.argpartition(flat, -count)[-count:] if count < len(flat) else np.arange(len(flat))
    chosen = chosen[np.argsort(-flat[chosen])]
    return [divmod(int(index), values.shape[1]) for index in chosen]


def _due(state: HerdState) -> int:
    """What is left to remove and to place."""
    return state.remove + state.place
