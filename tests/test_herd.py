"""Herd by its rules: examples, recorded games of another engine, and a plain engine as oracle."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from engine.game import CHANCE, Effect, IllegalAction, Outcome, Table, TableError
from engine.herd import Herd, HerdState
from engine.herd_board import board_of
from engine.herd_wire import HerdMove, HerdOptions, HerdView
from engine.options import make_table
from tests.test_herd_board import neighbours

HERD = Herd()
GOLDEN = (Path(__file__).parent / "golden" / "games-herd.jsonl").read_bytes().splitlines()
ALL_BUT = "all but"


def table(size: int = 5, turn_limit: int = 1000) -> Table[HerdOptions]:
    return make_table(HERD, 2, {"size": size, "turn_limit": turn_limit})


def after(*actions: str, size: int = 5, turn_limit: int = 1000) -> HerdState:
    return played(HERD.initial(table(size, turn_limit)), *actions)


def played(state: HerdState, *actions: str) -> HerdState:
    for action in actions:
        state = HERD.apply(state, action)
    return state


def position(
    black: str, white: str, dice: tuple[int, ...] = (), size: int = 5, **more: int
) -> HerdState:
    """A state with the stones on these cells; `all but …` is every other cell."""
    stones = (cells(size, black), cells(size, white))
    return HerdState(size, more.pop("turn_limit", 1000), more.pop("turn", 3), stones, dice, **more)


def cells(size: int, words: str) -> int:
    board = board_of(size)
    named = sum(board.cells[name].bit for name in words.removeprefix(ALL_BUT).split())
    return board.full ^ named if words.startswith(ALL_BUT) else named


def wire(value: object) -> str:
    return msgspec.json.encode(value).decode()


# Turns


def test_black_rolls_first_on_an_empty_board() -> None:
    state = after()
    assert (HERD.to_act(state), HERD.turn(state), HERD.legal(state)) == (CHANCE, 1, ())


def test_the_first_turn_places_the_low_die_and_removes_nothing() -> None:
    state = after("roll@5,3")
    assert (HERD.to_act(state), state.remove, state.place) == (0, 0, 3)
    state = played(state, "place@A5", "place@A6", "place@A7")
    assert (HERD.to_act(state), state.turn) == (CHANCE, 2)


@pytest.mark.parametrize(
    ("roll", "remove", "place"),
    [("roll@2,5", 2, 5), ("roll@5,2", 2, 5), ("roll@4,6", 3, 6), ("roll@1,1", 1, 1)],
)
def test_later_turns_remove_low_or_all_and_place_high(roll: str, remove: int, place: int) -> None:
    state = after("roll@3,5", "place@A5", "place@A6", "place@A7", roll)
    assert (HERD.to_act(state), state.remove, state.place) == (1, remove, place)
    assert HERD.legal(state) == ["remove@A5", "remove@A6", "remove@A7"]


def test_removed_cells_are_empty_for_the_placements_of_the_turn() -> None:
    state = after("roll@1,1", "place@E5", "roll@1,2", "remove@E5")
    assert (state.stones, state.remove, state.place) == ((0, 0), 0, 2)
    assert HERD.legal(state) == [f"place@{name}" for name in board_of(5).cells]


def test_a_placement_with_every_neighbour_an_enemy_is_forbidden() -> None:
    state = position(black="D5 D6 E4 E6 F4", white="A5", dice=(1, 1), turn=2, place=1)
    assert "place@E5" in HERD.legal(state)
    state = position(black="D5 D6 E4 E6 F4 F5", white="A5", dice=(1, 1), turn=2, place=1)
    assert "place@E5" not in HERD.legal(state)


def test_the_turn_ends_when_no_empty_cell_may_be_filled_and_the_rest_is_lost() -> None:
    state = played(position(black="", white="all but A3", size=3), "roll@1,6", "remove@E1")
    assert (HERD.to_act(state), state.turn, state.dice, state.place) == (CHANCE, 4, (), 0)


# Captures


@pytest.mark.parametrize(
    ("black", "white", "placed", "captured"),
    [
        pytest.param("A6 B4", "A5", "B5", "A5", id="three at a corner"),
        pytest.param("A5 A7 B5", "A6", "B6", "A6", id="four at an edge"),
        pytest.param("D5 D6 E4 E6 F4", "E5", "F5", "E5", id="six inside"),
        pytest.param("A6 B4 C4 C6 D5 D4 B6", "A5 C5", "B5", "A5 C5", id="two, in cell order"),
        pytest.param("A6", "A5", "B5", "", id="not with an empty neighbour"),
        pytest.param("A6 B4", "A5 B5", "B6", "", id="not with a neighbour of its own"),
        pytest.param("", "A5", "I1", "", id="not from afar"),
    ],
)
def test_captures(black: str, white: str, placed: str, captured: str) -> None:
    before = position(black, white, dice=(1, 1), place=1)
    action = f"place@{placed}"
    state = HERD.apply(before, action)
    lost = tuple(captured.split())
    assert state.stones == (cells(5, f"{black} {placed}"), cells(5, white) & ~cells(5, captured))
    assert HERD.redact(before, action, state, 1) == HerdMove(0, action, lost)
    assert HERD.effects(before, action, state) == ((Effect("captured", lost),) if lost else ())
    assert state.place == len(lost)


def test_a_stone_earned_by_a_capture_can_capture_again() -> None:
    state = position("A6 B4 A8 B9", "A5 A9", dice=(1, 1), place=1)
    state = played(state, "place@B5", "place@B8", "place@E5")
    assert (HERD.to_act(state), state.turn) == (CHANCE, 4)
    assert state.stones == (cells(5, "A6 B4 A8 B9 B5 B8 E5"), 0)


def test_the_captured_side_may_fill_the_cell_later() -> None:
    state = position("A6 B4 A5", "E5", dice=(1, 1), turn=2, place=1)
    assert HERD.legal(state)[0] == "place@A7"
    state = played(position("A6 B4", "A5", dice=(1, 1), place=1), "place@B5")
    assert "place@A5" in HERD.legal(state)


def test_filling_the_last_cell_with_a_capture_goes_on() -> None:
    state = position("A2 A3 B1 B3 C1", "B2", dice=(1, 1), place=1, size=2)
    state = played(state, "place@C2")
    assert (HERD.to_act(state), HERD.legal(state)) == (0, ["place@B2"])
    state = played(state, "place@B2")
    assert HERD.outcome(state) == Outcome((1, 2), (7, 0), "finished")


# The end


def test_a_full_board_ends_the_game_in_the_middle_of_a_turn() -> None:
    state = position("A2 A3 B1", "B3 C1 C2", dice=(6, 6), place=6, size=2)
    state = played(state, "place@B2")
    assert (HERD.to_act(state), HERD.legal(state), state.place) == (None, (), 0)
    assert HERD.outcome(state) == Outcome((1, 2), (4, 3), "finished")


@pytest.mark.parametrize(
    ("black", "white", "ranks"),
    [("A5", "E1", (1, 2)), ("A5", "E1 E3 E5", (2, 1)), ("A5", "E1 E3", (1, 1))],
)
def test_the_turn_limit_ends_the_game(black: str, white: str, ranks: tuple[int, int]) -> None:
    state = position(black, white, dice=(1, 1), turn=9, turn_limit=9, place=1)
    assert HERD.outcome(state) is None
    state = played(state, "place@I1")
    assert (HERD.to_act(state), HERD.turn(state)) == (None, 9)
    assert HERD.outcome(state) == Outcome(ranks, (2, len(white.split())), "limit")


def test_a_board_filled_on_the_last_turn_is_finished() -> None:
    state = position("A2 A3 B1", "B3 C1 C2", (1, 1), size=2, turn=9, turn_limit=9, place=1)
    outcome = HERD.outcome(played(state, "place@B2"))
    assert outcome is not None
    assert outcome.reason == "finished"


def test_a_limit_of_one_turn_is_blacks_first_turn() -> None:
    state = after("roll@2,6", "place@A5", "place@A6", turn_limit=1)
    assert HERD.outcome(state) == Outcome((1, 2), (2, 0), "limit")


# What is refused

REMOVING = position("A5 C3", "E5 B5", dice=(2, 3), remove=2, place=3)
PLACING = position("A5 D5 D6 E4 E6 F4 F5", "B5", dice=(2, 3), turn=2, place=3)
OVER = played(after("roll@1,1", turn_limit=1), "place@A5")


@pytest.mark.parametrize(
    ("state", "action", "code", "detail"),
    [
        (
            REMOVING,
            "place@E4",
            "remove-first",
            "'place@E4': first remove 2 more of the enemy's stones",
        ),
        (REMOVING, "remove@C3", "not-enemy", "'remove@C3': no enemy stone is on C3"),
        (REMOVING, "remove@A6", "not-enemy", "'remove@A6': no enemy stone is on A6"),
        (
            REMOVING,
            "remove@J5",
            "no-such-cell",
            "'remove@J5': a board of size 5 has no such cell",
        ),
        (PLACING, "place@A05", "no-such-cell", "'place@A05': a board of size 5 has no such cell"),
        (
            PLACING,
            "remove@A5",
            "none-to-remove",
            "'remove@A5': no more stones are removed this turn",
        ),
        (PLACING, "place@A5", "taken", "'place@A5': a stone is on A5"),
        (PLACING, "place@B5", "taken", "'place@B5': a stone is on B5"),
        (
            PLACING,
            "place@E5",
            "forbidden",
            "'place@E5': every cell next to E5 holds an enemy stone",
        ),
        (
            PLACING,
            "place@é\n",
            "malformed",
            "'place@\\xe9\\n': not of the form remove@C3 or place@C3",
        ),
        (PLACING, "", "malformed", "'': not of the form remove@C3 or place@C3"),
        (PLACING, "roll@1,2", "malformed", "'roll@1,2': not of the form remove@C3 or place@C3"),
        (after(), "place@A5", "not-due", "'place@A5': the dice are to be rolled"),
        (after(), "roll@0,7", "not-due", "'roll@0,7': the dice are to be rolled"),
        (OVER, "place@A6", "over", "'place@A6': the game is over"),
    ],
)
def test_refusals_say_what_is_wrong(state: HerdState, action: str, code: str, detail: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        HERD.apply(state, action)
    assert (refusal.value.code, refusal.value.detail) == (code, detail)


@pytest.mark.parametrize("action", ["place@e4", "Place@E4", " place@E4", "place@E4\n", "place@٣"])
def test_case_space_and_digits_are_exact(action: str) -> None:
    with pytest.raises(IllegalAction, match="not of the form"):
        HERD.apply(PLACING, action)


def test_a_refusal_repeats_little_of_the_text() -> None:
    with pytest.raises(IllegalAction) as refusal:
        HERD.apply(PLACING, "place@A" + "9" * 100_000)
    assert len(refusal.value.detail) < 120


# Chance


def test_the_roll_follows_from_the_deal_and_the_turn_alone() -> None:
    one = after("roll@1,1", "place@A5")
    other = after("roll@2,2", "place@E5", "place@E6")
    assert HERD.chance(one, "deal") == HERD.chance(other, "deal") == "roll@1,6"


def test_the_rolls_of_a_deal_stay_as_they_are() -> None:
    turns = [position("", "", turn=turn) for turn in range(1, 6)]
    rolls = [HERD.chance(state, "deal") for state in turns]
    assert rolls == ["roll@3,3", "roll@1,6", "roll@5,2", "roll@1,3", "roll@1,3"]


def test_every_roll_comes_up_about_equally_often() -> None:
    rolls = [HERD.chance(after(), str(deal)) for deal in range(3600)]
    counts = [rolls.count(name) for name, _ in HERD.chances(after())]
    assert len(counts) == 36
    assert sum((count - 100) ** 2 / 100 for count in counts) < 66.6, "chi² of 35 at p = 0.001"


# On the wire


def test_the_view_is_the_state_of_the_protocol() -> None:
    state = position("", "B2 B3 C1 C2", dice=(2, 2), size=3, remove=2, place=2)
    assert wire(HERD.view(state, 0)) == (
        '{"turn":3,"size":3,"turn_limit":1000,"board":{"B2":1,"B3":1,"C1":1,"C2":1},'
        '"counts":[0,4],"dice":[2,2],"remove":2,"place":2}'
    )


@pytest.mark.parametrize(
    ("before", "action", "event"),
    [
        (after(), "roll@2,5", '{"seat":0,"roll":[2,5]}'),
        (REMOVING, "remove@E5", '{"seat":0,"action":"remove@E5"}'),
        (PLACING, "place@C3", '{"seat":1,"action":"place@C3"}'),
        (
            position("A6 B4", "A5", dice=(1, 1), place=1),
            "place@B5",
            '{"seat":0,"action":"place@B5","captured":["A5"]}',
        ),
    ],
)
def test_events_are_those_of_the_protocol(before: HerdState, action: str, event: str) -> None:
    state = HERD.apply(before, action)
    assert wire(HERD.redact(before, action, state, 0)) == event
    assert wire(HERD.redact(before, action, state, None)) == event


def test_a_view_makes_its_state_again() -> None:
    for state in (after(), REMOVING, PLACING, OVER):
        view = HERD.view(state, 1)
        assert HERD.sample(table(), view, 1, Random(1)) == state


@pytest.mark.parametrize(
    "options", [{"size": 1}, {"size": 11}, {"turn_limit": 0}, {"turn_limit": 100_001}]
)
def test_options_have_bounds(options: dict[str, int]) -> None:
    with pytest.raises(TableError):
        make_table(HERD, 2, options)


# For people


def test_a_roll_is_shown() -> None:
    before = after()
    assert HERD.effects(before, "roll@2,5", played(before, "roll@2,5")) == (
        Effect("rolled 2 and 5"),
    )


def test_text_names_the_ends_of_each_row() -> None:
    state = position("A3 C3 E1", "B2 C4", dice=(2, 4), size=3, remove=2, place=4)
    assert HERD.text(table(3), HERD.view(state, None)).splitlines() == [
        "turn 3: Black X rolled 2 and 4; 2 to remove, 4 to place",
        "",
        "   A3 X . . A5",
        "  B2 O . . . B5",
        " C1 . . X O . C5",
        "  D1 . . . . D4",
        "   E1 X . . E3",
        "",
        "Black X: 3   White O: 2",
    ]


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (after(), "turn 1: Black X is to roll"),
        (PLACING, "turn 2: White O rolled 2 and 3; 3 to place"),
        (OVER, "turn 1: Black X rolled 1 and 1; the game is over"),
    ],
)
def test_text_says_what_is_to_be_done(state: HerdState, line: str) -> None:
    assert HERD.text(table(), HERD.view(state, None)).splitlines()[0] == line


# Whole games


class Entry(msgspec.Struct):
    by: int
    do: str
    captured: tuple[str, ...] = ()


class Recorded(msgspec.Struct):
    options: dict[str, int]
    log: list[Entry]
    result: dict[str, list[int]]


@pytest.mark.parametrize("line", GOLDEN, ids=range(len(GOLDEN)))
def test_recorded_games_of_another_engine_replay(line: bytes) -> None:
    record = msgspec.json.decode(line, type=Recorded)
    state = HERD.initial(make_table(HERD, 2, record.options))
    for entry in record.log:
        assert HERD.to_act(state) == entry.by
        before, state = state, HERD.apply(state, entry.do)
        event = HERD.redact(before, entry.do, state, None)
        assert getattr(event, "captured", ()) == entry.captured
    outcome = HERD.outcome(state)
    assert outcome is not None
    assert list(outcome.ranks) == record.result["ranks"]
    assert list(outcome.scores) == record.result["scores"]


def expected_actions(view: HerdView) -> list[str]:
    """What is legal in a view, by the words of the rules."""
    board = board_of(view.size)
    enemy = view.turn % 2
    enemies = {name for name, seat in view.board.items() if seat == enemy}
    if view.remove:
        return [f"remove@{name}" for name in board.cells if name in enemies]
    return [
        f"place@{name}"
        for name in board.cells
        if name not in view.board and not neighbours(board, name) <= enemies
    ]


def expected_board(view: HerdView, verb: str, cell: str) -> dict[str, int]:
    """The board after a legal action, by the words of the rules."""
    owners = dict(view.board)
    if verb == "remove":
        del owners[cell]
        return owners
    own = (view.turn - 1) % 2
    owners[cell] = own
    held = {name for name, seat in owners.items() if seat == own}
    board = board_of(view.size)
    return {
        name: seat
        for name, seat in owners.items()
        if seat == own or not neighbours(board, name) <= held
    }


@pytest.mark.parametrize("size", [2, 3, 4, 5, 10])
def test_random_play_agrees_with_a_plain_engine(size: int) -> None:
    rng, state = Random(size), after(size=size)
    while (seat := HERD.to_act(state)) is not None:
        if seat == CHANCE:
            state = HERD.apply(state, HERD.chance(state, "plain"))
            continue
        view = HERD.view(state, seat)
        assert HERD.legal(state) == expected_actions(view)
        action = rng.choice(HERD.legal(state))
        state = HERD.apply(state, action)
        assert HERD.view(state, seat).board == expected_board(view, *action.split("@"))
