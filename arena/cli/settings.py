"""The settings of a tournament from the words of a command and, if it names one, a file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer
from msgspec.structs import replace

from arena.cli.options import option_words
from arena.tournament.config import BotSettings, Settings, name_of, read


def settings_from(game: str, bots: Sequence[str], given: Mapping[str, Any]) -> Settings:
    """The settings of the file that `game` names, or none, with what is given on top.

    Args:
        game: a game, or a TOML file.
        bots: BOT words, after those of the file.
        given: the options of the command by the names of settings; None, False and empty ones
            were not given. Those of single bots are `challenger`, `bot_env`, `bot_memory` and
            `handicap`.

    Raises:
        TomlError, SettingsError, BadName, CannotStart: as reading the file and the bots does.
    """
    settings = read(Path(game)) if game.endswith(".toml") else Settings(game=game)
    fields = {field.name for field in msgspec.structs.fields(Settings)} - {"game"}
    changes = {name: given[name] for name in fields & given.keys() if given[name]}
    if option := given.get("option"):
        changes["option"] = {**settings.option, **option_words(option)}
    if store := given.get("store"):
        changes["store"] = str(store)
    entered = settings.bot + tuple(map(BotSettings, bots))
    return replace(settings, **changes, bot=_with_own(entered, given))


def _with_own(bots: tuple[BotSettings, ...], given: Mapping[str, Any]) -> tuple[BotSettings, ...]:
    """The bots with the options that name one of them."""
    own: dict[str, dict[str, Any]] = {}
    for name in given.get("challenger") or ():
        own.setdefault(name, {})["challenger"] = True
    for name, memory in _pairs("--bot-memory", given.get("bot_memory")):
        own.setdefault(name, {})["memory"] = memory
    for name, factor in _pairs("--handicap", given.get("handicap")):
        own.setdefault(name, {})["time_handicap"] = _factor(factor)
    for name, key, value in _variables(given.get("bot_env")):
        own.setdefault(name, {}).setdefault("env", {})[key] = value
    if not own:
        return bots
    named = {name_of(bot): bot for bot in bots}
    for name, changes in own.items():
        if name not in named:
            raise typer.BadParameter(f"no bot is called {name}; there are {', '.join(named)}")
        env = {**named[name].env, **changes.pop("env", {})}
        named[name] = replace(named[name], **changes, env=env)
    return tuple(named.values())


def _pairs(option: str, words: Sequence[str] | None) -> list[tuple[str, str]]:
    pairs = [word.partition("=") for word in words or ()]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise typer.BadParameter(f"'{name}{equals}{value}' is not NAME=…", param_hint=option)
    return [(name, value) for name, _, value in pairs]


def _variables(words: Sequence[str] | None) -> list[tuple[str, str, str]]:
    variables = []
    for word in words or ():
        name, colon, variable = word.partition(":")
        key, equals, value = variable.partition("=")
        if not (name and colon and key and equals):
            raise typer.BadParameter(f"'{word}' is not NAME:K=V", param_hint="--bot-env")
        variables.append((name, key, value))
    return variables


def _factor(words: str) -> float:
    try:
        return float(words)
    except ValueError:
        raise typer.BadParameter(f"'{words}' is no number", param_hint="--handicap") from None
