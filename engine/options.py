"""From words or JSON to a checked table; every refusal is one sentence that names the mend."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.inspect import BoolType, IntType, LiteralType, Metadata, type_info
from msgspec.structs import FieldInfo

from engine.game import AnyGame, AnyTable, Table, TableError
from engine.words import listed, quoted


class OptionInfo(Struct, frozen=True):
    """An option of a game, for people."""

    name: str
    allowed: str
    """The values in words: `a whole number from 2 to 10`, `off, replace or add`."""
    default: Any
    """As a JSON value."""
    description: str
    """A few words, empty where the game gives none."""


def list_options(game: AnyGame) -> tuple[OptionInfo, ...]:
    """The options of a game in the order of its options type."""
    defaults = game.options_type()
    return tuple(
        OptionInfo(
            field.encode_name,
            describe(field.type),
            msgspec.to_builtins(getattr(defaults, field.name)),
            _description(field),
        )
        for field in msgspec.structs.fields(game.options_type)
    )


def make_table(game: AnyGame, players: int | None, options: Mapping[str, Any]) -> AnyTable:
    """A table of a game; without a number of players for the fewest that its options allow.

    Option values are JSON values or the words of a command line, read as msgspec does when it is
    not strict: `true`, `false`, `1` and `0` in any case for a truth value, `5` for a number.

    Raises:
        TableError: an unknown option, a value that is not allowed, a number of players that
            the game or its options do not suit.
    """
    for fewest in game.players if players is None else ():
        with suppress(TableError):  # such as teams, which need four
            return make_table(game, fewest, options)
    players = game.players[0] if players is None else players
    if players not in game.players:
        allowed = listed(game.players, "or")
        raise TableError(f"{game.name} is for {allowed} players, not {players}")
    fields = {field.encode_name: field for field in msgspec.structs.fields(game.options_type)}
    for name, value in options.items():
        if name not in fields:
            raise TableError(f"{game.name} has no option {quoted(name)}; it has {listed(fields)}")
        _check_value(game, fields[name], value)
    table = Table(_convert(game, options), players)
    game.check(table)
    return table


def _check_value(game: AnyGame, field: FieldInfo, value: Any) -> None:
    try:
        msgspec.convert(value, field.type, strict=False)
    except msgspec.ValidationError:
        allowed = describe(field.type)
        raise TableError(
            f"option {field.encode_name} of {game.name} is {allowed}, not {quoted(value)}"
        ) from None


def _convert(game: AnyGame, options: Mapping[str, Any]) -> Struct:
    """The options struct; a game's own `__post_init__` may refuse what its fields allow."""
    options_type: type[Struct] = game.options_type
    try:
        return msgspec.convert(dict(options), options_type, strict=False)
    except msgspec.ValidationError as error:
        raise TableError(f"{game.name}: {error}") from None


def options_text(options: Mapping[str, Any]) -> str:
    """Options as they are typed: `mouse=off teams=false`."""
    words = (v if isinstance(v, str) else str(v).lower() for v in options.values())
    return " ".join(f"{name}={word}" for name, word in zip(options, words, strict=True))


def describe(kind: Any) -> str:
    """The values that an option's type allows: `a whole number from 2 to 10`, `true or false`."""
    info = type_info(kind)
    if isinstance(info, Metadata):
        info = info.type
    match info:
        case BoolType():
            return "true or false"
        case LiteralType():
            return listed(_literals(kind), "or")
        case IntType(ge=int(low), le=int(high)):
            return f"a whole number from {low} to {high}"
        case _:
            return f"of type {type(info).__name__.removesuffix('Type').lower()}"


def _literals(kind: Any) -> tuple[Any, ...]:
    """The values of a literal type as its author ordered them: msgspec sorts them."""
    return get_args(get_args(kind)[0] if get_origin(kind) is Annotated else kind)


def _description(field: FieldInfo) -> str:
    info = type_info(field.type)
    extra = info.extra_json_schema if isinstance(info, Metadata) else None
    return str((extra or {}).get("description", ""))
