"""`arena new`: a working starter bot."""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where it is written.")],
    language: Annotated[
        str,
        typer.Option(
            "--language",
            "-l",
            metavar="LANGUAGE",
            help="python, python-protocol, javascript, typescript, c, cpp, rust, go, java, ruby, "
            "lua or shell.",
        ),
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="What it is called. [default: as the folder]")
    ] = None,
) -> None:
    """Write a starter bot that plays both games, to make your own."""
    from arena.starters import UnknownLanguage, missing_tools, starter, write
    from arena.tournament.entry import checked_name

    try:
        chosen = starter(language)
    except UnknownLanguage as error:
        raise typer.BadParameter(str(error), param_hint="--language") from None
    place = "--name" if name else "the folder's name (give another with --name)"
    name = checked_name(name or folder.resolve().name, place)
    files = write(chosen, folder, name)
    typer.echo(f"{name} is a bot in {chosen.title}:")
    for path in files:
        typer.echo(f"  {path}")
    for tool in missing_tools(chosen):
        typer.echo(
            f"It needs {tool}, which is not installed here: see {folder}/README.md", err=True
        )
    bot = shlex.quote(str(folder) if folder.is_absolute() else f"./{folder}")
    typer.echo("\nTry it:")
    typer.echo(f"  arena match savanna-ten {bot} random   # watch it")
    typer.echo(f"  arena check {bot}                      # does it follow every rule?")
    typer.echo(f"  arena run herd {bot} random greedy     # how good is it?")
