"""The single match that the words of `arena match` ask for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from msgspec import Struct

from arena.cli import options as o
from arena.cli.drawing import Drawing, on_terminal, print_result
from arena.cli.human import Human, Table, entry_of, is_human
from arena.cli.keyboard import Keyboard
from arena.cli.logbook import Logbook

if TYPE_CHECKING:
    from arena.referee.seat import Player
    from arena.referee.tap import Hear
    from arena.tournament.entry import Entry
    from arena.tournament.single import Single
    from engine.game import AnyGame, AnyTable
    from protocol.record import Record


class Wanted(Struct, frozen=True):
    """The words of the command."""

    game: str
    bots: tuple[str, ...]
    given: Mapping[str, Any]
    """The shared options."""
    deal: str
    seed: str
    openly: bool
    places: frozenset[Path]
    """Where the record goes."""
    store: Path | None
    trace: Path | None

    @property
    def quiet(self) -> bool:
        """Stdout carries the record, and nothing else."""
        from arena.files import STDOUT

        return STDOUT in self.places

    @property
    def written(self) -> frozenset[Path]:
        """The files that it leaves."""
        return self.places | {path for path in (self.store, self.trace) if path is not None}


async def play(wanted: Wanted) -> None:
    """Build the bots, play, keep the record, and tell the result."""
    from arena.tournament.single import play_single

    single = await _single(wanted)
    typer.echo(f"deal {wanted.deal}, seed {wanted.seed}", err=True)
    drawn = on_terminal() and not wanted.quiet and not single.people
    drawing = Drawing(single, openly=wanted.openly) if drawn else None
    logbook = Logbook(single) if wanted.store is not None else None
    with ExitStack() as stack:
        watch = _all(observer.watch for observer in (drawing, logbook) if observer is not None)
        hear = _all(_hears(wanted, drawing, logbook, stack))
        played = await play_single(single, watch, hear)
    _keep(played, wanted, logbook)
    if not wanted.quiet:
        print_result(played, openly=wanted.openly, with_board=not drawn)


async def _single(wanted: Wanted) -> "Single":
    """The match with bots that are built and people at the terminal."""
    from arena.cli.building import announce, warn
    from arena.cli.settings import settings_from
    from arena.tournament import config
    from arena.tournament.build import built
    from arena.tournament.single import Single

    game, table, seating = table_for(wanted)
    settings = settings_from(wanted.game, (), wanted.given)
    level = o.level_from(settings.isolation)
    entries = _entries(wanted)
    ready = [await built(entry, level, settings.trust, announce) for entry in entries]
    warn(level, ready)
    seated = tuple(ready[holder] for holder in seating)
    return Single(
        game=game,
        table=table,
        entries=seated,
        clocks=config.clocks_of(settings),
        level=level,
        deal=wanted.deal,
        seed=wanted.seed,
        people=_people(game, table, seated),
    )


def _entries(wanted: Wanted) -> "list[Entry]":
    """The bots and people in the order of the words, repeated names numbered."""
    from arena.cli.settings import settings_from
    from arena.tournament import config
    from arena.tournament.entry import numbered

    programs = [words for words in wanted.bots if not is_human(words)]
    settings = settings_from(wanted.game, programs, wanted.given)
    bots = iter(config.entries_of(settings, number_repeated=True))
    return numbered(entry_of(w) if is_human(w) else next(bots) for w in wanted.bots)


def _people(game: "AnyGame", table: "AnyTable", seated: "tuple[Entry, ...]") -> "dict[int, Player]":
    """Who holds a seat without a program."""
    people = frozenset(entry.name for entry in seated if not entry.program.command)
    if not people:
        return {}
    names = [entry.name for entry in seated]
    at = Table(game, table, names, people, Keyboard())
    return {seat: Human(seat, at) for seat, name in enumerate(names) if name in people}


def _hears(
    wanted: Wanted, drawing: Drawing | None, logbook: Logbook | None, stack: ExitStack
) -> "Iterator[Hear]":
    """Who hears the lines of the bots: nobody, unless somebody asked for it."""
    if wanted.trace is not None:
        from arena.cli.tracing import tracing

        yield stack.enter_context(tracing(wanted.trace))
    if drawing is not None and wanted.openly:
        yield drawing.hear
    if logbook is not None:
        yield logbook.hear


def _all(calls: Iterable[Callable[..., None]]) -> Callable[..., None] | None:
    """One call for several; None: there is nobody to call."""
    several = list(calls)
    if not several:
        return None

    def call(*args: Any) -> None:
        for one in several:
            one(*args)

    return call


def table_for(wanted: Wanted) -> "tuple[AnyGame, AnyTable, list[int]]":
    """The game, the table, and which of the bots holds each seat."""
    from arena.tournament.config import table_of
    from engine.game import TableError
    from engine.registry import game as game_named

    chosen, count, seats = game_named(wanted.game), len(wanted.bots), wanted.given["seats"]
    options = o.option_words(wanted.given["option"] or [])
    refusal: TableError | None = None
    for players in [count, *chosen.players] if seats is None else [seats]:
        try:
            _, table = table_of(wanted.game, players, options)
        except TableError as error:
            refusal = refusal or error
            continue
        sides = chosen.sides(table)
        if count in (len(sides), max(sides) + 1):
            return chosen, table, list(range(count)) if count == len(sides) else list(sides)
    if refusal is not None:
        raise refusal
    raise TableError(f"{count} bots do not fit {seats} seats; name one bot per seat or per team")


def see_that_it_can_be_kept(places: frozenset[Path], store: Path | None) -> None:
    """Better before the match than after it."""
    from arena.files import write_records

    for place in places:
        write_records(place, (), append=True)
    if store is not None:
        from arena.store.db import Store

        Store.open(store).close()


def _keep(played: "Record", wanted: Wanted, logbook: Logbook | None) -> None:
    """Put the record where it was asked for, into a store with what was on stderr."""
    from arena.files import write_records
    from protocol.record import encode_record

    for place in wanted.places:
        write_records(place, [encode_record(played)], append=True)
    if wanted.store is not None and logbook is not None:
        from arena.store.db import Store

        with Store.open(wanted.store) as kept:
            kept.import_records([played])
            kept.keep_logs(played.match, logbook.texts())
