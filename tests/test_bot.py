"""The loop of a Python bot: what it says to what it hears."""

import sys
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import msgspec
import pytest

from protocol.bot import Answer, Decide, run
from protocol.codec import decode_action, decode_ready, encode
from protocol.messages import Act, Action, End, Error, Hello, Message, Quit, Ready, Start, StartTime
from tests.driver import program

HELLO = Hello(1, "referee 0")
QUIT = Quit()


def start(match: str = "m1", seed: int = 7) -> Start:
    return Start(match, "herd", 1, {}, 2, 0, seed, StartTime(1000, 5000))


def act(number: int, legal: Sequence[str] = ("place@A1", "place@A2")) -> Act:
    return Act("m1", number, 0, {"turn": number}, [], legal)


def first(question: Act, start: Start) -> list[str]:
    """Decide on the first legal action."""
    assert not isinstance(question.legal, msgspec.UnsetType)
    return [question.legal[0]]


def spoken(decide: Decide, *heard: Message | bytes, **about: Any) -> list[bytes]:
    """The lines that a bot writes when it hears these."""
    lines = b"".join(line if isinstance(line, bytes) else encode(line) for line in heard)
    out = BytesIO()
    run(decide, lines=BytesIO(lines), out=out, **({"name": "tester"} | about))
    return out.getvalue().splitlines()


def answers(decide: Decide, *heard: Message | bytes) -> list[Action]:
    """The answers of a bot that was greeted before it hears these."""
    _, *lines = spoken(decide, HELLO, *heard)
    return [decode_action(line) for line in lines]


def test_it_says_nothing_until_greeted() -> None:
    assert spoken(first) == []


def test_it_greets_with_what_it_is() -> None:
    [line] = spoken(
        first, HELLO, name="ada", version="2", author="A. L.", games=["herd"], legal=False
    )
    assert decode_ready(line) == Ready(1, "ada", "2", "A. L.", ["herd"], False)


def test_it_needs_no_more_than_a_name() -> None:
    [line] = spoken(first, HELLO)
    assert decode_ready(line) == Ready(1, "tester")


def test_it_answers_each_question_with_its_id() -> None:
    assert answers(first, start(), act(1), act(2)) == [
        Action(1, ["place@A1"]),
        Action(2, ["place@A1"]),
    ]


def test_an_answer_carries_a_note_and_a_value() -> None:
    def explain(question: Act, start: Start) -> Answer:
        return Answer(["place@A1", "place@A2"], "the corner", 0.5)

    assert answers(explain, start(), act(1)) == [
        Action(1, ["place@A1", "place@A2"], "the corner", 0.5)
    ]


def test_decide_sees_the_start_of_its_match() -> None:
    def tell(question: Act, start: Start) -> list[str]:
        return [f"{start.match}/{start.seed}"]

    heard = [start("m1", 7), act(1), End("m1", None, []), start("m2", 8), act(1)]
    assert [answer.actions for answer in answers(tell, *heard)] == [["m1/7"], ["m2/8"]]


def test_it_leaves_on_quit() -> None:
    assert answers(first, start(), QUIT, act(1)) == []


@pytest.mark.parametrize(
    "heard",
    [
        pytest.param(Error("m1", 1, "illegal", "D2 is taken"), id="error"),
        pytest.param(End("m1", None, []), id="end"),
        pytest.param(b'{"type":"weather","wind":3}\n', id="unknown type"),
        pytest.param(b'{"type":"weather","id":"not a number"}\n', id="unknown type, other fields"),
    ],
)
def test_what_needs_no_answer_gets_none(heard: Message | bytes) -> None:
    assert answers(first, start(), heard, act(2)) == [Action(2, ["place@A1"])]


def test_unknown_fields_are_ignored() -> None:
    line = encode(act(1)).replace(b'"id":', b'"mood":{"calm":true},"id":')
    assert answers(first, start(), line) == [Action(1, ["place@A1"])]


def test_every_line_is_flushed() -> None:
    """A bot that keeps its answer in a buffer would be waited for in vain."""
    source = "from protocol.bot import run; run(lambda act, start: ['a'], name='piped')"
    with program([sys.executable, "-c", source]) as bot:
        assert bot.ready.name == "piped"
        bot.tell(start())
        assert bot.ask(act(1)) == Action(1, ["a"])
