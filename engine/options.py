"""From words or JSON to a checked table; every refusal is one sentence that names the mend."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.inspect import Metadata, type_info

from engine.game import AnyGame, AnyTable, Table, TableError


def make_table(game: AnyGame, players: int, options: Mapping[str, Any]) -> AnyTable:
    """A table of a game; option values may be words (`"5"`, `"true"`) or JSON values.

    Raises:
        TableError: an unknown option, a value out of bounds, a number of players that
            the game or its options do not allow.
    """
    if players not in game.players:
        raise TableError(f"{game.name} is for {_span(game.players)} players, not {players}")
    fields = msgspec.structs.fields(game.options_type)
    known = {field.name for field in fields}
    for name in options:
        if name not in known:
            raise TableError(f"{game.name} has no option {name!r}; it has {_listed(known)}")
    for field in fields:
        if field.name in options:
            _check_value(game, field, options[field.name])
    table = Table(msgspec.convert(options, game.options_type, strict=False), players)
    game.check(table)
    return table


def _check_value(game: AnyGame, field: msgspec.structs.FieldInfo, value: Any) -> None:
    try:
        msgspec.convert(value, field.type, strict=False)
    except msgspec.ValidationError:
        raise TableError(
            f"option {field.name} of {game.name} is {describe(field.type)}, not {value!r}"
        ) from None


def describe(kind: Any) -> str:
    """The values that an option's type allows, in words: `2 to 10`, `off, replace or add`."""
    info = type_info(kind)
    if isinstance(info, Metadata):
        info = info.type
    match info:
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.LiteralType(values=values):
            return _listed(values, "or")
        case msgspec.inspect.IntType(ge=int(low), le=int(high)):
            return f"a whole number from {low} to {high}"
        case _:
            return type(info).__name__.removesuffix("Type").lower()


def _span(players: range) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"


def _listed(words: Any, last: str = "and") -> str:
    *head, tail = [str(word) for word in words]
    return f"{', '.join(head)} {last} {tail}" if head else tail
