"""`arena bench`: what it prints, and what it refuses or leaves out."""

from pathlib import Path

from arena.bench.machine import this_machine
from engine.registry import games
from tests.arena_cli import Arena
from tests.plugin_site import Environment

QUICK = ("--only", "rules", "--seconds", "0.1", "--rounds", "1")


def test_the_command_prints_a_table(arena: Arena) -> None:
    said = arena("bench", *QUICK)
    assert said.status == 0
    assert "median of 1 rounds" in said.out
    rows = [line.split() for line in said.out.splitlines() if "actions/s" in line]
    assert [row[:2] for row in rows[:1]] == [["rules", "savanna-ten"]]
    assert len(rows) == len(games())
    assert said.err == ""


def test_the_command_prints_json(arena: Arena) -> None:
    data = arena.data("bench", *QUICK)
    assert data["machine"]["cores"] == this_machine().cores
    assert [figure["name"] for figure in data["figures"]] == ["savanna-ten", "herd"]
    assert data["figures"][0]["low"] <= data["figures"][0]["median"]


def test_an_unknown_group_is_refused(arena: Arena) -> None:
    said = arena("bench", "--only", "referees")
    assert said.status == 2
    assert "there is no group 'referees'; it is one of exchange, referee, cores" in said.err


BREAKING = """
from tests.toy_game import ToyGame

class Breaking(ToyGame):
    name = "breaking"
    def apply(self, state, action):
        if state.turn == 3: raise KeyError("lost")
        return super().apply(state, action)
"""


def test_an_installed_game_that_breaks_is_named_once_and_the_bench_goes_on(tmp_path: Path) -> None:
    site = Environment(tmp_path / "environment")
    site.install("toys", {"breaking.py": BREAKING}, games={"breaking": "breaking:Breaking"})
    said = site.arena("bench", *QUICK, "--only", "referee", "--json", cwd=tmp_path)
    assert (said.status, said.err) == (
        0,
        "the game 'breaking' of the package toys broke in apply: KeyError: 'lost'\n",
    )
    names = [(figure["group"], figure["name"]) for figure in said.json()["figures"]]
    assert names == [
        ("referee", "savanna-ten"),
        ("referee", "savanna-ten without legal"),
        ("referee", "herd"),
        ("rules", "savanna-ten"),
        ("rules", "herd"),
    ]
