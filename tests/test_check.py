"""What `arena check` finds: a bot that is right, and bots that break one rule each."""

import sys
from pathlib import Path

import pytest

from arena.check.checker import UnknownRule, check
from arena.check.report import Report, Result
from arena.referee.clock import Clocks
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.store.model import Entrant
from arena.tournament.entry import Entry

pytestmark = pytest.mark.usefixtures("never_void")

CARELESS = Path(__file__).parent / "bots/careless.py"
PATIENT = Clocks(turn_ms=20_000, start_ms=60_000)
HURRIED = Clocks(turn_ms=2000, start_ms=60_000)
"""For bots that do not answer, whatever the clocks are."""


def bot(mode: str, games: tuple[str, ...] | None = None) -> Entry:
    program = Program(mode, (sys.executable, str(CARELESS), mode))
    return Entry(Entrant(mode, "0" * 16, mode), program, games)


async def checked(mode: str, *rules: str, clocks: Clocks = PATIENT) -> Report:
    return await check(bot(mode), Level.PROCESS, clocks, lambda _: None, rules)


def failed(report: Report) -> list[Result]:
    return [result for result in report.rules if result.outcome == "failed"]


async def test_a_bot_that_is_right_follows_every_rule() -> None:
    seen: list[Result] = []
    report = await check(bot("good"), Level.PROCESS, PATIENT, seen.append)
    assert failed(report) == []
    assert report.passed
    assert report.rules == tuple(seen), "each is told as it comes"
    assert [r.rule for r in report.rules if r.outcome == "skipped"] == ["legal-off"]
    assert len({r.rule for r in report.rules}) == len(report.rules) == 26
    assert [advice.name for advice in report.advice] == [
        "start-up",
        "answer",
        "slowest-turn",
        "memory",
        "determinism",
        "pondering",
    ]
    assert all(advice.value is None or advice.value > 0 for advice in report.advice)


@pytest.mark.parametrize(
    ("mode", "seen", "mend"),
    [
        ("banner", "no ready: not JSON", "stderr"),
        ("newer", "protocol 2, needed is 1", '"protocol":1'),
        ("gone", "exit code 1; its last words: no weights found", "by hand"),
        ("elsewhere", "none of the games", "savanna-ten, herd"),
    ],
)
async def test_a_handshake_that_fails_is_the_end(mode: str, seen: str, mend: str) -> None:
    report = await checked(mode)
    [result] = report.rules
    assert (result.rule, result.outcome) == ("handshake", "failed")
    assert seen in result.detail
    assert mend in result.mend
    assert not report.passed


@pytest.mark.parametrize(
    ("mode", "seen"),
    [
        ("mute", "no ready within {:g} s"),
        ("buffered", "its ready came only when its input had ended"),
        ("endless", "its first line has no end"),
    ],
)
@pytest.mark.parametrize("start_ms", [1, 2000])
async def test_why_no_line_came(mode: str, seen: str, start_ms: int) -> None:
    """Also of a bot that has not even begun to run when its time is over."""
    report = await checked(mode, clocks=Clocks(start_ms=start_ms))
    assert report.rules[0].detail == seen.format(start_ms / 1000)


@pytest.mark.parametrize(
    ("mode", "rule", "seen"),
    [
        ("shouting", "answers", "illegal: 'MONKEY@A1' is not of the form"),
        ("helpless", "answers", "its last words: KeyError: 'legal'"),
        ("chatty", "silence", "it spoke after the end of a match"),
        ("twice", "silence", "it spoke after its answer"),
        ("single", "silence", "ended with exit code 0 after the end of a match"),
        ("chunky", "split-lines", "crash"),
        ("short", "long-lines", "crash"),
        ("strict", "unknown-fields", "AssertionError"),
        ("seeker", "unknown-fields", "the answer has id -1, asked was 1"),
        ("closed", "unknown-messages", "when it heard a message of an unknown type"),
        ("counting", "ids", "the answer has id 1, asked was 5"),
        ("hurried", "no-limits", "TypeError"),
        ("helpless", "legal-off", "KeyError: 'legal'"),
        ("sorry", "after-error", "it answered an error"),
        ("lasting", "quitting", "still there 1 s after quit"),
        ("waiting", "end-of-input", "still there 1 s after the end of its input"),
        ("single", "several-matches", "ended with exit code 0"),
        ("alone", "match-savanna-ten-4-mouse-teams", "AssertionError"),
    ],
)
async def test_a_rule_that_is_broken_is_told_with_what_to_mend(
    mode: str, rule: str, seen: str
) -> None:
    report = await checked(mode, rule)
    [result] = failed(report)
    assert result.rule == rule
    assert seen in result.detail
    assert result.mend
    assert not report.passed


@pytest.mark.parametrize(
    ("mode", "rule"), [("forgetful", "lines-at-once"), ("impatient", "compound-turns")]
)
async def test_an_answer_that_never_comes(mode: str, rule: str) -> None:
    [result] = failed(await checked(mode, rule, clocks=HURRIED))
    assert result.rule == rule
    assert result.detail == "timeout: no complete line in time"
    assert result.received == "nothing"


async def test_the_bytes_concerned_are_shown() -> None:
    [result] = failed(await checked("counting", "ids"))
    assert result.sent.startswith("""'{"type":"act","match":"m1","id":5,"seat":0,"state":{""")
    assert result.received == """'{"type": "action", "id": 1, "actions": ["monkey@A1"]}'"""


async def test_what_hangs_on_a_broken_rule_is_not_tried() -> None:
    report = await checked("chatty")
    assert [result.rule for result in report.rules] == ["handshake", "answers", "silence"]
    assert len(report.untried) == 23
    assert report.advice == ()


async def test_all_rules_of_a_kind_are_tried_at_once() -> None:
    report = await checked("chunky")
    assert [result.rule for result in failed(report)] == ["split-lines", "long-lines"]
    assert report.rules[-1].rule == "line-ends"


async def test_lines_may_end_as_on_windows() -> None:
    report = await checked("windows", "line-ends")
    assert report.passed
    assert "accepted" in report.rules[-1].detail


async def test_what_is_no_rule_is_advice() -> None:
    report = await checked("restless")
    assert report.passed
    advice = {advice.name: advice.text for advice in report.advice}
    assert "does not play the same again" in advice["determinism"]
    assert "computes while it is not asked" in advice["pondering"]


async def test_only_the_games_of_bot_toml_are_tried() -> None:
    herd = bot("good", games=("herd", "chess"))
    report = await check(herd, Level.PROCESS, PATIENT, lambda _: None)
    assert report.passed
    assert not [result for result in report.rules if "savanna" in result.rule]
    assert [result for result in report.rules if "match-herd" in result.rule]


async def test_a_rule_that_there_is_not() -> None:
    with pytest.RaisesGroup(UnknownRule):
        await checked("good", "etiquette")
