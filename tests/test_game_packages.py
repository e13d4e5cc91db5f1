"""Games in packages of their own, installed: their tests pass, and the arena plays them."""

import json
from pathlib import Path

import pytest

from tests.arena_cli import Arena
from tests.plugin_site import Environment

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("environment"))
    environment.install_folder(EXAMPLES / "game-plugin")
    return environment


def test_the_tests_of_liars_dice_pass(site: Environment) -> None:
    words = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider")
    done = site.run(*words, cwd=EXAMPLES / "game-plugin")
    assert done.status == 0, done.out


def test_it_is_played_rated_verified_and_shown(site: Environment, tmp_path: Path) -> None:
    words = ("--deals", "2", "--seed", "1", "--seats", "3", "--isolation", "none", "--workers", "1")
    done = site.arena(
        "run", "liars-dice", "dice-counter", "random", "greedy", *words, "--json", cwd=tmp_path
    )
    assert done.status == 0, done.err
    (table,) = done.json()["tables"]
    assert (table["game"], table["options"]) == ("liars-dice", {"dice": 5, "wild_ones": True})
    assert (table["bots"][0]["name"], table["bots"][0]["points"]) == ("dice-counter", 1.0)
    assert all(bot["faults"] == 0 for bot in table["bots"])
    assert site.arena("verify", "--store", "arena.db", cwd=tmp_path).status == 0
    (match, *_) = json.loads(site.arena("matches", "--json", cwd=tmp_path).out)
    shown = site.arena("show", match["match"], cwd=tmp_path)
    assert "Last round: seat " in shown.out


def test_a_new_game_passes_its_tests_and_is_played(arena: Arena, tmp_path: Path) -> None:
    assert arena("new", "--game", "moon-dice").status == 0
    package = arena.folder / "moon-dice"
    environment = Environment(tmp_path / "environment")
    environment.install_folder(package)
    done = environment.run("-m", "pytest", "-q", "-n0", cwd=package)
    assert done.status == 0, done.out
    words = ("--isolation", "none", "--json")
    played = environment.arena(
        "match", "moon-dice", "moon-dice-bot", "random", *words, cwd=tmp_path
    )
    assert played.status == 0, played.err
    assert played.json()["faults"] == []
