"""A tournament in a TOML file; every setting of the command line has its key here.

```toml
game = "savanna-ten"
format = "gauntlet"
deals = 100
turn-time = "200ms"

[option]
mouse = "replace"

[[bot]]
bot = "./mybot"
challenger = true

[[bot]]
bot = "search --nodes 500"
name = "search-500"
memory = "1GB"
time-handicap = 2.0
```
"""

import shlex
from collections.abc import Mapping
from functools import partial
from math import inf
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.referee.limits import Limits
from arena.toml import load
from arena.tournament import digest
from arena.tournament.entry import Entry, Variables, Word, distinct, numbered, resolve
from arena.tournament.prepare import FormatChoice, Request
from arena.units import UnitError, duration, size
from engine import registry
from engine.game import AnyGame, AnyTable
from engine.options import make_table

UNLIMITED_MB: Final = 1 << 30
"""More memory than any machine has."""

Count: TypeAlias = Annotated[int, Meta(ge=1)]


class BotSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """An entrant."""

    bot: str
    """BOT, as on the command line."""
    name: str | None = None
    arguments: tuple[Word, ...] = ()
    """Added to the words of `bot`."""
    env: Variables = {}
    """Added to the bot's environment."""
    memory: str | None = None
    """In place of the tournament's limit."""
    time_handicap: float = 1.0
    """What its clocks are multiplied by."""
    challenger: bool = False
    """In a gauntlet: meets the field."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A tournament; what is None or empty takes the default."""

    game: str
    bot: tuple[BotSettings, ...] = ()
    option: dict[str, Any] = {}
    """Of the game."""
    seats: Count | None = None
    format: str = "round-robin"
    deals: Count | None = None
    matches: Count | None = None
    """A balanced sample of a round robin; the budget of a ladder."""
    rounds: Count | None = None
    """Of a Swiss tournament."""
    time_limit: str | None = None
    """Nothing is begun after so long."""
    seed: str | None = None
    store: str | None = None
    turn_time: str | None = None
    first_time: str | None = None
    bank: str | None = None
    increment: str | None = None
    start_time: str | None = None
    margin: str | None = None
    memory: str | None = None
    workers: Count | None = None
    per_worker: Count | None = None
    cluster: str | None = None
    """The address of a Dask scheduler, or the file that it wrote: play there."""
    fresh: bool = False
    isolation: str | None = None
    trust: bool = False


class SettingsError(ValueError):
    """A setting has a value that it cannot have; one sentence that names it."""


def read(path: Path) -> Settings:
    """The tournament in a file.

    Raises:
        TomlError: with the line and what is expected.
    """
    return load(path, Settings)


def clocks_of(settings: Settings) -> Clocks:
    """The time control.

    With a bank and no turn-time the bank alone limits; a first turn may take as long as any.

    Raises:
        SettingsError: a value is no duration, or an increment has no bank.
    """
    usual = Clocks()
    bank = _duration("bank", settings.bank)
    increment = _duration("increment", settings.increment)
    if increment and not bank:
        raise SettingsError("increment: it needs a bank")
    turn = _duration("turn-time", settings.turn_time, None if bank else usual.turn_ms)
    first = max(turn, usual.first_ms or 0) if turn else None
    return Clocks(
        turn_ms=turn,
        first_ms=_duration("first-time", settings.first_time, first),
        bank_ms=bank,
        increment_ms=increment,
        start_ms=_duration("start-time", settings.start_time) or usual.start_ms,
        margin_ms=_duration("margin", settings.margin) or usual.margin_ms,
    )


def entries_of(settings: Settings, *, number_repeated: bool = False) -> tuple[Entry, ...]:
    """The entrants, in their order.

    Args:
        settings: name them.
        number_repeated: a name that comes again is numbered, not refused.

    Raises:
        BadName, CannotStart: as `resolve` and `distinct` do.
        SettingsError: a memory is no size, a time handicap not positive.
    """
    resolved = map(resolve, map(_words, settings.bot))
    entries = numbered(resolved) if number_repeated else distinct(resolved)
    return tuple(map(partial(_with_own, settings), settings.bot, entries))


