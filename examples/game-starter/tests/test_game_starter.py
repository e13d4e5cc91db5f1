"""The rules, and every promise of a game."""

import pytest
from engine.options import make_table
from engine.testing import CHECKS, Check
from protocol.messages import Act, Start, StartTime

from game_starter import GameStarter, State
from game_starter.bot import decide

GAME = GameStarter()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_promises_of_a_game(check: Check) -> None:
    check(GAME)


def play(*actions: str, goal: int = 50) -> State:
    state = GAME.initial(make_table(GAME, 2, {"goal": goal}))
    for action in actions:
        state = GAME.apply(state, action)
    return state


def test_what_was_rolled_is_safe_when_the_seat_holds() -> None:
    state = play("roll", "roll@6", "roll", "roll@2")
    assert (state.scores, state.gathered) == ((0, 0), 8)
    state = GAME.apply(state, "hold")
    assert (state.scores, GAME.to_act(state)) == ((8, 0), 1)


def test_a_one_takes_what_the_turn_has_brought() -> None:
    state = play("roll", "roll@6", "roll", "roll@1")
    assert (state.scores, state.gathered, GAME.to_act(state)) == ((0, 0), 0, 1)


def test_a_turn_begins_with_a_roll() -> None:
    assert GAME.legal(play()) == ("roll",)
    assert GAME.legal(play("roll", "roll@3")) == ("roll", "hold")


def test_who_reaches_the_goal_wins() -> None:
    state = play("roll", "roll@6", "roll", "roll@6", "hold", goal=10)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((1, 2), (12, 0))


@pytest.mark.parametrize(
    ("gathered", "score", "action"),
    [(0, 0, "roll"), (19, 0, "roll"), (20, 0, "hold"), (5, 45, "hold")],
)
def test_the_bot_holds_at_20_or_where_that_wins(gathered: int, score: int, action: str) -> None:
    state = {"goal": 50, "scores": [score, 0], "gathered": gathered}
    legal = ["roll", "hold"] if gathered else ["roll"]
    start = Start("m1", GAME.name, 1, {"goal": 50}, 2, 0, 7, StartTime(1000, 5000))
    assert decide(Act("m1", 1, 0, state, [], legal), start) == [action]
