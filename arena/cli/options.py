"""The options that several commands share, and how their words are read."""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from arena.referee.clock import Clocks
    from arena.store.model import Filter
    from engine.game import AnyGame, AnyTable

_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_CLOCKS: Final = "Clocks"
_PLACE: Final = "Where it is played"


def duration(words: str) -> int:
    """Milliseconds from `200ms`, `1s`, `2m` or `1h`; 0 from `none`."""
    if words == "none":
        return 0
    if found := re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)", words):
        return round(float(found[1]) * _UNITS[found[2]])
    raise typer.BadParameter(f"'{words}' is not a duration; write it like 200ms, 1s, 2m or none")


def _time(name: str, help_text: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(
        name, parser=duration, metavar="TIME", rich_help_panel=_CLOCKS, help=help_text
    )
    return info


Bots = Annotated[list[str], typer.Argument(metavar="BOT…", help="Bots, each as BOT or NAME=BOT.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game: see `arena games`.")]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="K=V", help="An option of the game; can be repeated."),
]
Seats = Annotated[
    int | None, typer.Option("--seats", help="Number of seats. [default: the least it allows]")
]
Seed = Annotated[
    str | None, typer.Option("--seed", help="Any words. [default: 128 random bits, printed]")
]
StoreFile = Annotated[
    Path, typer.Option("--store", envvar="ARENA_STORE", metavar="FILE", help="The store.")
]
OfGame = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="Only matches of this game.")
]
OfSeats = Annotated[int | None, typer.Option("--seats", help="Only matches of so many seats.")]
OfRun = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Only this run, or how its id begins.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]

TurnTime = Annotated[
    int | None, _time("--turn-time", "Limit of a turn. [default: 1s; none with --bank]")
]
FirstTime = Annotated[
    int | None,
    _time("--first-time", "Limit of a seat's first turn. [default: 5s, or --turn-time if longer]"),
]
Bank = Annotated[int | None, _time("--bank", "Budget of a seat for a match. [default: none]")]
Increment = Annotated[
    int | None, _time("--increment", "What a completed turn adds to the bank. [default: none]")
]
StartTime = Annotated[
    int | None, _time("--start-time", "Limit from start-up to ready. [default: 10s]")
]
Margin = Annotated[
    int | None, _time("--margin", "Granted silently on top of every limit. [default: 0ms]")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, rich_help_panel=_PLACE, help="Worker processes. [default: one per core]"
    ),
]
PerWorker = Annotated[
    int,
    typer.Option(
        "--per-worker",
        min=1,
        rich_help_panel=_PLACE,
        help="Matches at a time in a worker, for bots that wait on a network.",
    ),
]
Isolation = Annotated[
    str,
    typer.Option(
        "--isolation", rich_help_panel=_PLACE, help="auto, bwrap, process or none: see `doctor`."
    ),
]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", rich_help_panel=_PLACE, help="New processes for every match."),
]


def clocks_from(
    turn: int | None,
    first: int | None,
    bank: int | None,
    increment: int | None,
    start: int | None,
    margin: int | None,
) -> "Clocks":
    """The time control that the words of the command line ask for.

    Args are milliseconds, 0 for `none`, None where an option was not given.
    """
    from arena.referee.clock import Clocks

    if increment and not bank:
        raise typer.BadParameter("an increment needs a bank", param_hint="--increment")
    default = Clocks()
    turn_ms = turn or None if turn is not None else None if bank else default.turn_ms
    longest = max(turn_ms, default.first_ms or 0) if turn_ms is not None else None
    return Clocks(
        turn_ms=turn_ms,
        first_ms=longest if first is None else first or None,
        bank_ms=bank or None,
        increment_ms=increment or None,
        start_ms=start or default.start_ms,
        margin_ms=margin or default.margin_ms,
    )


def table_from(name: str, seats: int | None, words: list[str] | None) -> "tuple[AnyGame, AnyTable]":
    """The game and table that the words ask for; without seats the least the game allows.

    Raises:
        UnknownGame, TableError: as the registry and the options do.
    """
    from engine.game import TableError
    from engine.options import make_table
    from engine.registry import game

    chosen = game(name)
    options = option_words(words or [])
    for players in chosen.players if seats is None else ():
        with suppress(TableError):  # such as teams, which need four
            return chosen, make_table(chosen, players, options)
    return chosen, make_table(chosen, seats or chosen.players[0], options)


def option_words(pairs: list[str]) -> dict[str, str]:
    """The `k=v` words of repeated `--option`s."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"'{pair}' is not of the form k=v", param_hint="--option")
        options[name] = value
    return options


def options_text(options: Mapping[str, Any]) -> str:
    """A game's options as they are typed: `mouse=off teams=false`."""
    words = (v if isinstance(v, str) else str(v).lower() for v in options.values())
    return " ".join(f"{name}={word}" for name, word in zip(options, words, strict=True))


def filter_from(
    game: str | None,
    option: list[str] | None,
    seats: int | None,
    run: str | None,
    bot: str | None = None,
) -> "Filter":
    """Which matches the words ask for."""
    from arena.store.model import Filter

    return Filter(game, option_words(option or []), seats, run, bot)
