"""What a replay in the browser shows, and to whom."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.analysis import Analysis, Judged
from arena.ratings import luck
from arena.ratings.luck import luck_by_place
from arena.replay import Mismatch, Replay
from arena.store.db import Store
from arena.web.replay_data import (
    Incident,
    Knowledge,
    Place,
    ReplayData,
    Shown,
    kept_analysis,
    replay_data,
)
from engine.game import CHANCE, Effect
from protocol.record import LogEntry, Record, RecordedBot
from tests.records import played

DUEL = played("savanna-ten", deal="d1")
HERD = played("herd", options={"size": 3})
THREE = played("savanna-ten", 3, {"mouse": "add"}, faulty={1: 8})
"""Seat 1 is faulted in turn 8; a stand-in plays on for it."""
TEAMS = played("savanna-ten", 4, {"teams": True}, faulty={2: 6})
"""A fault of one seat is its team's, and ends the match."""
MATCHES = {"duel": DUEL, "herd": HERD, "stand-in": THREE, "teams": TEAMS}

every_match = pytest.mark.parametrize("record", MATCHES.values(), ids=MATCHES)


def shown(record: Record) -> ReplayData:
    return replay_data(Replay(record))


def drawings(data: ReplayData) -> Sequence[str]:
    """The pictures as a browser puts them together."""
    found, lines = [], list[int]()
    for picture in data.pictures:
        if picture.places is None:
            lines = list(picture.lines)
        else:
            for place, line in zip(picture.places, picture.lines, strict=True):
                lines[place] = line
        found.append("\n".join(data.lines[line] for line in lines))
    return found


def actions(record: Record) -> Sequence[LogEntry]:
    return [entry for entry in record.log if entry.by != CHANCE]


def with_note(record: Record, note: str) -> Record:
    """The record with this note on its first action."""
    log = list(record.log)
    first = log.index(actions(record)[0])
    log[first] = replace(log[first], note=note, value=0.25)
    return replace(record, log=tuple(log))


@every_match
def test_every_action_is_a_step(record: Record) -> None:
    steps = [step for step in shown(record).steps if step.seen and step.seen[0]]
    assert [(step.seat, step.seen[0], step.ms, step.stand_in) for step in steps] == [
        (entry.by, entry.do, entry.ms, entry.stand_in) for entry in actions(record)
    ]


def test_draws_are_part_of_what_they_follow() -> None:
    steps = shown(DUEL).steps
    assert len(steps) == 1 + len(actions(DUEL))
    assert [step.turn for step in steps] == list(range(21))


def test_rolls_are_steps_of_whose_turn_it_is() -> None:
    rolls = [entry.do for entry in HERD.log if entry.by == CHANCE]
    steps = [step for step in shown(HERD).steps if step.seen == (None,)]
    assert [step.seat for step in steps] == [turn % 2 for turn in range(len(rolls))]
    for step, roll in zip(steps, rolls, strict=True):
        words = roll.removeprefix("roll@").replace(",", " and ")
        assert step.effects == (Effect(f"rolled {words}"),)


def test_the_start() -> None:
    start = shown(DUEL).steps[0]
    assert start == Shown(turn=0, pictures=start.pictures, scores=(0, 0), luck=start.luck)


def settled(replay: Replay) -> Sequence[Any]:
    """The states that are shown: draws are waited for, rolls are not."""
    steps = list(replay.steps())
    waits = replay.record.game == "savanna-ten"
    follows = [waits and step.entry.by == CHANCE for step in steps] + [False]
    states = [steps[0].before, *(step.after for step in steps)]
    return [state for state, waited in zip(states, follows, strict=True) if not waited]


@every_match
def test_pictures_are_those_of_the_game(record: Record) -> None:
    replay, data = Replay(record), shown(record)
    game, pictures = replay.game, drawings(data)
    for step, state in zip(data.steps, settled(replay), strict=True):
        assert step.scores == game.scores(state)
        for who, number in zip(data.audience, step.pictures, strict=True):
            view = game.open_view(state) if who.everything else game.view(state, who.seat)
            assert pictures[number] == game.svg(replay.table, view, step.effects)


def test_what_is_the_same_is_kept_once() -> None:
    data = shown(THREE)
    assert len({*drawings(data)}) == len(data.pictures)
    assert len({*data.lines}) == len(data.lines)


