"""What a game declares: its names, types and sides."""

import msgspec

from engine.game import AnyGame
from engine.guarded import ATTRIBUTES
from engine.registry import NAME_FORM
from engine.testing.walks import Walk, on_walks, spread_tables
from engine.words import listed


def check_declaration(
    game: AnyGame,
    seed: int = 0,
    matches: int = 1,  # noqa: ARG001  # nothing is played; all checks are called alike
) -> None:
    """The class attributes are set and of the kinds that the interface gives."""
    missing = [attribute for attribute in ATTRIBUTES if not hasattr(game, attribute)]
    _require(not missing, f"{type(game).__name__} sets {listed(missing)}")
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
