"""Every starter bot: built as the arena builds, checked by every rule, and better than random.

Each is built once, in one test: compilers take most of the time here.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from arena.check.checker import check
from arena.referee.clock import Clocks
from arena.referee.sandbox import choose
from arena.starters import starters
from arena.tournament.build import built
from arena.tournament.entry import Entry, numbered, resolve
from arena.tournament.single import Single, play_single
from engine.options import make_table
from engine.registry import game
from tests.conftest import NeedsTool

LIBRARIES = {
    "cpp": ["/usr/include/nlohmann/json.hpp"],
    "java": ["/usr/share/java/gson.jar"],
    "lua": ["/usr/share/lua/5.4/dkjson.lua"],
    "rust": ["/usr/share/cargo/registry"],
    "shell": ["/usr/bin/jq"],
}
"""What a bot needs beside the programs in its bot.toml, as Debian's packages place it."""
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("savanna-ten", 3, {"mouse": "replace"}),
    ("savanna-ten", 4, {"mouse": "add"}),
    ("savanna-ten", 4, {"mouse": "add", "teams": True}),
    ("herd", 2, {}),
    ("herd", 2, {"size": 2}),
]
"""What it has to cope with beside a usual table for two."""
PATIENT = Clocks(turn_ms=30_000, first_ms=30_000, start_ms=60_000)


@pytest.mark.parametrize("language", sorted(starters()))
async def test_a_starter_bot(
    language: str, needs_tool: NeedsTool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = starters()[language]
    needs_tool(*(tool for tool in chosen.tools if tool != "python3"))
    needs_files(*LIBRARIES.get(language, []))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    bot = await built(resolve(str(chosen.folder)), choose("auto"), trust=True)

    report = await check(bot, choose("auto"), PATIENT, lambda _: None)
    assert [result for result in report.rules if result.outcome == "failed"] == []
    assert {a.name: a.text for a in report.advice}["determinism"].startswith("it plays the same")

    assert await wins(bot, "savanna-ten", matches=6) >= 4
    for name, players, options in TABLES:
        await play(bot, name, players, options, seat=players - 1)


def needs_files(*paths: str) -> None:
    for path in paths:
        if not os.path.exists(path):
            if os.environ.get("CI"):
                pytest.fail(f"{path} is missing, and CI has to bring it")
            pytest.skip(f"{path} is missing")


async def wins(bot: Entry, name: str, matches: int) -> int:
    """How many matches of two it wins against random, in either seat."""
    ranks = [
        await play(bot, name, 2, {}, seat=number % 2, deal=number // 2) for number in range(matches)
    ]
    return ranks.count(1)


async def play(
    bot: Entry, name: str, players: int, options: dict[str, Any], seat: int, deal: int = 0
) -> int:
    """Its rank in a match against random bots, in which nobody has a fault."""
    entries = [resolve("random") for _ in range(players)]
    entries[seat] = bot
    single = Single(
        game=game(name),
        table=make_table(game(name), players, options),
        entries=tuple(numbered(entries)),
        clocks=PATIENT,
        level=choose("auto"),
        deal=f"deal {deal}",
        seed="languages",
    )
    record = await play_single(single)
    assert record.faults == ()
    return record.result.ranks[seat]


@pytest.mark.parametrize("language", sorted(starters()))
def test_it_is_explained_in_a_few_lines(language: str) -> None:
    lines = (starters()[language].folder / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 20
    assert lines[0].startswith("# ")
