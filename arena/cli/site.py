"""`arena site`: leaderboard and replays as files."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o


def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files go.")],
    store: o.StoreFile = Path("arena.db"),
    game: o.OfGame = None,
    option: o.OptionWords = None,
    seats: o.OfSeats = None,
    run: o.OfRun = None,
    matches: Annotated[
        int, typer.Option("--matches", min=0, help="How many of the latest have a replay.")
    ] = 200,
) -> None:
    """Write leaderboard, bots, runs and replays as static files to publish on any host."""
    from arena.cli.playing import counted
    from arena.cli.serve import need_web

    need_web()
    from arena.store.db import Store
    from arena.web.site import write

    wanted = o.filter_from(game, option, seats, run)
    with Store.open(store, read_only=True) as kept:
        written = write(kept, folder, wanted, matches)
    typer.echo(
        f"wrote {counted(written.pages, 'page')} with {counted(written.matches, 'replay')}; "
        f"`python -m http.server -d {shlex.quote(str(folder))}` shows them here",
        err=True,
    )
