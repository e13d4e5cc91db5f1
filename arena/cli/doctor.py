"""`arena doctor`: what this machine gives, and what to install for more."""

import textwrap
from collections.abc import Iterable

import typer

from arena.cli import options as o
from arena.cli.output import print_json


def doctor(json: o.AsJson = False) -> None:
    """Say which isolation works, how many cores there are, and which languages."""
    from arena.doctor import report

    found = report()
    if json:
        print_json(found)
        return
    for level in found.levels:
        mark = "<- bots run under this" if level.level is found.isolation else ""
        typer.echo(f"isolation {level.level}  {mark}".rstrip())
        typer.echo(_wrapped("holds", level.holds))
        typer.echo(_wrapped("does not hold", level.misses))
        if level.raised_by is not None:
            typer.echo(_wrapped("for more", (level.raised_by,)))
    typer.echo(f"cores      {found.cores}, one worker each")
    typer.echo(f"kernel     {found.kernel}")
    for tool in found.tools:
        place = tool.path or f"missing; apt-get install {tool.package} brings it"
        typer.echo(f"{tool.language:<10} {place}")


def _wrapped(label: str, things: Iterable[str]) -> str:
    margin = " " * 17
    return textwrap.fill(f"  {label + ':':<15}" + "; ".join(things), 78, subsequent_indent=margin)
