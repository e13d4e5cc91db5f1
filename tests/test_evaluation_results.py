"""From scores to results: who ranks ahead of whom, and how surely."""

from math import e

import pytest

from engine.evaluation.results import expected_results, final_results, logistic
from engine.game import Outcome


@pytest.mark.parametrize(
    ("scores", "spread", "results"),
    [
        ([5, 5], 2, [0.5, 0.5]),
        ([7, 5], 2, [e / (1 + e), 1 / (1 + e)]),
        ([9, 5], 4, [e / (1 + e), 1 / (1 + e)]),
        ([3, 3, 3], 1, [0.5, 0.5, 0.5]),
        ([1000, 0, 0], 1, [1, 0.25, 0.25]),
        ([1000, 0, -1000, 0], 1, [1, 0.5, 0, 0.5]),
    ],
)
def test_expected_results(scores: list[float], spread: float, results: list[float]) -> None:
    assert expected_results(scores, spread) == pytest.approx(results)


@pytest.mark.parametrize(
    ("ranks", "sides", "results"),
    [
        ((1, 2), (0, 1), [1, 0]),
        ((2, 1), (0, 1), [0, 1]),
        ((1, 1), (0, 1), [0.5, 0.5]),
        ((1, 2, 1, 2), (0, 1, 0, 1), [1, 0]),
        ((3, 1, 2), (0, 1, 2), [0, 1, 0.5]),
        ((1, 1, 3, 4), (0, 1, 2, 3), [5 / 6, 5 / 6, 1 / 3, 0]),
        ((2, 1, 2, 2), (0, 1, 2, 3), [1 / 3, 1, 1 / 3, 1 / 3]),
    ],
)
def test_the_result_is_the_share_of_others_ranked_behind(
    ranks: tuple[int, ...], sides: tuple[int, ...], results: list[float]
) -> None:
    assert final_results(Outcome(ranks, (), "finished"), sides) == pytest.approx(results)


def test_a_logistic_curve_that_never_overflows() -> None:
    assert logistic(0) == 0.5
    assert logistic(-1e9) == pytest.approx(0)
    assert logistic(1e9) == pytest.approx(1)
