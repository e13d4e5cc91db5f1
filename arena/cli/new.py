"""`arena new`: a working starter bot, or a package with a game."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer


def new(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]", help="Where it is written; a game by default as it is called."
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            "-l",
            metavar="LANGUAGE",
            help="python, python-protocol, javascript, typescript, c, cpp, rust, go, java, ruby, "
            "lua or shell.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="NAME", help="A package with a game of this name instead."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="What the bot is called. [default: as the folder]")
    ] = None,
) -> None:
    """Write a starter bot that plays both games, or a game of one's own, to make it yours."""
    if (language is None) == (game is None):
        raise typer.BadParameter(
            "name a language, for a bot, or a game, for a package with one",
            param_hint="--language or --game",
        )
    if game is not None:
        if name is not None:
            raise typer.BadParameter("that is for a bot", param_hint="--name")
        _write_game(folder or Path(game), game)
    elif folder is None:
        raise typer.BadParameter("a bot is written to one: name it", param_hint="the folder")
    else:
        _write_bot(folder, str(language), name)


def _write_bot(folder: Path, language: str, name: str | None) -> None:
    from arena.starters import UnknownLanguage, missing_tools, starter, write
    from arena.tournament.entry import checked_name

    try:
        chosen = starter(language)
    except UnknownLanguage as error:
        raise typer.BadParameter(str(error), param_hint="--language") from None
    place = "--name" if name else "the folder's name (give another with --name)"
    name = checked_name(name or folder.resolve().name, place)
    files = write(chosen, folder, name)
    _list(f"{name} is a bot in {chosen.title}:", files)
    for tool in missing_tools(chosen):
        typer.echo(
            f"It needs {tool}, which is not installed here: see {folder}/README.md", err=True
        )
    bot = _word(folder)
    typer.echo("\nTry it:")
    typer.echo(f"  arena match savanna-ten {bot} random   # watch it")
    typer.echo(f"  arena check {bot}                      # does it follow every rule?")
    typer.echo(f"  arena run herd {bot} random greedy     # how good is it?")


def _write_game(folder: Path, game: str) -> None:
    from arena.starters import BadGameName, write_game

    try:
        files = write_game(folder, game)
    except BadGameName as error:
        raise typer.BadParameter(str(error), param_hint="--game") from None
    _list(f"{game} is a game in a package of its own:", files)
    typer.echo("\nTry it, with pytest, in the environment of the arena:")
    typer.echo(f"  pip install -e {_word(folder)}")
    typer.echo(f"  python -m pytest {_word(folder)}       # does it keep every promise?")
    typer.echo(f"  arena match {game} {game}-bot random   # watch it")


def _list(heading: str, files: Sequence[Path]) -> None:
    typer.echo(heading)
    for path in files:
        typer.echo(f"  {path}")


def _word(folder: Path) -> str:
    """The folder as a word of a command line."""
    return shlex.quote(str(folder) if folder.is_absolute() else f"./{folder}")
