"""The bot lookahead: which turns it finds, and what it expects of each."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from bots import greedy, judge_savanna_ten, lookahead, random_bot
from bots.lookahead import turns
from bots.lookahead_herd import ROLLS, HerdForesight
from bots.lookahead_savanna_ten import (
    FACES,
    answers,
    chances_to_show,
    gains,
    hope,
    unseen_tiles,
)
from engine.game import CHANCE
from engine.herd import Herd, HerdState
from engine.herd_board import board_of
from engine.options import make_table
from engine.registry import game
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_lines import SHARES, in_line
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import HANDS, pack
from engine.savanna_ten_wire import Board, Face, Placed
from protocol.bot import Answer
from protocol.messages import Act, ActTime, Start, StartTime
from tests.driver import Called, Player, play, program

HERD, SAVANNA = Herd(), SavannaTen()
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("savanna-ten", 2, {"mouse": "replace"}),
    ("savanna-ten", 3, {}),
    ("savanna-ten", 4, {"mouse": "add"}),
    ("savanna-ten", 4, {"teams": True, "mouse": "add"}),
    ("herd", 2, {"size": 2}),
    ("herd", 2, {"size": 3, "turn_limit": 5}),
]


# Whole games


class Checked(Called):
    """Its notes and values are checked as well."""

    def ask(self, act: Act) -> Any:
        action = super().ask(act)
        assert action.note
        assert action.value is not None
        assert 0 <= action.value <= 1
        return action


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_it_plays_legally(name: str, players: int, options: dict[str, Any]) -> None:
    others: list[Player] = [Called(random_bot.decide) for _ in range(players - 1)]
    table = make_table(game(name), players, options)
    play(game(name), table, [*others, Checked(lookahead.decide)], "0a")


def test_it_is_a_program() -> None:
    with program([sys.executable, "-P", "-m", "bots.lookahead"]) as process:
        assert process.ready.name == "lookahead"
        assert process.ready.games == ["savanna-ten", "herd"]


def unhurried(act: Act, start: Start) -> Sequence[str] | Answer:
    """A busy host changes nothing."""
    return lookahead.decide(replace(act, time=ActTime(None, None)), start)


def test_it_beats_greedy() -> None:
    """In Herd as well, see docs/bots.md; a match takes too long there for a test."""
    table, won = make_table(SAVANNA, 2, {}), 0
    for deal in range(5):
        for seat in (0, 1):
            seats: list[Player] = [Called(greedy.decide)] * 2
            seats[seat] = Called(unhurried)
            won += play(SAVANNA, table, seats, f"{deal:02x}").ranks[seat] == 1
    assert won >= 6


# Its turns


def herd(black: str, white: str, remove: int = 0, place: int = 0, turn: int = 3) -> HerdState:
    """A state of size 3: Black is to move in turn 3, White in turn 4."""
    cells = board_of(3).cells
    stones = [sum(cells[name].bit for name in side.split()) for side in (black, white)]
    return HerdState(3, 1000, turn, (stones[0], stones[1]), (1, 2), remove, place)


def herd_turns(state: HerdState) -> Sequence[lookahead.Turn]:
    return turns(HERD, HerdForesight(make_table(HERD, 2, {"size": 3})), state, Random(0))


def test_the_orders_of_a_turn_are_one_turn() -> None:
    found = herd_turns(herd("A3 A4 A5", "", place=2))
    assert len({turn.state for turn in found}) == len(found)


def test_a_turn_is_whole() -> None:
    for turn in herd_turns(herd("A3 A4 A5", "C1 C2 E1", remove=2, place=2)):
        assert [action.partition("@")[0] for action in turn.actions] == ["remove"] * 2 + [
            "place"
        ] * 2
        assert HERD.to_act(turn.state) == CHANCE


def test_a_turn_grows_with_a_capture() -> None:
    [best, *_] = herd_turns(herd("A4 B3", "A3 E1 E2", place=1))
    assert len(best.actions) == 2, "the capture gives a stone"
    assert "place@B2" in best.actions


def test_a_turn_ends_with_the_game() -> None:
    everything = " ".join(board_of(3).cells)
    full = everything.replace("A3 ", "").replace(" E3", "")
    best, *_ = herd_turns(herd(full, "", place=6))
    assert HERD.outcome(best.state) is not None


@pytest.mark.parametrize(("size", "candidates"), [(2, 8), (3, 8), (5, 6), (7, 3), (10, 2)])
def test_fewer_turns_are_looked_at_on_a_larger_board(size: int, candidates: int) -> None:
    assert HerdForesight(make_table(HERD, 2, {"size": size})).candidates == candidates


# What it expects in Herd


def test_the_rolls_are_those_of_two_dice() -> None:
    assert len(ROLLS) == 21
    assert sum(chance for _, chance in ROLLS) == pytest.approx(1)


def test_a_game_that_is_over_is_certain() -> None:
    table = make_table(HERD, 2, {"size": 2})
    cells = [cell.bit for cell in board_of(2).cells.values()]
    over = HerdState(2, 1000, 3, (sum(cells[:4]), sum(cells[4:])), (1, 2))
    assert HerdForesight(table).outlook(over, 0) == 1
    assert HerdForesight(table).outlook(over, 1) == 0


def test_it_fears_the_roll_that_fills_the_board() -> None:
    """White fills the last cells with most rolls, so what counts is who then has more."""
    cells = " ".join(board_of(3).cells).split()
    ahead = herd(" ".join(cells[:13]), " ".join(cells[13:18]), turn=4)
    ahead = HerdState(3, 1000, 4, ahead.stones)
    behind = HerdState(3, 1000, 4, (ahead.stones[1], ahead.stones[0]))
    foresight = HerdForesight(make_table(HERD, 2, {"size": 3}))
    assert foresight.outlook(behind, 0) < 0.1
    assert foresight.outlook(ahead, 0) > 0.5


# What it expects in Savanna Ten


def dealt(players: int = 2, **options: Any) -> SavannaState:
    """The hands are drawn, the board is empty."""
    return drawn(SAVANNA.initial(make_table(SAVANNA, players, options)))


def drawn(state: SavannaState) -> SavannaState:
    while SAVANNA.to_act(state) == CHANCE:
        state = SAVANNA.apply(state, SAVANNA.chance(state, "0a"))
    return state


def first_of(state: SavannaState, face: str) -> SavannaState:
    """The seat to act lays the first face of this kind that it can."""
    action = next(action for action in SAVANNA.legal(state) if face in action)
    return drawn(SAVANNA.apply(state, action))


def test_tiles_that_lie_animal_side_up_were_seen() -> None:
    state = dealt()
    kind = HANDS[state.hand(0)][0]
    after = first_of(first_of(state, f"{kind}@"), "lion")
    assert unseen_tiles(after, 0) == unseen_tiles(state, 0) - Counter({kind: 1})
    assert unseen_tiles(after, 1) == unseen_tiles(state, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_of_the_answers_is_given(players: int) -> None:
    state = dealt(players, mouse="add")
    for _ in range(players * 3):
        chances = [chance for _, chance in answers(state, judge_savanna_ten.worth)]
        assert sum(chances) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in chances)
        state = first_of(state, "@")


def test_a_face_is_shown_as_often_as_it_is_held() -> None:
    """On an empty board every animal is as good as another, and the first is shown."""
    state = dealt()
    likely = max(answers(state, judge_savanna_ten.worth), key=lambda answer: answer[1])
    assert likely[1] == pytest.approx(1 - comb(6, 2) / comb(10, 2)), "4 of 10 tiles are monkeys"


def test_its_own_tiles_are_known() -> None:
    state = SavannaState(
        "2-off", 4, bytes(20), 0, (0, 0), (0, 0), pack(["zebra"]), pack(["monkey", "giraffe"])
    )
    assert chances_to_show(state, 0) == [0.5, 1.0, 0.5, 0.0, 0.0, 1.0]
    assert chances_to_show(state, 1) == [0.0] * 6


@pytest.mark.parametrize(
    ("tiles", "sides", "expected"),
    [
        pytest.param(
            [("monkey", 0), ("zebra", 0), ("zebra", 1)],
            2,
            {"monkey": 2, "giraffe": 2, "elephant": 3, "lion": 2},
            id="under ten the higher share",
        ),
        pytest.param(
            [("elephant", 0), ("elephant", 1), ("monkey", 1)],
            2,
            {"monkey": 0, "zebra": -1, "lion": -1},
            id="over ten the lower share",
        ),
        pytest.param(
            [("elephant", 1), ("lion", 1)], 3, {"monkey": 3, "zebra": 1}, id="of three sides"
        ),
    ],
)
def test_what_a_face_gains(
    tiles: Sequence[tuple[Any, int]], sides: int, expected: Mapping[Face, float]
) -> None:
    line = sum(
        in_line("monkey" if tile == "lion" else tile, side, lion=tile == "lion")
        for tile, side in tiles
    )
    found = dict(zip(FACES, gains(line & SHARES, 0, sides), strict=True))
    assert {face: found[face] for face in expected} == expected


def test_hope_is_for_the_best_gap() -> None:
    """Column A holds zebra, zebra, monkey of the other side: 5, so an elephant makes ten."""
    table = make_table(SAVANNA, 2, {})
    view = SAVANNA.view(dealt(), 0)
    assert hope(dealt(), 0, [1.0] * 6) == 0
    placed = {"A1": Placed(1, "zebra"), "A2": Placed(1, "zebra"), "A3": Placed(1, "monkey")}
    after = replace(view, board=Board(**placed), turn=4)
    state = SAVANNA.sample(table, after, 0, Random(0))
    assert hope(state, 0, [1.0] * 6) == 3
    assert hope(state, 0, [1.0, 1.0, 1.0, 0.1, 0.0, 0.0]) == pytest.approx(0.3), "else they score"


# Single decisions


def test_the_same_question_gets_the_same_answer() -> None:
    act, start = question(dealt())
    assert lookahead.decide(act, start) == lookahead.decide(act, start)


def test_it_answers_at_once_where_its_clock_is_short() -> None:
    act, start = question(dealt(), turn_ms=1)
    answer = lookahead.decide(act, start)
    assert isinstance(answer, Answer)
    assert answer.note == "best of 1 turns"


def question(state: SavannaState, turn_ms: int = 60_000) -> tuple[Act, Start]:
    """What seat 0 is asked."""
    start = Start("m1", "savanna-ten", 1, {}, 2, 0, 7, StartTime(1000, 5000))
    view = msgspec.to_builtins(SAVANNA.view(state, 0))
    return Act("m1", 1, 0, view, [], SAVANNA.legal(state), ActTime(turn_ms, None)), start
