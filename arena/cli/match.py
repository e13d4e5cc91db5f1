"""`arena match`: one match, drawn as it goes."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o

if TYPE_CHECKING:
    from msgspec import Struct

    from arena.referee.match import Watch
    from arena.tournament.single import Single
    from protocol.record import LogEntry, Record


def match(
    game: o.GameName,
    bots: o.Bots,
    option: o.OptionWords = None,
    seats: o.Seats = None,
    deal: Annotated[
        str | None, typer.Option("--deal", metavar="SEED", help="Words that the chance follows.")
    ] = None,
    seed: o.Seed = None,
    show_all: Annotated[
        bool, typer.Option("--open", help="Draw hidden tiles too, not the public view.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Append the record here; - for stdout."),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE", help="Keep the match in this store.")
    ] = None,
    turn_time: o.TurnTime = None,
    first_time: o.FirstTime = None,
    bank: o.Bank = None,
    increment: o.Increment = None,
    start_time: o.StartTime = None,
    margin: o.Margin = None,
    isolation: o.Isolation = "auto",
    json: o.AsJson = False,
) -> None:
    """Play one match. Repeated bots are numbered; in team play two names are teams."""
    from arena.cli.trio_runner import run_async
    from arena.referee.sandbox import choose
    from arena.tournament import single
    from arena.tournament.entry import numbered, resolve

    chosen, table, seating = _table(game, seats, option, len(bots))
    entries = numbered(map(resolve, bots))
    wanted = single.Single(
        game=chosen,
        table=table,
        entries=tuple(entries[holder] for holder in seating),
        clocks=o.clocks_from(turn_time, first_time, bank, increment, start_time, margin),
        level=choose(isolation),
        deal=single.deal_of(deal),
        seed=seed or single.random_words(),
    )
    quiet = json or str(record) == "-"
    watch = None if quiet or not sys.stdout.isatty() else _drawer(wanted, show_all)
    played = run_async(single.play_single, wanted, watch)
    _keep(played, record, store, json)
    if not quiet:
        _print_result(wanted, played, show_all)
