"""The arena's own log: human lines or JSON, on stderr, from a level on."""

import json
from collections.abc import Iterator

import pytest
import structlog

from arena.log import configure, logger


@pytest.fixture(autouse=True)
def _as_at_the_start() -> Iterator[None]:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
    configure(as_json=False, verbosity=0)


def say_all() -> None:
    logger().error("broke")
    logger().warning("fault", bot="greedy", message='said "no"')
    logger().info("played")
    logger().debug("asked")


@pytest.mark.parametrize(
    ("verbosity", "events"),
    [
        (-1, ["broke"]),
        (0, ["broke", "fault"]),
        (1, ["broke", "fault", "played"]),
        (2, ["broke", "fault", "played", "asked"]),
        (9, ["broke", "fault", "played", "asked"]),
    ],
)
def test_verbosity_says_from_which_level_on(
    capsys: pytest.CaptureFixture[str], verbosity: int, events: list[str]
) -> None:
    configure(as_json=True, verbosity=verbosity)
    say_all()
    said = capsys.readouterr()
    assert said.out == ""
    assert [json.loads(line)["event"] for line in said.err.splitlines()] == events


def test_json_lines_carry_level_time_and_fields(capsys: pytest.CaptureFixture[str]) -> None:
    configure(as_json=True, verbosity=0)
    logger().warning("fault", bot="greedy", message='said "no"')
    line = json.loads(capsys.readouterr().err)
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "fault", "level": "warning", "bot": "greedy", "message": 'said "no"'}


def test_human_lines_name_the_event_without_colour_in_a_pipe(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure(as_json=False, verbosity=0)
    logger().warning("fault", bot="greedy")
    line = capsys.readouterr().err
    assert "fault" in line
    assert "bot=greedy" in line
    assert "\x1b" not in line
