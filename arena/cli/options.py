"""The options that several commands share, and how their words are read."""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, get_args

import typer

if TYPE_CHECKING:
    from arena.referee.sandbox import Level
    from arena.store.model import Filter

DEFAULT_STORE: Final = "arena.db"
_FORMAT: Final = "What is played"
_BOTS: Final = "Of single bots"
_CLOCKS: Final = "Clocks"
_PLACE: Final = "Where it is played"

F = TypeVar("F", bound=Callable[..., Any])


def _time(name: str, help_text: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(
        name, metavar="TIME", rich_help_panel=_CLOCKS, help=help_text
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
"""With the default arena.db in the working folder."""
OfGame = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="Only matches of this game.")
]
OfSeats = Annotated[int | None, typer.Option("--seats", help="Only matches of so many seats.")]
OfRun = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Only this run, or how its id begins.")
]
MaybeStoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        envvar="ARENA_STORE",
        metavar="FILE",
        help="Where matches are kept. [default: arena.db]",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]

TurnTime = Annotated[
    str | None, _time("--turn-time", "Limit of a turn. [default: 1s; none with --bank]")
]
FirstTime = Annotated[
    str | None,
    _time("--first-time", "Limit of a seat's first turn. [default: 5s, or --turn-time if longer]"),
]
Bank = Annotated[str | None, _time("--bank", "Budget of a seat for a match. [default: none]")]
Increment = Annotated[
    str | None, _time("--increment", "What a completed turn adds to the bank. [default: none]")
]
StartTime = Annotated[
    str | None, _time("--start-time", "Limit from start-up to ready. [default: 10s]")
]
Margin = Annotated[
    str | None, _time("--margin", "Granted silently on top of every limit. [default: none]")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, rich_help_panel=_PLACE, help="Worker processes. [default: one per core]"
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS|FILE",
        rich_help_panel=_PLACE,
        help="Play on a Dask cluster: tcp://host:8786, or the file that its scheduler wrote.",
    ),
]
PerWorker = Annotated[
    int | None,
    typer.Option(
        "--per-worker",
        min=1,
        rich_help_panel=_PLACE,
        help="Matches at a time in a worker, for bots that wait on a network. [default: 1]",
    ),
]
Isolation = Annotated[
    str | None,
    typer.Option(
        "--isolation", rich_help_panel=_PLACE, help="auto, bwrap, process or none. [default: auto]"
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory", metavar="SIZE", rich_help_panel=_PLACE, help="Of each bot. [default: 512MB]"
    ),
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust", rich_help_panel=_PLACE, help="Build bots also where nothing isolates the build."
    ),
]
Fresh = Annotated[
    bool,
    typer.Option("--fresh", rich_help_panel=_PLACE, help="New processes for every match."),
]


OF_THE_GAME: Final = {"option": OptionWords, "seats": Seats}
OF_THE_FORMAT: Final = {
    "format": Annotated[
        str | None,
        typer.Option(
            "--format",
            rich_help_panel=_FORMAT,
            help="round-robin, gauntlet, swiss or ladder. [default: round-robin]",
        ),
    ],
    "deals": Annotated[
        int | None,
        typer.Option(
            "--deals", min=1, rich_help_panel=_FORMAT, help="Deals of each group. [default: 10]"
        ),
    ],
    "matches": Annotated[
        int | None,
        typer.Option(
            "--matches",
            min=1,
            rich_help_panel=_FORMAT,
            help="A balanced sample of a round robin, or the budget of a ladder.",
        ),
    ],
    "rounds": Annotated[
        int | None,
        typer.Option("--rounds", min=1, rich_help_panel=_FORMAT, help="Of a Swiss tournament."),
    ],
    "time_limit": Annotated[
        str | None,
        typer.Option(
            "--time-limit", metavar="TIME", rich_help_panel=_FORMAT, help="Begin nothing after it."
        ),
    ],
}
OF_THE_RUN: Final = {
    "seed": Seed,
    "new": Annotated[
        bool, typer.Option("--new", help="Start another run instead of continuing one.")
    ],
    "replace": Annotated[
        bool, typer.Option("--replace", help="Play the matches of changed bots afresh.")
    ],
    "store": MaybeStoreFile,
}
OF_SINGLE_BOTS: Final = {
    "challenger": Annotated[
        list[str] | None,
        typer.Option(
            "--challenger",
            metavar="NAME",
            rich_help_panel=_BOTS,
            help="Meets the field in a gauntlet; can be repeated. [default: the first bot]",
        ),
    ],
    "bot_env": Annotated[
        list[str] | None,
        typer.Option(
            "--bot-env", metavar="NAME:K=V", rich_help_panel=_BOTS, help="In a bot's environment."
        ),
    ],
    "bot_memory": Annotated[
        list[str] | None,
        typer.Option(
            "--bot-memory", metavar="NAME=SIZE", rich_help_panel=_BOTS, help="A bot's own limit."
        ),
    ],
    "handicap": Annotated[
        list[str] | None,
        typer.Option(
            "--handicap",
            metavar="NAME=FACTOR",
            rich_help_panel=_BOTS,
            help="What a bot's clocks are multiplied by.",
        ),
    ],
}
CLOCKS: Final = {
    "turn_time": TurnTime,
    "first_time": FirstTime,
    "bank": Bank,
    "increment": Increment,
    "start_time": StartTime,
    "margin": Margin,
}
HOLD_ON_BOTS: Final = {"memory": Memory, "isolation": Isolation, "trust": Trust}
WORKERS: Final = {
    "workers": Workers,
    "per_worker": PerWorker,
    "cluster": Cluster,
    "fresh": Fresh,
}


def takes(*groups: Mapping[str, Any]) -> Callable[[F], F]:
    """Give a command the options of some groups; they come as keywords, by the names of settings.

    An option that was not given is None, a flag False.
    """
    added = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=_absent(kind), annotation=kind)
        for group in groups
        for name, kind in group.items()
    ]

    def with_options(command: F) -> F:
        own = signature(command)
        kept = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        command.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]  # where `inspect` looks
        command.__annotations__ |= {parameter.name: parameter.annotation for parameter in added}
        return command

    return with_options


def _absent(kind: Any) -> bool | None:
    return False if get_args(kind)[0] is bool else None


def option_words(pairs: list[str]) -> dict[str, str]:
    """The `k=v` words of repeated `--option`s."""
    options = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"'{pair}' is not of the form k=v", param_hint="--option")
        options[name] = value
    return options


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


def level_from(words: str | None) -> "Level":
    """The level of isolation that is asked for, the best that works here by default.

    Raises:
        CannotStart: it does not work here.
    """
    from arena.referee.sandbox import choose

    return choose(isolation_from(words))


def isolation_from(words: str | None) -> str:
    """The name of a level of isolation, or auto, the default."""
    from arena.referee.sandbox import Level

    levels = ("auto", *Level)
    if words is not None and words not in levels:
        raise typer.BadParameter(
            f"there is no isolation '{words}'; use {', '.join(levels)}", param_hint="--isolation"
        )
    return words or "auto"
