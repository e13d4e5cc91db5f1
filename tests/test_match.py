"""A match from deal to record, with bots that follow scripts."""

from collections.abc import Callable, Sequence

import pytest
import trio
from msgspec import Struct
from trio.testing import MockClock

from arena.referee.bot import Bot
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault, Code, HostFault
from arena.referee.match import Setup, play
from engine.game import AnyTable, Table
from protocol.messages import Result
from protocol.record import LogEntry, Record, decode_record, encode_record
from tests.scripted import Pipes, Script, always, hide_scheduler, pipes_of, scripted, silent
from tests.toy_game import ToyGame, ToyOptions

LIMITS = Clocks(turn_ms=1000, first_ms=1000)


@pytest.fixture(autouse=True)
def _no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_scheduler(monkeypatch)


def setup(players: int = 2, clocks: Clocks = LIMITS, **options: int) -> Setup:
    table: AnyTable = Table(ToyOptions(**options), players)  # type: ignore[arg-type]  # bools are ints here
    return Setup(
        match="the-match",
        run="the-run",
        game=ToyGame(),
        table=table,
        deal="d",
        seed="5eed",
        seeds=tuple(range(players)),
        clocks=clocks,
        isolation="none",
        names=tuple("abcd"[:players]),
        digests=tuple("wxyz"[:players]),
    )


async def played(wanted: Setup, *scripts: Script) -> tuple[Record, list[Pipes]]:
    async with scripted(*scripts) as bots:
        record = await play(wanted, bots)
        await trio.sleep(0.01)  # so that the bots hear the end
        return record, [pipes_of(bot) for bot in bots]


def actions(record: Record) -> list[tuple[int, str]]:
    return [(entry.by, entry.do) for entry in record.log]


def answers(*turns: Sequence[str]) -> Script:
    """Gives these answers one after another, then falls silent."""

    async def script(pipes: Pipes) -> None:
        for turn in turns:
            await pipes.answer(await pipes.question(), *turn)
        await silent(pipes)

    return script


def when(number: int, deed: Callable[[Pipes], object], *, before: str = "one") -> Script:
    """Answers well until its question of this number; then does something else."""

    async def script(pipes: Pipes) -> None:
        for _ in range(number - 1):
            await pipes.answer(await pipes.question(), before)
        await pipes.question()
        result = deed(pipes)
        if result is not None:
            await result  # type: ignore[misc]  # a coroutine of say or answer
        await silent(pipes)

    return script


crash_at: Callable[[int], Script] = lambda number: when(number, Pipes.close_stdout)  # noqa: E731  # reads as a name


# A whole match


async def test_a_match_is_recorded_from_the_deal_to_the_result(autojump_clock: MockClock) -> None:
    record, _ = await played(setup(dice=True, turns=2), always("one"), always("two"))
    assert actions(record) == [(-1, "roll@1"), (0, "one"), (-1, "roll@2"), (1, "two")]
    assert record.result == Result((2, 1), (1, 2), "finished")
    assert not record.faults
    assert (record.match, record.run, record.game, record.version) == (
        "the-match",
        "the-run",
        "toy",
        1,
    )
    assert (record.seed, record.deal, record.seeds, record.isolation) == (
        "5eed",
        "d",
        (0, 1),
        "none",
    )
    assert [(bot.name, bot.digest) for bot in record.bots] == [("a", "w"), ("b", "x")]
    assert decode_record(encode_record(record)) == record


async def test_every_seat_hears_of_everything_once(autojump_clock: MockClock) -> None:
    _, pipes = await played(setup(dice=True, turns=3), always("one"), always("two"))
    heard = [
        [
            event["action"]
            for line in pipes[seat].messages("act") + pipes[seat].messages("end")
            for event in line["events"]  # type: ignore[attr-defined]  # decoded JSON
        ]
        for seat in (0, 1)
    ]
    everything = ["roll@1", "one", "roll@2", "two", "roll@3", "one"]
    assert heard == [everything, everything]


async def test_a_watcher_sees_every_step(autojump_clock: MockClock) -> None:
    seen: list[tuple[Struct, LogEntry, Struct]] = []
    async with scripted(always("one"), always("two")) as bots:
        record = await play(setup(), bots, lambda *step: seen.append(step))
    assert [entry for _, entry, _ in seen] == list(record.log)
    assert all(seen[i][2] is seen[i + 1][0] for i in range(len(seen) - 1))


async def test_notes_and_values_are_kept_where_they_fit(autojump_clock: MockClock) -> None:
    async def script(pipes: Pipes) -> None:
        for extra in (b'"note":"hm","value":0.5', b'"value":1.5', b'"note":"' + b"x" * 600 + b'"'):
            await pipes.question()
            number = len(pipes.messages("act"))
            await pipes.say(b'{"type":"action","id":%d,"actions":["one"],%s}\n' % (number, extra))
        await silent(pipes)

    record, _ = await played(setup(turns=6), script, always("two"))
    kept = [(entry.note, entry.value) for entry in record.log if entry.by == 0]
    assert kept == [("hm", 0.5), (None, None), ("x" * 500, None)]


