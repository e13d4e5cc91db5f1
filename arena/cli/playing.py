"""What `run` and `compare` share: trying the bots, playing what is open, saying what stays so."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

import typer

if TYPE_CHECKING:
    from arena.cli.place import Place
    from arena.referee.sandbox import Level
    from arena.store.db import Store
    from arena.tournament.agenda import Agenda, Unplayed
    from arena.tournament.config import Settings
    from arena.tournament.prepare import Prepared, Request


class Watcher(Protocol):
    """Sees a tournament go on."""

    def start(self, agenda: "Agenda", matches: int | None) -> None:
        """It begins; so many matches are planned in all."""

    def advance(self, count: int) -> None:
        """So many more are stored."""


def ready(request: "Request", level: "Level", trust: bool) -> "Request":
    """Build the bots that are built, and start every bot once; the request with what will run.

    Raises:
        CannotStart: a bot cannot be built or executed, or none starts.
    """
    from msgspec.structs import replace

    from arena.cli.building import build_all
    from arena.cli.trio_runner import run_async
    from arena.referee.faults import CannotStart
    from arena.tournament.trial import try_all

    request = replace(request, entries=build_all(request.entries, level, trust))
    failed = run_async(try_all, request.entries, request.game.name, request.clocks, level)
    for name, fault in failed.items():
        typer.echo(f"bot {name} does not start: {fault.message}", err=True)
    if len(failed) == len(request.entries):
        raise CannotStart("no bot starts; nothing was played")
    return request


def play(
    store: "Store",
    prepared: "Prepared",
    place: "Place",
    settings: "Settings",
    watching: AbstractContextManager[Watcher],
) -> "Unplayed":
    """Enter the bots and play what is open of a run; says what stays open.

    Raises:
        CannotStart: a bot has changed since it was entered, or cannot be sent.
        ClusterError: the cluster cannot be used.
        StoreError: the store fails, or another arena plays the run.
    """
    from arena.cli.trio_runner import run_async
    from arena.tournament.config import time_limit_of
    from arena.tournament.job import assignment_of
    from arena.tournament.prepare import enter
    from arena.tournament.runner import Runner, play_for

    seconds = time_limit_of(settings)
    _announce(prepared, place)
    run, request = prepared.run, place.request
    assignment = assignment_of(run, request.entries, place.level, fresh=settings.fresh)
    with store.playing(run.id), watching as watcher:
        enter(store, run, request)
        store.plan(run.id, prepared.format.matches())
        digests = {entry.name: entry.entrant.digest for entry in request.entries}
        runner = Runner(store, run, prepared.format, digests=digests, report=watcher.advance)
        watcher.start(runner.agenda, prepared.format.matches())
        run_async(play_for, seconds, place.farm, assignment, runner)
        return runner.agenda.unplayed()


def say_unplayed(unplayed: "Unplayed") -> None:
    """Name what stays open, and why."""
    for name, count in unplayed.withdrawn.items():
        typer.echo(
            f"bot {name} was withdrawn: it failed to start in several matches running; "
            f"{counted(count, 'match')} unplayed",
            err=True,
        )
    for slot, reason in unplayed.void.items():
        typer.echo(
            f"a match of {', '.join(slot.group)} stays unplayed: {reason}; "
            "a lower --workers may help",
            err=True,
        )


def counted(count: int, thing: str) -> str:
    """A number and what it counts: `1 match`, `2 matches`."""
    plural = f"{thing}es" if thing.endswith("ch") else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}"


def _announce(prepared: "Prepared", place: "Place") -> None:
    run = prepared.run
    what = "continues" if prepared.continued else "begins"
    typer.echo(
        f"run {run.id} {what}: seed {run.seed}, isolation {place.isolation}, {place.farm.size}",
        err=True,
    )
