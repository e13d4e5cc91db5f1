"""The board as a picture."""

from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from engine.game import Effect
from engine.picture import LIT, SEATS
from engine.savanna_ten_lines import CELLS, CLOSED
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_svg import SIGNS, TREE
from tests.drawn import SVG, Drawn
from tests.savanna_ten_games import EXAMPLE, GAME, GOLDEN, RECORDS, replayed

EVERYTHING = -1


def drawn(state: SavannaState, seat: int | None, *effects: Effect) -> Drawn:
    view = GAME.open_view(state) if seat == EVERYTHING else GAME.view(state, seat)
    return Drawn(GAME.svg(state.table, view, effects))


def a_record(players: int, **options: Any) -> dict[str, Any]:
    return next(
        record
        for record in RECORDS
        if record["players"] == players and options.items() <= record["options"].items()
    )


FOUR = replayed(a_record(4, teams=False))
TEAMS = replayed(a_record(4, teams=True))


def test_every_cell_says_what_lies_on_it() -> None:
    assert drawn(EXAMPLE, None).titles == {
        **dict.fromkeys(CELLS, "empty"),
        "A5": "zebra of seat 1, influence 2",
        "B3": "giraffe of seat 0, influence 3",
        "B4": "lion of seat 0, influence 4",
        "D2": "monkey of seat 0, influence 1",
        "D4": "monkey of seat 1, influence 1",
        "E3": "lion of seat 1, influence 4",
        "E4": "lion of seat 1, influence 4",
        "E5": "zebra of seat 0, influence 2",
    }


@pytest.mark.parametrize(
    ("seat", "known"),
    [
        (None, {}),
        (0, {"B4": "giraffe"}),
        (1, {"E3": "giraffe", "E4": "zebra"}),
        (EVERYTHING, {"B4": "giraffe", "E3": "giraffe", "E4": "zebra"}),
    ],
)
def test_a_tile_under_a_lion_is_shown_to_whom_it_is_known(
    seat: int | None, known: dict[str, str]
) -> None:
    picture = drawn(EXAMPLE, seat)
    shown = {
        name: title.split(", ")[2].removesuffix(" under it")
        for name, title in picture.titles.items()
        if title.endswith("under it")
    }
    assert shown == known
    for name in ("B4", "E3", "E4"):
        under = [f"savanna-ten-{known[name]}"] if name in known else []
        assert picture.uses(picture.cells[name]) == ["savanna-ten-lion", *under]


def test_columns_go_right_and_rows_down() -> None:
    middle = drawn(EXAMPLE, None).middle
    step = middle("B2")[0] - middle("A2")[0]
    for name in CELLS:
        column, row = "ABCDE".index(name[0]), int(name[1]) - 1
        x, y = middle("A1")
        assert middle(name) == (x + column * step, y + row * step)


def test_a_tile_has_the_colour_and_the_sign_of_its_seat() -> None:
    picture = drawn(FOUR, None)
    for name, cell in picture.cells.items():
        owner = int(picture.titles[name].partition("of seat ")[2][0])
        for seat in range(4):
            sign = fromstring(SIGNS[seat]).attrib
            assert bool(picture.painted(SEATS[seat], cell)) == (seat == owner)
            assert (sign in [part.attrib for part in cell.iter()]) == (seat == owner)


def test_the_closed_spaces_are_drawn_and_are_no_cells() -> None:
    picture = drawn(EXAMPLE, None)
    trees = [part for part in picture.root.iter() if part.get("d") == TREE]
    assert len(trees) == len(CLOSED) == 5
    assert not {*CLOSED} & {*picture.cells}


HEADS = ["points", "Lions", "hand", "pile"]
MARGIN = [word for pair in zip("ABCDE", "12345", strict=True) for word in pair]


@pytest.mark.parametrize(
    ("state", "seat", "standing"),
    [
        (EXAMPLE, None, ["Seat 0", "0", "1", "?", "?", "4", "Seat 1", "0", "2", "?", "?", "4"]),
        (EXAMPLE, EVERYTHING, ["Seat 0", "0", "1", "4", "Seat 1", "0", "2", "4"]),
        (
            EXAMPLE,
            0,
            [
                *("Seat 0", "0", "1", "?", "?", "4", "Seat 1", "0", "2", "?", "?", "4"),
                *("Your hand", "Your pile", "2", "2"),
            ],
        ),
        (
            replayed(RECORDS[0]),
            1,
            [
                *("Seat 0", "20", "3", "0", "Seat 1", "18", "4", "0"),
                *("Your hand is empty", "Your pile is empty"),
            ],
        ),
    ],
)
def test_the_standing(state: SavannaState, seat: int | None, standing: list[str]) -> None:
    assert drawn(state, seat).words == [*MARGIN, *HEADS, *standing]


def test_hands_and_piles_are_drawn_as_far_as_they_are_known() -> None:
    def beside_the_board(seat: int | None) -> list[str]:
        picture = drawn(EXAMPLE, seat)
        laid = sum(len(picture.uses(cell)) for cell in picture.cells.values())
        return [use.removeprefix("savanna-ten-") for use in picture.uses()[laid:]]

    assert beside_the_board(None) == []
    assert beside_the_board(0) == ["monkey", "elephant", "monkey", "zebra"]
    assert beside_the_board(EVERYTHING) == ["monkey", "elephant", "zebra", "giraffe"]


def test_team_play_names_the_teams() -> None:
    words = drawn(TEAMS, None).words
    warm, cool = map(str, TEAMS.scores)
    for seat, (name, score) in enumerate([("Warm", warm), ("Cool", cool)] * 2):
        assert words[words.index(f"Seat {seat}, {name}") + 1] == score
    assert drawn(TEAMS, None).says == f"The board is full. Points: Warm {warm}, Cool {cool}."


def test_it_says_whose_turn_it_is() -> None:
    assert drawn(EXAMPLE, 1).says == "Turn 9, seat 0 to place. Points: seat 0 0, seat 1 0."
    assert drawn(replayed(GOLDEN), None).says == (
        "The board is full. Points: seat 0 10, seat 1 15, seat 2 14, seat 3 14."
    )


ROW = Effect("line of 8", ("A5", "B5", "C5", "E5"), {0: 2, 1: 2})
SLOPE = Effect("line of 10", ("B5", "C4", "D3"), {1: 3})


def test_a_judged_line_is_lit_with_its_points() -> None:
    dark, lit = drawn(EXAMPLE, None), drawn(EXAMPLE, None, ROW, SLOPE)
    assert not dark.painted(LIT)
    rings = {"A5", "B5", "C5", "E5", "C4", "D3"}
    assert len(lit.painted(LIT)) == len(rings) + len([ROW, SLOPE])
    assert [word for word in lit.words if word.startswith("+")] == ["+2", "+2", "+3"]
    assert lit.titles == dark.titles


def test_the_band_of_a_line_runs_from_end_to_end() -> None:
    picture = drawn(EXAMPLE, None, SLOPE)
    (band,) = picture.root.iter(f"{SVG}line")
    ends = [(float(band.attrib[f"x{n}"]), float(band.attrib[f"y{n}"])) for n in (1, 2)]
    assert ends == [picture.middle("B5"), picture.middle("D3")]
