"""`arena run`: a tournament into the store."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli import REFUSED
from arena.cli import options as o

if TYPE_CHECKING:
    from arena.referee.sandbox import Level
    from arena.store.db import Store
    from arena.tournament.farm import LocalFarm
    from arena.tournament.prepare import Prepared, Request
    from arena.tournament.runner import Unplayed
    from arena.tournament.schedule import Plan, Span


def run(
    game: o.GameName,
    bots: o.Bots,
    option: o.OptionWords = None,
    seats: o.Seats = None,
    deals: Annotated[
        int | None, typer.Option("--deals", min=1, help="Deals of each group. [default: 10]")
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option("--matches", min=1, help="A balanced sample of so many matches instead."),
    ] = None,
    seed: o.Seed = None,
    new: Annotated[
        bool, typer.Option("--new", help="Start another run instead of continuing one.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Play the matches of changed bots afresh.")
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be played.")] = False,
    store: o.StoreFile = Path("arena.db"),
    turn_time: o.TurnTime = None,
    first_time: o.FirstTime = None,
    bank: o.Bank = None,
    increment: o.Increment = None,
    start_time: o.StartTime = None,
    margin: o.Margin = None,
    workers: o.Workers = None,
    per_worker: o.PerWorker = 1,
    fresh: o.Fresh = False,
    isolation: o.Isolation = "auto",
    json: o.AsJson = False,
) -> None:
    """Play a round robin. The same command again continues what is unfinished."""
    from arena.referee.sandbox import choose
    from arena.store.db import Store
    from arena.tournament.entry import resolve_all
    from arena.tournament.farm import LocalFarm
    from arena.tournament.prepare import Request, check, planned, prepare

    if deals is not None and matches is not None:
        raise typer.BadParameter("give --deals or --matches, not both", param_hint="--matches")
    chosen, table = o.table_from(game, seats, option)
    request = Request(
        game=chosen,
        table=table,
        entries=tuple(resolve_all(bots)),
        clocks=o.clocks_from(turn_time, first_time, bank, increment, start_time, margin),
        deals=deals or 10,
        matches=matches,
        seed=seed,
        new=new,
        replace=replace,
    )
    check(request)
    if plan:
        _print_plan(planned(request), request, json)
        return
    level = choose(isolation)
    _try(request, level)
    with Store.open(store) as kept:
        prepared = prepare(kept, request)
        farm = LocalFarm(workers, per_worker)
        _announce(prepared, level, farm.workers)
        unplayed = _play(kept, prepared, request, farm, level, fresh)
        _conclude(kept, prepared.run.id, unplayed, json)


def _try(request: "Request", level: "Level") -> None:
    """Start every bot once; nothing is stored if none starts.

    Raises:
        CannotStart: a program cannot be executed, or no bot starts.
    """
    from arena.cli.trio_runner import run_async
    from arena.referee.faults import CannotStart
    from arena.tournament.trial import try_all

    failed = run_async(try_all, request.entries, request.game.name, request.clocks, level)
    for name, fault in failed.items():
        typer.echo(f"bot {name} does not start: {fault.message}", err=True)
    if len(failed) == len(request.entries):
        raise CannotStart("no bot starts; nothing was played")


def _announce(prepared: "Prepared", level: "Level", workers: int) -> None:
    run = prepared.run
    what = "continues" if prepared.continued else "begins"
    typer.echo(
        f"run {run.id} {what}: seed {run.seed}, isolation {level}, {_counted(workers, 'worker')}",
        err=True,
    )
    if level != "bwrap":
        typer.echo(f"isolation {level} holds little: play trusted bots only", err=True)


def _play(
    store: "Store",
    prepared: "Prepared",
    request: "Request",
    farm: "LocalFarm",
    level: "Level",
    fresh: bool,
) -> "Unplayed":
    """Play what is open, with progress and running standings on a terminal."""
    from arena.cli.progress import Progress
    from arena.cli.trio_runner import run_async
    from arena.tournament.job import Assignment, Player
    from arena.tournament.runner import Runner

    run = prepared.run
    players = {e.name: Player(e.entrant.digest, e.program) for e in request.entries}
    assignment = Assignment(
        run.game, run.options, run.seats, run.id, run.clocks, level, players, fresh
    )
    digests = {name: player.digest for name, player in players.items()}
    with store.playing(run.id):
        with Progress(store, run.id) as progress:
            runner = Runner(
                store,
                run,
                prepared.slots,
                sides=request.sides,
                digests=digests,
                report=progress.advance,
            )
            progress.start(runner.left)
            run_async(farm.play, assignment, runner)
        return runner.unplayed()


def _conclude(store: "Store", run: str, unplayed: "Unplayed", json: bool) -> None:
    """Print the leaderboard of the run; what stays open makes it a refusal."""
    from arena.cli.leaderboard import print_leaderboard
    from arena.store.model import Filter

    print_leaderboard(store, Filter(run=run), json)
    for name, count in unplayed.withdrawn.items():
        typer.echo(
            f"bot {name} was withdrawn: it failed to start in several matches running; "
            f"{_counted(count, 'match')} unplayed",
            err=True,
        )
    for slot, reason in unplayed.void.items():
        typer.echo(
            f"a match of {', '.join(slot.group)} stays unplayed: {reason}; a lower --workers may "
            "help",
            err=True,
        )
    if unplayed:
        sys.exit(REFUSED)


def _print_plan(plan: "Plan", request: "Request", json: bool) -> None:
    """Say what would be played."""
    from arena.cli.output import print_json

    if json:
        print_json(plan)
        return
    typer.echo(
        f"{_counted(plan.matches, 'match')} of {request.game.name}, "
        f"{request.table.players} seats, {_counted(plan.groups, 'group')} of bots"
    )
    typer.echo(
        f"each pair meets in {_span(plan.meetings)}; each bot plays {_span(plan.appearances)}"
    )


def _span(span: "Span") -> str:
    if span.least == span.most:
        return _counted(span.most, "match")
    return f"{span.least} to {_counted(span.most, 'match')}"


def _counted(count: int, thing: str) -> str:
    plural = f"{thing}es" if thing.endswith("ch") else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}"
