"""`arena run`: a tournament into the store."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import REFUSED
from arena.cli import options as o
from arena.cli.playing import play, say_unplayed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.store.db import Store
    from arena.tournament.agenda import Unplayed
    from arena.tournament.config import Settings
    from arena.tournament.farm import WorkerReport


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
    from arena.cli.place import place_of, say_workers
    from arena.cli.plan import print_plan
    from arena.cli.progress import Progress
    from arena.cli.settings import settings_from
    from arena.store.db import Store
    from arena.tournament.config import request_of
    from arena.tournament.prepare import begun, check

    settings = settings_from(game, bots or [], given)
    request = request_of(settings, new=given["new"], replace=given["replace"])
    check(request)
    path = Path(settings.store or o.DEFAULT_STORE)
    if plan:
        print_plan(request, path, _workers(settings), json)
        return
    place = place_of(settings, request)
    with Store.open(path) as kept, begun(kept, place.request) as prepared:
        watching = Progress(kept, prepared.run.id)
        unplayed = play(kept, prepared, place, settings, watching)
        say_workers(place.farm.reports)
        _conclude(kept, prepared.run.id, unplayed, json, place.farm.reports)


def _workers(settings: "Settings") -> int | None:
    """How many workers would play; of a cluster only it knows."""
    from arena.tournament.farm import LocalFarm

    return None if settings.cluster else LocalFarm(settings.workers).workers


def _conclude(
    store: "Store", run: str, unplayed: "Unplayed", json: bool, reports: "Sequence[WorkerReport]"
) -> None:
    """Print the leaderboard of the run; what stays open makes it a refusal."""
    from arena.cli.leaderboard import print_tables
    from arena.cli.output import print_json
    from arena.store.model import Filter
    from arena.tournament.standings import tables

    found = tables(store, Filter(run=run))
    if json:
        print_json({"tables": found, **({"workers": reports} if reports else {})})
    else:
        print_tables(found, json=False)
    say_unplayed(unplayed)
    if unplayed:
        sys.exit(REFUSED)
