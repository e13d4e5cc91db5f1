"""What a game declares, who acts, what is legal, and that states are plain values."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

import msgspec

from engine.game import CHANCE, AnyGame, IllegalAction, Outcome
from engine.registry import NAME_FORM
from engine.testing.walks import Position, Walk, decode, encode, on_walks, spread_tables

ACTION: Final = re.compile(r"[a-z0-9/]+(@[A-Z][0-9]+)?")
CODE: Final = re.compile(r"[a-z]+(-[a-z]+)*")
LONGEST_DETAIL: Final = 400
FOREIGN: Final = (
    *("", " ", "@", "x", "pass", "A1", "null", "-1", "place@A1", "zebra/lion@A1", "e2e4"),
    *("roll@1,2", "roll@0,7", "draw@0:zebra", "draw@9:", "x@A99999999999999999999", "x@Z0"),
    *("\0", "\n", "é@A1", "\U0001f981", "\ud800", "x" * 70_000, "x@A" + "1" * 5_000),
)
"""Strings that are no action, or that of some other game."""


def check_declaration(
    game: AnyGame,
    seed: int = 0,
    matches: int = 1,  # noqa: ARG001  # nothing is played; all checks are called alike
) -> None:
    """The class attributes are set and of the kinds that the interface gives."""
    _require(NAME_FORM.fullmatch(game.name), f"name is lower-case words, not {game.name!r}")
    _require(type(game.version) is int and game.version > 0, f"{game.name}: version counts from 1")
    for attribute in ("title", "credit"):
        text = getattr(game, attribute)
        _require(text and text.isprintable(), f"{game.name}: {attribute} is a line of text")
    types = {
        "options_type": game.options_type,
        "state_type": game.state_type,
        "view_type": game.view_type,
        **{f"event_types[{place}]": kind for place, kind in enumerate(game.event_types)},
    }
    for name, kind in types.items():
        frozen = issubclass(kind, msgspec.Struct) and kind.__struct_config__.frozen
        _require(frozen, f"{game.name}: {name} is a frozen msgspec struct")
    forbids = game.options_type.__struct_config__.forbid_unknown_fields
    _require(forbids, f"{game.name}: options_type forbids unknown fields")
    _require(
        all(not field.required for field in msgspec.structs.fields(game.options_type)),
        f"{game.name}: every option has a default",
    )
    _require(
        len(game.players) > 0 and min(game.players) > 0, f"{game.name}: players are counted from 1"
    )
    seen = {table.players for table in spread_tables(game, seed)}
    _require(seen == set(game.players), f"{game.name}: each number of players has a table")


def _require(holds: object, promise: str) -> None:
    if not holds:
        raise AssertionError(promise)


@on_walks
def check_sides(walk: Walk) -> None:
    """Every seat has a side; sides are counted from 0."""
    start = walk.start
    sides = start.game.sides(start.table)
    if len(sides) != start.table.players:
        start.fail(f"sides has an entry per seat, but is {sides}")
    if set(sides) != set(range(len(set(sides)))):
        start.fail(f"sides are counted from 0 without a gap, but are {sides}")


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


@on_walks
def check_refusals(walk: Walk) -> None:
    """Every action that is not legal raises IllegalAction, and nothing else."""
    rng = Random(walk.deal)
    heard: dict[str, None] = {}
    for position in walk:
        options = position.options()
        heard.update(dict.fromkeys(options))
        tried = [*FOREIGN, *_spoilt(options), *rng.sample(list(heard), min(20, len(heard)))]
        allowed = set(options)
        for action in tried:
            if action not in allowed:
                _check_refusal(position, action)


def _spoilt(actions: Sequence[str]) -> Iterator[str]:
    """An action with another case, a space, a line end, a byte too many."""
    for action in actions[:1]:
        yield from (action.upper(), action.title(), f" {action}", f"{action} ", f"{action}\n")
        yield from (f"{action}\0", f"{action}0", f"{action}@A1", f"/{action}", f"{action},{action}")


def _check_refusal(position: Position, action: str) -> None:
    shown = ascii(action[:60])
    try:
        position.game.apply(position.state, action)
    except IllegalAction as error:
        if not CODE.fullmatch(error.code):
            position.fail(f"the code for {shown} is lower-case words, but is {error.code!r}")
        detail = error.detail
        plain = detail.isascii() and detail.isprintable() and 0 < len(detail) <= LONGEST_DETAIL
        if not plain:
            position.fail(
                f"the detail for {shown} is a sentence of printable ASCII of at most"
                f" {LONGEST_DETAIL} characters, but is {detail[:LONGEST_DETAIL]!a}"
            )
    except Exception as error:  # whatever a game's method may raise
        position.fail(f"{shown} only raises IllegalAction, but raised {error!r}")
    else:
        position.fail(f"{shown} is refused, because it is not legal")


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
        if seat is not None and game.to_act(state) == seat:
            yield "sample", game.sample(table, view, seat, Random(0))
    for action in position.options()[:5]:
        after = game.apply(state, action)
        yield "apply", after
        yield "redact", game.redact(state, action, after, None)
        yield "effects", game.effects(state, action, after)
