"""`arena run`: a tournament into the store."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import REFUSED
from arena.cli import options as o
from arena.cli.playing import play, ready, say_unplayed

if TYPE_CHECKING:
    from arena.store.db import Store
    from arena.tournament.agenda import Unplayed


@o.takes(
    o.OF_THE_GAME,
    o.OF_THE_FORMAT,
    o.OF_THE_RUN,
    o.OF_SINGLE_BOTS,
    o.CLOCKS,
    o.HOLD_ON_BOTS,
    o.WORKERS,
)
def run(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE.toml", help="A game, or a file that says it all.")
    ],
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT…", help="Bots, each as BOT or NAME=BOT.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be played.")] = False,
    json: o.AsJson = False,
    **given: Any,
) -> None:
    """Play a tournament into the store. The same command again continues what is unfinished."""
    from arena.cli.plan import print_plan
    from arena.cli.progress import Progress
    from arena.cli.settings import settings_from
    from arena.store.db import Store
    from arena.tournament.config import request_of
    from arena.tournament.farm import LocalFarm
    from arena.tournament.prepare import check, prepare

    settings = settings_from(game, bots or [], given)
    request = request_of(settings, new=given["new"], replace=given["replace"])
    check(request)
    path = Path(settings.store or o.DEFAULT_STORE)
    if plan:
        print_plan(request, path, LocalFarm(settings.workers).workers, json)
        return
    level = o.level_from(settings.isolation)
    request = ready(request, level, settings.trust)
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
