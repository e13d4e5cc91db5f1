"""Savanna Ten by its rules: the rulebook's game, recorded games of another engine, secrets."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engine.game import CHANCE, Effect, Outcome, Table, TableError
from engine.options import OptionInfo, list_options, make_table
from engine.randomness import shuffled
from engine.savanna_ten_course import variant_of
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_wire import SavannaOptions
from tests.savanna_ten_games import (
    EXAMPLE,
    GAME,
    GOLDEN,
    RECORDS,
    TABLES,
    name_of,
    played,
    random_game,
    replayed,
    table,
)

encode = msgspec.json.encode


def by_cells(lines: list[dict[str, Any]]) -> dict[tuple[str, ...], tuple[int, dict[int, int]]]:
    return {
        tuple(line["cells"]): (
            line["total"],
            {int(side): points for side, points in line["points"].items()},
        )
        for line in lines
    }


def judged(effects: Any) -> dict[tuple[str, ...], tuple[int, dict[int, int]]]:
    return {
        effect.cells: (int(effect.label.removeprefix("line of ")), effect.points)
        for effect in effects
    }


# Whole games


@pytest.mark.parametrize("record", [GOLDEN, *RECORDS])
def test_a_recorded_game(record: dict[str, Any]) -> None:
    state = GAME.initial(table(record["players"], **record["options"]))
    for entry in record["log"]:
        assert GAME.to_act(state) == entry["by"]
        assert GAME.outcome(state) is None
        assert entry["by"] == CHANCE or entry["do"] in GAME.legal(state)
        after = GAME.apply(state, entry["do"])
        assert list(after.scores) == entry.get("scores", list(state.scores))
        effects = GAME.effects(state, entry["do"], after)
        assert judged(effects) == by_cells(entry.get("lines", []))
        state = after
    assert GAME.to_act(state) is None
    result = record["result"]
    assert GAME.outcome(state) == Outcome(
        tuple(result["ranks"]), tuple(result["scores"]), "finished"
    )
    assert list(state.lions) == result["lions"]


def test_the_rulebooks_game_ends_10_15_14_14_and_lions_decide_second_place() -> None:
    end = replayed(GOLDEN)
    assert GAME.outcome(end) == Outcome((4, 1, 3, 2), (10, 15, 14, 14), "finished")
    assert end.lions == (2, 0, 1, 0)


def test_the_rulebooks_scores_after_each_turn() -> None:
    """The rulebook works through these twelve turns; nothing is scored before."""
    state, scores = GAME.initial(table(4, "replace")), []
    for entry in GOLDEN["log"]:
        state = GAME.apply(state, entry["do"])
        if entry["by"] != CHANCE:
            scores.append(GAME.scores(state))
    assert scores[:8] == [(0, 0, 0, 0)] * 8
    assert scores[8:] == [
        (3, 0, 0, 0),
        (3, 2, 0, 0),
        (3, 2, 3, 0),
        (3, 2, 3, 5),
        (5, 2, 5, 5),
        (5, 6, 5, 5),
        (5, 6, 8, 5),
        (5, 8, 8, 8),
        (10, 8, 8, 8),
        (10, 12, 8, 8),
        (10, 15, 13, 8),
        (10, 15, 14, 14),
    ]


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_a_state_survives_json(of: Table[SavannaOptions]) -> None:
    for state, _ in random_game(of, seed=2):
        assert msgspec.json.decode(encode(state), type=SavannaState) == state
        assert state.table == of


def test_a_turn_is_counted_by_the_tiles_placed() -> None:
    assert GAME.turn(EXAMPLE) == 9
    assert GAME.turn(played(EXAMPLE, "monkey@A1")) == 10
    assert GAME.turn(GAME.initial(table())) == 1


# Legal actions


def test_legal_by_tile_then_side_then_cell() -> None:
    free = ["A1", "A2", "A3", "B2", "B5", "C1", "C2", "C4", "C5", "D1", "D3", "E1"]
    words = ("monkey", "monkey/lion", "elephant", "elephant/lion")
    assert list(GAME.legal(EXAMPLE)) == [f"{word}@{cell}" for word in words for cell in free]


def test_two_tiles_of_a_kind_are_one_choice() -> None:
    state = replayed(GOLDEN, 12)
    assert GAME.view(state, 2).hand == ("zebra", "zebra")
    legal = GAME.legal(state)
    assert len(legal) == len(set(legal)) == 2 * 18
    assert {action.partition("@")[0] for action in legal} == {"zebra", "zebra/lion"}


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_exactly_the_legal_placements_are_taken(of: Table[SavannaOptions]) -> None:
    every = [
        f"{tile}{back}@{letter}{number}"
        for tile in ("monkey", "zebra", "giraffe", "elephant", "mouse")
        for back in ("", "/lion")
        for letter in "ABCDEF"
        for number in range(6)
    ]
    for state, _ in random_game(of, seed=4):
        assert [action for action in every if is_taken(state, action)] == list(GAME.legal(state))


def is_taken(state: SavannaState, action: str) -> bool:
    try:
        GAME.apply(state, action)
    except ValueError:
        return False
    return True


def test_nothing_is_legal_where_no_seat_is_to_act() -> None:
    assert GAME.legal(GAME.initial(table())) == ()
    assert GAME.legal(replayed(GOLDEN)) == ()


# The result


@pytest.mark.parametrize(
    ("players", "teams", "scores", "lions", "ranks"),
    [
        (2, False, (20, 18), (9, 0), (1, 2)),
        (2, False, (18, 18), (3, 2), (2, 1)),
        (2, False, (18, 18), (2, 2), (1, 1)),
        (3, False, (5, 9, 9), (0, 1, 1), (3, 1, 1)),
        (3, False, (9, 9, 9), (2, 1, 0), (3, 2, 1)),
        (4, False, (9, 9, 7, 5), (1, 1, 0, 0), (1, 1, 3, 4)),
        (4, False, (3, 3, 3, 3), (1, 1, 1, 1), (1, 1, 1, 1)),
        (4, False, (1, 7, 7, 7), (0, 2, 2, 1), (4, 2, 2, 1)),
        (4, True, (10, 12), (0, 4), (2, 1, 2, 1)),
        (4, True, (12, 12), (3, 4), (1, 2, 1, 2)),
        (4, True, (12, 12), (4, 4), (1, 1, 1, 1)),
    ],
)
def test_ranks(
    players: int,
    teams: bool,
    scores: tuple[int, ...],
    lions: tuple[int, ...],
    ranks: tuple[int, ...],
) -> None:
    of = table(players, teams=teams)
    end = msgspec.structs.replace(
        GAME.initial(of), played=len(variant_of(of).course) - 1, scores=scores, lions=lions
    )
    assert GAME.outcome(end) == Outcome(ranks, scores, "finished")


def test_no_result_before_the_last_draw() -> None:
    record = next(record for record in RECORDS if record["log"][-1]["by"] == CHANCE)
    before = replayed(record, len(record["log"]) - 1)
    assert (GAME.to_act(before), GAME.outcome(before)) == (CHANCE, None)


# Points of a placement


def test_a_draw_has_no_effects() -> None:
    state = played(EXAMPLE, "monkey@A1")
    assert not GAME.effects(state, "draw@0:zebra", played(state, "draw@0:zebra"))


def test_two_lines_at_once() -> None:
    """Seat 0 has 7 of 15 in column E and 10 of 12 in the rising diagonal; 2 lines over 10."""
    after = played(EXAMPLE, "elephant@E1")
    assert GAME.effects(EXAMPLE, "elephant@E1", after) == [
        Effect("line of 15", ("E1", "E3", "E4", "E5"), {0: 1}),
        Effect("line of 12", ("A5", "B4", "D2", "E1"), {1: 1}),
    ]
    assert after.scores == (1, 1)


def test_team_mates_share_their_influence_and_their_lions() -> None:
    """Alone, seat 2 would have the lowest share of a line of 11; with seat 0 it has 7."""
    state = GAME.initial(table(4, teams=True))
    state = played(
        state,
        *("draw@0:monkey", "draw@0:elephant", "draw@1:monkey", "draw@1:monkey"),
        *("draw@2:zebra", "draw@2:giraffe", "draw@3:monkey", "draw@3:zebra"),
        *("elephant@A2", "draw@0:monkey", "monkey/lion@E5", "draw@1:zebra"),
        *("zebra@B3", "draw@2:monkey", "zebra/lion@C4", "draw@3:monkey"),
    )
    assert (state.scores, state.lions) == ((0, 1), (0, 2))


# Chance


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_a_seats_draws_follow_from_the_deal_alone(of: Table[SavannaOptions]) -> None:
    """However the seats play, the same deal gives each of them the same tiles in order."""
    assert draws_of(of, 1) == draws_of(of, 2) != draws_of(of, 1, deal="another")
    for seat, drawn in enumerate(draws_of(of, 3)):
        pile = shuffled(variant_of(of).tiles, "a deal", "pile", seat)
        assert drawn == [f"draw@{seat}:{tile}" for tile in pile[: len(drawn)]]


def draws_of(of: Table[SavannaOptions], play: int, deal: str = "a deal") -> list[list[str]]:
    rng, state = Random(play), GAME.initial(of)
    drawn: list[list[str]] = [[] for _ in range(of.players)]
    while (seat := GAME.to_act(state)) is not None:
        if seat == CHANCE:
            action = GAME.chance(state, deal)
            assert GAME.chance(state, deal) == action
            drawn[state.step.seat].append(action)
        else:
            action = rng.choice(GAME.legal(state))
        state = GAME.apply(state, action)
    return drawn


def test_chances_are_those_of_the_seats_pile() -> None:
    assert GAME.chances(played(EXAMPLE, "monkey@A1")) == (
        ("draw@0:monkey", 1 / 2),
        ("draw@0:zebra", 1 / 2),
    )
    assert GAME.chances(GAME.initial(table())) == (
        ("draw@0:monkey", 4 / 10),
        ("draw@0:zebra", 3 / 10),
        ("draw@0:giraffe", 2 / 10),
        ("draw@0:elephant", 1 / 10),
    )
    assert GAME.chances(EXAMPLE) == ()


# Secrets


def twins(of: Table[SavannaOptions]) -> Iterator[tuple[SavannaState, SavannaState, int]]:
    """Pairs of states that differ only in what the seat may not know."""
    rng = Random(6)
    for state, _ in random_game(of, seed=6):
        for seat in range(of.players):
            other = GAME.sample(of, GAME.view(state, seat), seat, rng)
            if other != state:
                yield state, other, seat


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_a_seat_is_told_nothing_that_it_may_not_know(of: Table[SavannaOptions]) -> None:
    pairs = list(twins(of))
    assert len(pairs) > 50
    for state, twin, seat in pairs:
        for told in (seat, None):
            assert encode(GAME.view(state, told)) == encode(GAME.view(twin, told))
        assert encode(GAME.open_view(state)) != encode(GAME.open_view(twin))
        if GAME.to_act(state) == seat:
            assert GAME.legal(state) == GAME.legal(twin)


@pytest.mark.parametrize("of", TABLES, ids=name_of)
def test_events_tell_the_others_nothing_hidden(of: Table[SavannaOptions]) -> None:
    for state, action in random_game(of, seed=8):
        after = GAME.apply(state, action)
        actor = state.step.seat
        if GAME.to_act(state) == CHANCE:
            own: dict[str, Any] = {"seat": actor, "draw": action.partition(":")[2]}
            seen = {"seat": actor, "draw": None}
        else:
            shown = f"lion@{action[-2:]}" if "/lion" in action else action
            own = {"seat": actor, "action": action, "scores": after.scores}
            seen = own | {"action": shown}
        for seat in (*range(of.players), None):
            event = msgspec.to_builtins(GAME.redact(state, action, after, seat))
            assert event == (own if seat == actor else seen)


# Options


@pytest.mark.parametrize("players", [2, 3])
def test_teams_need_four_players(players: int) -> None:
    with pytest.raises(TableError) as error:
        table(players, teams=True)
    assert str(error.value) == (
        f"option teams of savanna-ten needs 4 players, not {players};"
        " ask for 4, or leave teams false"
    )


@pytest.mark.parametrize(
    ("players", "options", "words"),
    [
        (1, {}, "not 1"),
        (5, {}, "not 5"),
        (2, {"mouse": "both"}, "option mouse of savanna-ten is off, replace or add"),
        (4, {"teams": "maybe"}, "option teams of savanna-ten is true or false"),
        (4, {"lions": 2}, "savanna-ten has no option 'lions'"),
    ],
)
def test_a_table_that_cannot_be(players: int, options: dict[str, Any], words: str) -> None:
    with pytest.raises(TableError) as error:
        make_table(GAME, players, options)
    assert words in str(error.value)


def test_the_options() -> None:
    assert list_options(GAME) == (
        OptionInfo(
            "mouse",
            "off, replace or add",
            "off",
            "a mouse in each set: none, in place of a monkey, or on top",
        ),
        OptionInfo(
            "teams",
            "true or false",
            False,
            "seats 0 and 2 against seats 1 and 3 (4 players only)",
        ),
    )
