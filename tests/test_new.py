"""`arena new`: a starter bot in a folder of its own."""

import re
import tomllib
from pathlib import Path

import pytest

from arena import starters
from arena.cli.new import new
from arena.tournament.entry import resolve
from tests.arena_cli import Arena

LANGUAGES = sorted(starters.starters())


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_writes_a_bot_of_this_name(arena: Arena, language: str) -> None:
    done = arena("new", "my-bot", "--language", language)
    assert done.status == 0, done.err
    folder = arena.folder / "my-bot"
    chosen = starters.starter(language)
    assert f"my-bot is a bot in {chosen.title}:" in done.out
    assert "arena check ./my-bot" in done.out
    texts = {path: path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert all(str(path.relative_to(arena.folder)) in done.out for path in texts)
    assert 'name = "my-bot"' in texts[folder / "bot.toml"]
    assert "./my-bot" in texts[folder / "README.md"]
    everything = "".join(texts.values())
    assert f"{language}-starter" not in everything
    assert f"./{language} " not in everything


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_source_is_one_file(arena: Arena, language: str) -> None:
    arena("new", "mybot", "-l", language)
    sources = [path for path in (arena.folder / "mybot").iterdir() if path.stem.lower() == "bot"]
    assert len(sources) == 2, "and bot.toml"


def test_it_can_be_used_at_once(arena: Arena) -> None:
    arena("new", "mybot", "-l", "python")
    assert resolve("./mybot").name == "mybot"


@pytest.mark.parametrize(
    ("word", "language"), [("C++", "cpp"), ("JS", "javascript"), ("rs", "rust")]
)
def test_other_words_for_a_language(word: str, language: str) -> None:
    assert starters.starter(word).language == language


def test_a_language_that_there_is_not(arena: Arena) -> None:
    done = arena("new", "mybot", "-l", "cobol")
    assert done.status == 2
    assert "there is no starter bot in 'cobol'; there is one in c, cpp, go, java" in done.err
    assert not (arena.folder / "mybot").exists()


def test_a_name_of_its_own(arena: Arena) -> None:
    arena("new", "bots/first", "-l", "lua", "--name", "Zed")
    assert resolve("bots/first").name == "Zed"


def test_a_name_that_no_bot_can_have(arena: Arena) -> None:
    for words in (["my bot"], ["mybot", "--name", "my bot"]):
        done = arena("new", *words, "-l", "python")
        assert done.status == 2
        assert "the name 'my bot'" in done.err
        assert not (arena.folder / words[0]).exists()


def test_nothing_is_overwritten(arena: Arena) -> None:
    folder = arena.folder / "mybot"
    folder.mkdir()
    assert arena("new", "mybot", "-l", "python").status == 0, "an empty folder will do"
    (folder / "bot.py").write_text("mine")
    done = arena("new", "mybot", "-l", "python")
    assert (done.status, done.err) == (
        3,
        "arena: mybot: there is something in it; name another\n",
    )
    assert (folder / "bot.py").read_text() == "mine"


def test_a_file_in_the_way_is_told(arena: Arena) -> None:
    (arena.folder / "mybot").touch()
    done = arena("new", "mybot", "-l", "python")
    assert done.status == 3
    assert "mybot" in done.err


def test_a_tool_that_is_missing_is_told(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(arena.folder))
    done = arena("new", "mybot", "-l", "rust")
    assert done.status == 0
    assert "It needs cargo, which is not installed here: see mybot/README.md" in done.err
    assert arena("new", "other", "-l", "python").err == ""


def test_every_language_is_in_the_help() -> None:
    [*_, languages] = new.__annotations__["language"].__metadata__
    assert all(language in languages.help for language in LANGUAGES)


def test_it_comes_with_the_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the examples lie beside the modules, and Python has compiled what is its own."""
    monkeypatch.setattr(starters, "files", lambda _: tmp_path)
    folder = tmp_path / "examples/python"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__/bot.pyc").write_bytes(b"\xff\x00")
    (folder / "bot.toml").write_text('name = "python-starter"\ncommand = ["python3", "bot.py"]\n')
    (folder / "README.md").write_text("# A starter bot in Python\n")
    written = starters.write(starters.starter("python"), tmp_path / "mybot", "mine")
    assert [path.name for path in written] == ["README.md", "bot.toml"]


# A game


def test_it_writes_a_package_with_a_game_of_this_name(arena: Arena) -> None:
    done = arena("new", "--game", "moon-dice")
    assert done.status == 0, done.err
    folder = arena.folder / "moon-dice"
    texts = {path: path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert all(str(path.relative_to(arena.folder)) in done.out for path in texts)
    assert "arena match moon-dice moon-dice-bot random" in done.out
    project = tomllib.loads(texts[folder / "pyproject.toml"])["project"]
    assert (project["name"], project["entry-points"]) == (
        "moon-dice",
        {
            "arena.games": {"moon-dice": "moon_dice:MoonDice"},
            "arena.bots": {"moon-dice-bot": "moon_dice.bot"},
        },
    )
    assert "class MoonDice(Game" in texts[folder / "src/moon_dice/__init__.py"]
    everything = "".join([*texts.values(), *map(str, texts)])
    assert not re.search("game.?starter", everything, re.IGNORECASE)


def test_a_game_can_have_another_folder(arena: Arena) -> None:
    assert arena("new", "games/first", "--game", "pigs").status == 0
    assert (arena.folder / "games/first/src/pigs/bot.py").is_file()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Moon", "a game is not called 'Moon': lower-case letters and digits, a letter first"),
        ("moon--dice", "a game is not called 'moon--dice'"),
        ("4-in-a-row", "a game is not called '4-in-a-row'"),
        ("../up", "a game is not called '../up'"),
        ("class", "a game is not called 'class'"),
        ("herd", "herd is a game of the arena; take another name"),
        ("json", "Python has a module json already; take another name"),
    ],
)
def test_a_name_that_no_game_can_have(arena: Arena, name: str, sentence: str) -> None:
    done = arena("new", "here", "--game", name)
    assert done.status == 2
    assert sentence in done.err
    assert not (arena.folder / "here").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "--language or --game: name a language, for a bot, or a game, for a package with one"),
        (["it"], "--language or --game: name a language"),
        (["it", "-l", "lua", "--game", "pigs"], "--language or --game: name a language"),
        (["-l", "lua"], "the folder: a bot is written to one: name it"),
        (["--game", "pigs", "--name", "it"], "--name: that is for a bot"),
    ],
)
def test_it_is_a_bot_or_a_game(arena: Arena, words: list[str], sentence: str) -> None:
    done = arena("new", *words)
    assert done.status == 2
    assert sentence in done.err
    assert not list(arena.folder.iterdir())


def test_no_game_is_overwritten(arena: Arena) -> None:
    assert arena("new", "--game", "pigs").status == 0
    assert arena("new", "--game", "pigs").status == 3
