"""Which games are found, what is imported for it, and how a broken package is told apart."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import registry
from engine.guarded import Guarded
from engine.herd import Herd
from engine.registry import BrokenGame, Registry, UnknownGame
from engine.savanna_ten import SavannaTen

Install = Callable[..., None]

GOOD = """
from engine.guarded import Guarded
from engine.herd import Herd

class Good(Herd):
    name = "{name}"

good = Good()
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a package with entry points, and a module of its source, on the import path."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(package: str, source: str, **points: str) -> None:
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(source)
        monkeypatch.delitem(sys.modules, module, raising=False)
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {module}:{attribute}" for name, attribute in points.items()]
        (info / "entry_points.txt").write_text("\n".join(["[arena.games]", *lines]))

    return install


def test_the_built_in_games() -> None:
    found = Registry().games()
    assert list(found) == ["savanna-ten", "herd"]
    assert isinstance(found["savanna-ten"], SavannaTen)
    assert isinstance(found["herd"], Herd)
    assert Registry().broken() == []


def test_a_game_is_made_once() -> None:
    games = Registry()
    assert games.game("herd") is games.game("herd") is games.games()["herd"]


def test_the_module_has_one_registry() -> None:
    assert registry.game("herd") is registry.games()["herd"]
    assert registry.broken() == []


@pytest.mark.parametrize("attribute", ["Good", "good"])
def test_a_package_gives_a_class_or_an_instance(install: Install, attribute: str) -> None:
    install("good-games", GOOD.format(name="good"), good=attribute)
    games = Registry()
    assert games.game("good").name == "good"
    assert isinstance(games.game("good"), Guarded)
    assert list(games.games()) == ["savanna-ten", "herd", "good"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hred", "there is no game 'hred' (did you mean herd?); the games are"),
        ("Herd", "there is no game 'Herd' (did you mean herd?); the games are"),
        ("savanna", "there is no game 'savanna' (did you mean savanna-ten?); the games are"),
        ("chess\n", r"there is no game 'chess\n'; the games are"),
        ("", "there is no game ''; the games are"),
    ],
)
def test_an_unknown_name_is_answered_with_the_names_there_are(name: str, sentence: str) -> None:
    with pytest.raises(UnknownGame) as error:
        Registry().game(name)
    assert str(error.value) == f"{sentence} savanna-ten and herd"


ABSTRACT = "from engine.game import Game\nclass Bad(Game): pass\n"

BROKEN = [
    ("import no_such_module", "Game", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("raise SystemExit('bye')", "Game", "SystemExit: bye"),
    ("x = 1", "Game", "AttributeError: module 'bad_games' has no attribute 'Game'"),
    ("Game = 5", "Game", "TypeError: int is not a Game"),
    ("class Game: pass", "Game", "TypeError: Game is not a Game"),
    (GOOD.format(name="Bad One"), "Good", "ValueError: it calls itself 'Bad One'"),
    (
        ABSTRACT,
        "Bad",
        "TypeError: Can't instantiate abstract class Bad with abstract methods apply,",
    ),
    (
        ABSTRACT + "Bad.__abstractmethods__ = frozenset()",
        "Bad",
        "TypeError: Bad does not set name, version, title, credit, players, options_type,",
    ),
    *(
        (GOOD.format(name="bad") + f"\nGood.{attribute} = {value}", "Good", flaw)
        for attribute, value, flaw in (
            ("version", "0", "ValueError: its version is 0, not a whole number from 1"),
            ("version", "'1'", "ValueError: its version is '1', not a whole number from 1"),
            ("players", "2", "ValueError: its players are 2, not a range such as range(2, 5)"),
            ("players", "range(0)", "ValueError: its players are range(0, 0), not a range such"),
            ("players", "range(3)", "ValueError: its players are range(0, 3), not a range such"),
            ("view_type", "dict", "TypeError: <class 'dict'> is not a msgspec struct"),
            ("event_types", "(5,)", "TypeError: 5 is not a msgspec struct"),
            ("options_type", "Herd.view_type", "TypeError: HerdView has no default for turn, size"),
        )
    ),
]


@pytest.mark.parametrize(("source", "attribute", "flaw"), BROKEN)
def test_a_broken_game_is_named_and_does_not_harm_the_others(
    install: Install, source: str, attribute: str, flaw: str
) -> None:
    install("bad-games", source, bad=attribute)
    install("good-games", GOOD.format(name="good"), good="Good")
    games = Registry()
    assert list(games.games()) == ["savanna-ten", "herd", "good"]
    (broken,) = games.broken()
    assert (broken.name, broken.package) == ("bad", "bad-games")
    expected = f"the game 'bad' of the package bad-games cannot be used: {flaw}"
    assert broken.reason.startswith(expected)
    with pytest.raises(UnknownGame) as error:
        games.game("bad")
    assert str(error.value) == broken.reason


@pytest.mark.parametrize("name", ["Bad", "bad_game", "bad--game", "-bad", "bäd"])
def test_a_name_has_one_form(install: Install, name: str) -> None:
    install("bad-games", GOOD.format(name=name), **{name: "Good"})
    flaw = "a name is lower-case letters and digits, with single dashes between them"
    (broken,) = Registry().broken()
    assert broken.reason.endswith(f"cannot be used: ValueError: {flaw}")


def test_two_packages_with_one_name_are_both_named(install: Install) -> None:
    install("good-games", GOOD.format(name="good"), good="Good")
    install("more-games", GOOD.format(name="good"), good="Good")
    sentence = (
        "the packages good-games and more-games both give a game named 'good'; uninstall one of"
        " them"
    )
    games = Registry()
    assert list(games.games()) == ["savanna-ten", "herd"]
    assert [broken.reason for broken in games.broken()] == [sentence]
    with pytest.raises(UnknownGame, match=sentence):
        games.game("good")


def test_a_name_that_is_built_in_is_taken(install: Install) -> None:
    install("my-herd", GOOD.format(name="herd"), herd="Good")
    games = Registry()
    assert type(games.game("herd")) is Herd
    assert list(games.games()) == ["savanna-ten", "herd"]
    assert [broken.reason for broken in games.broken()] == [
        "the game 'herd' of the package my-herd cannot be used: the name is that of a built-in game"
    ]


def test_the_packages_of_games_are_known_without_importing_them(install: Install) -> None:
    install("loud-games", "raise AssertionError('imported')", loud="Game", louder="x.y:Game")
    assert Registry().packages() == {"loud_games"}


def test_a_built_in_game_imports_neither_the_other_nor_the_packages() -> None:
    code = """if True:
        import sys
        from engine.registry import game
        game("herd")
        print({"engine.savanna_ten", "importlib.metadata"} & set(sys.modules))
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_only_the_package_that_is_asked_for_is_imported(install: Install) -> None:
    install("good-games", GOOD.format(name="good"), good="Good")
    install("loud-games", "raise AssertionError('imported')", loud="Game")
    games = Registry()
    games.game("good")
    assert "loud_games" not in sys.modules
    assert games.broken() == [
        BrokenGame(
            "loud",
            "loud-games",
            "the game 'loud' of the package loud-games cannot be used: AssertionError: imported",
        )
    ]
