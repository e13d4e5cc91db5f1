"""Every entrant is started once before anything is played."""

from typing import Any

import pytest
import trio

from arena.referee.clock import Clocks
from arena.referee.faults import BotFault, CannotStart, Code
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.store.model import Entrant
from arena.tournament import trial
from arena.tournament.entry import Entry
from arena.tournament.trial import try_all


class Started:
    """A bot that started, and how it ended."""

    def __init__(self, ended: list[str], name: str) -> None:
        self._ended = ended
        self._name = name
        self.process = self

    async def dismiss(self) -> None:
        await trio.sleep(1)
        self._ended.append(f"{self._name} left")

    def kill(self) -> None:
        self._ended.append(f"{self._name} killed")


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What became of the bots: a name tells how a bot starts."""
    ended: list[str] = []

    async def launch(program: Program, *words: Any) -> Started:
        _, game, _, start_s, _ = words
        assert (game, start_s) == ("herd", 10)
        await trio.sleep(0.5)
        if program.name == "silent":
            raise BotFault(Code.START, "no ready within 10 s")
        if program.name == "gone":
            raise CannotStart("bot gone cannot be executed")
        return Started(ended, program.name)

    monkeypatch.setattr(trial, "launch", launch)
    return ended


def entries(*names: str) -> list[Entry]:
    return [Entry(Entrant(name, "d", name), Program(name, ("/bin/true",))) for name in names]


async def test_those_that_do_not_start_are_named(
    ended: list[str], autojump_clock: trio.abc.Clock
) -> None:
    begun = trio.current_time()
    failed = await try_all(entries("a", "silent", "b"), "herd", Clocks(), Level.NONE)
    assert {name: fault.message for name, fault in failed.items()} == {
        "silent": "no ready within 10 s"
    }
    assert trio.current_time() - begun == pytest.approx(1.5)  # all at once
    assert sorted(ended) == ["a killed", "a left", "b killed", "b left"]


async def test_a_program_that_cannot_be_executed_ends_the_trial(
    ended: list[str], autojump_clock: trio.abc.Clock
) -> None:
    with pytest.RaisesGroup(CannotStart, flatten_subgroups=True):
        await try_all(entries("a", "gone"), "herd", Clocks(), Level.NONE)
    assert "a left" not in ended


async def test_bots_are_ended_when_the_trial_is_interrupted(
    ended: list[str], autojump_clock: trio.abc.Clock
) -> None:
    with trio.move_on_after(0.7):
        await try_all(entries("a", "b"), "herd", Clocks(), Level.NONE)
    assert sorted(ended) == ["a killed", "b killed"]
