"""The settings of a command: a file, with the options of the command on top."""

from pathlib import Path
from typing import Any

import pytest
import typer

from arena.cli.settings import settings_from
from arena.tournament.config import BotSettings, Settings

NOTHING: dict[str, Any] = dict.fromkeys(
    ("option", "store", "challenger", "bot_env", "bot_memory", "handicap")
)


def test_words_alone() -> None:
    given = NOTHING | {"deals": 3, "option": ["size=4"], "store": Path("x.db"), "workers": None}
    assert settings_from("herd", ["random", "greedy"], given) == Settings(
        "herd",
        (BotSettings("random"), BotSettings("greedy")),
        option={"size": "4"},
        deals=3,
        store="x.db",
    )


def test_the_command_overrides_and_extends_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(
        'game = "herd"\ndeals = 3\nworkers = 1\n[option]\nsize = 4\n[[bot]]\nbot = "random"\n'
    )
    given = NOTHING | {"deals": 9, "option": ["turn_limit=50"]}
    settings = settings_from(str(path), ["greedy"], given)
    assert (settings.deals, settings.workers) == (9, 1)
    assert settings.option == {"size": 4, "turn_limit": "50"}
    assert [bot.bot for bot in settings.bot] == ["random", "greedy"]


def test_options_of_single_bots_go_by_their_names() -> None:
    given = NOTHING | {
        "challenger": ["fast"],
        "bot_env": ["fast:A=1", "fast:B=x=y", "random:A=2"],
        "bot_memory": ["random=1GB"],
        "handicap": ["fast=0.5"],
    }
    random, fast = settings_from("herd", ["random", "fast=greedy"], given).bot
    assert (random.env, random.memory) == ({"A": "2"}, "1GB")
    assert fast == BotSettings(
        "fast=greedy", env={"A": "1", "B": "x=y"}, time_handicap=0.5, challenger=True
    )


@pytest.mark.parametrize(
    ("option", "words", "sentence"),
    [
        ("challenger", "who", "no bot is called who; there are random, greedy"),
        ("bot_env", "random:A", "'random:A' is not NAME:K=V"),
        ("bot_memory", "1GB", "'1GB' is not NAME="),
        ("handicap", "random=much", "'much' is no number"),
    ],
)
def test_options_of_bots_that_are_off(option: str, words: str, sentence: str) -> None:
    with pytest.raises(typer.BadParameter, match=sentence):
        settings_from("herd", ["random", "greedy"], NOTHING | {option: [words]})
