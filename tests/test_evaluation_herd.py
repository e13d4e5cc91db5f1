"""The evaluator of Herd: what it says of states, and of the actions of a state."""

from functools import cache
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from engine.evaluation import evaluator
from engine.evaluation.herd import HerdEvaluator, log_odds
from engine.evaluation.results import logistic
from engine.game import CHANCE
from engine.herd import Herd, HerdState
from engine.options import make_table
from tests.test_herd import position

HERD = Herd()
every_size = pytest.mark.parametrize("size", range(2, 11))


@cache
def states(size: int, deal: str = "a", turns: int = 40) -> list[HerdState]:
    """The states of a random game, its last one too if it ends."""
    state = HERD.initial(make_table(HERD, 2, {"size": size}))
    rng, passed = Random(deal), [state]
    while (seat := HERD.to_act(state)) is not None and state.turn <= turns:
        action = HERD.chance(state, deal) if seat == CHANCE else rng.choice(HERD.legal(state))
        state = HERD.apply(state, action)
        passed.append(state)
    return passed


def decisions(size: int, deal: str = "a", turns: int = 40) -> list[HerdState]:
    return [state for state in states(size, deal, turns) if HERD.to_act(state) in {0, 1}]


@every_size
def test_results_are_chances_of_two_seats(size: int) -> None:
    judge = HerdEvaluator(size)
    for state in states(size, turns=8):
        black, white = judge.results(state)
        assert 0 <= black <= 1
        assert black + white == 1


@every_size
def test_many_states_are_judged_as_each(size: int) -> None:
    judge = HerdEvaluator(size)
    some = states(size, turns=12)
    together = np.array(judge.results_of(some))
    assert together == pytest.approx(np.array([judge.results(state) for state in some]), abs=1e-5)
    assert list(judge.results_of([])) == []


def test_it_is_the_evaluator_of_the_game() -> None:
    table = make_table(HERD, 2, {"size": 3})
    judge = evaluator(HERD, table)
    assert judge is not None
    state = states(3)[5]
    assert judge.results(state) == HerdEvaluator(3).results(state)


@every_size
def test_the_sides_are_seen_alike(size: int) -> None:
    judge = HerdEvaluator(size)
    for state in states(size, turns=6)[1:]:
        other = replace(state, turn=state.turn + 1, stones=state.stones[::-1])
        assert judge.results(other) == judge.results(state)[::-1]


def test_the_board_is_seen_alike_from_its_six_corners() -> None:
    corners = {HerdEvaluator(5).results(position(name, "E5"))[0] for name in ("A5", "E1", "I5")}
    assert max(corners) - min(corners) < 1e-6


@pytest.mark.parametrize(
    ("state", "results"),
    [
        pytest.param(position("A2 A3 B1 B2", "B3 C1 C2", (6, 6), size=2), [1, 0], id="won"),
        pytest.param(position("A2 A3 B1", "B2 B3 C1 C2", (6, 6), size=2), [0, 1], id="lost"),
        pytest.param(position("A5", "A6", (1, 2), turn=9, turn_limit=9), [0.5, 0.5], id="tied"),
    ],
)
def test_at_the_end_it_tells_the_result(state: HerdState, results: list[float]) -> None:
    assert HERD.outcome(state) is not None
    assert list(HerdEvaluator(state.size).results(state)) == results


def test_more_stones_are_better() -> None:
    even = position("A5 A7 C3 C5", "I1 I3 G5 G7")
    more = position("A5 A7 C3 C5 C7 C9 E1 E3", "I1 I3 G5 G7")
    assert HerdEvaluator(5).results(more)[0] > HerdEvaluator(5).results(even)[0] + 0.05


@every_size
def test_a_look_ahead_sees_what_the_engine_makes_of_each_action(size: int) -> None:
    judge = HerdEvaluator(size)
    for state in decisions(size)[:: 1 if size < 5 else 23]:
        odds = judge.ahead([state])[:, 0]
        names = judge.removals if state.remove else judge.placements
        ahead = {name: value for name, value in zip(names, odds, strict=True) if value > -np.inf}
        assert set(ahead) == set(HERD.legal(state))
        seat = HERD.to_act(state)
        assert seat is not None
        for name, value in ahead.items():
            after = judge.results(HERD.apply(state, name))[seat]
            assert logistic(value) == pytest.approx(after, abs=1e-4), (state, name)


def test_states_are_looked_at_side_by_side() -> None:
    judge = HerdEvaluator(4)
    alike = [state for deal in "abcdef" for state in decisions(4, deal) if state.place == 2]
    alike = [state for state in alike if not state.remove]
    together = judge.ahead(alike)
    for column, state in enumerate(alike):
        np.testing.assert_allclose(together[:, column], judge.ahead([state])[:, 0], atol=1e-4)


@pytest.mark.parametrize("size", [4, 5])
def test_it_foretells_random_games_better_than_chance(size: int) -> None:
    judge = HerdEvaluator(size)
    errors = []
    for deal in range(40):
        passed = states(size, f"held out {deal}", turns=1000)
        expected = judge.results(passed[len(passed) * 3 // 4])
        errors.append((expected[0] - judge.results(passed[-1])[0]) ** 2)
    assert np.mean(errors) < 0.25, "that of knowing nothing"


@pytest.mark.parametrize(("result", "odds"), [(0.5, 0.0), (1.0, 15.0), (0.0, -15.0)])
def test_log_odds_are_bounded(result: float, odds: float) -> None:
    assert log_odds(result) == pytest.approx(odds)
