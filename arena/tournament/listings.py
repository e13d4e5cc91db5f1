"""What there is, as programs are told of it: by `--json` and by the server's JSON API."""

from typing import Any

from msgspec import Struct

from arena.referee.clock import Clocks
from arena.store.db import Store
from arena.store.model import RunSummary
from arena.tournament.entry import Entry
from engine import registry
from engine.game import AnyGame
from engine.options import OptionInfo, list_options


class GameListing(Struct, frozen=True):
    """A game."""

    name: str
    version: int
    title: str
    credit: str
    """Who designed it."""
    players: tuple[int, ...]
    """How many can play."""
    options: tuple[OptionInfo, ...]


class BotListing(Struct, frozen=True):
    """A bot that can play; where its program is, is nobody's business but its user's."""

    name: str
    digest: str
    games: tuple[str, ...] | None
    """Those that it plays; null: all."""
    network: bool
    """It calls a service."""


class RunListing(Struct, frozen=True):
    """A run; without its seed, from which deals to come could be known."""

    run: str
    game: str
    version: int
    options: dict[str, Any]
    seats: int
    format: str
    clocks: Clocks
    created: str
    """UTC, ISO 8601."""
    bots: int
    matches: int
    planned: int | None
    """How many matches it has at its end; null: that is not known."""


def games() -> list[GameListing]:
    """The games that can be played."""
    return list(map(_game, registry.games().values()))


def bot(entry: Entry) -> BotListing:
    """A bot."""
    return BotListing(entry.name, entry.entrant.digest, entry.games, entry.entrant.network)


def runs(store: Store) -> list[RunListing]:
    """The runs of a store, in the order they were created."""
    return list(map(run, store.runs()))


def run(summary: RunSummary) -> RunListing:
    """A run."""
    of = summary.run
    return RunListing(
        run=of.id,
        game=of.game,
        version=of.version,
        options=of.options,
        seats=of.seats,
        format=of.format,
        clocks=of.clocks,
        created=of.created,
        bots=summary.entrants,
        matches=summary.matches,
        planned=summary.planned,
    )


def _game(game: AnyGame) -> GameListing:
    players, options = tuple(game.players), list_options(game)
    return GameListing(game.name, game.version, game.title, game.credit, players, options)
