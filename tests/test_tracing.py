"""`arena match --trace`: how a line of the trace looks, and where it goes."""

import re
from pathlib import Path

import pytest

from arena.cli.tracing import TERMINAL, told, tracing
from arena.referee.tap import Line, Way
from tests.arena_cli import Arena

NONE = ["--isolation", "none"]
HERD = ["match", "herd", "--option", "size=2", *NONE]

CHATTY = """\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "act":
        print("thinking\\x1b[2J", file=sys.stderr, flush=True)
        answer = {"type": "action", "id": message["id"], "actions": message["legal"][:1]}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "quit":
        break
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            Line(0, "ann", Way.TO_BOT, b'{"type":"quit"}', 1.25),
            '  1250.000            0 ann > {"type":"quit"}',
        ),
        (
            Line(1, "bob", Way.FROM_BOT, b"{}", 0.0123456, 0.0016564),
            "    12.346    +1.656  1 bob < {}",
        ),
        (
            Line(1, "bob", Way.STDERR, b"\x1b[2J\xff", 0.5),
            "   500.000            1 bob ! \\x1b[2J\\xff",
        ),
        (
            Line(0, "ann", Way.NOTE, b"fault crash: gone", 0),
            "     0.000            0 ann # fault crash: gone",
        ),
    ],
)
def test_a_line_tells_when_who_and_what(line: Line, words: str) -> None:
    assert told(line) == words


def test_a_line_for_a_terminal_is_cut_to_its_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with tracing(TERMINAL) as hear:
        hear(Line(0, "ann", Way.TO_BOT, b"x" * 100, 0.0))
    assert [len(line) for line in capsys.readouterr().err.splitlines()] == [40, 40]


def test_a_trace_holds_the_whole_talk(arena: Arena) -> None:
    done = arena(*HERD, arena.bot("one", CHATTY), arena.bot("two", CHATTY), "--trace", "t.txt")
    assert done.status == 0, done.err
    heading, *lines = Path("t.txt").read_text().splitlines()
    assert heading.startswith("#")
    form = re.compile(r" *\d+\.\d{3} {2}( {8}| *\+\d+\.\d{3}) {2}[01] (one|two) [<>!#] \S.*")
    assert all(map(form.fullmatch, lines))
    assert sum('"type":"hello"' in line for line in lines) == 2
    assert r"one ! thinking\x1b[2J" in "\n".join(lines)
    assert '"type":"quit"' in lines[-1]


def test_a_trace_can_go_to_stderr(arena: Arena) -> None:
    bots = [arena.bot("one", CHATTY), arena.bot("two", CHATTY)]
    done = arena(*HERD, *bots, "--trace", "-", "--json")
    assert done.json()["faults"] == []
    assert "0 one > " in done.err


def test_a_trace_that_cannot_be_written_is_refused(arena: Arena) -> None:
    bots = [arena.bot("one", CHATTY), arena.bot("two", CHATTY)]
    done = arena(*HERD, *bots, "--trace", "no/such/folder")
    assert done.status == 3
    assert done.err.endswith("arena: no/such/folder: No such file or directory\n")
