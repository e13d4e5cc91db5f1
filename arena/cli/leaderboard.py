"""`arena leaderboard`: tables of ratings, with a crosstable where it fits."""

from contextlib import contextmanager
from math import isfinite, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli import options as o
from arena.cli.output import console, plain_table, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.table import Table

    from arena.store.db import Store
    from arena.tournament.standings import Standings


NARROWEST: Final = 4
"""Columns of a crosstable's column, at least."""

Records = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[RECORDS…]", help="Files of records, in place of the store."),
]
Prior = Annotated[float, typer.Option("--prior", min=0, help="Drawn virtual games of each bot.")]
Anchors = Annotated[
    list[str] | None,
    typer.Option("--anchor", metavar="BOT=RATING", help="A bot's rating; else the mean is 0."),
]
AllVersions = Annotated[bool, typer.Option("--all", help="Also programs that have changed since.")]
Superiority = Annotated[
    bool, typer.Option("--los", help="Likelihoods of superiority, in place of points taken.")
]
Luck = Annotated[
    bool,
    typer.Option("--luck", help="Also ratings freed from luck, which is priced once a match."),
]
AsCsv = Annotated[bool, typer.Option("--csv", help="One line per bot, for a spreadsheet.")]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write a page of HTML too.")
]


def leaderboard(
    records: Records = None,
    store: o.StoreFile = Path("arena.db"),
    game: o.OfGame = None,
    option: o.OptionWords = None,
    seats: o.OfSeats = None,
    run: o.OfRun = None,
    prior: Prior = 1.0,
    anchor: Anchors = None,
    all_versions: AllVersions = False,
    superiority: Superiority = False,
    luck: Luck = False,
    csv: AsCsv = False,
    html: HtmlFile = None,
    json: o.AsJson = False,
) -> None:
    """Rate all bots of the store, one table per game, options and seats."""
    from arena.cli.pricing import price_all
    from arena.tournament import reports
    from arena.tournament.standings import tables

    wanted = o.filter_from(game, option, seats, run)
    anchors = _anchors(anchor or [])
    with _opened(store, records or [], change=luck) as kept:
        if luck:
            price_all(kept, wanted)
        found = tables(
            kept, wanted, prior=prior, anchors=anchors, all_versions=all_versions, luck=luck
        )
    if html is not None:
        html.write_text(reports.standings_html(found), encoding="utf-8")
    if csv:
        typer.echo(reports.standings_csv(found), nl=False)
    else:
        print_tables(found, json, superiority=superiority)


@contextmanager
def _opened(path: Path, records: "list[Path]", *, change: bool) -> "Iterator[Store]":
    """The store, to be changed or not, or one made of records for as long as it is needed."""
    from arena.files import read_records
    from arena.store.db import Store

    if not records:
        Store.open(path, read_only=True).close()  # it must be there
        with Store.open(path, read_only=not change) as kept:
            yield kept
        return
    with TemporaryDirectory(prefix="arena-") as folder, Store.open(Path(folder, "db")) as made:
        for file in records:
            made.import_records(read_records(file))
        yield made


def print_tables(found: "list[Standings]", json: bool, *, superiority: bool = False) -> None:
    """The tables for people or for programs."""
    if json:
        print_json({"tables": found})
        return
    if not found:
        typer.echo("no such matches are stored", err=True)
    for table in found:
        _print_standings(table, superiority)


def _print_standings(table: "Standings", superiority: bool) -> None:
    from arena.tournament.reports import has_luck, likelihoods, luck_note, shares

    out = console()
    out.print(_title(table), markup=False)
    shown = standings_table(table)
    if len(table.bots) * NARROWEST < out.width:  # or it is not worth making
        crossed = standings_table(table, likelihoods(table) if superiority else shares(table))
        unbounded = out.options.update(width=10**6)  # or a table would always say that it fits
        if out.measure(crossed, options=unbounded).maximum <= out.width:
            shown = crossed
    out.print(shown)
    if any(row.floored for row in table.bots):
        out.print("* results so one-sided that the error is at least that of independent games")
    if any(row.network for row in table.bots):
        out.print("~ calls a service")
    if has_luck(table):
        out.print(luck_note(table))
    if table.clocks > 1:
        out.print(f"matches with {table.clocks} different clocks are pooled here")
    out.print()


def standings_table(
    table: "Standings", crosstable: "Mapping[tuple[str, str], float] | None" = None
) -> "Table":
    """A table of ratings, with a column in per cent for each bot that the others met if wanted."""
    from arena.tournament.reports import elo_text, error_text, has_luck, luck_texts

    names = [row.name for row in table.bots]
    columns = [">rank", "bot", ">Elo", ">±", ">matches", ">points", ">faults"]
    rows = [
        [
            row.rank,
            row.name + "~" * row.network,
            elo_text(row),
            error_text(row),
            f"{row.matches:,}",
            f"{row.points:.1%}",
            row.faults or "",
        ]
        for row in table.bots
    ]
    if has_luck(table):
        columns += [">luck", ">adjusted"]
        for bot, row in zip(table.bots, rows, strict=True):
            luck, adjusted, error = luck_texts(bot)
            known = bot.error_luck is not None
            row += [luck, f"{adjusted} ±{error}" if known else adjusted]  # 80 columns are soon full
    if crosstable is not None:
        columns += [f">{number}" for number in range(1, len(names) + 1)]
        for name, row in zip(names, rows, strict=True):
            row += [_cell(crosstable, name, other) for other in names]
    standings = plain_table(columns, rows)
    standings.columns[1].no_wrap = True  # a name in pieces would make room for the crosstable
    return standings


def _title(table: "Standings") -> str:
    from engine.options import options_text

    options = options_text(table.options)
    pool = f", pool {table.pool} (never met the others)" if table.pool else ""
    return f"{table.game}, {table.seats} seats, {options}{pool}"


def _cell(crosstable: "Mapping[tuple[str, str], float]", row: str, column: str) -> str:
    if row == column:
        return "·"
    share = crosstable.get((row, column))
    return "" if share is None else f"{100 * share:.0f}"


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
