"""What a state of Savanna Ten is worth: one judgement, by whatever tables it is reached."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from engine.evaluation import evaluator
from engine.evaluation.results import final_results
from engine.evaluation.savanna_ten import SavannaEvaluator
from engine.evaluation.savanna_ten_patterns import FACES, LION, patterns_of, reachable_lines
from engine.game import CHANCE, Table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import VARIANTS
from engine.savanna_ten_lines import CELLS, TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import HANDS
from engine.savanna_ten_wire import SavannaOptions

GAME = SavannaTen()
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def states(variant: str, deal: str = "0a") -> Iterator[SavannaState]:
    """All states of a random game, draws included."""
    rng, state = Random(deal), GAME.initial(VARIANTS[variant].table)
    yield state
    while (seat := GAME.to_act(state)) is not None:
        chance = seat == CHANCE
        action = GAME.chance(state, deal) if chance else rng.choice(GAME.legal(state))
        state = GAME.apply(state, action)
        yield state


@every_variant
def test_results_are_shared_out_among_the_sides(variant: str) -> None:
    judge = SavannaEvaluator(VARIANTS[variant].table)
    for state in states(variant):
        results = judge.results(state)
        assert len(results) == len(state.scores)
        assert all(0 <= result <= 1 for result in results)
        assert sum(results) == pytest.approx(len(results) / 2)


@every_variant
def test_the_result_of_a_finished_game_is_its_result(variant: str) -> None:
    *_, last = states(variant)
    outcome = GAME.outcome(last)
    assert outcome is not None
    sides = VARIANTS[variant].sides
    assert SavannaEvaluator(VARIANTS[variant].table).results(last) == final_results(outcome, sides)


@every_variant
def test_placements_are_judged_as_the_states_they_lead_to(variant: str) -> None:
    judge = SavannaEvaluator(VARIANTS[variant].table)
    for state in states(variant):
        seat = GAME.to_act(state)
        if seat is None or seat == CHANCE:
            continue
        side = judge.sides[seat]
        ahead = ((1 + np.tanh(judge.leads(state))) / 2).mean(axis=0)
        spare = TILES[judge.spare_tile(state)]
        for tile in set(HANDS[state.hand(seat)]):
            for cell, name in enumerate(CELLS):
                if not state.board[cell]:
                    after = judge.results(GAME.apply(state, f"{tile}@{name}"))
                    assert ahead[TILES.index(tile), cell] == pytest.approx(after[side], abs=1e-5)
                    if tile == spare:
                        after = judge.results(GAME.apply(state, f"{tile}/lion@{name}"))
                        assert ahead[LION, cell] == pytest.approx(after[side], abs=1e-5)


def test_the_more_points_the_better() -> None:
    judge = SavannaEvaluator(VARIANTS["2-off"].table)
    [state] = [one for one in states("2-off") if GAME.turn(one) == 15 and GAME.to_act(one) == 0]
    results = [judge.results(replace(state, scores=(points, 15)))[0] for points in range(31)]
    assert results == sorted(results)
    assert results[0] < 0.02
    assert results[-1] > 0.98


def test_the_evaluator_is_found_by_the_game() -> None:
    assert isinstance(evaluator(GAME, Table(SavannaOptions(), 2)), SavannaEvaluator)


# Patterns


@pytest.mark.parametrize(("sides", "count"), [(2, 314), (3, 992), (4, 2306)])
def test_how_many_patterns_there_are(sides: int, count: int) -> None:
    assert len(reachable_lines(sides)) == patterns_of(sides).complete == count


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_turning_the_frame_once_for_each_side_changes_nothing(sides: int) -> None:
    turned = patterns_of(sides).turned
    numbers = np.arange(len(turned))
    for _ in range(sides):
        numbers = turned[numbers]
    assert numbers.tolist() == list(range(len(turned)))


def test_a_face_that_completes_a_line_scores() -> None:
    patterns = patterns_of(2)
    completing = patterns.after == patterns.complete
    assert completing[patterns.complete].all()
    assert not patterns.points[~completing].any()
    scoring = patterns.points[:-1][completing[:-1]]
    assert (scoring.sum(axis=1) > 0).all()
    assert patterns.points.shape == (patterns.complete + 1, FACES, 2)
