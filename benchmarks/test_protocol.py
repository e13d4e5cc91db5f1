"""Lines: a question halfway through a game, its answer, and the record of the whole match."""

import pytest
from msgspec import UNSET
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.positions import DEAL, GAMES, Course
from engine.game import CHANCE
from protocol.codec import decode_action, encode, encode_into
from protocol.messages import Act, Action, ActTime, Result, StartTime
from protocol.record import LogEntry, Record, RecordedBot, decode_record, encode_record


@pytest.fixture(scope="module", params=GAMES)
def course(request: pytest.FixtureRequest) -> Course:
    return Course(request.param)


class Question:
    """What the seat to act halfway through a game is asked."""

    def __init__(self, course: Course) -> None:
        self._game = course.game
        self._state = course.halfway().before
        self._seat = course.seat(course.halfway())
        self._events = course.events(self._seat, 4)

    def act(self, *, legal: bool) -> Act:
        """The question, made anew."""
        return Act(
            match="m1",
            id=9,
            seat=self._seat,
            state=self._game.view(self._state, self._seat),
            events=self._events,
            legal=self._game.legal(self._state) if legal else UNSET,
            time=ActTime(1000, None),
        )


@pytest.mark.parametrize("legal", [True, False], ids=["legal", "no-legal"])
def test_encode_question(benchmark: BenchmarkFixture, course: Course, legal: bool) -> None:
    act, line = Question(course).act(legal=legal), bytearray()
    benchmark(encode_into, act, line)
    benchmark.extra_info["bytes"] = len(line)


def test_make_and_encode_question(benchmark: BenchmarkFixture, course: Course) -> None:
    question, line = Question(course), bytearray()
    benchmark(lambda: encode_into(question.act(legal=True), line))


def test_decode_answer(benchmark: BenchmarkFixture) -> None:
    action = Action(9, ["zebra/lion@D2"])
    assert benchmark(decode_action, encode(action)[:-1]) == action


def record(course: Course) -> Record:
    """The match, with the entries that a referee writes."""
    log = []
    for step in course.steps:
        seat = course.seat(step)
        ms = None if seat == CHANCE else 0.01
        log.append(LogEntry(seat, step.action, ms))
    return Record(
        record=1,
        match="0123456789ab-000012-0-0123456789abcdef",
        run="0123456789ab",
        game=course.game.name,
        version=course.game.version,
        options={},
        players=2,
        seed=DEAL,
        deal=DEAL,
        seeds=(471100123, 9),
        isolation="bwrap",
        bots=(RecordedBot("greedy", "1.2", DEAL), RecordedBot("random", "1.0", DEAL)),
        time=StartTime(1000, 5000),
        started="2026-11-29T19:00:00Z",
        log=tuple(log),
        faults=(),
        result=Result((1, 2), (15, 10), "finished"),
    )


def test_encode_record(benchmark: BenchmarkFixture, course: Course) -> None:
    line = benchmark(encode_record, record(course))
    benchmark.extra_info["bytes"] = len(line)


def test_decode_record(benchmark: BenchmarkFixture, course: Course) -> None:
    match = record(course)
    assert benchmark(decode_record, encode_record(match)) == match
