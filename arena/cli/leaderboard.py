"""`arena leaderboard`: tables of ratings, with a crosstable where it fits."""

from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import options as o
from arena.cli.output import console, plain_table, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from arena.store.db import Store
    from arena.store.model import Filter
    from arena.tournament.standings import Row, Standings


def leaderboard(
    store: o.StoreFile = Path("arena.db"),
    game: o.OfGame = None,
    option: o.OptionWords = None,
    seats: o.OfSeats = None,
    run: o.OfRun = None,
    prior: Annotated[
        float, typer.Option("--prior", min=0, help="Drawn virtual games of each bot.")
    ] = 1.0,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", metavar="BOT=RATING", help="A bot's rating; else the mean is 0."),
    ] = None,
    all_versions: Annotated[
        bool, typer.Option("--all", help="Also programs that have changed since.")
    ] = False,
    json: o.AsJson = False,
) -> None:
    """Rate all bots of the store, one table per game, options and seats."""
    from arena.store.db import Store
    from arena.tournament.standings import tables

    wanted = o.filter_from(game, option, seats, run)
    anchors = _anchors(anchor or [])
    with Store.open(store, read_only=True) as kept:
        found = tables(kept, wanted, prior=prior, anchors=anchors, all_versions=all_versions)
    print_tables(found, json)


def print_leaderboard(store: "Store", wanted: "Filter", json: bool) -> None:
    """The tables of some matches of an open store."""
    from arena.tournament.standings import tables

    print_tables(tables(store, wanted), json)


def print_tables(found: "list[Standings]", json: bool) -> None:
    """The tables for people or for programs."""
    if json:
        print_json({"tables": found})
        return
    if not found:
        typer.echo("no such matches are stored", err=True)
    for table in found:
        _print_standings(table)


def _print_standings(table: "Standings") -> None:
    out = console()
    out.print(_title(table), markup=False)
    crossed = standings_table(table, crosstable=True)
    fits = out.measure(crossed).minimum <= out.width
    out.print(crossed if fits else standings_table(table))
    if any(row.floored for row in table.bots):
        out.print("* results so one-sided that the error is at least that of independent games")
    if any(row.network for row in table.bots):
        out.print("~ calls a service")
    if table.clocks > 1:
        out.print(f"matches with {table.clocks} different clocks are pooled here")
    out.print()


def standings_table(table: "Standings", *, crosstable: bool = False) -> "Table":
    """A table of ratings, with what each bot took from each other in per cent if wanted."""
    columns = [">rank", "bot", ">Elo", ">±", ">matches", ">points", ">faults"]
    names = [row.name for row in table.bots]
    took = _shares(table)
    if crosstable:
        columns += [f">{number}" for number in range(1, len(names) + 1)]
    return plain_table(
        columns,
        (
            [
                row.rank,
                row.name + "~" * row.network,
                _rounded(row.elo),
                _error(row),
                f"{row.matches:,}",
                f"{row.points:.1%}",
                row.faults or "",
                *([_cell(took, row.name, other) for other in names] if crosstable else []),
            ]
            for row in table.bots
        ),
    )


def _title(table: "Standings") -> str:
    options = o.options_text(table.options)
    pool = f", pool {table.pool} (never met the others)" if table.pool else ""
    return f"{table.game}, {table.seats} seats, {options}{pool}"


def _shares(table: "Standings") -> dict[tuple[str, str], float]:
    """What the first took of the points between two."""
    took = {(pair.a, pair.b): pair.a_points for pair in table.pairs}
    return took | {(b, a): 1 - points for (a, b), points in took.items()}


def _cell(took: dict[tuple[str, str], float], row: str, column: str) -> str:
    if row == column:
        return "·"
    share = took.get((row, column))
    return "" if share is None else f"{100 * share:.0f}"


def _rounded(elo: float | str) -> str:
    return elo if isinstance(elo, str) else f"{round(elo) + 0:d}"


def _error(row: "Row") -> str:
    if row.error is None:
        return "too few"
    return f"{row.error:.0f}{'*' * row.floored}"


def _anchors(words: list[str]) -> dict[str, float]:
    anchors = {}
    for word in words:
        name, _, rating = word.rpartition("=")
        try:
            anchors[name] = float(rating)
        except ValueError:
            anchors[name] = nan
        if not isfinite(anchors[name]):
            raise typer.BadParameter(
                f"'{word}' is not of the form BOT=RATING", param_hint="--anchor"
            )
    return anchors
