"""A seat, its bot and the exchange between them: verdicts, what is told, what is charged."""

import math

import pytest
import trio
from msgspec import Struct
from trio.testing import MockClock

from arena.referee import meter, procfs
from arena.referee.bot import Bot
from arena.referee.clock import Clocks
from arena.referee.exchange import exchange
from arena.referee.faults import BotFault, Code, HostFault
from arena.referee.procfs import Share
from arena.referee.seat import Seat
from protocol.messages import Action, Ready, Result, Start, StartTime
from tests.scripted import Pipes, Script, always, hide_scheduler, pipes_of, scripted, silent

LEGAL = ["one", "two"]


class View(Struct, frozen=True):
    turn: int = 1


class Event(Struct, frozen=True):
    what: str


@pytest.fixture(autouse=True)
def _no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_scheduler(monkeypatch)


def start() -> Start:
    return Start("m1", "toy", 1, {}, 2, 0, 7, StartTime(1000, 1000))


def seat_of(bot: Bot, clocks: Clocks | None = None) -> Seat:
    return Seat(bot, start(), clocks or Clocks(turn_ms=1000, first_ms=1000))


async def verdict(seat: Seat) -> BotFault:
    with pytest.raises(BotFault) as caught:
        await seat.ask(View(), LEGAL)
    return caught.value


async def fault_of(script: Script) -> BotFault:
    async with scripted(script) as bots:
        return await verdict(seat_of(bots[0]))


def say(text: bytes, after: float = 0.0) -> Script:
    """Says something when first asked, then nothing."""

    async def script(pipes: Pipes) -> None:
        if await pipes.question():
            await trio.sleep(after)
            await pipes.say(text)
        await silent(pipes)

    return script


def answer(number: object = 1, actions: str = '["one"]') -> bytes:
    return f'{{"type":"action","id":{number},"actions":{actions}}}\n'.encode()


# What is asked


async def test_a_question_carries_all_that_the_bot_may_know(autojump_clock: MockClock) -> None:
    async with scripted(always("one")) as bots:
        seat = seat_of(bots[0])
        seat.events.append(Event("rain"))
        first, used = await seat.ask(View(3), LEGAL)
        await seat.ask(View(4), LEGAL)
        acts = pipes_of(bots[0]).messages("act")
    assert first == Action(1, ["one"])
    assert used < 0.001
    assert acts == [
        {
            "type": "act",
            "match": "m1",
            "id": number,
            "seat": 0,
            "state": {"turn": number + 2},
            "events": [{"what": "rain"}] if number == 1 else [],
            "legal": LEGAL,
            "time": {"turn_ms": 1000, "bank_ms": None},
        }
        for number in (1, 2)
    ]


async def test_a_bot_that_wants_no_legal_actions_gets_none(autojump_clock: MockClock) -> None:
    async with scripted(always("one")) as bots:
        bots[0].ready = Ready(1, legal=False)
        await seat_of(bots[0]).ask(View(), LEGAL)
        (act,) = pipes_of(bots[0]).messages("act")
    assert "legal" not in act


# What is wrong with an answer


@pytest.mark.parametrize(
    ("script", "code", "words"),
    [
        (silent, Code.TIMEOUT, "no complete line in time"),
        (say(b'{"type"'), Code.TIMEOUT, "a partial line had come: '{\"type\"'"),
        (say(answer(), after=1.2), Code.TIMEOUT, "no complete line in time"),
        (say(b"nonsense\n"), Code.PROTOCOL, "not JSON"),
        (say(b"\n"), Code.PROTOCOL, "a blank line, in ''"),
        (say(answer(2)), Code.PROTOCOL, "the answer has id 2, asked was 1"),
        (say(answer(1, "[]")), Code.PROTOCOL, "$.actions"),
        (say(b"x" * 70_000), Code.OVERLONG, "a line of over 65536 bytes: 'xxx"),
    ],
)
async def test_a_bad_answer_is_a_fault(
    script: Script, code: Code, words: str, autojump_clock: MockClock
) -> None:
    fault = await fault_of(script)
    assert fault.code is code
    assert words in fault.message


