"""The bots that come with the arena: legal in every game, and as good as they claim."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bots import greedy, random_bot
from bots.judge import Lead, judge_of, lead
from bots.judge_herd import share, worth
from engine.game import AnyTable, Table
from engine.herd import Herd, HerdState
from engine.herd_board import board_of
from engine.options import make_table
from engine.registry import game
from protocol.bot import Answer, Decide
from protocol.messages import Act, Start, StartTime
from tests.driver import Called, Player, play, program

BOTS: dict[str, tuple[str, Decide]] = {
    "random": ("bots.random_bot", random_bot.decide),
    "greedy": ("bots.greedy", greedy.decide),
}
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("savanna-ten", 2, {}),
    ("savanna-ten", 3, {"mouse": "add"}),
    ("savanna-ten", 4, {"mouse": "replace"}),
    ("savanna-ten", 4, {"teams": True, "mouse": "add"}),
    ("herd", 2, {}),
    ("herd", 2, {"size": 2}),
    ("herd", 2, {"size": 3, "turn_limit": 5}),
]
every_table = pytest.mark.parametrize(("name", "players", "options"), TABLES)


def command(module: str) -> list[str]:
    """How the arena starts a bundled bot."""
    return [sys.executable, "-P", "-m", module]


def question(
    name: str, state: Mapping[str, Any], legal: Sequence[str] = (), players: int = 2
) -> tuple[Act, Start]:
    """A question to seat 0 of a game with default options, and the start of its match."""
    about = Start("m1", name, 1, {}, players, 0, 7, StartTime(1000, 5000))
    return Act("m1", 1, 0, state, [], legal), about


def answer(decide: Decide, act: Act, start: Start) -> Answer:
    given = decide(act, start)
    assert isinstance(given, Answer)
    return given


# Whole games


class Checked(Called):
    """A bot whose notes and values are checked as well."""

    def ask(self, act: Act) -> Any:
        action = super().ask(act)
        assert action.note
        assert action.note.isprintable()
        assert len(action.note) <= 50
        assert action.value is None or 0 <= action.value <= 1
        return action


@pytest.mark.parametrize("bot", BOTS)
@every_table
def test_a_bot_plays_legally(bot: str, name: str, players: int, options: dict[str, Any]) -> None:
    seats = [Checked(BOTS[bot][1]) for _ in range(players)]
    for deal in ("0a", "0b", "0c"):
        play(game(name), make_table(game(name), players, options), seats, deal)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_is_a_program(bot: str) -> None:
    with program(command(BOTS[bot][0])) as process:
        assert process.ready.name == bot
        for name in ("savanna-ten", "herd"):
            table = make_table(game(name), 2, {})
            play(game(name), table, [process, Called(random_bot.decide)], "0a")


def test_a_folder_of_the_user_cannot_stand_in_for_a_bot(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "__init__.py").touch()
    (tmp_path / "bots" / "greedy.py").write_text("raise SystemExit('the wrong one')")
    with program(command("bots.greedy"), tmp_path) as process:
        assert process.ready.name == "greedy"


def ranks_of(decide: Decide, table: AnyTable, name: str, deals: int) -> list[int]:
    """A bot's rank against random bots, once in every seat of every deal."""
    ranks = []
    for deal in range(deals):
        for seat in range(table.players):
            seats: list[Player] = [Called(random_bot.decide) for _ in range(table.players)]
            for mate, side in enumerate(game(name).sides(table)):
                if side == game(name).sides(table)[seat]:
                    seats[mate] = Called(decide)
            ranks.append(play(game(name), table, seats, f"{deal:02x}").ranks[seat])
    return ranks


@pytest.mark.parametrize(
    ("name", "players", "options", "wins"),
    [
        ("savanna-ten", 2, {}, 10),
        ("savanna-ten", 3, {}, 14),
        ("savanna-ten", 4, {"teams": True}, 20),
        ("herd", 2, {}, 10),
    ],
)
def test_greedy_beats_random(name: str, players: int, options: dict[str, Any], wins: int) -> None:
    table = make_table(game(name), players, options)
    assert ranks_of(greedy.decide, table, name, deals=5).count(1) >= wins


# Single decisions


def test_random_is_uniform_over_what_is_legal() -> None:
    legal = ["place@A1", "place@A2", "place@A3"]
    counts = dict.fromkeys(legal, 0)
    for number in range(900):
        act = Act("m1", number, 0, {}, [], legal)
        [action] = random_bot.decide(act, question("herd", {})[1]).actions
        counts[action] += 1
    assert all(250 < count < 350 for count in counts.values())


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_question_gets_the_same_answer(bot: str) -> None:
    decide = BOTS[bot][1]
    act, start = question(
        "savanna-ten", savanna({}, ["monkey", "zebra"]), ["monkey@A1", "zebra@A1"]
    )
    assert answer(decide, act, start) == answer(decide, act, start)


def savanna(board: Mapping[str, tuple[int, str]], hand: Sequence[str]) -> dict[str, Any]:
    """A view of seat 0 of 2, as it stands on the wire; the piles hold what was not seen."""
    left = {"monkey": 4, "zebra": 3, "giraffe": 2, "elephant": 1, "mouse": 0}
    for tile in [*hand, *(side for seat, side in board.values() if seat == 0)]:
        left[tile] -= 1
    placed = [sum(seat == own for seat, _ in board.values()) for own in (0, 1)]
    return {
        "turn": 1 + len(board),
        "board": {cell: {"seat": seat, "side": side} for cell, (seat, side) in board.items()},
        "scores": [0, 0],
        "lions": [0, 0],
        "hand": hand,
        "hidden": {},
        "pile": left,
        "hands": [2, 2],
        "piles": [8 - placed[0], 8 - placed[1]],
    }


