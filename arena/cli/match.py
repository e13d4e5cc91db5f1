"""`arena match`: one match, drawn as it goes."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.cli import options as o

if TYPE_CHECKING:
    from arena.cli.single import Wanted

_DEBUGGING: Final = "Debugging a bot"

OF_DEBUGGING: Final = {
    "trace": Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            rich_help_panel=_DEBUGGING,
            help="Write every line to and from the bots here; - for the terminal.",
        ),
    ],
    "watch": Annotated[
        Path | None,
        typer.Option(
            "--watch",
            metavar="FOLDER",
            rich_help_panel=_DEBUGGING,
            help="Play again whenever something in it changes.",
        ),
    ],
}


@o.takes(OF_DEBUGGING, o.OF_THE_GAME, o.CLOCKS, o.HOLD_ON_BOTS)
def match(
    game: o.GameName,
    bots: o.Bots,
    deal: Annotated[
        str | None, typer.Option("--deal", metavar="SEED", help="Words that the chance follows.")
    ] = None,
    seed: o.Seed = None,
    show_all: Annotated[
        bool,
        typer.Option(
            "--open", help="Draw also what is hidden, and what bots note and write to stderr."
        ),
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Append the record here; - for stdout."),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE", help="Keep the match in this store.")
    ] = None,
    json: o.AsJson = False,
    **given: Any,
) -> None:
    """Play one match. Repeated bots are numbered; in team play two names are teams.

    A BOT that is called human is a person at this terminal.
    """
    from arena.cli.single import Wanted, play
    from arena.cli.trio_runner import run_async
    from arena.cli.watching import play_again_on_change
    from arena.tournament.seeds import random_seed

    seeds = deal or random_seed(), seed or random_seed()
    places, watch = _places(record, json), given["watch"]
    wanted = Wanted(game, tuple(bots), given, *seeds, show_all, places, store, given["trace"])
    _check(wanted, watch)
    if watch is None:
        run_async(play, wanted)
    else:
        run_async(play_again_on_change, watch, partial(play, wanted), wanted.written)


def _check(wanted: "Wanted", watch: Path | None) -> None:
    """See before the match that it can be played and kept."""
    from arena.cli.human import is_human
    from arena.cli.single import see_that_it_can_be_kept, table_for

    table_for(wanted)
    o.isolation_from(wanted.given["isolation"])
    see_that_it_can_be_kept(wanted.places, wanted.store)
    people = any(map(is_human, wanted.bots))
    if wanted.quiet and people:
        raise typer.BadParameter("a person needs the terminal; keep the record with --record FILE")
    if watch is not None and people:
        raise typer.BadParameter("a person's match is not broken off; leave out --watch")
    if watch is not None and not watch.is_dir():
        raise typer.BadParameter(f"{watch} is not a folder", param_hint="--watch")


def _places(record: Path | None, json: bool) -> frozenset[Path]:
    """The files that the record goes to."""
    from arena.files import STDOUT

    return frozenset(({STDOUT} if json else set()) | ({record} if record is not None else set()))
