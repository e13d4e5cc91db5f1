"""From the words of a form to the terms of a match, and from one match to the next."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.tournament.entry import Entry, numbered
from arena.web.play.room import Terms
from arena.web.queries import BadQuery
from arena.web.words import visible
from engine import registry
from engine.game import AnyGame, TableError
from engine.options import make_table
from engine.registry import UnknownGame

FRIEND: Final = "@friend"
"""In place of a bot: somebody who is sent the link. No bot can be called so."""
GUEST: Final = "guest"
NAME_LENGTH: Final = 24

CLOCKS: Final[Mapping[str, tuple[str, Clocks | None]]] = {
    "": ("none", None),
    "30s": ("30 s a turn", Clocks(turn_ms=30_000, first_ms=60_000)),
    "2m": ("2 min a turn", Clocks(turn_ms=120_000, first_ms=180_000)),
    "5m": ("5 min + 5 s", Clocks(None, None, bank_ms=300_000, increment_ms=5_000)),
    "15m": ("15 min + 10 s", Clocks(None, None, bank_ms=900_000, increment_ms=10_000)),
}
"""The clocks that are offered: what they are called, and what they are."""


class Choice(Struct, frozen=True):
    """An option of a game as a form shows it."""

    name: str
    about: str
    default: str
    values: Sequence[str] = ()
    """Empty: a number."""
    low: int | None = None
    high: int | None = None


class Offer(Struct, frozen=True):
    """A game as a form shows it."""

    game: AnyGame
    bots: Sequence[str]
    choices: Sequence[Choice]

    @property
    def most(self) -> int:
        """How many opponents there can be."""
        return self.game.players[-1] - 1

    @property
    def least(self) -> int:
        """How many opponents there must be."""
        return self.game.players[0] - 1


def offers(bots: Mapping[str, Entry]) -> list[Offer]:
    """The games, and what can be chosen in each."""
    return [
        Offer(game, [name for name, bot in bots.items() if _plays(bot, game)], _choices(game))
        for game in registry.games().values()
    ]


def terms_of(words: Mapping[str, str], bots: Mapping[str, Entry]) -> tuple[Terms, int]:
    """The terms that a form asks for, and the seat of who sent it.

    Raises:
        BadQuery: with what is wrong, in a sentence.
    """
    try:
        game = registry.game(words.get("game", ""))
        opponents = _opponents(words, bots, game)
        options = {k.removeprefix("option."): v for k, v in words.items() if k[:7] == "option."}
        table = make_table(game, 1 + len(opponents), options)
    except (UnknownGame, TableError) as error:
        raise BadQuery(str(error)) from None
    seat = _seat(words.get("seat", "lot"), table.players)
    seats = [*opponents[:seat], None, *opponents[seat:]]
    name, clocks = CLOCKS.get(words.get("clock", ""), ("", None))
    if not name:
        raise BadQuery("there is no such clock")
    return Terms(
        game=game,
        table=table,
        seats=tuple(seats),
        names=_names(seats),
        clocks=clocks or Clocks(),
        timed=clocks is not None,
        stored=bool(words.get("stored")),
    ), seat


def name_of(words: Mapping[str, str]) -> str:
    """What a person wants to be called."""
    return visible(" ".join(words.get("name", "").split()))[:NAME_LENGTH] or GUEST


def turned(terms: Terms, names: Sequence[str]) -> Terms:
    """The terms of a rematch: everybody moves on by a seat."""
    return replace(
        terms,
        seats=(terms.seats[-1], *terms.seats[:-1]),
        names=(names[-1], *names[:-1]),
    )


def _opponents(
    words: Mapping[str, str], bots: Mapping[str, Entry], game: AnyGame
) -> list[Entry | None]:
    chosen = [words.get(f"opponent{n}", "") for n in range(1, game.players[-1])]
    found: list[Entry | None] = []
    for name in filter(None, chosen):
        bot = bots.get(name)
        if name != FRIEND and (bot is None or not _plays(bot, game)):
            raise BadQuery(f"there is no bot {name[:40]!r} to play {game.name} against")
        found.append(bot)
    return found


def _seat(words: str, players: int) -> int:
    if words == "lot":
        return secrets.randbelow(players)
    if words.isdecimal() and int(words[:3]) < players:
        return int(words)
    raise BadQuery(f"there is no seat {words[:40]!r} at a table of {players}")


def _names(seats: Sequence[Entry | None]) -> tuple[str, ...]:
    bots = iter(numbered(bot for bot in seats if bot is not None))
    return tuple(GUEST if bot is None else next(bots).name for bot in seats)


def _plays(bot: Entry, game: AnyGame) -> bool:
    return bot.games is None or game.name in bot.games


def _choices(game: AnyGame) -> list[Choice]:
    """The options from the JSON Schema of their type."""
    (root,), components = msgspec.json.schema_components([game.options_type], ref_template="{name}")
    own = components[root["$ref"]]
    return [_choice(name, schema) for name, schema in own["properties"].items()]


def _choice(name: str, schema: Mapping[str, Any]) -> Choice:
    default = schema.get("default")
    words = default if isinstance(default, str) else msgspec.json.encode(default).decode()
    given = ("false", "true") if schema.get("type") == "boolean" else schema.get("enum", ())
    values = [str(value) for value in given]
    values.sort(key=lambda value: value != words)  # what is usual comes first
    return Choice(
        name,
        schema.get("description", ""),
        words,
        values,
        schema.get("minimum"),
        schema.get("maximum"),
    )
