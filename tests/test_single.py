"""One match outside a tournament."""

import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from arena.referee.faults import CannotStart
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.replay import Replay
from arena.store.model import Entrant
from arena.tournament.entry import Entry
from arena.tournament.single import Single, play_single
from engine.options import make_table
from engine.registry import game
from protocol.record import LogEntry
from tests.arena_cli import LITTLE
from tests.contest import PATIENT


@pytest.fixture
def little(tmp_path: Path) -> Path:
    path = tmp_path / "little.py"
    path.write_text(LITTLE)
    return path


def entry(name: str, program: Path) -> Entry:
    command = (sys.executable, str(program))
    return Entry(Entrant(name, f"digest-{name}", name), Program(name, command))


def single(*entries: Entry, of: str = "herd", seats: int = 2, **options: Any) -> Single:
    rules = game(of)
    table = make_table(rules, seats, options)
    return Single(rules, table, entries, PATIENT, Level.NONE, "some deal", "some seed")


async def test_a_match_is_played_to_its_record(little: Path) -> None:
    wanted = single(entry("a", little), entry("b", little), size=2)
    record = await play_single(wanted)
    assert record.run is None
    assert [(bot.name, bot.version, bot.digest) for bot in record.bots] == [
        ("a", "0.1", "digest-a"),
        ("b", "0.1", "digest-b"),
    ]
    assert record.result.reason == "finished"
    Replay(record).verify()
    again = await play_single(wanted)
    assert (again.match, again.seed, again.seeds, again.deal) == (
        record.match,
        record.seed,
        record.seeds,
        record.deal,
    )


async def test_who_watches_sees_every_action_as_it_happens(little: Path) -> None:
    seen: list[tuple[Struct, LogEntry, Struct]] = []
    wanted = single(entry("a", little), entry("b", little), size=2)
    record = await play_single(wanted, lambda *step: seen.append(step))
    assert tuple(entry for _, entry, _ in seen) == record.log
    assert [before for before, _, _ in seen[1:]] == [after for _, _, after in seen[:-1]]


async def test_a_team_is_two_processes_of_one_entrant(little: Path) -> None:
    a, b = entry("a", little), entry("b", little)
    record = await play_single(single(a, b, a, b, of="savanna-ten", seats=4, teams=True))
    assert [bot.name for bot in record.bots] == ["a", "b", "a", "b"]
    assert len(set(record.seeds)) == 4
    assert record.faults == ()


async def test_a_program_that_cannot_be_executed_plays_nothing(little: Path) -> None:
    gone = Entry(Entrant("b", "d", "b"), Program("b", (str(little.with_name("gone")),)))
    with pytest.raises(CannotStart, match="gone"):
        await play_single(single(entry("a", little), gone, size=2))
