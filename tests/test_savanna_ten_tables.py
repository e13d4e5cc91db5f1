"""The tables: packed tiles, bytes of the board, and what each action changes."""

import pytest

from engine.savanna_ten_lines import CELLS, TILES
from engine.savanna_ten_tables import (
    FREE,
    HAND_ACTIONS,
    HANDS,
    HIDDEN,
    MAX_SEATS,
    PLACED,
    SEEN,
    byte_of,
    counts,
    draws,
    pack,
    placements,
)
from engine.savanna_ten_wire import Placed
from tests.savanna_ten_games import EXAMPLE


def test_every_hand_of_up_to_two_tiles() -> None:
    assert len(HANDS) == 1 + 5 + 15
    assert HANDS[pack(["elephant", "monkey"])] == ("monkey", "elephant")


def test_packed_tiles_are_counted_by_kind() -> None:
    assert counts(pack([*("monkey",) * 4, "mouse"])) == [4, 0, 0, 0, 1]


def test_a_state_unpacks_a_seats_hand_and_pile() -> None:
    assert EXAMPLE.hand(1) == pack(["zebra", "giraffe"])
    assert EXAMPLE.pile(1) == pack(["monkey", "monkey", "monkey", "elephant"])


@pytest.mark.parametrize("seat", range(MAX_SEATS))
def test_what_each_byte_of_the_board_shows(seat: int) -> None:
    for kind, tile in enumerate(TILES):
        up, down = byte_of(seat, kind, lion=False), byte_of(seat, kind, lion=True)
        assert (PLACED[up], PLACED[down]) == (Placed(seat, tile), Placed(seat, "lion"))
        assert [seats[down] for seats in HIDDEN].count(tile) == 1
        assert HIDDEN[seat][down] == tile
        assert not any(seats[up] for seats in HIDDEN)
        assert FREE[0] == 1
        assert FREE[up] == FREE[down] == 0


def test_every_placement_is_in_every_table() -> None:
    every = {action for actions in HAND_ACTIONS.values() for action in actions}
    assert len(every) == 5 * 2 * len(CELLS)
    assert every == set(SEEN) == set(placements(0, 0))


def test_a_placement_takes_its_own_seats_tile() -> None:
    placement = placements(3, 1)["zebra/lion@A1"]
    assert placement.tile == pack(["zebra"], seat=3)
    assert placement.kind == 7 * placement.tile
    assert (placement.cell, placement.side, placement.lion) == (0, 1, True)


def test_a_draw_moves_its_own_seats_tile() -> None:
    assert list(draws(2)) == [f"draw@2:{tile}" for tile in TILES]
    assert draws(2)["draw@2:mouse"].tile == pack(["mouse"], seat=2)