COLUMN_OF_NINE = {"A1": (1, "zebra"), "A2": (0, "zebra"), "A3": (1, "elephant"), "E5": (0, "zebra")}


def test_greedy_completes_a_line_of_ten() -> None:
    act, start = question("savanna-ten", savanna(COLUMN_OF_NINE, ["monkey", "elephant"]))
    assert answer(greedy.decide, act, start).actions == ["monkey@A5"]


def test_greedy_leaves_no_line_one_short() -> None:
    board = {"A1": (1, "zebra"), "A2": (0, "zebra")}
    act, start = question("savanna-ten", savanna(board, ["giraffe", "giraffe"]))
    [action] = answer(greedy.decide, act, start).actions
    assert not action.endswith(("A3", "A5"))


def test_greedy_keeps_lions_and_high_tiles_back() -> None:
    act, start = question("savanna-ten", savanna({}, ["monkey", "elephant"]))
    [action] = answer(greedy.decide, act, start).actions
    assert re.fullmatch(r"monkey@\w\d", action)


def herd(board: Mapping[str, int], remove: int = 0, place: int = 1) -> dict[str, Any]:
    """A view of seat 0 on a board of size 5, as it stands on the wire."""
    counts = [list(board.values()).count(seat) for seat in (0, 1)]
    dice = [max(remove, 1), max(place, remove, 1)]
    return {
        "turn": 3,
        "size": 5,
        "turn_limit": 1000,
        "board": dict(board),
        "counts": counts,
        "dice": dice,
        "remove": remove,
        "place": place,
    }


CORNER = {"A5": 1, "A6": 0, "B4": 0, "I5": 1}
"""A white stone in the corner A5 that a black one at B5 captures."""


def test_greedy_captures_and_places_the_stone_it_gets_for_it() -> None:
    act, start = question("herd", herd(CORNER))
    actions = answer(greedy.decide, act, start).actions
    assert actions[0] == "place@B5"
    assert len(actions) == 2


def test_greedy_answers_a_whole_turn_at_once() -> None:
    act, start = question("herd", herd({"E5": 1, "E6": 1, "E7": 1, "A5": 0}, remove=1, place=3))
    verbs = [action.partition("@")[0] for action in answer(greedy.decide, act, start).actions]
    assert verbs == ["remove", "place", "place", "place"]


def test_greedy_removes_the_stone_that_it_cannot_capture() -> None:
    act, start = question("herd", herd(CORNER, remove=1))
    assert answer(greedy.decide, act, start).actions[:2] == ["remove@I5", "place@B5"]


# What states are worth


def herd_state(black: str, white: str, place: int = 0) -> HerdState:
    """A state of size 3 with stones on these cells."""
    cells = board_of(3).cells
    stones = [sum(cells[name].bit for name in side.split()) for side in (black, white)]
    return HerdState(3, 1000, 3, (stones[0], stones[1]), (1, 2), 0, place)


@pytest.mark.parametrize(
    ("black", "white", "place", "points"),
    [
        pytest.param("", "", 0, 0, id="nothing"),
        pytest.param("C3 C4", "", 0, 2, id="two stones that hold together"),
        pytest.param("C3", "", 0, 1 - 0.5 / 6, id="a lone stone with room"),
        pytest.param("A3", "", 0, 1 - 0.5 / 3, id="a lone stone in the corner"),
        pytest.param("A4 B2 B3", "", 0, 3 + 0.5, id="an eye in the corner"),
        pytest.param("", "A4 B2 B3", 0, -3 - 0.5, id="an enemy eye"),
        pytest.param("A4 B3", "A3", 1, 1 + 2, id="a stone that can be captured"),
        pytest.param("A4 B3", "A3", 0, 1, id="a stone that could have been"),
    ],
)
def test_what_a_state_of_herd_is_worth(black: str, white: str, place: int, points: float) -> None:
    assert worth(herd_state(black, white, place), 0) == pytest.approx(points)


def test_the_share_grows_with_the_lead() -> None:
    states = [herd_state("", "C3 C4"), herd_state("C3 C4", ""), herd_state("C2 C3 C4", "")]
    assert sorted(states, key=lambda state: share(state, 0)) == states


def test_a_game_without_a_judge_of_its_own_is_played_for_the_lead() -> None:
    class Other(Herd):
        name = "other"

    other = Other()
    table: AnyTable = Table(other.options_type(size=3), 2)
    judge = judge_of(other, other.sides(table))
    assert isinstance(judge, Lead)
    assert judge.worth(herd_state("C3 C4", "A3"), 0) == 1
    assert judge.share(herd_state("C3 C4", "A3"), 0) is None


@pytest.mark.parametrize(
    ("scores", "side", "points"), [((5, 3), 0, 2), ((5, 3), 1, -2), ((5, 3, 7, 1), 0, -2)]
)
def test_the_lead(scores: Sequence[int], side: int, points: int) -> None:
    assert lead(scores, side) == points
