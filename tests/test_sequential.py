import numpy as np
import pytest

from arena.ratings.results import Result, Results
from arena.ratings.sequential import START, history, play
from tests.rated import duels


@pytest.mark.parametrize(
    ("before", "ranks", "gains"),
    [
        pytest.param([1500, 1500], [1, 2], [16, -16], id="equals"),
        pytest.param([1600, 1400], [1, 2], [7.6881, -7.6881], id="the favourite wins"),
        pytest.param([1500, 1500], [1, 1], [0, 0], id="a draw of equals"),
        pytest.param([1500] * 4, [1, 2, 3, 4], [16, 5.3333, -5.3333, -16], id="four"),
        pytest.param([1500] * 4, [1, 1, 3, 4], [10.6667, 10.6667, -5.3333, -16], id="shared first"),
        pytest.param([1700, 1500, 1300], [3, 2, 1], [-26.7014, 0, 26.7014], id="upside down"),
    ],
)
def test_a_match_moves_the_ratings(
    before: list[float], ranks: list[int], gains: list[float]
) -> None:
    ratings = [float(rating) for rating in before]
    play(ratings, np.arange(len(ratings))[None], np.array([ranks]))
    moved = [after - rating for after, rating in zip(ratings, before, strict=True)]
    assert moved == pytest.approx(gains, abs=1e-4)


def test_matches_are_played_in_slot_order() -> None:
    rows = [Result(1, "x", ("a", "b"), (1, 2)), Result(0, "y", ("a", "b"), (2, 1))]
    last = history(Results.collect(rows)).ratings[-1]
    assert last == pytest.approx((1501.4695, 1498.5305), abs=1e-4)  # the loss came first
    assert last == history(Results.collect(rows[::-1])).ratings[-1]


def test_a_history_starts_level_and_ends_at_the_last_match() -> None:
    results = duels(("a", "b", [1] * 10))
    chart = history(results, moments=4)
    assert chart.matches == (0, 2, 5, 7, 10)
    assert chart.ratings[0] == (START, START)
    assert [row[0] for row in chart.ratings] == sorted(row[0] for row in chart.ratings)
    assert chart.ratings[-1] == history(results).ratings[-1]


def test_a_history_has_no_more_moments_than_matches() -> None:
    assert history(duels(("a", "b", [1, 0, 1])), moments=100).matches == (0, 1, 2, 3)


def test_without_matches_there_is_only_the_start() -> None:
    assert history(Results.collect([])).matches == (0,)