def test_who_may_look() -> None:
    everything, public = Knowledge(everything=True), Knowledge()
    assert shown(THREE).audience == (everything, public, *map(Knowledge, range(3)))
    assert shown(HERD).audience == (everything,)


def test_others_see_of_a_lion_that_it_is_one() -> None:
    lion = next(entry for entry in actions(DUEL) if "/lion" in entry.do)
    step = next(step for step in shown(DUEL).steps if step.seen[:1] == (lion.do,))
    seen = f"lion@{lion.do.partition('@')[2]}"
    assert step.seen == (lion.do, seen, *(lion.do if seat == lion.by else seen for seat in (0, 1)))


def test_places() -> None:
    data = shown(TEAMS)
    assert data.places == tuple(
        Place(name, "1.0", seat % 2, TEAMS.result.ranks[seat], TEAMS.result.scores[seat % 2])
        for seat, name in enumerate(("ann", "bob", "cid", "dan"))
    )
    assert data.reason == "fault"


def test_faults() -> None:
    assert shown(DUEL).faults == ()
    assert shown(THREE).faults == (Incident(seat=1, turn=8, words="illegal: D2 is taken"),)


def test_what_bots_say_is_kept_and_cannot_steer_a_page() -> None:
    data = shown(with_note(DUEL, "two\nlines \u202eand \x1b[2J"))
    assert data.steps[1].note == "two\nlines \\u202eand \\x1b[2J"
    assert data.steps[1].value == 0.25
    foreign = replace(DUEL, bots=(RecordedBot("\u202ebot", "\x07", "x"), DUEL.bots[1]))
    assert [*shown(foreign).places[:1]] == [
        Place("\\u202ebot", "\\x07", 0, DUEL.result.ranks[0], DUEL.result.scores[0])
    ]


def test_a_record_that_does_not_replay_is_refused() -> None:
    with pytest.raises(Mismatch, match="entry 1: seat 0 did"):
        shown(replace(DUEL, log=DUEL.log[4:]))


# Luck and analysis


@every_match
def test_the_luck_of_all_steps_is_that_of_the_match(record: Record) -> None:
    told = [step.luck for step in shown(record).steps if step.luck]
    events = luck_by_place(Replay(record)).values()
    sides = max(Replay(record).sides) + 1
    assert [sum(luck[side] for luck in told) for side in range(sides)] == pytest.approx(
        [sum(luck[side] for luck in events) for side in range(sides)], abs=0.003
    )


def test_draws_bring_their_luck_to_what_they_follow_and_rolls_to_themselves() -> None:
    herd = [step.luck for step in shown(HERD).steps if step.luck]
    assert len(herd) == sum(entry.by == CHANCE for entry in HERD.log)
    assert all(step.luck for step in shown(HERD).steps if step.seen == (None,))
    start, *turns = shown(DUEL).steps
    assert start.luck
    drew = [after.by == CHANCE for after in (*DUEL.log[1:], DUEL.log[0])]
    drew[-1] = False
    follows = [drew[n] for n, entry in enumerate(DUEL.log) if entry.by != CHANCE]
    assert [bool(step.luck) for step in turns] == follows


def test_a_game_without_an_evaluator_has_no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "evaluator_of", lambda _game, _table: None)
    assert not any(step.luck for step in shown(DUEL).steps)


ANALYSIS = Analysis(
    DUEL.match,
    "search --nodes 9",
    (Judged(1, 0, ("monkey@A1",), 0.4, ("zebra@B3",), 0.6, 0.2, "blunder"),),
    (40.0, None),
)


def test_an_analysis_is_shown_where_there_is_one() -> None:
    assert replay_data(Replay(DUEL), ANALYSIS).analysis == ANALYSIS
    assert b"analysis" not in msgspec.json.encode(shown(DUEL))


@pytest.mark.parametrize(
    ("kept", "found"),
    [(None, None), (msgspec.json.encode(ANALYSIS).decode(), ANALYSIS), ('{"turns":7}', None)],
    ids=["none", "one", "of another form"],
)
def test_an_analysis_is_taken_from_the_store(
    tmp_path: Path, kept: str | None, found: Analysis | None
) -> None:
    with Store.open(tmp_path / "arena.db") as store:
        store.import_records([DUEL])
        if kept is not None:
            store.keep_analysis(DUEL.match, kept)
        assert kept_analysis(store, DUEL.match) == found
