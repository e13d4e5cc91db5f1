"""`arena analyse`: what each turn was worth, for people and as data, and where it is kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import analysis
from arena.analysis import Analysis, Judged
from arena.store.db import Store
from protocol.record import encode_record
from tests.arena_cli import Arena
from tests.records import played

DUEL = played("savanna-ten", match="duel-0")
NONE = ["--isolation", "none"]


@pytest.fixture
def store(arena: Arena) -> Path:
    """A store with a match."""
    path = arena.folder / "arena.db"
    with Store.open(path) as store:
        store.import_records([DUEL])
    return path


JUDGED = (
    Judged(1, 0, ("monkey@E3",), 0.5, ("monkey@E3",), 0.5, 0.0, None),
    Judged(2, 1, ("monkey@B5", "zebra@A1"), 0.4, ("lion@D3",), 0.5, 0.1, "mistake"),
    Judged(3, 0, ("monkey@A1",), 0.478, ("zebra@A1",), 0.5, 0.022, None),
)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked, and this is the answer."""

    async def analyse(
        _replay: Any, _program: Any, _level: Any, words: str, report: Callable[[int], None]
    ) -> Analysis:
        report(len(JUDGED))
        return Analysis(DUEL.match, words, JUDGED, (97.8, 63.6))

    monkeypatch.setattr(analysis, "analyse", analyse)


def test_search_is_asked_and_what_it_says_is_kept(arena: Arena, store: Path) -> None:
    done = arena("analyse", "duel", "--nodes", "1", *NONE, "--json")
    assert (done.status, done.err) == (0, "kept: the replay in the browser shows it\n")
    found = done.json()
    assert (found["match"], found["analyst"]) == ("duel-0", "search --nodes 1")
    assert [turn["turn"] for turn in found["turns"]] == list(range(1, 21))
    assert [turn["played"] for turn in found["turns"]] == [
        [entry.do] for entry in DUEL.log if entry.by >= 0
    ]
    assert list(found["turns"][0]) == [
        *("turn", "seat", "played", "value", "best", "best_value", "loss", "mark")
    ]
    with Store.open(store, read_only=True) as kept:
        text = kept.analysis("duel-0")
    assert text is not None
    arena("show", "duel", "--html", "page.html")
    assert text in Path("page.html").read_text()


@pytest.mark.usefixtures("store", "judged")
def test_the_table_for_people(arena: Arena) -> None:
    head, _, *rows = [line.split() for line in arena("analyse", "duel", *NONE).out.splitlines()][1:]
    assert head == ["turn", "bot", "played", "worth", "lost", "better"]
    assert rows[:3] == [
        ["1", "ann", "monkey@E3", "50.0%"],
        ["2", "bob", "monkey@B5", "zebra@A1", "40.0%", "10.0%", "?", "lion@D3"],
        ["3", "ann", "monkey@A1", "47.8%", "2.2%", "zebra@A1"],
    ]
    assert [" ".join(row) for row in rows[4:]] == [
        "ann (seat 0): accuracy 98 %, 0 inaccuracies ?!, 0 mistakes ?, 0 blunders ??",
        "bob (seat 1): accuracy 64 %, 0 inaccuracies ?!, 1 mistake ?, 0 blunders ??",
    ]


@pytest.mark.usefixtures("judged")
def test_a_match_in_a_file_needs_no_store(arena: Arena) -> None:
    Path("games.jsonl").write_bytes(encode_record(DUEL) + b"\n")
    done = arena("analyse", "games.jsonl", *NONE)
    assert (done.status, done.err) == (0, "")
    assert not Path("arena.db").exists()


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["zebra"], 3, "arena: there is no match 'zebra' in arena.db"),
        (["duel", "--nodes", "0"], 2, "arena: --nodes: 0 is not in the range x>=1"),
    ],
)
def test_what_is_refused(arena: Arena, words: list[str], status: int, error: str) -> None:
    done = arena("analyse", *words, *NONE)
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith(error)
