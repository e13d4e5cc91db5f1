"""The programs of docs/learning.md run, and what the second learned plays."""

import re
import subprocess
import sys
from pathlib import Path

from arena.pettingzoo import GameEnv
from tests.arena_cli import Arena

TEXT = (Path(__file__).parent.parent / "docs/learning.md").read_text(encoding="utf-8")
FIRST, TRAIN = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_environment_is_played_as_it_says() -> None:
    exec(FIRST, {})  # noqa: S102  # it is ours


def test_what_was_learned_plays_in_the_arena(arena: Arena) -> None:
    (arena.folder / "train.py").write_text(TRAIN)
    subprocess.run([sys.executable, "train.py", "5"], cwd=arena.folder, check=True)
    words = ("--option", "size=3", "--isolation", "none", "--json")
    done = arena("match", "herd", "policy --policy ./herd.npz", "random", *words)
    assert done.status == 0, done.err
    assert done.json()["faults"] == []


def test_the_sizes_are_those_it_tells() -> None:
    for game, players, options, row in (
        ("savanna-ten", 2, {}, "Savanna Ten, 2 seats"),
        ("savanna-ten", 4, {"mouse": "add"}, "Savanna Ten, 4 seats with a mouse"),
        ("herd", 2, {}, "Herd, size 5"),
        ("herd", 2, {"size": 3}, "Herd, size 3"),
    ):
        encoding = GameEnv(game, players=players, options=options).encoding
        assert f"| {row} | {encoding.length} | {encoding.size} |" in TEXT
