"""The examples: each is a bot that plays both games by the protocol, in its own language."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bots import random_bot
from engine.options import make_table
from engine.registry import game
from protocol.codec import encode
from protocol.messages import Hello, Message
from tests.conftest import NeedsTool
from tests.driver import Called, Player, Program, play, program

ROOT = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(path.parent.name for path in ROOT.glob("*/bot.toml"))
STARTERS = ["python", "javascript"]
"""Those that promise to be better than random."""
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("savanna-ten", 2, {}),
    ("savanna-ten", 3, {"mouse": "replace"}),
    ("savanna-ten", 4, {"mouse": "add"}),
    ("savanna-ten", 4, {"mouse": "add", "teams": True}),
    ("herd", 2, {}),
    ("herd", 2, {"size": 2}),
]
every_example = pytest.mark.parametrize("name", EXAMPLES)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> "Workshop":
    return Workshop(tmp_path_factory.mktemp("examples"))


class Workshop:
    """Copies of the examples, built when first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def command(self, name: str) -> tuple[list[str], Path]:
        """The command of an example and the folder that it runs in."""
        bot = tomllib.loads((ROOT / name / "bot.toml").read_text())
        folder = self._folder / name
        if not folder.exists():
            shutil.copytree(ROOT / name, folder)
            if "build" in bot:
                needs(bot["build"][0])
                subprocess.run(bot["build"], cwd=folder, check=True, capture_output=True)
        first, *others = bot["command"]
        if first == "python3":
            return [sys.executable, *others], folder  # as the arena does: its own has `protocol`
        needs(first, folder)
        return bot["command"], folder


def needs(tool: str, folder: Path | None = None) -> None:
    if not (folder and (folder / tool).exists()):
        NeedsTool()(tool)


@every_example
def test_it_plays_both_games_at_every_number_of_seats(name: str, built: Workshop) -> None:
    with program(*built.command(name)) as bot:
        for about, players, options in TABLES:
            others: list[Player] = [Called(random_bot.decide) for _ in range(players - 1)]
            play(game(about), make_table(game(about), players, options), [*others, bot], "0a")


class Chatty(Program):
    """Tells a bot more than version 1 of the protocol does."""

    def tell(self, message: Message | bytes) -> None:
        line = message if isinstance(message, bytes) else encode(message)
        super().tell(b'{"type":"weather","id":9,"actions":null}\n')
        super().tell(line.replace(b'{"type":', b'{"mood":{"calm":[1,"two"]},"type":', 1))


@every_example
def test_it_ignores_what_it_does_not_know(name: str, built: Workshop) -> None:
    with program(*built.command(name), kind=Chatty) as bot:
        table = make_table(game("savanna-ten"), 2, {})
        play(game("savanna-ten"), table, [bot, Called(random_bot.decide)], "0a")


@every_example
def test_it_leaves_at_the_end_of_input(name: str, built: Workshop) -> None:
    command, folder = built.command(name)
    hello = encode(Hello(1, "test"))
    left = subprocess.run(
        command, cwd=folder, input=hello, capture_output=True, timeout=20, check=True
    )
    assert left.stdout.count(b"\n") == 1
    assert left.stderr == b""


@pytest.mark.parametrize("name", STARTERS)
def test_a_starter_is_better_than_random(name: str, built: Workshop) -> None:
    wins = 0
    with program(*built.command(name)) as bot:
        for about in ("savanna-ten", "herd"):
            table = make_table(game(about), 2, {})
            for deal in range(10):
                seats: list[Player] = [Called(random_bot.decide)] * 2
                seats[deal % 2] = bot
                wins += play(game(about), table, seats, f"{deal:02x}").ranks[deal % 2] == 1
    assert wins >= 16


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_explained_in_a_few_lines(name: str) -> None:
    lines = (ROOT / name / "README.md").read_text().splitlines()
    assert len(lines) <= 20
    assert lines[0].startswith("# ")