async def test_the_time_of_an_answer_stands_on_its_first_action(autojump_clock: MockClock) -> None:
    async def slow(pipes: Pipes) -> None:
        question = await pipes.question()
        await trio.sleep(0.25)
        await pipes.answer(question, "one", "two")
        await silent(pipes)

    record, _ = await played(setup(turns=1, steps=2), slow, silent)
    assert [entry.ms for entry in record.log] == [pytest.approx(250, abs=1), None]


# Turns of several actions


async def test_a_turn_can_be_answered_at_once_or_in_pieces(autojump_clock: MockClock) -> None:
    for script in (answers(["one", "two"]), answers(["one"], ["two"])):
        record, _ = await played(setup(turns=1, steps=2), script, silent)
        assert actions(record) == [(0, "one"), (0, "two")]
        assert not record.faults


async def test_the_pieces_of_a_turn_run_on_one_clock(autojump_clock: MockClock) -> None:
    async def slow(pipes: Pipes) -> None:
        while question := await pipes.question():
            await trio.sleep(0.4)
            await pipes.answer(question, "one")

    record, pipes = await played(setup(turns=1, steps=3), slow, silent)
    (fault,) = record.faults
    assert (fault.seat, fault.code) == (0, "timeout")
    assert trio.current_time() == pytest.approx(1.0, abs=0.02)
    left = [act["time"]["turn_ms"] for act in pipes[0].messages("act")]  # type: ignore[index]  # decoded JSON
    assert left == [1000, 600, 200]


async def test_the_clock_starts_anew_with_each_turn(autojump_clock: MockClock) -> None:
    async def slow(pipes: Pipes) -> None:
        while question := await pipes.question():
            await trio.sleep(0.9)
            await pipes.answer(question, "one")

    record, _ = await played(setup(turns=4), slow, slow)
    assert not record.faults


async def test_actions_left_over_after_the_turn_are_illegal(autojump_clock: MockClock) -> None:
    record, pipes = await played(setup(turns=4), always("one", "two"), always("one"))
    (fault,) = record.faults
    assert (fault.code, fault.message) == (
        "illegal",
        "the turn was over before two could be played",
    )
    assert actions(record) == [(0, "one")]  # what was legal stands
    assert pipes[0].messages("error")[0]["message"] == fault.message


async def test_an_illegal_action_in_the_middle_leaves_what_was_before(
    autojump_clock: MockClock,
) -> None:
    record, _ = await played(setup(turns=2, steps=3), always("one", "eleven", "two"), silent)
    (fault,) = record.faults
    assert (fault.code, fault.message) == ("illegal", "there is no eleven")
    assert actions(record) == [(0, "one")]


async def test_once_the_game_is_over_nothing_changes_its_result(autojump_clock: MockClock) -> None:
    record, _ = await played(
        setup(steps=3, may_end=True), always("two", "end", "eleven", "one"), silent
    )
    assert not record.faults
    assert record.result == Result((1, 2), (2, 0), "finished")


async def test_speech_after_the_last_answer_is_no_fault_of_this_match(
    autojump_clock: MockClock,
) -> None:
    async def chatty(pipes: Pipes) -> None:
        await pipes.answer(await pipes.question(), "two")
        await pipes.say(b"GG\n")
        await silent(pipes)

    async with scripted(chatty, always("one")) as bots:
        record = await play(setup(turns=2), bots)
        await trio.sleep(0.1)
        bots[0].check_silence()
    assert not record.faults
    assert record.result.ranks == (1, 2)
    assert not bots[0].usable


# Faults


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (silent, "timeout"),
        (Pipes.close_stdout, "crash"),
        (lambda pipes: pipes.say(b"?\n"), "protocol"),
        (lambda pipes: pipes.say(b"?" * 70_000), "overlong"),
        (lambda pipes: pipes.answer({"id": 2}, "three"), "illegal"),
        (lambda pipes: pipes.answer({"id": 1}, "one"), "protocol"),
    ],
)
async def test_a_fault_ends_a_match_of_two(
    deed: Callable[[Pipes], object], code: str, autojump_clock: MockClock
) -> None:
    record, pipes = await played(setup(turns=10), when(2, deed), always("two"))
    (fault,) = record.faults
    assert (fault.seat, fault.code, fault.turn) == (0, code, 3)
    assert record.result == Result((2, 1), (1, 2), "fault")  # the scores as they stand
    assert [entry.stand_in for entry in record.log] == [False, False]
    assert pipes[1].messages("end")[0]["result"] == {
        "ranks": [2, 1],
        "scores": [1, 2],
        "reason": "fault",
    }
    if code != "crash":
        assert pipes[0].messages("error")[0]["code"] == code
        assert pipes[0].messages("end")[0]["result"] == pipes[1].messages("end")[0]["result"]


