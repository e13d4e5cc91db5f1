"""`arena match`: one match, drawn as it goes."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import options as o

if TYPE_CHECKING:
    from msgspec import Struct

    from arena.referee.match import Watch
    from arena.tournament.single import Single
    from engine.game import AnyGame, AnyTable
    from protocol.record import LogEntry, Record


@o.takes(o.OF_THE_GAME, o.CLOCKS, o.HOLD_ON_BOTS)
def match(
    game: o.GameName,
    bots: o.Bots,
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
    json: o.AsJson = False,
    **given: Any,
) -> None:
    """Play one match. Repeated bots are numbered; in team play two names are teams."""
    from arena.cli.building import build_all
    from arena.cli.settings import settings_from
    from arena.cli.trio_runner import run_async
    from arena.files import STDOUT
    from arena.tournament import config, single
    from arena.tournament.seeds import random_seed

    chosen, table, seating = _table(game, given["seats"], given["option"], len(bots))
    settings = settings_from(game, bots, given)
    level = o.level_from(settings.isolation)
    entries = build_all(config.entries_of(settings, number_repeated=True), level, settings.trust)
    wanted = single.Single(
        game=chosen,
        table=table,
        entries=tuple(entries[holder] for holder in seating),
        clocks=config.clocks_of(settings),
        level=level,
        deal=deal or random_seed(),
        seed=seed or random_seed(),
    )
    places = _places(record, json)
    _see_that_it_can_be_kept(places, store)
    typer.echo(f"deal {wanted.deal}, seed {wanted.seed}", err=True)
    quiet = STDOUT in places
    watch = None if quiet or not sys.stdout.isatty() else _drawer(wanted, show_all)
    played = run_async(single.play_single, wanted, watch)
    _keep(played, places, store)
    if not quiet:
        _print_result(played, show_all)


def _table(
    game: str, seats: int | None, option: list[str] | None, count: int
) -> "tuple[AnyGame, AnyTable, list[int]]":
    """The game, the table, and which of the bots holds each seat."""
    from arena.tournament.config import table_of
    from engine.game import TableError
    from engine.registry import game as game_named

    chosen = game_named(game)
    refusal: TableError | None = None
    for players in [count, *chosen.players] if seats is None else [seats]:
        try:
            _, table = table_of(game, players, o.option_words(option or []))
        except TableError as error:
            refusal = refusal or error
            continue
        sides = chosen.sides(table)
        if count in (len(sides), max(sides) + 1):
            return chosen, table, list(range(count)) if count == len(sides) else list(sides)
    if refusal is not None:
        raise refusal
    raise TableError(f"{count} bots do not fit {seats} seats; name one bot per seat or per team")


def _drawer(single: "Single", show_all: bool) -> "Watch":
    """Draw the board after each turn, as a spectator sees it or open."""
    game, table = single.game, single.table

    def draw(before: "Struct", entry: "LogEntry", after: "Struct") -> None:
        if entry.by < 0 or game.turn(before) == game.turn(after):
            return
        view = game.open_view(after) if show_all else game.view(after, None)
        event = None if show_all else game.redact(before, entry.do, after, None)
        seen = getattr(event, "action", entry.do)
        time = "" if entry.ms is None else f"  {entry.ms:g} ms"
        stand_in = "  (stand-in)" if entry.stand_in else ""
        typer.echo(f"\n{single.entries[entry.by].name} (seat {entry.by}): {seen}{time}{stand_in}")
        typer.echo(game.text(table, view))

    return draw


def _places(record: Path | None, json: bool) -> set[Path]:
    """The files that the record goes to."""
    from arena.files import STDOUT

    return ({STDOUT} if json else set()) | ({record} if record is not None else set())


def _see_that_it_can_be_kept(places: set[Path], store: Path | None) -> None:
    """Better before the match than after it."""
    from arena.files import write_records

    for place in places:
        write_records(place, (), append=True)
    if store is not None:
        from arena.store.db import Store

        Store.open(store).close()


def _keep(played: "Record", places: set[Path], store: Path | None) -> None:
    """Put the record where it was asked for."""
    from arena.files import write_records
    from protocol.record import encode_record

    for place in places:
        write_records(place, [encode_record(played)], append=True)
    if store is not None:
        from arena.store.db import Store

        with Store.open(store) as kept:
            kept.import_records([played])


def _print_result(played: "Record", show_all: bool) -> None:
    from arena.cli.replay import final_state, result_lines
    from arena.replay import Replay

    replay = Replay(played)
    if not sys.stdout.isatty():
        state = final_state(replay)
        view = replay.game.open_view(state) if show_all else replay.game.view(state, None)
        typer.echo(replay.game.text(replay.table, view) + "\n")
    for line in result_lines(replay):
        typer.echo(line)
