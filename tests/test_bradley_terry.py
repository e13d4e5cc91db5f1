import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.bradley_terry import maximum_likelihood, win_probability
from arena.ratings.results import Floats
from arena.ratings.units import ELO

CYCLE = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)


@pytest.mark.parametrize(
    ("points", "elo"),
    [
        pytest.param([[0, 60], [40, 0]], [35.21825, -35.21825], id="60–40"),
        pytest.param([[0, 7.5], [2.5, 0]], [95.42425, -95.42425], id="7.5 of 10"),
        pytest.param(
            [[0, 3, 0], [1, 0, 3], [0, 1, 0]], [190.8485, 0, -190.8485], id="two steps of 3–1"
        ),
        pytest.param(CYCLE, [0, 0, 0], id="a cycle"),
        pytest.param([[0, 1e6], [1, 0]], [1200, -1200], id="a million to one"),
    ],
)
def test_strengths_without_a_prior(points: Floats, elo: list[float]) -> None:
    strength, _ = maximum_likelihood(np.asarray(points, dtype=float), 0)
    assert strength * ELO == pytest.approx(elo, abs=1e-4)


def test_a_chain_of_a_hundred_long_steps_converges() -> None:
    points = np.diag([1e6] * 99, 1) + np.diag([1.0] * 99, -1)
    strength, _ = maximum_likelihood(points, 0)
    assert np.diff(strength * ELO) == pytest.approx(-2400)


def test_the_prior_keeps_the_undefeated_finite() -> None:
    strength, _ = maximum_likelihood(np.array([[0.0, 10], [0, 0]]), 1)
    top = strength[0]
    lost, drawn = win_probability(np.array([-top, top]))[0, 1], 1 / (1 + np.exp(-top))
    assert 10 * lost == pytest.approx(drawn - 0.5)  # the score of the likelihood is 0


@st.composite
def tables(draw: st.DrawFn) -> Floats:
    """Points among 2 to 7 bots, linked in a ring, from hardly any to a hundred thousand."""
    bots = draw(st.integers(2, 7))
    cell = st.sampled_from([0.0, 0.0, 0.25, 1.0, 3.0, 100.0, 1e5])
    points = np.array(
        draw(st.lists(st.lists(cell, min_size=bots, max_size=bots), min_size=bots, max_size=bots))
    )
    points += np.roll(np.eye(bots), 1, axis=1)
    np.fill_diagonal(points, 0)
    return points


@given(tables())
def test_expected_points_are_the_points_won(points: Floats) -> None:
    strength, information = maximum_likelihood(points, 0)
    games = points + points.T
    expected = (games * win_probability(strength)).sum(axis=1)
    assert expected == pytest.approx(points.sum(axis=1), rel=1e-7, abs=1e-7)
    assert strength.sum() == pytest.approx(0, abs=1e-9)
    assert information.sum(axis=1) == pytest.approx(0, abs=1e-6)


def test_information_of_even_games_is_known() -> None:
    _, information = maximum_likelihood(np.array([[0.0, 50], [50, 0]]), 0)
    difference = information[0, 0] + information[1, 1] - 2 * information[0, 1]
    assert difference == pytest.approx(1 / (100 * 0.25))