async def test_speech_before_the_question_is_a_fault(autojump_clock: MockClock) -> None:
    async def script(pipes: Pipes) -> None:
        await pipes.say(answer())

    async with scripted(script) as bots:
        await trio.sleep(1)
        fault = await verdict(seat_of(bots[0]))
    assert fault.code is Code.PROTOCOL
    assert fault.message.startswith("spoke when not asked: '{")


@pytest.mark.parametrize("rest", [b"", b'{"type":"action","id":1'])
async def test_an_output_that_closes_without_an_answer_is_a_crash(
    rest: bytes, autojump_clock: MockClock
) -> None:
    async def script(pipes: Pipes) -> None:
        await pipes.question()
        await pipes.say(rest)
        pipes.close_stdout()
        await silent(pipes)

    async with scripted(script) as bots:
        bots[0].process.log.write(b"ValueError: no\n")
        fault = await verdict(seat_of(bots[0]))
    assert fault.code is Code.CRASH
    assert fault.message.endswith("its last words: ValueError: no")
    assert ("a partial line had come" in fault.message) == bool(rest)


async def test_a_whole_answer_without_an_end_counts_when_the_output_closes(
    autojump_clock: MockClock,
) -> None:
    async def script(pipes: Pipes) -> None:
        await pipes.question()
        await pipes.say(answer()[:-1])
        pipes.close_stdout()

    async with scripted(script) as bots:
        seat = seat_of(bots[0])
        assert (await seat.ask(View(), LEGAL))[0].actions == ["one"]
        assert (await verdict(seat)).code is Code.CRASH


async def test_going_over_the_memory_is_told_from_a_crash(autojump_clock: MockClock) -> None:
    async def script(pipes: Pipes) -> None:
        await pipes.question()
        pipes.close_stdout()

    async with scripted(script) as bots:
        bots[0].process.over_memory = "used 600 MiB of memory, its limit is 512 MiB"
        fault = await verdict(seat_of(bots[0]))
    assert (fault.code, fault.message) == (
        Code.MEMORY,
        "used 600 MiB of memory, its limit is 512 MiB",
    )


# What is told at the end


async def test_a_faulted_bot_is_told_why_and_what_followed(autojump_clock: MockClock) -> None:
    async with scripted(silent) as bots:
        seat = seat_of(bots[0])
        seat.blame(await verdict(seat))
        seat.events.append(Event("rain"))
        seat.end(None)
        await trio.sleep(0.1)
        pipes = pipes_of(bots[0])
        assert not bots[0].usable
        assert "fault timeout: no complete line in time" in bots[0].process.log.text()
    (error,), (end,) = pipes.messages("error"), pipes.messages("end")
    assert (error["id"], error["code"]) == (1, "timeout")
    assert end == {"type": "end", "match": "m1", "result": None, "events": [{"what": "rain"}]}


async def test_the_result_is_told(autojump_clock: MockClock) -> None:
    async with scripted(silent) as bots:
        seat_of(bots[0]).end(Result((1, 2), (3, 1), "finished"))
        await trio.sleep(0.1)
        (end,) = pipes_of(bots[0]).messages("end")
    assert end["result"] == {"ranks": [1, 2], "scores": [3, 1], "reason": "finished"}


async def test_what_a_bot_says_between_matches_retires_it(autojump_clock: MockClock) -> None:
    async def script(pipes: Pipes) -> None:
        await pipes.answer(await pipes.question(), "one")
        await pipes.say(b"GG\n")

    async with scripted(script) as bots:
        await seat_of(bots[0]).ask(View(), LEGAL)
        await trio.sleep(0.1)
        bots[0].check_silence()
        assert not bots[0].usable
        assert "spoke after the match: 'GG" in bots[0].process.log.text()


async def test_a_bot_that_ended_between_matches_is_retired(autojump_clock: MockClock) -> None:
    async def script(pipes: Pipes) -> None:
        pipes.close_stdout()

    async with scripted(script) as bots:
        await trio.sleep(0.1)
        bots[0].check_silence()
        assert not bots[0].usable


