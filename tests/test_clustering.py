import numpy as np
import pytest

from arena.ratings.clustering import cluster_scores, meat
from arena.ratings.results import Result, Results
from tests.rated import deals

EVEN = np.full((2, 2), 0.5)
ALL = np.full((2, 2), True)


def test_the_scores_of_a_deal_are_summed() -> None:
    results = deals("ant", "bee", [(1, 1), (1, 0), (0.5, 0)])
    scores = cluster_scores(results, EVEN, ALL)
    assert scores.clusters.tolist() == [0, 0, 1, 1, 2, 2]
    assert scores.bots.tolist() == [0, 1, 0, 1, 0, 1]
    assert scores.values.tolist() == [1, -1, 0, 0, -0.5, 0.5]


def test_pairs_that_do_not_count_leave_no_score() -> None:
    results = deals("ant", "bee", [(1, 1)])
    assert cluster_scores(results, EVEN, ~ALL).values.tolist() == []


def test_meat_is_the_scaled_sum_of_outer_products() -> None:
    results = deals("ant", "bee", [(1, 1), (1, 0), (0.5, 0)])
    filling, clusters = meat(cluster_scores(results, EVEN, ALL), 2)
    assert filling == pytest.approx(3 / 2 * np.array([[1.25, -1.25], [-1.25, 1.25]]))
    assert clusters.tolist() == [3, 3]


def test_clusters_of_different_groups_and_sizes_add_up() -> None:
    rng = np.random.default_rng(0)
    rows = [
        Result(
            slot, f"deal-{rng.integers(12)}", tuple(rng.permutation(list("abcde"))[:3]), (1, 2, 3)
        )
        for slot in range(40)
    ]
    results = Results.collect(rows)
    expected = rng.random((5, 5))
    expected = (expected + 1 - expected.T) / 2
    filling, clusters = meat(cluster_scores(results, expected, np.full((5, 5), True)), 5)

    by_cluster: dict[str, dict[int, float]] = {}
    for row in rows:
        score = by_cluster.setdefault(row.cluster, dict.fromkeys(range(5), 0.0))
        numbers = ["abcde".index(bot) for bot in row.bots]
        for x, a in enumerate(numbers):
            for y, b in enumerate(numbers):
                if x != y:
                    score[a] += ((x < y) - expected[a, b]) / 2
    vectors = np.array([list(score.values()) for score in by_cluster.values()])
    groups = len(vectors)
    assert filling == pytest.approx(groups / (groups - 1) * vectors.T @ vectors)
    met = [{bot for row in rows if row.cluster == name for bot in row.bots} for name in by_cluster]
    assert clusters.tolist() == [sum(bot in bots for bots in met) for bot in "abcde"]
