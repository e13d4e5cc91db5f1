"""`arena runs`, `matches`, `delete`, `export`, `import` and `verify`: what is stored."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import NO
from arena.cli import options as o
from arena.cli.output import print_json, print_table, shown
from arena.cli.playing import counted

if TYPE_CHECKING:
    from protocol.record import Record


def runs(store: o.StoreFile = Path("arena.db"), json: o.AsJson = False) -> None:
    """List the runs."""
    from msgspec.structs import asdict

    from arena.store.db import Store
    from arena.tournament import listings
    from engine.options import options_text

    with Store.open(store, read_only=True) as kept:
        found = kept.runs()
    if json:
        print_json([{**asdict(listings.run(s)), "seed": s.run.seed} for s in found])
        return
    print_table(
        ["run", "game", "options", ">seats", ">bots", ">matches", "seed", "created"],
        [
            (
                s.run.id,
                s.run.game,
                options_text(s.run.options),
                s.run.seats,
                s.entrants,
                f"{s.matches:,}",
                s.run.seed,
                s.run.created,
            )
            for s in found
        ],
    )


def matches(
    store: o.StoreFile = Path("arena.db"),
    game: o.OfGame = None,
    option: o.OptionWords = None,
    seats: o.OfSeats = None,
    run: o.OfRun = None,
    bot: Annotated[str | None, typer.Option("--bot", help="Only matches of this bot.")] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="At most so many. [default: 50; --json, --csv: all]"),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="For a spreadsheet.")] = False,
    json: o.AsJson = False,
) -> None:
    """List matches, the newest first."""
    from arena.store.db import Store

    wanted = o.filter_from(game, option, seats, run, bot)
    with Store.open(store, read_only=True) as kept:
        found = list(kept.matches(wanted, limit if json or csv or limit else 50))
    if json:
        print_json(found)
        return
    if csv:
        from arena.tournament.reports import matches_csv

        typer.echo(matches_csv(found), nl=False)
        return
    print_table(
        ["match", "game", "bots", "ranks", "scores", "ended", "faults"],
        [
            (
                m.match,
                m.game,
                " ".join(m.bots),
                " ".join(map(str, m.ranks)),
                " ".join(map(str, m.scores)),
                m.reason,
                ", ".join(f"{m.bots[f.seat]}: {f.code}" for f in m.faults),
            )
            for m in found
        ],
    )


def delete(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, or how it begins.")],
    store: o.StoreFile = Path("arena.db"),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a run with all its matches."""
    from arena.store.db import Store

    with Store.open(store) as kept:
        found = kept.run(run)
        count = sum(s.matches for s in kept.runs() if s.run.id == found.id)
        matches = counted(count, "match")
        if not yes:
            _ask(f"Remove run {found.id} of {found.game} with {matches}?")
        kept.delete_run(found.id)
    typer.echo(f"removed run {found.id} with {matches}", err=True)


def _ask(question: str) -> None:
    """Go on only after a yes. Typer's own question would write to stdout."""
    typer.echo(f"{question} [y/N] ", nl=False, err=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise typer.Abort


def export(
    store: o.StoreFile = Path("arena.db"),
    game: o.OfGame = None,
    option: o.OptionWords = None,
    seats: o.OfSeats = None,
    run: o.OfRun = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write here; .gz compresses. [default: stdout]"),
    ] = None,
) -> None:
    """Write match records, one JSON line each."""
    from arena.files import STDOUT, write_records
    from arena.store.db import Store
    from protocol.record import encode_record

    wanted = o.filter_from(game, option, seats, run)
    with Store.open(store, read_only=True) as kept:
        records = kept.records(wanted)
        count = write_records(out or STDOUT, map(encode_record, records))
    if out is not None:
        typer.echo(f"wrote {counted(count, 'record')} to {out}", err=True)


def import_(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Files of records, or other stores.")
    ],
    store: o.StoreFile = Path("arena.db"),
) -> None:
    """Take in match records and whole stores; what is there already stays."""
    from arena.files import is_database, read_records
    from arena.store.db import Store

    with Store.open(store) as kept:
        for file in files:
            if is_database(file):
                with Store.open(file, read_only=True) as other:
                    done = kept.merge(other)
            else:
                done = kept.import_records(read_records(file))
            typer.echo(f"{file}: {done.new} new, {done.known} known", err=True)


def verify(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE…]", help="Files of records; - is stdin.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE", help="Verify a store instead.")
    ] = None,
    run: o.OfRun = None,
    json: o.AsJson = False,
) -> None:
    """Simulate matches again and name the first difference; status 1 if there is one."""
    from arena.replay import verify_all

    if bool(files) == bool(store):
        raise typer.BadParameter("name files of records, or a store with --store")
    found = verify_all(_counting(_records(files or [], store, run)))
    if json:
        print_json(found)
    else:
        for difference in found.differences:
            typer.echo(shown(f"match {difference.match}: {difference.what}"))
        typer.echo(
            f"{counted(found.matches, 'match')} verified, {len(found.differences)} differ", err=True
        )
    if found.differences:
        sys.exit(NO)


def _counting(records: "Iterator[Record]") -> "Iterator[Record]":
    """The same records; a terminal is told how many went by."""
    if not sys.stderr.isatty():
        yield from records
        return
    from rich.console import Console

    with Console(stderr=True).status("verifying") as status:
        for count, record in enumerate(records, 1):
            if count % 100 == 0:
                status.update(f"verifying: {count:,} matches")
            yield record


def _records(files: list[Path], store: Path | None, run: str | None) -> "Iterator[Record]":
    from arena.files import read_records
    from arena.store.db import Store
    from arena.store.model import Filter

    if store is not None:
        with Store.open(store, read_only=True) as kept:
            yield from kept.records(Filter(run=run))
    for file in files:
        yield from read_records(file)
