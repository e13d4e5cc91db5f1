"""The referee's end of a bot's pipes, on Trio's autojump clock."""

import os
from collections.abc import Iterator

import pytest
import trio
from trio.testing import MockClock

from arena.referee.wire import Broken, Wire, WireError
from protocol.codec import LINE_LIMIT
from tests.scripted import Pipes

NEVER = float("inf")
QUESTION = b'{"type":"act"}\n'


class Line:
    """A wire and the bot's end of it."""

    def __init__(self) -> None:
        bot_in, referee_out = os.pipe()
        referee_in, bot_out = os.pipe()
        self.wire = Wire(referee_out, referee_in)
        self.bot = Pipes(bot_in, bot_out)


@pytest.fixture
def line() -> Iterator[Line]:
    both = Line()
    yield both
    both.wire.close()
    both.bot.close_stdin()
    both.bot.close_stdout()


async def broken(wire: Wire, deadline: float = NEVER) -> WireError:
    with pytest.raises(WireError) as caught:
        await wire.ask(QUESTION, deadline)
    return caught.value


async def answered(line: Line, *pieces: bytes) -> bytes:
    """What the wire gives when the answer arrives in these pieces, a millisecond apart."""

    async def speak() -> None:
        await line.bot.line()
        for piece in pieces:
            await trio.sleep(0.001)
            await line.bot.say(piece)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(speak)
        return await line.wire.ask(QUESTION, NEVER)


@pytest.mark.parametrize(
    ("pieces", "answer"),
    [
        ([b"yes\n"], b"yes"),
        ([b"yes\r\n"], b"yes\r"),
        ([b"y", b"e", b"s", b"\n"], b"yes"),
        ([b"\n"], b""),
        ([b"x" * LINE_LIMIT + b"\n"], b"x" * LINE_LIMIT),
        ([b"x" * LINE_LIMIT + b"\r\n"], b"x" * LINE_LIMIT + b"\r"),
        ([b"x" * LINE_LIMIT, b"\r", b"\n"], b"x" * LINE_LIMIT + b"\r"),
    ],
)
async def test_a_line_comes_without_its_end(
    line: Line, pieces: list[bytes], answer: bytes, autojump_clock: MockClock
) -> None:
    assert await answered(line, *pieces) == answer


@pytest.mark.parametrize(
    "pieces",
    [
        [b"x" * (LINE_LIMIT + 1) + b"\n"],
        [b"x" * (LINE_LIMIT + 1)],
        [b"x" * LINE_LIMIT, b"xx"],
        [b"x" * 100_000],
    ],
)
async def test_a_line_over_the_limit_is_overlong_at_once(
    line: Line, pieces: list[bytes], autojump_clock: MockClock
) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await answered(line, *pieces)
    (error,) = caught.value.exceptions
    assert isinstance(error, WireError)
    assert error.why is Broken.OVERLONG


async def test_a_bot_that_never_answers_times_out_at_the_deadline(
    line: Line, autojump_clock: MockClock
) -> None:
    assert (await broken(line.wire, trio.current_time() + 1.5)).why is Broken.TIMEOUT
    assert trio.current_time() == pytest.approx(1.5)


async def test_dribbled_bytes_do_not_move_the_deadline(
    line: Line, autojump_clock: MockClock
) -> None:
    async def dribble() -> None:
        await line.bot.line()
        while True:
            await trio.sleep(0.1)
            await line.bot.say(b"x")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(dribble)
        error = await broken(line.wire, 0.95)
        nursery.cancel_scope.cancel()
    assert (error.why, error.rest) == (Broken.TIMEOUT, b"x" * 9)
    assert trio.current_time() == pytest.approx(0.95)


async def test_an_exchange_goes_on_after_its_deadline(
    line: Line, autojump_clock: MockClock
) -> None:
    assert (await broken(line.wire, 1.0)).why is Broken.TIMEOUT
    await line.bot.say(b"la")
    with pytest.raises(WireError):
        await line.wire.answer(2.0)
    await line.bot.say(b"te\n")
    assert await line.wire.answer(3.0) == b"late"
    assert await line.bot.line() == QUESTION[:-1]


async def test_speech_before_the_question_is_heard(line: Line) -> None:
    await line.bot.say(b"hello?\n")
    error = await broken(line.wire)
    assert (error.why, error.rest) == (Broken.SPEECH, b"hello?\n")


async def test_a_second_line_is_speech_at_the_next_question(
    line: Line, autojump_clock: MockClock
) -> None:
    assert await answered(line, b"one\ntwo\n") == b"one"
    assert line.wire.overheard() == b"two\n"
    assert (await broken(line.wire)).why is Broken.SPEECH


async def test_silence_is_overheard_as_nothing(line: Line) -> None:
    assert line.wire.overheard() == b""


async def test_a_closed_output_is_closed(line: Line) -> None:
    line.bot.close_stdout()
    assert (await broken(line.wire)).why is Broken.CLOSED
    with pytest.raises(WireError):
        line.wire.overheard()


