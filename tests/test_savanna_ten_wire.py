"""What goes over the wire, byte for byte as the protocol's page has it."""

import msgspec
import pytest

from engine.savanna_ten_lines import CELLS
from engine.savanna_ten_wire import ByCell, DrawEvent, PlacementEvent, SavannaView
from tests.savanna_ten_games import EXAMPLE, GAME, played

EXAMPLE_STATE = (
    b'{"turn":9,"board":{"A5":{"seat":1,"side":"zebra"},"B3":{"seat":0,"side":"giraffe"},'
    b'"B4":{"seat":0,"side":"lion"},"D2":{"seat":0,"side":"monkey"},"D4":{"seat":1,"side":'
    b'"monkey"},"E3":{"seat":1,"side":"lion"},"E4":{"seat":1,"side":"lion"},"E5":{"seat":0,'
    b'"side":"zebra"}},"scores":[0,0],"lions":[1,2],"hand":["monkey","elephant"],"hidden":{"B4":'
    b'"giraffe"},"pile":{"monkey":2,"zebra":2,"giraffe":0,"elephant":0,"mouse":0},"hands":[2,2],'
    b'"piles":[4,4]}'
)
PUBLIC = {
    key: value
    for key, value in msgspec.json.decode(EXAMPLE_STATE).items()
    if key not in ("hand", "hidden", "pile")
}


def sent(message: msgspec.Struct) -> object:
    return msgspec.json.decode(msgspec.json.encode(message))


def test_the_state_of_the_protocols_page() -> None:
    assert msgspec.json.encode(GAME.view(EXAMPLE, 0)) == EXAMPLE_STATE


def test_a_bot_reads_the_state_back() -> None:
    assert msgspec.json.decode(EXAMPLE_STATE, type=SavannaView) == GAME.view(EXAMPLE, 0)


def test_the_other_seat_sees_its_own_secrets_only() -> None:
    assert sent(GAME.view(EXAMPLE, 1)) == PUBLIC | {
        "hand": ["zebra", "giraffe"],
        "hidden": {"E3": "giraffe", "E4": "zebra"},
        "pile": {"monkey": 3, "zebra": 0, "giraffe": 0, "elephant": 1, "mouse": 0},
    }


def test_a_spectator_sees_what_is_public() -> None:
    assert sent(GAME.view(EXAMPLE, None)) == PUBLIC


def test_the_open_view_adds_every_hand_and_hidden_tile() -> None:
    assert sent(GAME.open_view(EXAMPLE)) == PUBLIC | {
        "open_hands": [["monkey", "elephant"], ["zebra", "giraffe"]],
        "open_hidden": {"B4": "giraffe", "E3": "giraffe", "E4": "zebra"},
    }


def test_the_cells_stand_in_board_order() -> None:
    assert ByCell.__struct_fields__ == CELLS


@pytest.mark.parametrize(
    ("before", "action", "seat", "event"),
    [
        ([], "elephant@E1", 0, b'{"seat":0,"action":"elephant@E1","scores":[1,1]}'),
        ([], "elephant@E1", 1, b'{"seat":0,"action":"elephant@E1","scores":[1,1]}'),
        ([], "monkey/lion@C4", 0, b'{"seat":0,"action":"monkey/lion@C4","scores":[0,1]}'),
        ([], "monkey/lion@C4", 1, b'{"seat":0,"action":"lion@C4","scores":[0,1]}'),
        ([], "monkey/lion@C4", None, b'{"seat":0,"action":"lion@C4","scores":[0,1]}'),
        (["monkey@A1"], "draw@0:zebra", 0, b'{"seat":0,"draw":"zebra"}'),
        (["monkey@A1"], "draw@0:zebra", 1, b'{"seat":0,"draw":null}'),
        (["monkey@A1"], "draw@0:zebra", None, b'{"seat":0,"draw":null}'),
    ],
)
def test_events(before: list[str], action: str, seat: int | None, event: bytes) -> None:
    state = played(EXAMPLE, *before)
    after = GAME.apply(state, action)
    assert msgspec.json.encode(GAME.redact(state, action, after, seat)) == event


def test_every_event_is_of_a_declared_type() -> None:
    assert GAME.event_types == (PlacementEvent, DrawEvent)
