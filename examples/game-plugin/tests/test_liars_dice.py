"""The rules, by what is said of them in the README; and all promises of a game."""

from typing import Any

import pytest
from engine.game import IllegalAction
from engine.options import make_table
from engine.testing import CHECKS, Check
from msgspec import UNSET

from liars_dice import LiarsDice
from liars_dice.wire import RollEvent

GAME = LiarsDice()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_liars_dice_keeps_the_promises_of_a_game(check: Check) -> None:
    check(GAME)


def play(*actions: str, players: int = 2, **options: Any) -> Any:
    """The state after rolls, bids and challenges."""
    state = GAME.initial(make_table(GAME, players, options))
    for action in actions:
        state = GAME.apply(state, action)
    return state


ROLLED = ("roll@0:1,3,5,5,6", "roll@1:2,2,3,5,6")


def test_the_first_seat_opens_with_any_bid_and_cannot_challenge() -> None:
    legal = GAME.legal(play(*ROLLED))
    assert (legal[0], legal[-1]) == ("bid@A2", "bid@J6")
    assert "challenge" not in legal


def test_a_bid_is_more_dice_or_as_many_of_a_higher_face() -> None:
    legal = GAME.legal(play(*ROLLED, "bid@C5"))
    assert legal[:3] == ["bid@C6", "bid@D2", "bid@D3"]
    assert legal[-1] == "challenge"


def test_after_the_highest_bid_there_is_only_the_challenge() -> None:
    assert GAME.legal(play(*ROLLED, "bid@J6")) == ["challenge"]


@pytest.mark.parametrize(
    ("bid", "wild_ones", "count", "loser"),
    [
        ("bid@D5", True, 4, 1),  # three fives and a wild one: it holds
        ("bid@E5", True, 4, 0),
        ("bid@D5", False, 3, 0),  # the one is only a one
        ("bid@A1", False, 1, 1),
    ],
)
def test_a_challenge_costs_a_die_of_who_was_wrong(
    bid: str, wild_ones: bool, count: int, loser: int
) -> None:
    state = play(*ROLLED, bid, "challenge", wild_ones=wild_ones)
    assert (state.last.count, state.last.loser) == (count, loser)
    assert state.left == tuple(5 - (seat == loser) for seat in (0, 1))
    assert state.mover == loser, "who lost begins"


def test_who_loses_the_last_die_is_out_and_the_next_seat_begins() -> None:
    rolls = ("roll@0:2", "roll@1:3", "roll@2:4")
    state = play(*rolls, "bid@A2", "bid@A5", "challenge", players=3, dice=1)
    assert (state.left, state.out, state.mover) == ((1, 0, 1), (1,), 2)
    assert GAME.outcome(state) is None
    for action in ("roll@0:6", "roll@2:6", "bid@A6", "challenge"):
        state = GAME.apply(state, action)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((2, 3, 1), (0, 0, 1))


def test_a_seat_sees_its_own_dice_and_all_of_them_after_a_challenge() -> None:
    state = play(*ROLLED, "bid@C5")
    assert GAME.view(state, 1).own == (2, 2, 3, 5, 6)
    assert GAME.view(state, None).own is UNSET
    assert GAME.view(state, 1).last is None
    last = GAME.view(GAME.apply(state, "challenge"), 0).last
    assert last is not None
    assert last.dice == ((1, 3, 5, 5, 6), (2, 2, 3, 5, 6))


def test_a_roll_is_told_to_who_rolled() -> None:
    start = play()
    after = GAME.apply(start, ROLLED[0])
    told = [GAME.redact(start, ROLLED[0], after, seat) for seat in (0, 1, None)]
    assert told == [RollEvent(0, (1, 3, 5, 5, 6)), RollEvent(0, None), RollEvent(0, None)]


def test_rolls_are_as_likely_as_dice_make_them() -> None:
    chances = dict(GAME.chances(play(dice=2)))
    assert chances["roll@0:1,1"] == pytest.approx(1 / 36)
    assert chances["roll@0:1,2"] == pytest.approx(2 / 36)


def test_the_same_deal_rolls_the_same_whatever_was_bid() -> None:
    one = play(*ROLLED, "bid@A2", "challenge")  # there are three
    other = play(*ROLLED, "bid@B5", "bid@C5", "bid@D5", "challenge")  # there are four
    assert one.left == other.left == (5, 4)
    assert GAME.chance(one, "deal") == GAME.chance(other, "deal")


@pytest.mark.parametrize(
    ("action", "code", "detail"),
    [
        ("bid@C5", "too-low", "bid@C5 is not higher than the bid bid@D2"),
        ("bid@D1", "malformed", "'bid@D1': a bid is one of bid@A2 to bid@J6, row A for one die"),
        ("bid@K2", "malformed", "'bid@K2': a bid is one of bid@A2 to bid@J6"),
        ("liar", "malformed", "'liar': a bid is one of"),
    ],
)
def test_a_refusal_says_why(action: str, code: str, detail: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(play(*ROLLED, "bid@D2"), action)
    assert refused.value.code == code
    assert refused.value.detail.startswith(detail)


def test_what_happened_is_lit() -> None:
    before = play(*ROLLED, "bid@D5")
    after = GAME.apply(before, "challenge")
    (effect,) = GAME.effects(before, "challenge", after)
    assert (effect.label, effect.cells) == ("4 fives: there are 4, it holds", ("D5",))


def test_the_text() -> None:
    table = make_table(GAME, 2, {"dice": 2})
    state = play("roll@0:1,5", "roll@1:2,6", "bid@B5", dice=2)
    assert GAME.text(table, GAME.view(state, 1)).splitlines() == [
        "Round 1, turn 2: seat 1 beats or challenges 2 fives of seat 0.",
        "",
        "  seat 0   ? ?",
        "> seat 1   2 6",
        "",
        "  bid@     twos threes  fours  fives  sixes",
        "              2      3      4      5      6",
        "  A   1        -      -      -      -      -",
        "  B   2        -      -      - seat 0      .",
        "  C   3        .      .      .      .      .",
        "  D   4        .      .      .      .      .",
    ]