def request_of(
    settings: Settings,
    *,
    number_repeated: bool = False,
    new: bool = False,
    replace: bool = False,
) -> Request:
    """The tournament that is asked for.

    Args:
        settings: say it.
        number_repeated: as in `entries_of`.
        new: start another run also where there is one to continue.
        replace: play the matches of changed programs again.

    Raises:
        UnknownGame, TableError: the game, its options or the number of seats.
        SettingsError, BadName, CannotStart: as above.
    """
    game, table = table_of(settings.game, settings.seats, settings.option)
    entries = entries_of(settings, number_repeated=number_repeated)
    return Request(
        game=game,
        table=table,
        entries=entries,
        clocks=clocks_of(settings),
        format=FormatChoice(
            settings.format,
            settings.deals,
            settings.matches,
            settings.rounds,
            tuple(e.name for e, bot in zip(entries, settings.bot, strict=True) if bot.challenger),
        ),
        seed=settings.seed,
        new=new,
        replace=replace,
    )


def table_of(name: str, seats: int | None, options: Mapping[str, Any]) -> tuple[AnyGame, AnyTable]:
    """A game and its table; without seats the least that the game allows with these options.

    Raises:
        UnknownGame, TableError: as the registry and the options do.
    """
    chosen = registry.game(name)
    return chosen, make_table(chosen, seats, options)


def sides_of(name: str, seats: int | None, options: Mapping[str, Any]) -> int:
    """How many sides a match has.

    Raises:
        UnknownGame, TableError: as `table_of` does.
    """
    game, table = table_of(name, seats, options)
    return max(game.sides(table)) + 1


def name_of(bot: BotSettings) -> str:
    """The name that a bot is entered under.

    Raises:
        BadName, CannotStart: as `resolve` does.
    """
    return resolve(_words(bot)).name


def time_limit_of(settings: Settings) -> float | None:
    """After how many seconds no match is begun any more; None: no limit.

    Raises:
        SettingsError: it is no duration.
    """
    milliseconds = _duration("time-limit", settings.time_limit)
    return None if milliseconds is None else milliseconds / 1000


def memory_mb(words: str | None) -> int:
    """A limit of memory in MiB, the usual one without words; `none` is no limit.

    Raises:
        SettingsError: it is no size.
    """
    if words is None:
        return Limits().memory_mb
    try:
        return size(words) >> 20 or UNLIMITED_MB
    except UnitError as error:
        raise SettingsError(f"memory: {error}") from None


def _words(bot: BotSettings) -> str:
    words = " ".join([bot.bot, *map(shlex.quote, bot.arguments)])
    return words if bot.name is None else f"{bot.name}={words}"


def _with_own(settings: Settings, bot: BotSettings, entry: Entry) -> Entry:
    """The entry with what the tournament sets for it; what makes it stronger is its identity."""
    if not 0 < bot.time_handicap < inf:
        raise SettingsError(f"time-handicap of {entry.name}: {bot.time_handicap:g} is no factor")
    limits = replace(Limits(), memory_mb=memory_mb(bot.memory or settings.memory))
    program = replace(entry.program, env=entry.program.env | bot.env, limits=limits)
    entrant = entry.entrant
    if bot.env or bot.time_handicap != 1:
        own = (*sorted(bot.env.items()), bot.time_handicap)
        entrant = replace(entrant, digest=digest.extended(entrant.digest, own))
    return replace(entry, entrant=entrant, program=program, time_handicap=float(bot.time_handicap))


def _duration(key: str, words: str | None, usual: int | None = None) -> int | None:
    if words is None:
        return usual
    try:
        return duration(words) or None
    except UnitError as error:
        raise SettingsError(f"{key}: {error}") from None
