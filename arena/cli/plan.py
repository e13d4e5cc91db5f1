"""`arena run --plan`: what would be played."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from msgspec import to_builtins

from arena.cli.playing import counted

if TYPE_CHECKING:
    from arena.tournament.prepare import Request
    from arena.tournament.schedule import Span

LATELY: Final = 50
"""How many matches the time is estimated from."""


def print_plan(request: "Request", store: Path, workers: int | None, json: bool) -> None:
    """Say how many matches there would be, who meets whom how often, and how long it may take.

    Without a number of workers: how long one core would play.
    """
    from arena.cli.output import print_json
    from arena.tournament.prepare import planned

    plan = planned(request)
    seconds = _seconds_per_match(request, store)
    total = None
    if seconds is not None and plan.matches is not None:
        total = plan.matches * seconds / (workers or 1)
    if json:
        print_json({**to_builtins(plan), "seconds": total})
        return
    what = f"{request.format.name} of {request.game.name}, {request.table.players} seats"
    typer.echo(f"{what}: {_counted(plan.matches)}")
    if plan.groups is not None and plan.meetings is not None and plan.appearances is not None:
        typer.echo(f"{plan.groups:,} groups of bots; each pair meets in {_span(plan.meetings)}")
        typer.echo(f"each bot plays {_span(plan.appearances)}, in every seat equally often")
    if total is None:
        typer.echo("how long it takes is known once matches like these are stored")
    else:
        where = "of one core" if workers is None else f"on {workers} workers"
        typer.echo(f"about {timedelta(seconds=round(total))} {where}, as before")


def _seconds_per_match(request: "Request", store: Path) -> float | None:
    """What matches of this kind took lately; None where none is stored."""
    from arena.store.db import Store
    from arena.store.model import Filter

    if not store.exists():
        return None
    options = to_builtins(request.table.options)
    wanted = Filter(request.game.name, options, request.table.players)
    with Store.open(store, read_only=True) as kept:
        some = [kept.record(match.match) for match in kept.matches(wanted, LATELY)]
    took = [sum(entry.ms or 0 for entry in record.log) / 1000 for record in some]
    return sum(took) / len(took) if took else None


def _span(span: "Span") -> str:
    if span.least == span.most:
        return _counted(span.most)
    return f"{span.least:,} to {_counted(span.most)}"


def _counted(matches: int | None) -> str:
    return "matches until it is stopped" if matches is None else counted(matches, "match")