async def test_a_silent_bot_stays(autojump_clock: MockClock) -> None:
    async with scripted(silent) as bots:
        bots[0].check_silence()
        assert bots[0].usable


# What is charged


async def used_for(sleep_s: float, limit: float = 1.0) -> float:
    async with scripted(say(answer(), after=sleep_s)) as bots:
        return (await exchange(bots[0].process, b'{"type":"act"}\n', limit))[1]


@pytest.mark.parametrize("sleep_s", [0.001, 0.1, 0.999])
async def test_an_answer_is_charged_from_the_question_on(
    sleep_s: float, autojump_clock: MockClock
) -> None:
    assert await used_for(sleep_s) == pytest.approx(sleep_s)


async def test_without_a_limit_it_is_charged_too(autojump_clock: MockClock) -> None:
    assert await used_for(1000, math.inf) == pytest.approx(1000)


class Host:
    """A scheduler that keeps the referee, or a bot's thread, from its core at certain times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.referee_waits: list[tuple[float, float]] = []
        self.threads: dict[int, list[tuple[float, float]]] = {}
        self.cpu: dict[int, list[tuple[float, float]]] = {}
        monkeypatch.setattr(procfs, "own_share", lambda: Share(0.0, _sum(self.referee_waits)))
        monkeypatch.setattr(procfs, "cpu_seconds", lambda pid: _sum(self.cpu.get(pid, [])))
        monkeypatch.setattr(procfs, "shares", self._shares)
        monkeypatch.setattr(procfs, "is_runnable", lambda _: False)
        self.overslept = 0.0
        """Seconds that the referee has been wanted without being awake."""
        monkeypatch.setattr(meter, "perf_counter", lambda: self.overslept)
        monkeypatch.setattr(meter, "_NAP", -1.0)  # every wait is a sleep, if of no time

    def _shares(self, pid: int) -> dict[int, Share]:
        return {pid: Share(_sum(self.cpu.get(pid, [])), _sum(self.threads[pid]))}


def _sum(spans: list[tuple[float, float]]) -> float:
    now = trio.current_time()
    return sum(max(0.0, min(now, end) - begin) for begin, end in spans)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    return Host(monkeypatch)


async def charged(host: Host, monkeypatch: pytest.MonkeyPatch, script: Script) -> float:
    """What an answer is charged under a limit of a second."""
    async with scripted(script) as bots:
        monkeypatch.setattr(bots[0].process, "members", lambda: list(host.threads))
        return (await seat_of(bots[0]).ask(View(), LEGAL))[1]


class Oversleeping(trio.abc.Instrument):
    """Keeps the referee from its core for a while when it is next to wake up."""

    def __init__(self, host: Host, clock: MockClock, seconds: float) -> None:
        self._host = host
        self._clock = clock
        self._seconds = seconds

    def after_io_wait(self, _: float) -> None:
        trio.lowlevel.remove_instrument(self)
        self._clock.jump(self._seconds)
        self._host.overslept += self._seconds


def unseen(host: Host, clock: MockClock, after: float, until: float) -> Script:
    """Answers after so long, but the referee sleeps until a later moment."""

    async def script(pipes: Pipes) -> None:
        await pipes.question()
        await trio.sleep(after)
        await pipes.say(answer())
        trio.lowlevel.add_instrument(Oversleeping(host, clock, until - after))
        await silent(pipes)

    return script


async def test_what_the_referee_waited_for_its_core_is_not_charged(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.referee_waits = [(0.2, 0.3), (0.9, 1.2)]  # the first took nothing from the bot
    assert await charged(
        host, monkeypatch, unseen(host, autojump_clock, 0.9, 1.2)
    ) == pytest.approx(0.9)


async def test_what_the_bot_waited_for_its_core_is_not_charged(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.threads = {10: [(0.1, 0.7)]}
    host.cpu = {10: [(0.0, 0.1), (0.7, 1.2)]}
    assert await charged(host, monkeypatch, say(answer(), after=1.2)) == pytest.approx(0.6)


async def test_a_bot_kept_from_its_core_by_its_own_processes_is_charged(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.threads = {10: [(0.1, 1.2)], 11: []}
    host.cpu = {10: [], 11: [(0.1, 1.2)]}
    with pytest.raises(BotFault, match="no complete line in time"):
        await charged(host, monkeypatch, say(answer(), after=1.2))
    assert trio.current_time() == pytest.approx(1.0 + meter.DOUBT)


async def test_a_referee_starved_by_the_bot_is_no_excuse(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.referee_waits = [(0.9, 1.2)]
    host.threads = {10: [], 11: [], 12: []}
    host.cpu = {11: [(0.9, 1.05)], 12: [(1.05, 1.2)]}
    with pytest.raises(BotFault, match="the answer came 185 ms after the limit"):
        await charged(host, monkeypatch, unseen(host, autojump_clock, 0.9, 1.2))


async def test_sleeping_is_charged_whatever_the_host_does(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.threads = {10: []}
    with pytest.raises(BotFault):
        await charged(host, monkeypatch, say(answer(), after=1.2))


async def test_processes_that_come_and_go_are_no_excuse(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.referee_waits = [(0.9, 1.2)]
    host.threads = {10: [], 11: [], 12: []}
    async with scripted(unseen(host, autojump_clock, 0.9, 1.2)) as bots:
        looks = iter([[10, 11], [10, 11], [10, 12]])
        monkeypatch.setattr(bots[0].process, "members", lambda: next(looks))
        assert (await verdict(seat_of(bots[0]))).message == "the answer came 200 ms after the limit"


async def test_a_stall_before_the_first_look_is_not_charged(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    script = unseen(host, autojump_clock, 0.001, 1.004)
    assert await charged(host, monkeypatch, script) == pytest.approx(0.005)


async def test_a_bot_kept_from_its_core_before_the_first_look_is_not_charged(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.threads = {10: [(0.0, 0.4)]}

    async def script(pipes: Pipes) -> None:
        await pipes.question()
        autojump_clock.jump(0.4)
        await trio.sleep(0.9)
        await pipes.say(answer())
        await silent(pipes)

    assert await charged(host, monkeypatch, script) == pytest.approx(0.905)


async def test_a_host_that_is_busy_for_too_long_voids_the_match(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.threads = {10: [(0.1, 9.0)]}
    with pytest.raises(HostFault, match=r"the host was too busy: .* --workers"):
        await charged(host, monkeypatch, say(answer(), after=9.0))
    assert trio.current_time() < 3.0


async def test_a_host_that_is_busy_does_not_help_a_bot_that_never_answers(
    host: Host, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    host.threads = {10: [(0.1, 0.6)]}
    with pytest.raises(BotFault, match="no complete line"):
        await charged(host, monkeypatch, silent)
    assert trio.current_time() == pytest.approx(1.5 + meter.DOUBT, abs=0.003)


@pytest.mark.parametrize(
    ("late", "busy", "fine"), [(0.01, True, True), (0.02, True, False), (0.01, False, False)]
)
async def test_on_a_busy_host_a_bot_has_the_benefit_of_the_doubt(
    late: float,
    busy: bool,
    fine: bool,
    host: Host,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
) -> None:
    waited = 0.002 if busy else 0.0
    host.threads = {10: [(0.5, 0.5 + waited)]}
    script = say(answer(), after=1.0 + waited + late)
    if fine:
        assert await charged(host, monkeypatch, script) == 1.0
    else:
        with pytest.raises(BotFault, match="no complete line in time"):
            await charged(host, monkeypatch, script)


# The leash


async def test_a_bot_on_the_leash_runs_only_in_its_turns(autojump_clock: MockClock) -> None:
    async with scripted(always("one")) as bots:
        process = bots[0].process
        seat = seat_of(bots[0])
        process.warden.leashed = True
        process.stop()
        for turn in (1, 2, 3):
            await seat.ask(View(), LEGAL)
            assert (process.runs, process.stops) == (turn, turn + 1)  # type: ignore[attr-defined]  # a scripted one counts
        seat_of(bots[0])  # the next match begins
        assert process.runs == 4  # type: ignore[attr-defined]  # as above
        assert not process.warden.leashed
