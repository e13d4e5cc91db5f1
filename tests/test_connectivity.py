import numpy as np
import pytest

from arena.ratings.connectivity import bounded, pools
from arena.ratings.results import Floats, crosstable
from tests.rated import duels


def took(bots: str, *pairs: str) -> Floats:
    """One point for the first bot of each pair from the second."""
    points = np.zeros((len(bots), len(bots)))
    for pair in pairs:
        points[bots.index(pair[0]), bots.index(pair[1])] += 1
    return points


def test_pools_are_the_bots_that_met_if_only_through_others() -> None:
    results = duels(("x", "y", [1]), ("a", "b", [0]), ("b", "c", [0.5]))
    assert results.names == ("a", "b", "c", "x", "y")
    assert pools(crosstable(results)) == [[0, 1, 2], [3, 4]]


def test_pools_of_one_size_stand_in_the_order_of_their_names() -> None:
    results = duels(("c", "d", [1]), ("a", "b", [0]))
    assert pools(crosstable(results)) == [[0, 1], [2, 3]]


INF = float("inf")


@pytest.mark.parametrize(
    ("bots", "pairs", "inside", "limits"),
    [
        pytest.param("A", [], "A", {}, id="a bot alone"),
        pytest.param("AB", ["AB", "BA"], "AB", {}, id="each took from the other"),
        pytest.param("ABC", ["AB", "BC", "CA"], "ABC", {}, id="a cycle"),
        pytest.param("AB", ["AB"], "", {"A": INF, "B": -INF}, id="one only won"),
        pytest.param("ABC", ["AB", "BC"], "B", {"A": INF, "C": -INF}, id="a chain of three"),
        pytest.param(
            "ABCD", ["AB", "AC", "BC", "CB", "CD"], "BC", {"A": INF, "D": -INF}, id="both ends"
        ),
        pytest.param(
            "ABCDE",
            ["AB", "BA", "AC", "CD", "DE", "EC"],
            "CDE",
            {"A": INF, "B": INF},
            id="the larger of two groups",
        ),
        pytest.param(
            "ABCD",
            ["AB", "BA", "BC", "CD", "CD", "DC"],
            "CD",
            {"A": INF, "B": INF},
            id="of equal groups the one that played more",
        ),
        pytest.param(
            "ABCDE",
            ["AB", "BA", "CA", "CD", "DE"],
            "AB",
            {"C": INF, "D": -INF, "E": -INF},
            id="not linked to the group",
        ),
    ],
)
def test_ratings_are_finite_in_one_group_linked_both_ways(
    bots: str, pairs: list[str], inside: str, limits: dict[str, float]
) -> None:
    finite, ends = bounded(took(bots, *pairs))
    assert "".join(bot for bot, within in zip(bots, finite, strict=True) if within) == inside
    assert {bot: ends[bots.index(bot)] for bot in bots if bot not in inside} == limits
