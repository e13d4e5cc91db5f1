"""`arena run`: a tournament into the store."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import REFUSED
from arena.cli import options as o
from arena.cli.playing import play, say_unplayed, try_entrants

if TYPE_CHECKING:
    from arena.store.db import Store
    from arena.tournament.agenda import Unplayed

_FORMAT = "What is played"
_BOTS = "Of single bots"


def run(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE.toml", help="A game, or a file that says it all.")
    ],
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT…", help="Bots, each as BOT or NAME=BOT.")
    ] = None,
    option: o.OptionWords = None,
    seats: o.Seats = None,
    format: Annotated[  # noqa: A002  # the setting's name
        str | None,
        typer.Option(
            "--format",
            rich_help_panel=_FORMAT,
            help="round-robin, gauntlet, swiss or ladder. [default: round-robin]",
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals", min=1, rich_help_panel=_FORMAT, help="Deals of each group. [default: 10]"
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            "--matches",
            min=1,
            rich_help_panel=_FORMAT,
            help="A balanced sample of a round robin, or the budget of a ladder.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, rich_help_panel=_FORMAT, help="Of a Swiss tournament."),
    ] = None,
    time_limit: Annotated[
        str | None,
        typer.Option(
            "--time-limit", metavar="TIME", rich_help_panel=_FORMAT, help="Begin nothing after it."
        ),
    ] = None,
    seed: o.Seed = None,
    new: Annotated[
        bool, typer.Option("--new", help="Start another run instead of continuing one.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Play the matches of changed bots afresh.")
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be played.")] = False,
    challenger: Annotated[
        list[str] | None,
        typer.Option(
            "--challenger",
            metavar="NAME",
            rich_help_panel=_BOTS,
            help="Meets the field in a gauntlet; can be repeated. [default: the first bot]",
        ),
    ] = None,
    bot_env: Annotated[
        list[str] | None,
        typer.Option(
            "--bot-env", metavar="NAME:K=V", rich_help_panel=_BOTS, help="In a bot's environment."
        ),
    ] = None,
    bot_memory: Annotated[
        list[str] | None,
        typer.Option(
            "--bot-memory", metavar="NAME=SIZE", rich_help_panel=_BOTS, help="A bot's own limit."
        ),
    ] = None,
    handicap: Annotated[
        list[str] | None,
        typer.Option(
            "--handicap",
            metavar="NAME=FACTOR",
            rich_help_panel=_BOTS,
            help="What a bot's clocks are multiplied by.",
        ),
    ] = None,
    store: o.MaybeStoreFile = None,
    turn_time: o.TurnTime = None,
    first_time: o.FirstTime = None,
    bank: o.Bank = None,
    increment: o.Increment = None,
    start_time: o.StartTime = None,
    margin: o.Margin = None,
    memory: o.Memory = None,
    workers: o.Workers = None,
    per_worker: o.PerWorker = None,
    fresh: o.Fresh = False,
    isolation: o.Isolation = None,
    json: o.AsJson = False,
) -> None:
    """Play a tournament into the store. The same command again continues what is unfinished."""
    given = locals()  # each option has the name of the setting that it gives
    from arena.cli.plan import print_plan
    from arena.cli.progress import Progress
    from arena.cli.settings import settings_from
    from arena.store.db import Store
    from arena.tournament.config import request_of
    from arena.tournament.farm import LocalFarm
    from arena.tournament.prepare import check, prepare

    settings = settings_from(game, bots or [], given)
    request = request_of(settings, new=new, replace=replace)
    check(request)
    path = Path(settings.store or o.DEFAULT_STORE)
    if plan:
        print_plan(request, path, LocalFarm(settings.workers).workers, json)
        return
    level = o.level_from(settings.isolation)
    try_entrants(request, level)
    with Store.open(path) as kept:
        prepared = prepare(kept, request)
        watching = Progress(kept, prepared.run.id)
        unplayed = play(kept, prepared, request, settings, level, watching)
        _conclude(kept, prepared.run.id, unplayed, json)


def _conclude(store: "Store", run: str, unplayed: "Unplayed", json: bool) -> None:
    """Print the leaderboard of the run; what stays open makes it a refusal."""
    from arena.cli.leaderboard import print_leaderboard
    from arena.store.model import Filter

    print_leaderboard(store, Filter(run=run), json)
    say_unplayed(unplayed)
    if unplayed:
        sys.exit(REFUSED)
