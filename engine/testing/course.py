"""The course of a match: who acts, what is legal, and how it ends."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from engine.game import CHANCE, Outcome
from engine.testing.walks import Position, Walk, on_walks

ACTION: Final = re.compile(r"[a-z0-9/]+(@[A-Z][0-9]+)?")


@on_walks
def check_legal(walk: Walk) -> None:
    """`legal` gives actions of the alphabet, once each, and at least one where a seat acts."""
    for position in walk:
        legal = list(position.game.legal(position.state))
        if bool(legal) != (position.game.to_act(position.state) in position.seats):
            position.fail(f"legal has actions exactly where a seat is to act, but is {legal}")
        if len(set(legal)) < len(legal):
            position.fail(f"legal has no duplicates, but {_first_double(legal)} stands twice")
        for action in legal:
            if not ACTION.fullmatch(action):
                position.fail(f"an action is of the form {ACTION.pattern}, but {action!a} is not")


@on_walks
def check_order(walk: Walk) -> None:
    """`legal` is the same each time, and two actions always stand in the same order."""
    before: list[str] = []
    for position in walk:
        game, state = position.game, position.state
        legal = list(game.legal(state))
        if legal != list(game.legal(state)) or legal != list(game.legal(position.copy())):
            position.fail("legal gives the same list for the same state")
        if legal:
            both = set(before) & set(legal)
            if [one for one in before if one in both] != [one for one in legal if one in both]:
                position.fail("two actions always stand in the same order in legal")
            before = legal


@on_walks
def check_playable(walk: Walk) -> None:
    """Every legal action and every outcome of chance can be applied."""
    for position in walk.some():
        for action in position.options():
            position.after(action)


def _first_double(actions: Sequence[str]) -> str:
    return Counter(actions).most_common(1)[0][0]


@on_walks
def check_turns(walk: Walk) -> None:
    """`to_act` gives seats of the table; turns count up from 1, each of one seat."""
    last, owner = 1, None
    if walk.start.game.turn(walk.start.state) != 1:
        walk.start.fail("the first turn is turn 1")
    for position in walk:
        seat = position.game.to_act(position.state)
        turn = position.game.turn(position.state)
        if seat is not None and seat != CHANCE and seat not in position.seats:
            position.fail(f"to_act is a seat of the table, CHANCE or None, but is {seat}")
        if turn < last:
            position.fail(f"turn never falls, but did from {last} to {turn}")
        if turn > last:
            last, owner = turn, None
        if seat is not None and seat != CHANCE:
            if owner not in (None, seat):
                position.fail(f"a turn is of one seat, but {owner} and {seat} act in turn {turn}")
            owner = seat


@on_walks
def check_ending(walk: Walk) -> None:
    """Games end; then, and only then, there is an outcome, and it agrees with itself."""
    sides = walk.start.game.sides(walk.start.table)
    for position in walk:
        game, state = position.game, position.state
        outcome, over = game.outcome(state), game.to_act(state) is None
        scores = game.scores(state)
        if len(scores) != len(set(sides)):
            position.fail(f"scores has an entry per side, but is {scores}")
        if (outcome is not None) != over:
            position.fail("there is an outcome exactly when nobody is to act")
        if outcome is not None:
            _check_outcome(position, outcome, sides)


def _check_outcome(position: Position, outcome: Outcome, sides: Sequence[int]) -> None:
    ranks = outcome.ranks
    by_side = dict(zip(sides, ranks, strict=False))
    if len(ranks) != len(sides):
        position.fail(f"an outcome has a rank per seat, but {ranks}")
    if any(by_side[side] != rank for side, rank in zip(sides, ranks, strict=True)):
        position.fail(f"team mates share their rank, but the ranks are {ranks}")
    places = by_side.values()
    if any(rank != 1 + sum(other < rank for other in places) for rank in places):
        position.fail(f"a rank is 1 + the sides ahead, but the ranks are {ranks}")
    if outcome.scores != position.game.scores(position.state):
        position.fail(f"the outcome's scores are those of scores, but are {outcome.scores}")
    if outcome.reason not in ("finished", "limit"):
        position.fail(f"an outcome's reason is finished or limit, but is {outcome.reason!r}")
