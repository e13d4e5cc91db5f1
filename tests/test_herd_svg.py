"""The hexagon as a picture."""

from itertools import combinations
from math import dist
from typing import Any

import pytest

from engine.game import Effect
from engine.herd import Herd, HerdState
from engine.herd_board import board_of
from engine.herd_wire import HerdView
from engine.options import make_table
from engine.picture import LIT
from engine.testing.pictured import LARGEST
from tests.drawn import SVG, Drawn

GAME = Herd()
TABLE = make_table(GAME, 2, {})


def view(**changes: Any) -> HerdView:
    """White's second turn on a small board: one stone to remove, four to place."""
    given: dict[str, Any] = {
        "turn": 4,
        "size": 3,
        "turn_limit": 1000,
        "board": {"A3": 0, "B2": 1, "C3": 0},
        "counts": (2, 1),
        "dice": (4, 1),
        "remove": 1,
        "place": 4,
    }
    return HerdView(**(given | changes))


def drawn(of: HerdView, *effects: Effect) -> Drawn:
    return Drawn(GAME.svg(TABLE, of, effects))


def test_every_cell_says_what_lies_on_it() -> None:
    assert drawn(view()).titles == {
        **dict.fromkeys(board_of(3).cells, "empty"),
        "A3": "Black",
        "B2": "White",
        "C3": "Black",
    }


def test_a_stone_is_that_of_its_seat() -> None:
    picture = drawn(view())
    stones = {name: picture.uses(cell) for name, cell in picture.cells.items()}
    assert {name: uses for name, uses in stones.items() if uses} == {
        "A3": ["herd-stone-0"],
        "B2": ["herd-stone-1"],
        "C3": ["herd-stone-0"],
    }


@pytest.mark.parametrize("size", range(2, 11))
def test_neighbours_lie_side_by_side_and_others_farther(size: int) -> None:
    picture = drawn(view(size=size, board={}))
    cells = board_of(size).cells
    step = min(dist(picture.middle(a), picture.middle(b)) for a, b in combinations(cells, 2))
    for one, other in combinations(cells, 2):
        away = dist(picture.middle(one), picture.middle(other))
        if cells[one].around & cells[other].bit:
            assert away == pytest.approx(step, abs=0.2)
        else:
            assert away > 1.5 * step


def test_rows_go_down_and_numbers_to_the_right() -> None:
    middle = drawn(view(size=5)).middle
    assert middle("A5")[1] == middle("A9")[1] < middle("B4")[1] < middle("I1")[1]
    assert middle("E1")[0] < middle("E2")[0] < middle("A5")[0] < middle("A9")[0] < middle("E9")[0]
    assert middle("E5")[0] == 300


def test_the_ends_of_each_row_are_named() -> None:
    assert " ".join(drawn(view()).words[:10]) == "A3 A5 B2 B5 C1 C5 D1 D4 E1 E3"


@pytest.mark.parametrize(
    ("changes", "says", "below"),
    [
        (
            {},
            "Turn 4, White: 1 to remove and 4 to place. Stones: Black 2, White 1.",
            ["2 Black", "White 1", "remove", "1", "place", "4"],
        ),
        (
            {"remove": 0, "place": 2},
            "Turn 4, White: 2 to place. Stones: Black 2, White 1.",
            ["2 Black", "White 1", "place", "2"],
        ),
        (
            {"turn": 5, "dice": (), "remove": 0, "place": 0},
            "Turn 5, Black: to roll. Stones: Black 2, White 1.",
            ["2 Black", "White 1", "to roll"],
        ),
        (
            {"remove": 0, "place": 0},
            "The game is over. Stones: Black 2, White 1.",
            ["2 Black", "White 1", "the game is over"],
        ),
    ],
    ids=["begun", "half done", "to roll", "over"],
)
def test_counts_and_what_is_left_to_do(
    changes: dict[str, Any], says: str, below: list[str]
) -> None:
    picture = drawn(view(**changes))
    assert picture.says == says
    assert picture.words[10:] == below


def test_the_stones_of_a_task_are_those_that_it_is_about() -> None:
    assert drawn(view()).uses()[-2:] == ["herd-stone-0", "herd-stone-1"]


@pytest.mark.parametrize("dice", [(), (1, 2), (3, 4), (5, 6)])
def test_a_die_has_as_many_pips_as_it_shows(dice: tuple[int, ...]) -> None:
    remove, place = (min(dice), max(dice)) if dice else (0, 0)
    picture = drawn(view(dice=dice, remove=remove, place=place))
    pips = [circle for circle in picture.root.iter(f"{SVG}circle") if circle.get("cx")]
    assert len(pips) == sum(dice)


def test_dice_that_were_just_rolled_are_lit() -> None:
    assert not drawn(view()).painted(LIT)
    (first, second) = drawn(view(), Effect("rolled 4 and 1")).painted(LIT)
    assert first.tag == second.tag == f"{SVG}rect"


def test_captured_cells_are_lit() -> None:
    picture = drawn(view(), Effect("captured", ("C1", "D2")))
    marks = [mark.attrib["transform"] for mark in picture.painted(LIT)]
    assert marks == [picture.cells[name].attrib["transform"] for name in ("C1", "D2")]


def test_the_largest_board_full_of_stones_is_small_enough() -> None:
    full = HerdState(10, 1000, turn=9, stones=(board_of(10).full, 0), dice=(1, 2))
    picture = GAME.svg(TABLE, GAME.view(full, None))
    assert picture.count("#herd-stone-0") == 271 + 1
    assert len(picture.encode()) < LARGEST
