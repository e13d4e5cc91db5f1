"""Results freed from luck: the same in the mean, and less noisy where luck explains them."""

from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from arena.ratings import control
from arena.ratings.control import FEW_DEALS, coefficients, freed_from_luck
from arena.ratings.elo import rate
from arena.ratings.leaderboard import leaderboard
from arena.ratings.results import Results, crosstable
from benchmarks.simulated import Field, tournament


def duels(points: list[float], luck: list[float], rotations: int = 1) -> Results:
    """Matches of a and b, from the points of a and what chance gave it."""
    ranks = [{1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[won] for won in points]
    return Results.from_columns(
        ["a", "b"],
        slots=range(len(points)),
        clusters=[match // rotations for match in range(len(points))],
        bots=[(0, 1)] * len(points),
        ranks=ranks,
        luck=[(own, -own) for own in luck],
    )


def slope(points: list[float], luck: list[float]) -> float:
    """The slope of points on luck, whose mean is known to be 0."""
    mean = sum(points) / len(points)
    covariance = sum((won - mean) * own for won, own in zip(points, luck, strict=True))
    return covariance / sum(own**2 for own in luck)


def test_each_deal_takes_the_slope_of_the_others() -> None:
    rng = Random(1)
    luck = [rng.uniform(-0.5, 0.5) for _ in range(FEW_DEALS)]
    points = [float(own + rng.uniform(-0.2, 0.2) > 0) for own in luck]
    same = np.arange(len(luck))
    found = coefficients(same, np.zeros_like(same), np.array(points), np.array(luck))
    assert found.tolist() == pytest.approx(
        [
            slope(points[:at] + points[at + 1 :], luck[:at] + luck[at + 1 :])
            for at in range(len(luck))
        ]
    )


def test_the_rotations_of_a_deal_are_taken_together() -> None:
    """The luck of the second rotation undoes that of the first, and so do the results."""
    luck = [0.3, -0.3, 0.2, -0.2] * FEW_DEALS
    points = [1.0, 0.0] * (2 * FEW_DEALS)
    freed = freed_from_luck(duels(points, luck, rotations=2))
    assert freed.corrections is not None
    assert not freed.corrections.any()
    apart = freed_from_luck(duels(points, luck))
    assert apart.corrections is not None
    assert (apart.corrections[0] * luck > 0).all()


def test_few_deals_are_left_as_they_are() -> None:
    for deals, left in ((FEW_DEALS - 1, True), (FEW_DEALS, False)):
        luck = [0.1 * (-1) ** deal + 0.01 * deal for deal in range(deals)]
        freed = freed_from_luck(duels([float(own > 0) for own in luck], luck))
        assert freed.corrections is not None
        assert (not freed.corrections.any()) is left


def test_what_one_side_loses_by_a_correction_the_other_gains() -> None:
    results = tournament(Field((0, 50, 100, 0), 3, 0.4, 0), 30, np.random.default_rng(1))
    freed = freed_from_luck(with_luck(results, np.random.default_rng(2)))
    assert freed.corrections is not None
    orders = list(permutations(range(3), 2))
    for row, (one, other) in zip(freed.corrections, orders, strict=True):
        assert row == pytest.approx(-freed.corrections[orders.index((other, one))])
    table = crosstable(freed)
    assert table.half_points + table.half_points.T == pytest.approx(2 * table.matches)


def with_luck(results: Results, rng: np.random.Generator) -> Results:
    """Luck that explains part of the results."""
    places = (1 + results.sides) / 2 - results.ranks
    luck = 0.1 * places + rng.normal(0, 0.1, results.ranks.shape)
    return Results.from_columns(
        results.names,
        slots=np.arange(len(results.ranks)),
        clusters=results.clusters,
        bots=results.bots,
        ranks=results.ranks,
        luck=luck - luck.mean(axis=1, keepdims=True),
    )


ATOMS = [(0.2, 1.0, 0.6), (0.3, 1.0, -0.2), (0.5, 0.0, -0.12)]
"""Probability, points of a, luck of a; the mean luck is 0."""


def test_corrections_are_0_in_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over every way that four deals can go. A slope that looks at its own deal is not."""
    monkeypatch.setattr(control, "FEW_DEALS", 4)
    mean = within = 0.0
    for deals in product(ATOMS, repeat=4):
        chances, points, luck = ([deal[n] for deal in deals] for n in range(3))
        likely = float(np.prod(chances))
        freed = freed_from_luck(duels(points, luck))
        assert freed.corrections is not None
        mean += likely * freed.corrections[0].sum()
        within += likely * slope(points, luck) * sum(luck)
    assert mean == pytest.approx(0, abs=1e-12)
    assert abs(within) > 0.01


def test_a_match_whose_luck_is_not_known_counts_as_it_is() -> None:
    luck = [0.3, -0.2] * FEW_DEALS
    results = duels([1.0, 0.0] * FEW_DEALS, [*luck[:-1], float("nan")])
    freed = freed_from_luck(results)
    assert freed.corrections is not None
    assert freed.corrections[0, -1] == 0
    assert freed.corrections[0, 0] > 0


def test_without_luck_nothing_is_corrected() -> None:
    results = tournament(Field((0, 0), 2, 0, 0), 30, np.random.default_rng(1))
    assert freed_from_luck(results) is results
    (table,) = leaderboard(results)
    assert [(row.luck, row.elo_luck, row.error_luck) for row in table.bots] == [(None,) * 3] * 2


def test_luck_that_decides_shrinks_the_error() -> None:
    rng = np.random.default_rng(3)
    luck = rng.uniform(-0.5, 0.5, 2000)
    decided = rng.uniform(0, 1, 2000) < 0.5 + luck
    results = duels([float(won) for won in decided], luck.tolist())
    (table,) = leaderboard(results)
    best = table.bots[0]
    assert best.error is not None
    assert best.error_luck is not None
    left = 1 - luck.var() / 0.25  # a third of the variance is luck's
    assert best.error_luck / best.error == pytest.approx(left**0.5, abs=0.02)
    assert best.luck == pytest.approx(luck.mean() if best.bot == "a" else -luck.mean())


def test_luck_that_says_nothing_costs_little() -> None:
    rng = np.random.default_rng(4)
    points = rng.integers(0, 2, 2000).astype(float).tolist()
    results = duels(points, rng.uniform(-0.5, 0.5, 2000).tolist())
    plain, freed = rate(results), rate(freed_from_luck(results))
    assert freed.elo == pytest.approx(plain.elo, abs=1)
    assert freed.error == pytest.approx(plain.error, rel=0.01)


def test_corrections_cannot_take_more_than_there_is() -> None:
    """Two matches were lost by bad luck, and all had some: freed from it, a wins too much."""
    luck = [-0.5, -0.5] + [-0.05] * (FEW_DEALS - 2)
    points = [0.0, 0.0] + [1.0] * (FEW_DEALS - 2)
    freed = freed_from_luck(duels(points, luck))
    assert crosstable(freed).points[0, 1] > FEW_DEALS + 0.5
    assert rate(freed).elo == pytest.approx(rate(duels([1.0] * FEW_DEALS, luck)).elo)
