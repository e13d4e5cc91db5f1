"""What bots write to stderr in a single match, by the turn that it came in."""

from pathlib import Path

from arena.cli.logbook import SHOWN, Logbook, by_turn, stderr_lines
from arena.referee.clock import Clocks
from arena.referee.log import KEPT
from arena.referee.sandbox import Level
from arena.referee.tap import Line, Way
from arena.replay import Replay
from arena.tournament.single import Single
from tests.arena_cli import Arena
from tests.records import played
from tests.test_tracing import CHATTY

REPLAY = Replay(played("savanna-ten"))


def logbook() -> Logbook:
    return Logbook(Single(REPLAY.game, REPLAY.table, (), Clocks(), Level.NONE, "d", "s"))


def test_each_turn_is_marked_once_where_something_came_in_it() -> None:
    book = logbook()
    for step in REPLAY.steps():
        turn = REPLAY.game.turn(step.before)
        if step.entry.by == 0 and turn < 6:
            for words in (b"first", b"second"):
                book.hear(Line(0, "ann", Way.STDERR, words, 0.0))
            book.hear(Line(0, "ann", Way.FROM_BOT, b"{}", 0.0))
        book.watch(step.before, step.entry, step.after)
    book.hear(Line(1, "bob", Way.NOTE, b"fault crash: gone", 0.0))
    texts = book.texts()
    assert by_turn(texts[0]) == {turn: ["first", "second"] for turn in (1, 3, 5)}
    assert list(by_turn(texts[1]).values()) == [["[referee] fault crash: gone"]]


def test_a_log_is_bounded() -> None:
    book = logbook()
    for _ in range(5000):
        book.hear(Line(0, "ann", Way.STDERR, b"x" * 99, 0.0))
    assert len(book.texts()[0]) < 2 * KEPT + 100


def test_a_log_without_turns_tells_none() -> None:
    assert by_turn("Traceback\nred\n[referee] turn of the tide") == {}


def test_many_lines_of_a_turn_are_cut_and_escaped() -> None:
    lines = list(stderr_lines(["\x07"] * (SHOWN + 2)))
    assert lines == [r"  stderr: \x07"] * SHOWN + ["  stderr: … and 2 more lines"]


def test_a_match_in_a_store_is_shown_with_what_came_on_stderr(arena: Arena) -> None:
    words = ["match", "herd", arena.bot("one", CHATTY), arena.bot("two", CHATTY)]
    options = ["--option", "size=2", "--isolation", "none", "--store", "arena.db"]
    match = arena.data(*words, *options)["match"]
    assert Path("arena.db").exists()
    shown = arena("show", match).out
    first, second = (shown.index(f"stderr of {name}: thinking") for name in ("one", "two"))
    assert shown.index("turn 1  one") < first < shown.index("turn 2  two") < second
    assert "stderr of two" not in arena("show", match, "--seat", "0").out
    assert "stderr" not in arena("show", match, "--public").out
    log = arena("show", match, "--log").out
    assert "\nlog of one (seat 0):\n[referee] turn 1\nthinking" in log
    assert "\nlog of two (seat 1):\n" in log
