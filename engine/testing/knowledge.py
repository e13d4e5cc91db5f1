"""What a seat may know: views, events, and that neither tells what is hidden.

Two states that differ only in what a seat may not know are a state and one that `sample` makes from
that seat's view.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import msgspec
from msgspec import Struct

from engine.game import CHANCE, IllegalAction
from engine.testing.refusals import FOREIGN
from engine.testing.walks import Position, Walk, decode, encode, on_walks


@on_walks
def check_views(walk: Walk) -> None:
    """A view is of the view type, comes back from JSON, and is the same each time."""
    for position in walk:
        game, state, copy = position.game, position.state, position.copy()
        for seat in position.audience:
            view = game.view(state, seat)
            _check_view(position, view)
            if encode(view) != encode(game.view(copy, seat)):
                position.fail(f"the view of seat {seat} is the same each time")
        _check_view(position, game.open_view(state))


def _check_view(position: Position, view: object) -> None:
    kind = position.game.view_type
    if type(view) is not kind:
        position.fail(f"a view is of view_type, but is {type(view).__name__}")
    copy = decode(encode(view), kind)
    if copy != view or encode(copy) != encode(view):
        position.fail("a view comes back from JSON as it was")


@on_walks
def check_events(walk: Walk) -> None:
    """`redact` gives None or one of the event types, an object on the wire."""
    for position in walk:
        for event in _events(position):
            if type(event) not in position.game.event_types:
                position.fail(f"an event is of event_types, but is {type(event).__name__}")
            if not isinstance(msgspec.json.decode(encode(event)), dict):
                position.fail("an event is an object on the wire")


def _events(position: Position) -> Iterator[Struct]:
    """What the seats and a spectator are told of the action that led here."""
    before = position.before
    if before:
        for seat in position.audience:
            event = position.game.redact(before.state, position.action, position.state, seat)
            if event is not None:
                yield event


@on_walks
def check_samples(walk: Walk) -> None:
    """`sample` gives a state that fits the view, and that random play brings to an end."""
    for position in walk.some():
        if position.game.to_act(position.state) in position.seats:
            for seat in position.seats:
                twin = sample_twin(position, seat, Random(walk.deal))
                _check_fit(position, twin, seat)
                _play_out(twin, Random(walk.deal))


def _play_out(position: Position, rng: Random) -> None:
    """Random play to the end, chance included: a sampled state belongs to no deal."""
    while position.game.to_act(position.state) is not None:
        position = position.after(position.pick(rng))


def sample_twin(position: Position, seat: int, rng: Random) -> Position:
    """A position that differs only in what a seat may not know, from its view as it is sent."""
    game, table = position.game, position.table
    view = decode(encode(game.view(position.state, seat)), game.view_type)
    return replace(position, state=game.sample(table, view, seat, rng))


def _check_fit(position: Position, twin: Position, seat: int) -> None:
    game = position.game
    if type(twin.state) is not game.state_type:
        position.fail(f"sample gives a state, but gave {type(twin.state).__name__}")
    if encode(game.view(twin.state, seat)) != encode(game.view(position.state, seat)):
        position.fail(f"a state sampled from the view of seat {seat} gives the same view")
    for name in ("to_act", "turn", "scores"):
        method = getattr(game, name)
        if method(twin.state) != method(position.state):
            position.fail(f"a sampled state has the same {name}")


@on_walks
def check_secrets(walk: Walk) -> None:
    """What a seat may not know is in no view, legal action, refusal or event of its own."""
    rng = Random(walk.deal)
    for position in walk.some():
        for seat in position.seats:
            if position.game.to_act(position.state) == CHANCE:
                _check_nothing_more_in_events([position], seat)
                continue
            if position.game.to_act(position.state) is None:
                continue
            twins = [position, *(sample_twin(position, seat, rng) for _ in range(3))]
            for twin in twins[1:]:
                _check_fit(position, twin, seat)
                if position.game.to_act(position.state) == seat:
                    _check_same_choice(position, twin)
            _check_nothing_more_in_events(twins, seat)


def _check_same_choice(position: Position, twin: Position) -> None:
    """The seat to act has the same legal actions in both, and the same refusals."""
    legal = list(position.game.legal(position.state))
    if list(position.game.legal(twin.state)) != legal:
        position.fail("legal is the same in states that the seat cannot tell apart")
    for action in (*FOREIGN, *position.log):
        if action not in legal and _refusal(position, action) != _refusal(twin, action):
            position.fail(
                f"the refusal of {action!a} is the same in states that the seat cannot"
                f" tell apart, not {_refusal(position, action)} and {_refusal(twin, action)}"
            )


def _refusal(position: Position, action: str) -> tuple[str, str]:
    try:
        position.game.apply(position.state, action)
    except IllegalAction as error:
        return error.code, error.detail
    return "", ""


def _check_nothing_more_in_events(twins: Sequence[Position], seat: int) -> None:
    """Where a seat sees the same before and after, it gets the same event.

    That is what "the state is complete for the seat" comes to: an event tells nothing that the
    view after it does not hold.
    """
    events: dict[bytes, bytes] = {}
    for position in twins:
        game = position.game
        for action in position.options():
            after = position.after(action).state
            event = encode(game.redact(position.state, action, after, seat))
            known = events.setdefault(encode(game.view(after, seat)), event)
            if known != event:
                position.fail(
                    f"an event tells seat {seat} nothing that its view does not hold, but where it"
                    f" sees the same after {action} it gets {event.decode()} or {known.decode()}"
                )
