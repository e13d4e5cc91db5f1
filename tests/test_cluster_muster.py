"""A machine says whether it can play a run, and with which programs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.referee import bubblewrap, sandbox
from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.tournament.cluster.bundle import Source, bundled, unpack
from arena.tournament.cluster.muster import CLOCK_SCALE, clock_scale, muster
from arena.tournament.cluster.order import Answer, Enlisted, Order, Refused
from arena.tournament.entry import resolve
from arena.tournament.job import Assignment, Player
from tests.arena_cli import LITTLE


@pytest.fixture(autouse=True)
def _another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(CLOCK_SCALE, raising=False)


def order(folder: Path, *words: str, text: str = LITTLE, **other: Any) -> Order:
    """A run of one bot, whose files are there already."""
    path = folder / "little.py"
    path.write_text(text)
    entry = resolve(" ".join([str(path), *words]))
    source, bundle = bundled(entry)
    assert bundle is not None
    unpack(bundle)
    away = Program("bot", ("/nowhere/python", "/nowhere/bot.py"), env={"DEPTH": "3"})
    player = Player("digest", away, time_handicap=2.0)
    given = Assignment("herd", {}, 2, "run", Clocks(), Level.BWRAP, {"bot": player})
    return replace(Order(given, 1, "none", False, {"bot": source}), **other)


async def test_it_answers_with_its_own_programs(tmp_path: Path) -> None:
    answer = await muster(order(tmp_path))
    assert isinstance(answer, Enlisted)
    assert answer.assignment.isolation is Level.NONE
    bot = answer.assignment.players["bot"]
    assert bot.program.command[0] == sys.executable
    assert (bot.program.name, bot.program.env, bot.digest) == ("bot", {"DEPTH": "3"}, "digest")
    assert (answer.clock_scale, bot.time_handicap) == (1.0, 2.0)


async def test_its_clock_scale_is_a_handicap_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CLOCK_SCALE, "1.5")
    answer = await muster(order(tmp_path))
    assert isinstance(answer, Enlisted)
    assert (answer.clock_scale, answer.assignment.players["bot"].time_handicap) == (1.5, 3.0)


@pytest.mark.parametrize("words", ["much", "0", "-1", "inf", "nan", ""])
def test_a_clock_scale_is_a_factor(words: str) -> None:
    with pytest.raises(CannotStart, match=f"ARENA_CLOCK_SCALE is '{words}' there, which is no"):
        clock_scale(words)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game_version": 7}, "the game herd has version 1 there, not 7; install the same"),
        ({"isolation": "bwrap"}, "isolation bwrap does not work here: bubblewrap is not installed"),
        (
            {"sources": {"bot": Source("no-such-bot", "d")}},
            "bot no-such-bot: there is no such folder, program or registered bot",
        ),
        ({"sources": {"bot": Source("random", "d")}}, "bot random is another program there"),
    ],
)
async def test_what_it_cannot_play_it_says(
    change: dict[str, Any], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    sandbox.why_no_bwrap.cache_clear()
    answer = await muster(order(tmp_path, **change))
    sandbox.why_no_bwrap.cache_clear()
    assert isinstance(answer, Refused)
    assert answer.reason.startswith(reason)


async def test_a_bot_that_does_not_start_there_is_named(tmp_path: Path) -> None:
    answer = await muster(order(tmp_path, "never"))
    assert isinstance(answer, Refused)
    assert answer.reason.startswith("bot bot does not start there: ")


async def test_a_missing_toolchain_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "js"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "js"\ncommand = ["env", "node", "bot.js"]\n')
    source, bundle = bundled(resolve(str(folder)))
    assert bundle is not None
    unpack(bundle)
    monkeypatch.setenv("PATH", "/nowhere")
    answer = await muster(order(tmp_path, sources={"bot": source}))
    assert isinstance(answer, Refused)
    assert "env is neither in " in answer.reason


def test_as_a_program_it_reads_an_order_and_writes_an_answer(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "arena.tournament.cluster.muster"],
        input=msgspec.json.encode(order(tmp_path)),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["type"] == "Enlisted"
    assert isinstance(msgspec.json.decode(done.stdout, type=Answer), Enlisted)
