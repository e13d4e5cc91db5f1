"""`arena games`, `arena bots` and `arena schema`: what there is."""

import json
import sys
from pathlib import Path

import pytest

import protocol
from engine import registry
from tests.arena_cli import Arena


def test_games_for_people(arena: Arena) -> None:
    lines = arena("games").out.splitlines()
    assert lines[0] == (
        "savanna-ten: Savanna Ten, 2 to 4 players; designed by Kenichi Kabuki (Game NOWA), 2024"
    )
    assert any(line.startswith("herd: Herd, 2 players; designed by Mark Steere") for line in lines)
    assert "    --option size=5      a whole number from 2 to 10" in lines


def test_games_as_data(arena: Arena) -> None:
    savanna, herd = arena.data("games")
    assert (savanna["name"], savanna["version"], savanna["players"]) == (
        "savanna-ten",
        1,
        [2, 3, 4],
    )
    assert (herd["name"], herd["players"]) == ("herd", [2])
    assert [(o["name"], o["default"]) for o in herd["options"]] == [
        ("size", 5),
        ("turn_limit", 1000),
    ]
    assert set(herd) == {"name", "version", "title", "credit", "players", "options"}


def test_bots_that_are_registered(arena: Arena) -> None:
    bots = arena.data("bots")
    assert [bot["name"] for bot in bots][:2] == ["random", "greedy"]
    random = bots[0]
    assert random["command"] == [sys.executable, "-P", "-m", "bots.random_bot"]
    assert (random["folder"], random["games"], random["network"]) == (None, None, False)
    assert "random" in arena("bots").out


def test_bots_that_words_stand_for(arena: Arena) -> None:
    arena.bot("mine")
    (bot,) = arena.data("bots", "fast=./mine --deep")
    assert bot["name"] == "fast"
    assert bot["command"] == [sys.executable, "bot.py", "--deep"]
    assert bot["folder"] == str(arena.folder / "mine")
    assert len(bot["digest"]) == 16


def test_the_schema_is_the_committed_one(arena: Arena) -> None:
    committed = Path(protocol.__file__).with_name("schema.json").read_text()
    assert arena("schema").out == committed


@pytest.mark.parametrize("game", ["savanna-ten", "herd"])
def test_the_schema_with_a_game_has_its_state(arena: Arena, game: str) -> None:
    plain = json.loads(arena("schema").out)
    more = json.loads(arena("schema", "--game", game).out)
    assert set(more["$defs"]) > set(plain["$defs"])


@pytest.fixture
def broken(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package whose game and bot cannot be used."""
    info = Path("site/odd-1.0.dist-info")
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[arena.games]\nodd = nowhere:Odd\n[arena.bots]\nlost = nowhere.bot\n"
    )
    monkeypatch.syspath_prepend("site")
    fresh = registry.Registry()
    monkeypatch.setattr(registry, "games", fresh.games)
    monkeypatch.setattr(registry, "broken", fresh.broken)


@pytest.mark.usefixtures("broken")
def test_a_package_that_cannot_be_used_is_named_and_the_rest_listed(arena: Arena) -> None:
    games = arena("games")
    assert games.status == 0
    assert "savanna-ten" in games.out
    assert games.err == (
        "the game 'odd' of the package odd cannot be used: "
        "ModuleNotFoundError: No module named 'nowhere'\n"
    )
    bots = arena("bots", "--json")
    assert bots.status == 0
    names = [bot["name"] for bot in bots.json()]
    assert names[:2] == ["random", "greedy"]
    assert "lost" not in names
    assert bots.err == "bot lost: its package nowhere is not installed\n"
