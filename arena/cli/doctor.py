"""`arena doctor`: what this machine gives, and what to install for more."""

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
    typer.echo(f"isolation  {found.isolation}: {found.holds}")
    if found.better is not None:
        typer.echo(f"           bwrap would hold more, but {found.better}")
    typer.echo(f"cores      {found.cores}, one worker each")
    typer.echo(f"kernel     {found.kernel}")
    for tool in found.tools:
        place = tool.path or f"missing; apt-get install {tool.package} brings it"
        typer.echo(f"{tool.language:<10} {place}")
