"""A record replays to what it says, and what was changed in it is named."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from arena.replay import Difference, Mismatch, Replay, Verified, verify_all
from protocol.record import Fault, LogEntry, Record
from tests.records import played

DUEL = played("savanna-ten", deal="d1")
HERD = played("herd", options={"size": 3})
THREE = played("savanna-ten", 3, {"mouse": "add"}, faulty={1: 8})
"""Seat 1 is faulted in turn 8; a stand-in plays on for it."""
TEAMS = played("savanna-ten", 4, {"teams": True}, faulty={2: 6})
"""A fault of one seat is its team's, and ends the match."""
MATCHES = {"duel": DUEL, "herd": HERD, "stand-in": THREE, "teams": TEAMS}


def first(record: Record, wanted: Callable[[LogEntry], bool]) -> int:
    """The index of the first log entry of a kind."""
    return next(number for number, entry in enumerate(record.log) if wanted(entry))


def with_entry(record: Record, index: int, **changes: Any) -> Record:
    log = list(record.log)
    log[index] = replace(log[index], **changes)
    return replace(record, log=tuple(log))


def with_result(record: Record, **changes: Any) -> Record:
    return replace(record, result=replace(record.result, **changes))


@pytest.mark.parametrize("record", MATCHES.values(), ids=MATCHES)
def test_a_true_record_verifies(record: Record) -> None:
    Replay(record).verify()


def test_the_stand_in_of_the_example_played() -> None:
    assert any(entry.stand_in for entry in THREE.log)
    assert THREE.result.ranks[1] == 3
    assert TEAMS.result.reason == "fault"


@pytest.mark.parametrize("record", MATCHES.values(), ids=MATCHES)
def test_steps_are_the_log_between_states(record: Record) -> None:
    replay = Replay(record)
    steps = list(replay.steps())
    assert tuple(step.entry for step in steps) == record.log
    assert steps[0].before == replay.game.initial(replay.table)
    assert all(a.after is b.before for a, b in pairwise(steps))
    assert replay.game.scores(steps[-1].after) == record.result.scores


CHANCE = first(DUEL, lambda entry: entry.by < 0)
LAST = len(DUEL.log) - 1
ACTION = first(DUEL, lambda entry: entry.by == 0)
CELL = DUEL.log[ACTION].do.partition("@")[2]
AGAIN = first(DUEL, lambda entry: entry.by == 1)
STOOD_IN = first(THREE, lambda entry: entry.stand_in)
OTHER_TILE = {"monkey": "zebra"}.get(DUEL.log[CHANCE].do.partition(":")[2], "monkey")

CHANGED: dict[str, tuple[Record, str]] = {
    "an action onto a taken cell": (
        with_entry(DUEL, AGAIN, do=f"{DUEL.log[AGAIN].do.partition('@')[0]}@{CELL}"),
        f"entry {AGAIN + 1}: seat 1 did '{DUEL.log[AGAIN].do.partition('@')[0]}@{CELL}': "
        f"{CELL} is taken",
    ),
    "an action of another seat": (
        with_entry(DUEL, ACTION, by=1),
        f"entry {ACTION + 1}: seat 1 did '{DUEL.log[ACTION].do}', but it was the turn of seat 0",
    ),
    "a chance outcome": (
        with_entry(DUEL, CHANCE, do=f"draw@0:{OTHER_TILE}"),
        f"entry {CHANCE + 1}: chance did 'draw@0:{OTHER_TILE}', expected '{DUEL.log[CHANCE].do}'",
    ),
    "the deal": (
        replace(HERD, deal="ff"),
        f"entry 1: chance did '{HERD.log[0].do}', expected "
        f"'{played('herd', options={'size': 3}, deal='ff').log[0].do}'",
    ),
    "an action that a stand-in chose": (
        with_entry(DUEL, ACTION, stand_in=True),
        f"entry {ACTION + 1}: a stand-in for seat 0, which has no fault",
    ),
    "a bot's action where a stand-in played": (
        replace(THREE, seed="another"),
        f"entry {STOOD_IN + 1}: seat 1 did '{THREE.log[STOOD_IN].do}', expected ",
    ),
    "a score": (
        with_result(DUEL, scores=(99, DUEL.result.scores[1])),
        f"its result has scores [99, {DUEL.result.scores[1]}], expected {list(DUEL.result.scores)}",
    ),
    "the ranks": (
        with_result(DUEL, ranks=DUEL.result.ranks[::-1]),
        f"its result has ranks {list(DUEL.result.ranks[::-1])}, expected {list(DUEL.result.ranks)}",
    ),
    "the reason": (
        with_result(DUEL, reason="limit"),
        "its result has reason limit, expected finished",
    ),
    "the end of the log": (
        replace(DUEL, log=DUEL.log[:-1]),
        f"its log ends after {LAST} entries, the game does not",
    ),
    "a longer log": (
        replace(DUEL, log=(*DUEL.log, DUEL.log[-1])),
        f"entry {LAST + 2}: seat {DUEL.log[-1].by} did '{DUEL.log[-1].do}', but the game was over",
    ),
    "a fault": (
        replace(DUEL, faults=(Fault(0, "crash", "it exited", 3),)),
        "its result has reason finished, expected fault",
    ),
    "a fault of nobody": (
        replace(DUEL, faults=(Fault(2, "crash", "it exited", 3),)),
        "it has a fault of seat 2, which does not exist",
    ),
    "the bots": (replace(DUEL, bots=DUEL.bots[:1]), "it has 1 bots for 2 seats"),
    "the version": (
        replace(DUEL, version=DUEL.version + 1),
        f"played by version {DUEL.version + 1} of savanna-ten, installed is version {DUEL.version}",
    ),
    "an option left out": (replace(DUEL, options={}), "its options are not complete"),
}


@pytest.mark.parametrize(("record", "difference"), CHANGED.values(), ids=CHANGED)
def test_the_first_difference_is_named(record: Record, difference: str) -> None:
    with pytest.raises(Mismatch) as found:
        Replay(record).verify()
    assert str(found.value).startswith(difference)


def test_every_match_is_verified_and_those_that_differ_are_named() -> None:
    wrong = with_result(played(match="m-2"), reason="limit")
    unknown = replace(played(match="m-3"), game="chess")
    odd = replace(played(match="m-4"), options={"size": 99, "turn_limit": 1})
    assert verify_all([HERD, wrong, unknown, odd, DUEL]) == Verified(
        5,
        (
            Difference("m-2", "its result has reason limit, expected finished"),
            Difference("m-3", "there is no game 'chess'; the games are savanna-ten and herd"),
            Difference("m-4", "option size of herd is a whole number from 2 to 10, not 99"),
        ),
    )
