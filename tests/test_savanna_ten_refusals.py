"""What is refused, and the sentence that the bot's author reads."""

import pytest

from engine.game import IllegalAction
from engine.savanna_ten_state import SavannaState
from tests.savanna_ten_games import EXAMPLE, GAME, GOLDEN, RECORDS, played, replayed, table

DEALT = GAME.initial(table())
DRAW_DUE = played(EXAMPLE, "monkey@A1")
OVER = replayed(RECORDS[0])


def refused(state: SavannaState, action: str) -> tuple[str, str]:
    with pytest.raises(IllegalAction) as error:
        GAME.apply(state, action)
    return error.value.code, error.value.detail


@pytest.mark.parametrize(
    ("action", "code", "detail"),
    [
        ("monkey@D2", "taken", "D2 is taken"),
        ("monkey/lion@E3", "taken", "E3 is taken"),
        ("giraffe@D2", "taken", "D2 is taken"),
        ("monkey@C3", "closed", "C3 is closed, no tile may lie there"),
        ("monkey@F1", "no-such-cell", "'monkey@F1': the board goes from A1 to E5"),
        ("monkey@A6", "no-such-cell", "'monkey@A6': the board goes from A1 to E5"),
        ("monkey@A01", "no-such-cell", "'monkey@A01': the board goes from A1 to E5"),
        ("zebra@A1", "not-in-hand", "'zebra@A1': the hand holds only monkey and elephant"),
        (
            "mouse/lion@A1",
            "not-in-hand",
            "'mouse/lion@A1': the hand holds only monkey and elephant",
        ),
        ("lion@A1", "no-such-tile", "'lion@A1': name the tile, monkey@D2 or monkey/lion@D2"),
        ("tiger@A1", "no-such-tile", "'tiger@A1': name the tile, monkey@D2 or monkey/lion@D2"),
        ("Monkey@A1", "malformed", "'Monkey@A1' is not of the form zebra@D2 or zebra/lion@D2"),
        ("monkey@a1", "malformed", "'monkey@a1' is not of the form zebra@D2 or zebra/lion@D2"),
        ("monkey @A1", "malformed", "'monkey @A1' is not of the form zebra@D2 or zebra/lion@D2"),
        ("monkey@A1\n", "malformed", r"'monkey@A1\n' is not of the form zebra@D2 or zebra/lion@D2"),
        (
            "monkey/zebra@A1",
            "malformed",
            "'monkey/zebra@A1' is not of the form zebra@D2 or zebra/lion@D2",
        ),
        (
            "monkey@A١",
            "malformed",
            r"'monkey@A\u0661' is not of the form zebra@D2 or zebra/lion@D2",
        ),
        ("monkey", "malformed", "'monkey' is not of the form zebra@D2 or zebra/lion@D2"),
        ("", "malformed", "'' is not of the form zebra@D2 or zebra/lion@D2"),
        ("draw@0:zebra", "not-due", "'draw@0:zebra': a tile is to be placed now, not drawn"),
    ],
)
def test_instead_of_a_placement(action: str, code: str, detail: str) -> None:
    assert refused(EXAMPLE, action) == (code, detail)


@pytest.mark.parametrize(
    ("action", "code", "detail"),
    [
        ("monkey@A2", "not-due", "'monkey@A2': seat 0 is to draw now"),
        ("draw@1:zebra", "not-due", "'draw@1:zebra': seat 0 is to draw now"),
        ("draw@0:tiger", "not-due", "'draw@0:tiger': seat 0 is to draw now"),
        (
            "draw@0:giraffe",
            "not-in-pile",
            "'draw@0:giraffe': the pile of seat 0 holds no such tile",
        ),
    ],
)
def test_instead_of_a_draw(action: str, code: str, detail: str) -> None:
    assert refused(DRAW_DUE, action) == (code, detail)


def test_before_the_hands_are_dealt() -> None:
    assert refused(DEALT, "draw@1:zebra") == ("not-due", "'draw@1:zebra': seat 0 is to draw now")
    assert refused(DEALT, "draw@0:mouse")[0] == "not-in-pile"


@pytest.mark.parametrize("action", ["monkey@A1", "draw@0:zebra", "", "nonsense"])
def test_after_the_end(action: str) -> None:
    assert refused(OVER, action) == ("over", f"'{action}': the game is over")


def test_a_hand_of_two_of_a_kind_is_named_once() -> None:
    state = replayed(GOLDEN, 12)
    assert GAME.view(state, 2).hand == ("zebra", "zebra")
    assert refused(state, "monkey@E5")[1] == "'monkey@E5': the hand holds only zebra"


def test_an_action_that_is_not_held_any_more() -> None:
    played_out = played(DRAW_DUE, "draw@0:monkey", "zebra@C1", "draw@1:monkey")
    assert refused(played_out, "giraffe@A2")[0] == "not-in-hand"
    assert refused(played_out, "monkey@A1")[0] == "taken"


@pytest.mark.parametrize("text", ["x" * 60_000, "é" * 500, "\x1b[2J" * 100, "a@A" + "1" * 5_000])
def test_a_bots_text_is_quoted_short_and_printable(text: str) -> None:
    for state in (EXAMPLE, DRAW_DUE, OVER):
        _, detail = refused(state, text)
        assert detail.isascii()
        assert detail.isprintable()
        assert len(detail) < 130
