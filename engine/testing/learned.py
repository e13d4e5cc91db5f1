"""What programs that learn are given: the list of actions, and a view as numbers."""

from math import isfinite

from engine.testing.course import ACTION
from engine.testing.walks import Position, Walk, decode, encode, on_walks


@on_walks
def check_actions(walk: Walk) -> None:
    """`actions` lists each action once, and every one that is legal; or it gives None."""
    actions = walk.start.game.actions(walk.start.table)
    if actions is None:
        return
    known = set(actions)
    if len(known) < len(actions):
        walk.start.fail("actions has no duplicates")
    for action in actions:
        if not ACTION.fullmatch(action):
            walk.start.fail(f"an action is of the form {ACTION.pattern}, but {action!a} is not")
    for position in walk:
        for action in position.game.legal(position.state):
            if action not in known:
                position.fail(f"actions lists every legal action, but not {action}")


@on_walks
def check_features(walk: Walk) -> None:
    """`features` gives finite numbers, as many for every view of a seat; or it gives None."""
    first = _features(walk.start, 0)
    for position in walk.some():
        for seat in position.seats:
            features = _features(position, seat)
            if (features is None) != (first is None):
                position.fail("features gives numbers for every view, or for none")
            if features is None or first is None:
                continue
            if len(features) != len(first):
                position.fail(f"features are {len(first)} numbers, not {len(features)}")


def _features(position: Position, seat: int) -> list[float] | None:
    game, view = position.game, position.game.view(position.state, seat)
    features = game.features(position.table, view, seat)
    again = game.features(position.table, decode(encode(view), game.view_type), seat)
    if features is None or again is None:
        return None
    if not all(map(isfinite, features)):
        position.fail(f"features are finite numbers, but {features}")
    if list(features) != list(again):
        position.fail("features are the same for equal views")
    return list(features)
