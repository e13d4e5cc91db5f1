"""Where a tournament is played: on this machine, or on a cluster."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from msgspec import Struct

from arena.cli import options as o
from arena.cli.building import warn

if TYPE_CHECKING:
    from arena.referee.sandbox import Level
    from arena.tournament.config import Settings
    from arena.tournament.farm import Farm, WorkerReport
    from arena.tournament.prepare import Request


class Place(Struct, frozen=True):
    """A farm, with what it is to play."""

    farm: "Farm"
    request: "Request"
    """With programs that are there, where it is this machine that plays them."""
    level: "Level"
    isolation: str
    """The level in words, for who reads along."""


def place_of(settings: "Settings", request: "Request") -> Place:
    """Where settings say that a request is played.

    Raises:
        CannotStart: the level of isolation does not work here, a bot cannot be built or executed,
            none starts, or Dask is missing.
        SettingsError: a setting means nothing there.
    """
    return _here(settings, request) if settings.cluster is None else _cluster(settings, request)


def say_workers(reports: "Sequence[WorkerReport]") -> None:
    """What each worker of a cluster did, a line each on stderr."""
    from arena.cli.playing import counted

    for it in reports:
        did = counted(it.matches, "match")
        if it.per_core_second is not None:
            did += f", {it.per_core_second:,.1f} per core and second"
        if it.clock_scale != 1:
            did += f", clocks × {it.clock_scale:g}"
        if it.isolation is None:
            did = "not used"
        threads = counted(it.threads, "thread")
        lost = ", lost" if it.lost else ""
        level = "" if it.isolation is None else f", isolation {it.isolation}"
        typer.echo(f"worker {it.name} ({threads}{level}): {did}{lost}", err=True)


def _here(settings: "Settings", request: "Request") -> Place:
    from arena.cli.playing import ready
    from arena.tournament.farm import LocalFarm

    level = o.level_from(settings.isolation)
    request = ready(request, level, settings.trust)
    farm = LocalFarm(settings.workers, settings.per_worker or 1)
    return Place(farm, request, level, level)


def _cluster(settings: "Settings", request: "Request") -> Place:
    """Bots are built and tried by the machines that play them."""
    from arena.referee.faults import CannotStart
    from arena.referee.sandbox import Level
    from arena.tournament.config import SettingsError

    assert settings.cluster is not None
    if settings.workers is not None:
        raise SettingsError("workers: on a cluster its threads are the workers; leave it out")
    isolation = o.isolation_from(settings.isolation)
    try:
        from arena.tournament.cluster.farm import ClusterFarm
    except ModuleNotFoundError as error:
        raise CannotStart(
            f"a cluster needs {error.name}, which is missing; "
            "pip install 'savanna-arena[cluster]' brings it"
        ) from None
    farm = ClusterFarm(
        settings.cluster,
        request.entries,
        isolation=isolation,
        trust=settings.trust,
        lanes=settings.per_worker or 1,
    )
    level = Level.BWRAP if isolation == "auto" else Level(isolation)  # each machine puts its own
    warn(level, ())
    return Place(farm, request, level, isolation)
