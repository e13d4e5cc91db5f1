"""Installed packages: what works, and that a broken one is named and harms nothing else."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.arena_cli import PATIENCE, until
from tests.plugin_site import RUN_ARENA, Environment

GAME = """
from engine.game import Game
from tests.toy_game import ToyGame

class {kind}(ToyGame):
    name = "{name}"
"""
"""A game that works, as long as no line is added."""

BROKEN = {
    "no-import": ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    "no-class": ("", "AttributeError: module 'no_class' has no attribute 'NoClass'"),
    "no-number": ("    version = 0", "ValueError: its version is 0, not a whole number from 1"),
    "no-range": (
        "    players = 2",
        "ValueError: its players are 2, not a range such as range(2, 5)",
    ),
    "no-struct": ("    view_type = dict", "TypeError: <class 'dict'> is not a msgspec struct"),
    "no-method": (
        "    legal = Game.legal",
        "TypeError: Can't instantiate abstract class NoMethod with abstract method legal",
    ),
    "no-name": ("    name = 'other'", "ValueError: it calls itself 'other'"),
}
"""By name: what is added to a good game, and why it cannot be used."""

FAULTY = {
    "raises": (
        "    def apply(self, state, action):\n"
        "        if state.turn == 3: raise KeyError('lost')\n"
        "        return super().apply(state, action)",
        "broke in apply: KeyError: 'lost'",
    ),
    "no-state": (
        "    def initial(self, table): return None",
        "broke in to_act: AttributeError: 'NoneType' object has no attribute 'ended'",
    ),
}
"""By name: what is added, and what the game then does; `test_guarded` knows more."""

QUICK = ("--seed", "1", "--isolation", "none", "--workers", "1")


GOOD = {
    "good": ("", ""),
    "blank": ("    def svg(self, *_): raise ValueError('no ink')", ""),
    "shy": ("    def sample(self, *_): raise ValueError('no guess')", ""),
}
"""Bots can play them; the pictures of one cannot be seen, and people cannot play another."""


def kind(name: str) -> str:
    return name.title().replace("-", "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with one good package and every kind of broken ones."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    for name, (added, _) in {**GOOD, **BROKEN, **FAULTY}.items():
        module = name.replace("-", "_")
        source = GAME.format(kind=kind(name), name=name) + added + "\n"
        source = added if name in ("no-import", "no-class") else source
        environment.install(
            f"{name}-game", {f"{module}.py": source}, games={name: f"{module}:{kind(name)}"}
        )
    for package in ("one-twin", "other-twin"):
        environment.install(package, {}, games={"twin": "good:Good"}, bots={"twins": "a_bot"})
    environment.install("a-herd", {}, games={"herd": "good:Good"}, bots={"greedy": "a_bot"})
    environment.install("odd", {}, games={"odd": "not a module"}, bots={"odd": "not a module"})
    environment.install(
        "bots",
        {"a_bot.py": Path("bots/random_bot.py").read_text(), "some_bots/__init__.py": ""},
        bots={
            "lively": "a_bot",
            "gone": "no_such_package.bot",
            "lost": "some_bots.lost",
            "bare": "some_bots",
            "b@d": "a_bot",
        },
    )
    return environment


def unusable(name: str) -> str:
    return f"the game '{name}' of the package {name}-game cannot be used: {BROKEN[name][1]}"


TWINS = "the packages one-twin and other-twin both give a game named 'twin'; uninstall one of them"
HERD = "the game 'herd' of the package a-herd cannot be used: the name is that of a built-in game"
ODD = "the game 'odd' of the package odd cannot be used: "


def test_every_game_that_cannot_be_used_is_named(site: Environment, tmp_path: Path) -> None:
    done = site.arena("games", cwd=tmp_path)
    assert done.status == 0
    told = sorted(done.err.splitlines())
    expected = sorted([HERD, TWINS, ODD, *map(unusable, BROKEN)])
    assert len(told) == len(expected)
    for line, sentence in zip(told, expected, strict=True):
        assert line.startswith(sentence)
    listed = [line.split(":")[0] for line in done.out.splitlines() if line[:1] != " "]
    assert listed == ["savanna-ten", "herd", *sorted([*GOOD, *FAULTY])]


def test_the_others_go_on_working(site: Environment, tmp_path: Path) -> None:
    words = ("--option", "turns=2", "--deals", "2", *QUICK)
    done = site.arena("run", "good", "random", "lively", *words, cwd=tmp_path)
    assert done.status == 0, done.err
    assert done.out.startswith("good, 2 seats, ")
    small = ("--isolation", "none", "--option", "size=2")
    assert site.arena("match", "herd", "random", "random", *small, cwd=tmp_path).status == 0
    assert site.arena("verify", "--store", "arena.db", cwd=tmp_path).status == 0


@pytest.mark.parametrize("name", ["no-import", "twin"])
def test_a_game_that_cannot_be_used_is_refused(
    site: Environment, tmp_path: Path, name: str
) -> None:
    done = site.arena("match", name, "random", "random", cwd=tmp_path)
    sentence = TWINS if name == "twin" else unusable(name)
    assert (done.status, done.err) == (2, f"arena: {sentence}\n")


def broke(name: str) -> str:
    return f"the game '{name}' of the package {name}-game {FAULTY[name][1]}"


@pytest.mark.parametrize("name", FAULTY)
def test_a_game_that_breaks_ends_its_match(site: Environment, tmp_path: Path, name: str) -> None:
    done = site.arena("match", name, "random", "random", "--isolation", "none", cwd=tmp_path)
    assert (done.status, done.err.splitlines()[-1]) == (3, f"arena: {broke(name)}")
    assert "Traceback" not in done.err


def test_a_game_that_breaks_leaves_its_slots_unplayed(site: Environment, tmp_path: Path) -> None:
    words = ("run", "raises", "random", "lively", "--deals", "1", *QUICK)
    done = site.arena(*words, cwd=tmp_path)
    assert done.status == 3
    assert broke("raises") in done.err
    assert "Traceback" not in done.err
    assert site.arena("leaderboard", cwd=tmp_path).status == 0


# Bots


BOTS = {
    "gone": "its package no_such_package is not installed",
    "lost": "there is no module some_bots.lost to run in its package some_bots",
    "bare": "there is no module some_bots to run in its package some_bots",
    "odd": "its package not a module is not installed",
    "twins": "the packages one-twin and other-twin both give a bot of this name; uninstall one"
    " of them",
}


def test_every_bot_that_cannot_be_used_is_named(site: Environment, tmp_path: Path) -> None:
    done = site.arena("bots", "--json", cwd=tmp_path)
    assert done.status == 0
    assert sorted(done.err.splitlines()) == sorted(
        [
            *(f"bot {name}: {flaw}" for name, flaw in BOTS.items()),
            "bot greedy of the package a-herd is left out: the name is that of a bot that comes"
            " along",
            "the name 'b@d' in arena.bots cannot be an entrant's: 1 to 40 letters, digits and"
            " . _ + -, a letter or digit first",
        ]
    )
    (lively,) = (bot for bot in done.json() if bot["name"] == "lively")
    assert lively["command"][-2:] == ["-m", "a_bot"]


@pytest.mark.parametrize("name", ["lost", "twins"])
def test_a_bot_that_cannot_be_used_is_refused(site: Environment, tmp_path: Path, name: str) -> None:
    done = site.arena("match", "herd", name, "random", cwd=tmp_path)
    assert (done.status, done.err) == (3, f"arena: bot {name}: {BOTS[name]}\n")


# The pages


@contextmanager
def serving(site: Environment, folder: Path) -> Iterator[tuple[httpx.Client, list[str]]]:
    """A client of `arena serve`, and what it wrote until it served."""
    words = ("-c", RUN_ARENA, "serve", "--port", "0", "--isolation", "none")
    with subprocess.Popen(
        [site.python, *words], cwd=folder, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        told = []
        try:
            for line in server.stderr:
                told.append(line.rstrip("\n"))
                if found := re.search(r"at (http://[^ ]+/)", line):
                    break
            with httpx.Client(base_url=found[1] if found else "", timeout=PATIENCE) as client:
                yield client, told
        finally:
            server.terminate()


def test_pages_are_served_beside_broken_packages(site: Environment, tmp_path: Path) -> None:
    words = ("--option", "turns=4", "--deals", "1", *QUICK)
    assert site.arena("run", "blank", "random", "lively", *words, cwd=tmp_path).status == 0
    with serving(site, tmp_path) as (client, told):
        assert f"bot lost: {BOTS['lost']}" in told
        invitation = client.get("/play")
        assert invitation.status_code == 200
        assert "Toy" in invitation.text
        match = re.search(r'href="(/matches/[^"?]+)"', client.get("/matches").text)
        assert match is not None
        page = client.get(match[1])
        assert page.status_code == 200
        sentence = "the game 'blank' of the package blank-game broke in svg: ValueError: no ink"
        assert sentence in unescape(page.text)
        assert client.get("/").status_code == 200
        for name in FAULTY:
            assert f"The match cannot go on: {broke(name)}" in ending(client, name)
        sentence = "the game 'shy' of the package shy-game broke in sample: ValueError: no guess"
        assert f"The match cannot go on: {sentence}" in ending(client, "shy")


def ending(client: httpx.Client, game: str) -> str:
    """How a match against a bot goes for somebody who plays on as long as it can be played."""
    form = {"game": game, "opponent1": "random", "seat": "1"}
    origin = {"Origin": str(client.base_url).rstrip("/")}
    table = client.post("/play", data=form, headers=origin).headers["location"]

    def over() -> str | None:
        page = unescape(client.get(table).text)
        fields = dict(re.findall(r'name="(at|action)" value="([^"]+)"', page))
        if "action" in fields:
            client.post(f"{table}/act", data=fields, headers=origin)
        return page if "cannot go on" in page else None

    return str(until(over))
