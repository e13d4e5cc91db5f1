"""What `search` says that actions are worth: it heeds `legal`, as `arena analyse` needs it."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bots.search import Search, Settings
from engine.game import CHANCE
from engine.options import make_table
from engine.registry import game
from protocol.messages import Act, Action
from tests.driver import Called, start

every_game = pytest.mark.parametrize("name", ["savanna-ten", "herd"])


def state_of(name: str, turn: int) -> Any:
    """A state of seat 0 after some random play."""
    rules, rng = game(name), Random(3)
    state = rules.initial(make_table(rules, 2, {}))
    while rules.to_act(state) == CHANCE or rules.turn(state) < turn:
        outcomes = [outcome for outcome, _ in rules.chances(state)]
        state = rules.apply(state, rng.choice(rules.legal(state) or outcomes))
    return state


def question(name: str, turn: int) -> Act:
    state = state_of(name, turn)
    return Act("m1", 1, 0, game(name).view(state, 0), [], game(name).legal(state))


def asked(name: str, act: Act, legal: Sequence[str] | None = None, nodes: int = 40) -> Action:
    """The answer to a question, with other legal actions if they are given."""
    analyst = Called(Search(Settings(nodes=nodes)).decide)
    analyst.tell(start(game(name), make_table(game(name), 2, {}), 0))
    return analyst.ask(act if legal is None else replace(act, legal=legal))


@every_game
def test_asked_with_one_action_it_says_what_that_is_worth(name: str) -> None:
    act = question(name, 11)
    for action in game(name).legal(state_of(name, 11))[:3]:
        answer = asked(name, act, [action])
        assert answer.actions[0] == action
        assert answer.value is not None
        assert 0 <= answer.value <= 1


@every_game
def test_asked_with_all_it_plays_a_legal_turn(name: str) -> None:
    state, rules = state_of(name, 11), game(name)
    turn = rules.turn(state)
    for action in asked(name, question(name, 11)).actions:
        assert (rules.to_act(state), rules.turn(state)) == (0, turn)
        state = rules.apply(state, action)
    assert rules.to_act(state) != 0 or rules.turn(state) != turn


def test_the_best_of_all_is_worth_more_than_the_others() -> None:
    act = question("savanna-ten", 11)
    (best,) = asked("savanna-ten", act, nodes=200).actions
    worth = {
        action: asked("savanna-ten", act, [action]).value or 0
        for action in game("savanna-ten").legal(state_of("savanna-ten", 11))
    }
    assert worth[best] >= sorted(worth.values())[-5]


def test_the_tile_under_a_lion_is_judged_as_well() -> None:
    act = question("savanna-ten", 11)
    lions = [a for a in game("savanna-ten").legal(state_of("savanna-ten", 11)) if "/lion@A" in a]
    cell = lions[0].partition("@")[2]
    same = [lion for lion in lions if lion.endswith(f"@{cell}")]
    assert len(same) == 2
    assert asked("savanna-ten", act, same[:1]).value != asked("savanna-ten", act, same[1:]).value


@every_game
def test_the_same_question_gets_the_same_answer(name: str) -> None:
    assert asked(name, question(name, 5)) == asked(name, question(name, 5))
