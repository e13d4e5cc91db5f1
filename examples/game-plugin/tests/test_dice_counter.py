"""The bot counts right, and plays whole matches."""

from typing import Any

import pytest
from engine.options import make_table
from msgspec import to_builtins
from protocol.messages import Act, Start, StartTime

from liars_dice import LiarsDice
from liars_dice.dice_counter import at_least, decide


@pytest.mark.parametrize(
    ("wanted", "dice", "share", "chance"),
    [(0, 3, 1 / 6, 1), (1, 1, 1 / 6, 1 / 6), (1, 2, 1 / 2, 3 / 4), (3, 2, 1 / 2, 0)],
)
def test_how_likely_so_many_are(wanted: int, dice: int, share: float, chance: float) -> None:
    assert at_least(wanted, dice, share) == pytest.approx(chance)


def asked(own: list[int], bid: dict[str, Any] | None, legal: list[str]) -> list[str]:
    start = Start("m1", "liars-dice", 1, {"wild_ones": True}, 2, 0, 7, StartTime(1000, 5000))
    state = {"own": own, "dice": [2, 2], "bid": bid}
    return list(decide(Act("m1", 1, 0, state, [], legal), start).actions)


def test_it_bids_what_it_holds() -> None:
    assert asked([5, 5], None, ["bid@A2", "bid@B5", "bid@C5"]) == ["bid@B5"]


def test_it_challenges_what_can_hardly_be() -> None:
    bid = {"quantity": 4, "face": 6}
    assert asked([2, 3], bid, ["challenge"]) == ["challenge"]
    assert asked([2, 3], bid | {"quantity": 3}, ["bid@D2", "challenge"]) == ["challenge"]


def test_it_plays_a_match_to_its_end() -> None:
    game = LiarsDice()
    table = make_table(game, 3, {})
    state = game.initial(table)
    start = Start("m1", game.name, 1, {"wild_ones": True}, 3, 0, 7, StartTime(1000, 5000))
    while (seat := game.to_act(state)) is not None:
        if seat < 0:
            action = game.chance(state, "deal")
        else:
            view = to_builtins(game.view(state, seat))
            act = Act("m1", 1, seat, view, [], list(game.legal(state)))
            (action,) = decide(act, start).actions
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome is not None
    assert sorted(outcome.ranks) == [1, 2, 3]
