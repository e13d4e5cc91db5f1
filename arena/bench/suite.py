"""All that `arena bench` measures, by group."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from arena.bench import exchange, rules
from arena.bench.figures import Figure, Probe, Sample
from arena.bench.machine import this_machine
from arena.bench.matches import matches, moves
from arena.bench.startup import languages, ready
from arena.bench.workshop import Workshop
from arena.referee.sandbox import Level, why_no_bwrap
from engine.game import AnyGame, AnyTable, TableError
from engine.guarded import GameFault
from engine.options import make_table
from engine.registry import games

BARE: Final = "bare exchange"
ONE: Final = "1 worker"

NamedSamples: TypeAlias = Iterator[tuple[str, Sample]]
Tables: TypeAlias = Sequence[tuple[AnyGame, AnyTable]]
"""Games, each at its smallest table; a built-in one is the first."""


def probes(
    workshop: Workshop,
    groups: Collection[str] = (),
    leave_out: Callable[[str], None] = lambda _: None,
) -> list[Probe]:
    """What to measure of these groups; of none: of all.

    Args:
        workshop: has the bench bots.
        groups: some of GROUPS.
        leave_out: is told in a sentence how an installed game broke, which is not measured.
    """
    tables = list(_tables(leave_out))
    return [
        Probe(group, name, sample)
        for group, make in GROUPS.items()
        if not groups or group in groups
        for name, sample in make(workshop, tables)
    ]


def _exchange(workshop: Workshop, _: Tables) -> NamedSamples:
    yield "pipe floor", partial(exchange.floor, workshop)
    yield BARE, partial(exchange.bare, workshop)


def _referee(workshop: Workshop, tables: Tables) -> NamedSamples:
    for game, table in tables:
        yield game.name, partial(moves, workshop, game, table, "legal", Level.PROCESS)
        if game.name == "savanna-ten":
            by_state = partial(moves, workshop, game, table, "state", Level.PROCESS)
            yield f"{game.name} without legal", by_state


def _cores(workshop: Workshop, tables: Tables) -> NamedSamples:
    game, table = tables[0]
    for workers in powers_of_two(this_machine().cores):
        name = ONE if workers == 1 else f"{workers} workers"
        yield name, partial(matches, workshop, game, table, workers)


def _isolation(workshop: Workshop, tables: Tables) -> NamedSamples:
    game, table = tables[0]
    for level in (Level.NONE, Level.PROCESS, Level.BWRAP):
        if level is not Level.BWRAP or why_no_bwrap() is None:
            yield level, partial(moves, workshop, game, table, "legal", level)
            yield level, partial(ready, workshop.bot("legal"), level)


def _startup(workshop: Workshop, _: Tables) -> NamedSamples:
    for language, program in languages(workshop):
        yield language, partial(ready, program, Level.PROCESS)


def _rules(_workshop: Workshop, tables: Tables) -> NamedSamples:
    for game, table in tables:
        yield game.name, partial(rules.random_play, game, table)


GROUPS: Final[Mapping[str, Callable[[Workshop, Tables], NamedSamples]]] = {
    "exchange": _exchange,
    "referee": _referee,
    "cores": _cores,
    "isolation": _isolation,
    "startup": _startup,
    "rules": _rules,
}
"""What each group measures. `exchange` is what `referee` is to be read beside."""


BESIDE: Final = {"exchange": BARE, "referee": BARE, "cores": ONE, "isolation": Level.NONE}
"""The figure that the others of a group are to be read beside."""


def beside(figure: Figure, figures: Sequence[Figure]) -> Figure | None:
    """What a figure is to be read beside: None where that was not measured, or is itself."""
    name = BESIDE.get(figure.group)
    for other in figures:
        if other.name == name and other.unit in (figure.unit, "round trips/s"):
            return None if other is figure else other
    return None


def powers_of_two(most: int) -> list[int]:
    """1, 2, 4, … up to `most`, and `most` itself."""
    return sorted({2**power for power in range(most.bit_length())} | {most})


def _tables(leave_out: Callable[[str], None]) -> Iterator[tuple[AnyGame, AnyTable]]:
    """Each game that plays with its default options, at its smallest table."""
    for game in games().values():
        try:
            yield game, make_table(game, None, {})
        except TableError:
            continue
        except GameFault as fault:
            leave_out(str(fault))