async def test_with_more_sides_a_stand_in_plays_on(autojump_clock: MockClock) -> None:
    record, pipes = await played(setup(3, turns=9), crash_at(2), always("two"), always("one"))
    (fault,) = record.faults
    assert (fault.seat, fault.turn) == (0, 4)
    stood_in = [entry for entry in record.log if entry.stand_in]
    assert [entry.by for entry in stood_in] == [0] * len(stood_in)
    assert all(entry.ms is None for entry in stood_in)
    assert len(stood_in) == 2
    assert record.result.reason == "finished"
    assert record.result.ranks[0] == 3
    assert not pipes[1].messages("error")


async def test_a_stand_in_plays_the_same_from_the_same_seed(autojump_clock: MockClock) -> None:
    wanted = setup(3, turns=30)
    records = [
        (await played(wanted, crash_at(1), always("two"), always("one")))[0] for _ in range(2)
    ]
    assert actions(records[0]) == actions(records[1])
    choices = {entry.do for entry in records[0].log if entry.stand_in}
    assert choices == {"one", "two", "none"}


async def test_a_faulted_seat_is_told_the_end_without_a_result(autojump_clock: MockClock) -> None:
    _, pipes = await played(
        setup(3, turns=6), when(2, lambda pipes: pipes.say(b"?\n")), always("two"), always("one")
    )
    (end,) = pipes[0].messages("end")
    assert end["result"] is None
    (error,) = pipes[0].messages("error")
    assert (error["id"], error["code"]) == (2, "protocol")


async def test_of_faulted_seats_the_later_ranks_better(autojump_clock: MockClock) -> None:
    record, _ = await played(
        setup(4, turns=40), crash_at(3), always("none"), crash_at(2), always("one")
    )
    assert [(fault.seat, fault.turn) for fault in record.faults] == [(2, 7), (0, 9)]
    assert record.result.ranks[2] == 4
    assert record.result.ranks[0] == 3
    assert sorted(record.result.ranks[1::2]) == [1, 2]


async def test_the_last_side_without_a_fault_wins_at_once(autojump_clock: MockClock) -> None:
    record, _ = await played(setup(3, turns=99), crash_at(2), crash_at(2), always("none"))
    assert record.result.ranks == (3, 2, 1)
    assert record.result.reason == "fault"
    assert len(record.log) <= 5


async def test_a_fault_in_a_team_is_its_sides(autojump_clock: MockClock) -> None:
    record, pipes = await played(
        setup(4, turns=20, teams=True), crash_at(2), always("none"), always("two"), always("one")
    )
    assert [fault.seat for fault in record.faults] == [0]
    assert record.result.ranks == (2, 1, 2, 1)
    assert record.result.scores == (3, 1)
    assert record.result.reason == "fault"
    assert pipes[2].messages("end")[0]["result"] is not None  # its match ended with the others'
    assert not pipes[2].messages("error")


# Bots that do not start

NO_START = BotFault(Code.START, "no ready within 10 s")


async def started(wanted: Setup, *scripts: Script | BotFault) -> Record:
    async with scripted(*(s for s in scripts if not isinstance(s, BotFault))) as bots:
        living = iter(bots)
        seats: list[Bot | BotFault] = [
            each if isinstance(each, BotFault) else next(living) for each in scripts
        ]
        return await play(wanted, seats)


async def test_a_bot_that_does_not_start_has_lost(autojump_clock: MockClock) -> None:
    record = await started(setup(), NO_START, always("one"))
    (fault,) = record.faults
    assert (fault.seat, fault.code, fault.turn) == (0, "start", 0)
    assert record.result == Result((2, 1), (0, 0), "fault")
    assert [bot.version for bot in record.bots] == [None, None]


async def test_bots_that_do_not_start_share_the_last_rank(autojump_clock: MockClock) -> None:
    record = await started(setup(), NO_START, NO_START)
    assert record.result == Result((1, 1), (0, 0), "fault")
    assert [fault.seat for fault in record.faults] == [0, 1]


async def test_among_more_a_stand_in_plays_for_it(autojump_clock: MockClock) -> None:
    record = await started(setup(3, turns=3), NO_START, always("one"), always("two"))
    assert record.result.ranks[0] == 3
    assert record.log[0].stand_in


async def test_a_team_without_one_of_its_bots_is_out_once(autojump_clock: MockClock) -> None:
    record = await started(setup(4, teams=True), NO_START, silent, NO_START, silent)
    assert [fault.seat for fault in record.faults] == [0]
    assert record.result.ranks == (2, 1, 2, 1)


# The host's faults


async def test_a_void_match_ends_for_all_and_its_bots_are_not_used_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scripted(always("one"), silent) as bots:

        async def starve(*_: object) -> None:
            raise HostFault("the host was too busy")

        monkeypatch.setattr(bots[1], "ask", starve)
        with pytest.raises(HostFault):
            await play(setup(), bots)
        await trio.sleep(0.1)
        assert [bot.usable for bot in bots] == [False, False]
        for bot in bots:
            assert pipes_of(bot).messages("end")[0]["result"] is None
            assert not pipes_of(bot).messages("error")
