"""The page for bot authors names everything there is, and its examples are real."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import Struct

from arena.referee.faults import Code
from bots import random_bot
from engine.options import make_table
from engine.registry import games
from protocol.messages import (
    Act,
    Action,
    ActTime,
    End,
    FromBot,
    Message,
    Result,
    Start,
    StartTime,
    ToBot,
)
from tests.driver import Called, play, program

T = TypeVar("T", bound=Message)

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
MESSAGES = [*ToBot.__args__, *FromBot.__args__]
AFTER_THE_MATCH = {"open_hands", "open_hidden"}
"""Fields of views that no bot is sent."""


def names() -> Iterator[tuple[str, str]]:
    for message in MESSAGES:
        yield "message type", str(message.__struct_config__.tag)
    for struct in [*MESSAGES, StartTime, ActTime, Result]:
        for field in struct.__struct_fields__:
            yield f"field of {struct.__name__}", field
    for game in games().values():
        yield "game", game.name
        for struct in [game.view_type, *game.event_types]:
            for field in set(struct.__struct_fields__) - AFTER_THE_MATCH:
                yield f"field of {struct.__name__}", field
    for code in Code:
        yield "fault code", code.value


@pytest.mark.parametrize(("kind", "name"), sorted(set(names())))
def test_every_name_is_on_the_page(kind: str, name: str) -> None:
    assert f"`{name}`" in PAGE or f'"{name}"' in PAGE


def json_lines() -> list[str]:
    blocks = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def decodes(line: str, kind: Any) -> bool:
    """Whether a line is of this type and has no field that the type does not."""
    try:
        value = msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError:
        return False
    return set(msgspec.json.decode(line)) <= set(msgspec.to_builtins(value))


def example(kind: type[T]) -> T:
    """The first message of this type on the page."""
    tag = kind.__struct_config__.tag
    line = next(line for line in json_lines() if f'"type":"{tag}"' in line)
    return msgspec.json.decode(line, type=kind)


@pytest.mark.parametrize("line", json_lines())
def test_every_example_is_something_the_protocol_knows(line: str) -> None:
    kinds: list[type[Struct]] = [
        kind for game in games().values() for kind in (game.view_type, *game.event_types)
    ]
    assert any(decodes(line, kind) for kind in [ToBot, FromBot, *kinds])


def test_the_match_on_the_page_was_played() -> None:
    """Its question lists what is legal, and the answer leads to the result that is shown."""
    start, act, answer, end = example(Start), example(Act), example(Action), example(End)
    game = games()[start.game]
    table = make_table(game, start.players, start.options)
    state = game.sample(table, msgspec.convert(act.state, game.view_type), act.seat, Random(0))
    assert game.legal(state) == act.legal
    for action in answer.actions:
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome is not None
    assert Result(outcome.ranks, outcome.scores, outcome.reason) == end.result


def test_the_smallest_bot_on_the_page_plays(tmp_path: Path) -> None:
    [source] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "bot.py").write_text(source)
    with program([sys.executable, "bot.py"], tmp_path) as bot:
        for game in games().values():
            table = make_table(game, 2, {})
            play(game, table, [bot, Called(random_bot.decide)], "0a")
