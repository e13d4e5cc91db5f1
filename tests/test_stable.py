"""The living bots of a worker: who plays again, who never meets a deal twice, who has to leave."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import trio

from arena.referee.clock import Clocks
from arena.referee.faults import BotFault, CannotStart, Code
from arena.referee.log import BotLog
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.tournament import stable as module
from arena.tournament.stable import Stable, stalls_of


class Process:
    def __init__(self) -> None:
        self.log = BotLog()
        self.killed = False

    def kill(self) -> None:
        self.killed = True


class Animal:
    """A bot as the stable sees it."""

    numbers: Iterator[int] = count()

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = next(Animal.numbers)
        self.process = Process()
        self.usable = True
        self.speaks = False
        self.left = ""

    def check_silence(self) -> None:
        self.usable = self.usable and not self.speaks

    async def dismiss(self) -> None:
        self.usable = False
        await trio.sleep(0.1)
        self.left = "dismissed"

    async def expel(self) -> None:
        self.usable = False
        await trio.sleep(0.1)
        self.left = "expelled"


class Yard:
    """A stable, and every bot that was ever launched for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery) -> None:
        self.launched: list[Animal] = []
        self.refusals: dict[str, Exception] = {}
        monkeypatch.setattr(module, "launch", self._launch)
        names = [f"bot{number}" for number in range(50)]
        self.stable = Stable(
            {name: Program(name, ("/bin/true",)) for name in names},
            game="herd",
            clocks=Clocks(),
            level=Level.NONE,
            nursery=nursery,
        )

    async def _launch(self, program: Program, *_: Any) -> Animal:
        if refusal := self.refusals.get(program.name):
            raise refusal
        self.launched.append(Animal(program.name))
        return self.launched[-1]

    async def at(self, rotation: int, *names: str) -> list[Any]:
        return list(await self.stable.bots(names, rotation))


@pytest.fixture
def yard(monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery) -> Yard:
    return Yard(monkeypatch, nursery)


@pytest.mark.parametrize(
    ("seating", "rotation", "stalls"),
    [
        (["a", "b"], 0, [("a", 0, 0), ("b", 0, 0)]),
        (["b", "a"], 1, [("b", 1, 0), ("a", 1, 0)]),
        (["a", "b", "a", "b"], 1, [("a", 1, 0), ("b", 1, 0), ("a", 1, 1), ("b", 1, 1)]),
    ],
)
def test_every_rotation_and_every_seat_of_an_entrant_has_its_own_stall(
    seating: list[str], rotation: int, stalls: list[tuple[str, int, int]]
) -> None:
    assert stalls_of(seating, rotation) == stalls


async def test_a_bot_plays_all_matches_of_its_rotation(yard: Yard) -> None:
    first = await yard.at(0, "bot0", "bot1")
    assert await yard.at(0, "bot1", "bot0") == first[::-1]
    others = await yard.at(1, "bot0", "bot1")
    assert not set(first) & set(others)
    team = await yard.at(0, "bot0", "bot1", "bot0", "bot1")
    assert team[:2] == first
    assert len(set(team)) == 4


async def test_a_new_match_begins_with_an_empty_log(yard: Yard) -> None:
    (bot,) = await yard.at(0, "bot0")
    bot.process.log.write(b"old words")
    await yard.at(0, "bot0")
    assert bot.process.log.text() == ""


async def test_a_fault_stands_for_a_bot_that_does_not_start(yard: Yard) -> None:
    yard.refusals["bot1"] = fault = BotFault(Code.START, "exited")
    bot, other = await yard.at(0, "bot0", "bot1")
    assert bot.usable
    assert other is fault
    del yard.refusals["bot1"]
    assert (await yard.at(0, "bot0", "bot1"))[1].name == "bot1"


async def test_a_program_that_is_gone_is_no_bots_fault(yard: Yard) -> None:
    yard.refusals["bot1"] = CannotStart("gone")
    with pytest.raises(CannotStart):
        await yard.at(0, "bot0", "bot1")


async def test_a_faulted_bot_is_expelled_and_another_takes_its_place(yard: Yard) -> None:
    good, bad = await yard.at(0, "bot0", "bot1")
    bad.usable = False
    await yard.stable.clear_faulted()
    assert (good.left, bad.left) == ("", "expelled")
    again, another = await yard.at(0, "bot0", "bot1")
    assert again is good
    assert another is not bad


async def test_a_bot_that_speaks_between_matches_is_replaced(yard: Yard) -> None:
    (talker,) = await yard.at(0, "bot0")
    talker.speaks = True
    (other,) = await yard.at(0, "bot0")
    assert other is not talker
    assert talker.left == "expelled"


async def test_the_longest_unused_leave_when_there_are_too_many(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIVING", 2)
    first, second = await yard.at(0, "bot0", "bot1")
    await yard.at(0, "bot2", "bot3")
    await yard.at(0, "bot0", "bot4")
    assert second.left == "dismissed"
    assert first.left == ""
    living = [animal.name for animal in yard.launched if not animal.left]
    assert living == ["bot0", "bot2", "bot3", "bot4"]


async def test_all_leave_together(yard: Yard, autojump_clock: trio.abc.Clock) -> None:
    bots = await yard.at(0, *[f"bot{number}" for number in range(30)])
    before = trio.current_time()
    await yard.stable.dismiss()
    assert trio.current_time() - before == pytest.approx(0.1)
    assert {bot.left for bot in bots} == {"dismissed"}


async def test_kill_ends_those_too_that_were_about_to_leave(
    yard: Yard, autojump_clock: trio.abc.Clock
) -> None:
    leaving, faulted, playing = await yard.at(0, "bot0", "bot1", "bot2")
    faulted.usable = False
    with trio.move_on_after(0.05):
        await yard.stable.clear_faulted()
    with trio.move_on_after(0.05):
        await yard.stable.dismiss()
    (late,) = await yard.at(1, "bot3")
    yard.stable.kill()
    assert all(bot.process.killed for bot in (leaving, faulted, playing, late))