async def test_an_output_that_closes_during_the_question_is_closed(
    line: Line, autojump_clock: MockClock
) -> None:
    async def leave() -> None:
        await trio.sleep(0.1)
        line.bot.close_stdout()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave)
        assert (await broken(line.wire)).why is Broken.CLOSED


async def test_the_last_line_needs_no_end(line: Line, autojump_clock: MockClock) -> None:
    async def leave() -> None:
        await line.bot.line()
        await line.bot.say(b"bye")
        line.bot.close_stdout()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave)
        assert await line.wire.ask(QUESTION, NEVER) == b"bye"
    assert (await broken(line.wire)).why is Broken.CLOSED


async def test_a_closed_input_is_closed_at_the_next_question(line: Line) -> None:
    line.bot.close_stdin()
    assert (await broken(line.wire)).why is Broken.CLOSED


async def test_a_post_to_a_closed_input_is_passed_over(line: Line) -> None:
    line.bot.close_stdin()
    line.wire.post(b"end\n")
    line.wire.post(b"quit\n")
    assert line.wire.deaf


async def test_the_end_of_the_process_wakes_a_wait(line: Line, autojump_clock: MockClock) -> None:
    async def end() -> None:
        await trio.sleep(0.1)
        assert line.wire.waiting
        line.wire.process_ended()  # a child of the bot's still holds the pipe open

    async with trio.open_nursery() as nursery:
        nursery.start_soon(end)
        assert (await broken(line.wire)).why is Broken.CLOSED
    assert not line.wire.waiting


async def test_what_was_said_before_the_process_ended_is_still_heard(line: Line) -> None:
    line.wire.post(b"start\n")
    await line.bot.line()
    line.wire.process_ended()
    await line.bot.say(b"early\n")
    assert (await broken(line.wire)).rest == b"early\n"


async def test_posts_that_do_not_fit_wait_for_the_next_question(
    line: Line, autojump_clock: MockClock
) -> None:
    lines = [b"%07d" % number * 1000 for number in range(30)]
    for each in lines:
        line.wire.post(each + b"\n")  # 210 KB: three times what a pipe holds

    async def answer() -> None:
        while await line.bot.line() != QUESTION[:-1]:
            pass
        await line.bot.say(b"done\n")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        assert await line.wire.ask(QUESTION, NEVER) == b"done"
    assert line.bot.heard == [*lines, QUESTION[:-1]]


async def test_a_bot_that_does_not_read_times_out(line: Line, autojump_clock: MockClock) -> None:
    for _ in range(30):
        line.wire.post(b"x" * 7000 + b"\n")
    assert (await broken(line.wire, 1.0)).why is Broken.TIMEOUT
    assert trio.current_time() == pytest.approx(1.0)


async def test_a_bot_that_goes_while_it_is_written_to_is_closed(
    line: Line, autojump_clock: MockClock
) -> None:
    for _ in range(30):
        line.wire.post(b"x" * 7000 + b"\n")

    async def leave() -> None:
        await trio.sleep(0.1)
        line.bot.close_stdin()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave)
        assert (await broken(line.wire, 1.0)).why is Broken.CLOSED


async def test_half_a_line_is_finished_by_the_next_post(line: Line) -> None:
    big = b"x" * 100_000 + b"\n"
    with trio.move_on_after(0):
        await line.wire.ask(big, NEVER)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_read_until, line.bot, b"end")
        for _ in range(1000):
            await trio.lowlevel.checkpoint()
            line.wire.post(b"")
        line.wire.post(b"end\n")
    assert line.bot.heard == [big[:-1], b"end"]


async def _read_until(bot: Pipes, last: bytes) -> None:
    while await bot.line() != last:
        pass


async def test_closing_twice_does_nothing_more(line: Line) -> None:
    line.wire.close()
    line.wire.close()
    line.wire.post(b"end\n")
    with pytest.raises(WireError):
        line.wire.overheard()


async def test_a_quick_answer_never_enters_trio(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that is there at the first look costs no trip through the event loop."""

    def let_the_bot_run() -> None:
        os.write(line.bot.stdout, b"quick\n")

    monkeypatch.setattr(os, "sched_yield", let_the_bot_run)
    with trio.CancelScope() as scope:
        scope.cancel()  # any checkpoint would end it
        assert await line.wire.ask(QUESTION, NEVER) == b"quick"
    assert not scope.cancelled_caught


async def test_what_was_said_and_not_read_yet_is_counted(line: Line) -> None:
    assert line.wire.unheard() == 0
    line.wire.post(b"x" * 99 + b"\n")
    assert line.wire.unheard() == 100
    await line.bot.line()
    assert line.wire.unheard() == 0
    line.wire.post(b"x" * 100_000)  # more than the pipe holds
    assert line.wire.unheard() == 100_000
    line.wire.hang_up()
    assert line.wire.unheard() == 0
