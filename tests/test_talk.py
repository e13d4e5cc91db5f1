"""A conversation: how long a bot is heard out, and when it has heard all."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import chain, count, repeat

import pytest
import trio
from trio.testing import MockClock

from arena.check.talk import Measures, Talk
from arena.referee import procfs
from arena.referee.faults import BotFault
from tests.scripted import Pipes, Script, pipes_of, scripted, silent


class Bot:
    """What the kernel tells of the bot's one process."""

    doing: Iterator[str]
    cpu: Iterator[float]


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Bot:
    bot = Bot()
    bot.doing, bot.cpu = repeat("S"), repeat(0.0)
    monkeypatch.setattr(procfs, "doing", lambda _: next(bot.doing))
    monkeypatch.setattr(procfs, "cpu_seconds", lambda _: next(bot.cpu))
    return bot


@asynccontextmanager
async def talk_with(script: Script, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Talk]:
    async with scripted(script) as (bot,):
        monkeypatch.setattr(bot.process, "members", lambda: [1])
        yield Talk(bot, 1.0, Measures())


async def deaf(_: Pipes) -> None:
    """Never reads."""


@pytest.mark.parametrize(
    ("doing", "seconds"),
    [
        (["S"], 0.1),
        (["R", "S"], 0.2),
        (["SSD", "SR", "SS"], 0.3),
        (["R", "Z"], 0.2),
    ],
)
async def test_a_bot_that_waits_for_a_core_is_waited_for(
    doing: list[str],
    seconds: float,
    bot: Bot,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
) -> None:
    bot.doing = chain(doing, repeat(doing[-1]))
    async with talk_with(silent, monkeypatch) as talk:
        await talk.settle(0.1)
    assert trio.current_time() == pytest.approx(seconds)


async def test_a_bot_that_computes_on_and_on_is_not_waited_for(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    bot.doing, bot.cpu = repeat("R"), count(0.0, 0.03)
    async with talk_with(silent, monkeypatch) as talk:
        await talk.settle(0.1)
    assert trio.current_time() == pytest.approx(0.2)


async def test_a_bot_that_has_not_read_yet_is_waited_for_so_long_at_most(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with talk_with(deaf, monkeypatch) as talk:
        talk.say(b"{}\n")
        await talk.settle(0.1)
    assert trio.current_time() == pytest.approx(10)


async def test_what_a_bot_says_late_is_heard_where_it_had_to_wait(
    bot: Bot, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def late(pipes: Pipes) -> None:
        await pipes.line()
        await trio.sleep(0.45)
        await pipes.say(b"bye\n")

    bot.doing = chain(["R"] * 4, repeat("S"))
    async with talk_with(late, monkeypatch) as talk:
        talk.say(b"{}\n")
        with pytest.raises(BotFault, match="it spoke after that: 'bye"):
            await talk.hear_nothing("after that")
        assert pipes_of(talk.bot).heard == [b"{}"]
