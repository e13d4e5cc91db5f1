"""States are plain values: they go through JSON, replay, and no method changes them."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.game import CHANCE
from engine.testing.walks import Position, Walk, decode, encode, on_walks


@on_walks
def check_json(walk: Walk) -> None:
    """A state is of the state type and comes back from JSON as it was."""
    for position in walk:
        if type(position.state) is not position.game.state_type:
            position.fail(f"a state is of state_type, but is {type(position.state).__name__}")
        copy = position.copy()
        if copy != position.state or encode(copy) != encode(position.state):
            position.fail("a state comes back from JSON as it was")


@on_walks
def check_replay(walk: Walk) -> None:
    """A fold of `apply` over the log, through JSON each time, gives the states that were played."""
    game, state = walk.start.game, walk.start.game.initial(walk.start.table)
    for position in walk:
        if position.before:
            state = game.apply(decode(encode(state), game.state_type), position.action)
        if encode(state) != encode(position.state):
            position.fail("the same log gives the same state")


@on_walks
def check_purity(walk: Walk) -> None:
    """No method changes the state that it is given."""
    for position in walk.some():
        before = encode(position.state)
        for name, result in _call_everything(position):
            if encode(position.state) != before:
                position.fail(f"{name} does not change the state, but did (it gave {result!r})")


def _call_everything(position: Position) -> Iterator[tuple[str, Any]]:
    """Each method's name and what it gave."""
    game, table, state = position.game, position.table, position.state
    for method in (game.to_act, game.turn, game.legal, game.outcome, game.scores):
        yield method.__name__, method(state)
    if game.to_act(state) == CHANCE:
        yield "chances", game.chances(state)
        yield "chance", game.chance(state, "deal")
    for seat in position.audience:
        view = game.view(state, seat)
        yield "view", view
        yield "text", game.text(table, view)
        yield "svg", game.svg(table, view)
        if seat is not None and game.to_act(state) == seat:
            yield "sample", game.sample(table, view, seat, Random(0))
    for action in position.options()[:5]:
        after = game.apply(state, action)
        yield "apply", after
        yield "redact", game.redact(state, action, after, None)
        yield "effects", game.effects(state, action, after)
