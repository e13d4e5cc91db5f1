"""A person in a match: answers, takes too long, leaves; on a clock that jumps."""

import msgspec
import pytest
import trio
import trio.testing

from arena.referee.faults import BotFault
from arena.web.play.person import Person
from arena.web.play.wire import Asked
from protocol.codec import encode
from protocol.messages import Act, Action, ActTime, Start, StartTime

START = Start("m1", "herd", 1, {}, 2, 0, 7, StartTime(1000, 5000))
ACT = Act("m1", 3, 0, {"turn": 1}, [], ["place@A1", "place@A2"], ActTime(1000, None))


def sat_down(told: list[Asked], *, timed: bool) -> Person:
    """A person for whom a match has begun."""
    person = Person(0, told.append, timed=timed)
    person.begin(START)
    return person


@pytest.mark.parametrize(("timed", "charged"), [(True, 0.4), (False, 0.0)])
async def test_a_person_is_asked_and_answers(
    autojump_clock: trio.testing.MockClock, timed: bool, charged: float
) -> None:
    told: list[Asked] = []
    person = sat_down(told, timed=timed)

    async def answer() -> None:
        await trio.sleep(0.4)
        person.answer(3, ("place@A2",))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        line, used = await person.ask(encode(ACT), 1.0)
    assert used == pytest.approx(charged)
    assert await person.understand(line, 3) == Action(3, ["place@A2"])
    (asked,) = told
    assert (asked.seat, asked.question, asked.legal) == (0, 3, ("place@A1", "place@A2"))
    assert msgspec.json.decode(asked.view) == {"turn": 1}
    assert person.question is None


async def test_an_answer_to_another_question_is_none(
    autojump_clock: trio.testing.MockClock,
) -> None:
    person = sat_down([], timed=True)
    person.answer(3, ("place@A1",))  # before anything is asked

    async def answer() -> None:
        await trio.sleep(0.1)
        person.answer(2, ("place@A1",))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        with pytest.raises(BotFault, match="no answer in time") as raised:
            await person.ask(encode(ACT), 1.0)
    assert raised.value.code == "timeout"


async def test_without_a_clock_there_is_all_the_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    person = sat_down([], timed=False)
    with trio.move_on_after(1_000_000) as waiting:
        await person.ask(encode(ACT), 1.0)
    assert waiting.cancelled_caught


@pytest.mark.parametrize("before", [True, False])
async def test_who_leaves_is_out(autojump_clock: trio.testing.MockClock, before: bool) -> None:
    person = sat_down([], timed=False)
    if before:
        person.leave()
    async with trio.open_nursery() as nursery:

        async def leave() -> None:
            await trio.sleep(1)
            person.leave()

        nursery.start_soon(leave)
        with pytest.raises(BotFault, match="left the table") as raised:
            await person.ask(encode(ACT), 1.0)
    assert raised.value.code == "crash"
