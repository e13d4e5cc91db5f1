from random import Random

import evalica
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings import RatingError
from arena.ratings.elo import Ratings, rate
from arena.ratings.results import Result, Results
from arena.ratings.units import ELO, Z95
from benchmarks.simulated import Field, tournament
from tests.rated import deals, duel_ranks, duels

INF = float("inf")


@pytest.mark.parametrize(
    ("results", "elo"),
    [
        pytest.param(duels(("a", "b", [1] * 60 + [0] * 40)), [35.2183, -35.2183], id="60–40"),
        pytest.param(duels(("a", "b", [1] * 7 + [0.5] + [0] * 2)), [95.4243, -95.4243], id="draws"),
        pytest.param(
            duels(("a", "b", [1, 1, 1, 0]), ("b", "c", [1, 1, 1, 0])),
            [190.8485, 0, -190.8485],
            id="two steps",
        ),
        pytest.param(
            duels(("a", "b", [1]), ("b", "c", [1]), ("c", "a", [1])), [0, 0, 0], id="cycle"
        ),
        pytest.param(duels(("a", "b", [1] * 10)), [INF, -INF], id="nothing bounds them"),
        pytest.param(
            duels(("a", "b", [1, 0]), ("c", "a", [1, 1]), ("b", "d", [1])),
            [0, 0, INF, -INF],
            id="the undefeated leaves the others alone",
        ),
        pytest.param(
            duels(("a", "b", [1]), ("a", "c", [1]), ("b", "d", [1])),
            [INF, 0, -INF, -INF],
            id="a chain has a middle",
        ),
    ],
)
def test_ratings_without_a_prior(results: Results, elo: list[float]) -> None:
    assert rate(results, prior=0).elo.tolist() == pytest.approx(elo, abs=1e-4)


def test_a_prior_bounds_the_undefeated() -> None:
    assert rate(duels(("a", "b", [1] * 10))).elo == pytest.approx([290.2544, -290.2544], abs=1e-4)


def test_evalica_agrees() -> None:
    random = Random(1)
    strength = dict(zip("abcd", (0, 60, 150, 400), strict=True))
    pairings = [tuple(random.sample("abcd", 2)) for _ in range(720)]
    chances = [1 / (1 + 10 ** ((strength[b] - strength[a]) / 400)) for a, b in pairings]
    points = [random.choice([0.5, float(random.random() < chance)]) for chance in chances]
    results = duels(*((a, b, [p]) for (a, b), p in zip(pairings, points, strict=True)))

    winner = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    scores = evalica.bradley_terry(
        xs=[a for a, _ in pairings],
        ys=[b for _, b in pairings],
        winners=[winner[p] for p in points],
        tolerance=1e-12,
        limit=100_000,
    ).scores.sort_index()
    theirs = 400 * np.log10(scores.to_numpy())
    assert rate(results, prior=0).elo == pytest.approx(theirs - theirs.mean(), abs=0.01)


def test_an_anchor_shifts_the_ratings_not_their_errors() -> None:
    results = deals("a", "b", [(1, 1), (1, 0), (0, 0), (1, 0.5)] * 5)
    free, held = rate(results), rate(results, anchor=("b", 1500))
    assert held.elo[1] == 1500
    assert held.elo[0] - held.elo[1] == pytest.approx(free.elo[0] - free.elo[1])
    assert held.error.tolist() == free.error.tolist()


@pytest.mark.parametrize("prior", [-1, 0.0001, 1001, INF, float("nan")])
def test_a_prior_out_of_range_is_refused(prior: float) -> None:
    with pytest.raises(RatingError, match=r"the prior is 0, or from 0\.001 to 1000 games, not"):
        rate(duels(("a", "b", [1])), prior)


def test_an_infinite_rating_is_no_anchor() -> None:
    with pytest.raises(RatingError, match="a cannot be the anchor: without a prior its rating is"):
        rate(duels(("a", "b", [1])), 0, ("a", 1000))


def difference_error(ratings: Ratings) -> float:
    return float(ratings.difference_error[0, 1])


def test_the_error_of_two_bots_is_that_of_their_mean_score() -> None:
    """The delta method on the mean score of a deal, whose variance is measured over deals."""
    pairs = [(1, 1), (1, 0), (0, 1), (1, 0.5), (0, 0.5), (0, 0), (1, 1), (1, 0)] * 5
    scores = np.mean(pairs, axis=1)
    mean = scores.mean()
    standard_error = np.sqrt(scores.var(ddof=1) / len(scores)) / (mean * (1 - mean))
    ratings = rate(deals("a", "b", pairs), prior=0)
    assert difference_error(ratings) == pytest.approx(Z95 * ELO * standard_error)
    assert ratings.error == pytest.approx(Z95 * ELO * standard_error / 2)
    assert not ratings.floored.any()


def test_deals_that_cancel_make_the_error_smaller_than_matches_alone() -> None:
    split = [(1, 0), (0, 1)] * 50
    swept = [(1, 1), (0, 0)] * 50
    noisy = [(1, 0), (0, 1), (1, 1), (0, 0)] * 25
    errors = [
        difference_error(rate(deals("a", "b", [*pairs, (1, 1), (0, 0)])))
        for pairs in (split, noisy, swept)
    ]
    assert errors[0] < errors[1] < errors[2]


@pytest.mark.parametrize(
    ("pairs", "at_least"),
    [
        pytest.param([(1, 1)] * 200, 400, id="all won: the clusters alone would say 23"),
        pytest.param([(1, 0)] * 200, 34, id="all even: the clusters alone would say 0"),
        pytest.param([(1, 1)] * 198 + [(1, 0), (0, 0.5)], 130, id="under 5 points lost"),
    ],
)
def test_errors_at_the_extremes_are_those_of_independent_games(
    pairs: list[tuple[float, float]], at_least: float
) -> None:
    ratings = rate(deals("a", "b", pairs))
    assert difference_error(ratings) > at_least
    assert ratings.floored.all()


def test_five_points_lost_are_enough() -> None:
    ratings = rate(deals("a", "b", [(1, 1)] * 195 + [(1, 0)] * 5))
    assert not ratings.floored.any()


@pytest.mark.parametrize("prior", [0, 1])
def test_one_deal_says_too_little_for_an_error(prior: float) -> None:
    ratings = rate(deals("a", "b", [(1, 0)]), prior)
    assert np.isnan(ratings.error).all()
    assert np.isnan(ratings.difference_error).all()
    assert not ratings.floored.any()


def test_a_bot_with_one_deal_leaves_the_errors_of_the_others() -> None:
    pairs = [(1.0, 1.0), (1, 0), (0, 0), (1, 0.5)] * 5
    rows = [
        Result(slot, f"deal-{slot // 2}", ("a", "b"), duel_ranks(points))
        for slot, points in enumerate(score for pair in pairs for score in pair)
    ]
    newcomer = [Result(100, "late", ("a", "c"), (1, 2)), Result(101, "late", ("c", "a"), (1, 2))]
    ratings = rate(Results.collect([*rows, *newcomer]))
    assert np.isnan(ratings.error).tolist() == [False, False, True]
    assert np.isfinite(ratings.difference_error[0, 1])
    assert np.isnan(ratings.difference_error[2]).all()


def test_an_undefeated_bot_without_a_prior_leaves_the_errors_of_the_others() -> None:
    pair = deals("a", "b", [(1, 1), (1, 0), (0, 0), (1, 0.5)] * 5)
    alone = rate(pair, prior=0)
    rows = [
        Result(slot, f"{cluster}", tuple("ab"[bot] for bot in bots), tuple(ranks))
        for slot, (cluster, bots, ranks) in enumerate(
            zip(pair.clusters.tolist(), pair.bots.tolist(), pair.ranks.tolist(), strict=True)
        )
    ]
    unbeaten = [Result(100 + i, f"z{i}", ("z", "ab"[i % 2]), (1, 2)) for i in range(6)]
    together = rate(Results.collect([*rows, *unbeaten]), prior=0)
    assert together.elo.tolist() == [*alone.elo.tolist(), INF]
    assert together.error[:2].tolist() == alone.error.tolist()
    assert np.isnan(together.error[2])


def test_errors_of_three_sides_agree_with_the_textbook_sandwich() -> None:
    rng = np.random.default_rng(3)
    results = tournament(Field((80, 0, -80), sides=3, luck=0.3, grasp=0.2), 40, rng)
    ratings = rate(results, prior=0)

    theta = ratings.elo / ELO
    wins = 1 / (1 + np.exp(np.subtract.outer(-theta, -theta)))
    scores = np.zeros((40, 3))
    information = np.zeros((3, 3))
    for cluster, bots, ranks in zip(results.clusters, results.bots, results.ranks, strict=True):
        for x, a in enumerate(bots):
            for y, b in enumerate(bots):
                if x != y:
                    scores[cluster, a] += (float(ranks[x] < ranks[y]) - wins[a, b]) / 2
                    information[a, a] += wins[a, b] * wins[b, a] / 2
                    information[a, b] -= wins[a, b] * wins[b, a] / 2
    bread = np.linalg.pinv(information, rcond=1e-10)
    covariance = bread @ (40 / 39 * scores.T @ scores) @ bread
    assert ratings.error == pytest.approx(Z95 * ELO * np.sqrt(np.diag(covariance)))
    contrast = np.array([1, 0, -1])
    assert ratings.difference_error[0, 2] == pytest.approx(
        Z95 * ELO * np.sqrt(contrast @ covariance @ contrast)
    )


@pytest.mark.parametrize(
    ("field", "seed"),
    [
        (Field((150, -150), sides=2, luck=0.4, grasp=0.1), 0),
        (Field((150, 0, -150), sides=3, luck=0.1, grasp=0.4), 0),
    ],
)
def test_the_interval_holds_the_truth_in_about_95_of_100(field: Field, seed: int) -> None:
    """A fixed seed; benchmarks/coverage.py measures it well."""
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(300):
        ratings = rate(tournament(field, 60, rng))
        held += abs(ratings.elo[0] - ratings.elo[-1] - 300) <= ratings.difference_error[0, -1]
    assert 0.93 <= held / 300 <= 0.97


# Any matches at all.

BOTS = st.sampled_from("abcdefg")


@st.composite
def match_lists(draw: st.DrawFn) -> list[Result]:
    """Matches of two to four sides, ties and repeated deals included."""
    sides = draw(st.integers(2, 4))
    match = st.tuples(
        st.lists(BOTS, min_size=sides, max_size=sides, unique=True),
        st.lists(st.integers(1, sides), min_size=sides, max_size=sides),
        st.integers(0, 9),
    )
    return [
        Result(slot, f"deal-{deal}", tuple(bots), tuple(ranks))
        for slot, (bots, ranks, deal) in enumerate(draw(st.lists(match, min_size=1, max_size=30)))
    ]


@given(match_lists(), st.sampled_from([0, 0.001, 1]))
def test_ratings_are_never_nan_nor_minus_zero(matches: list[Result], prior: float) -> None:
    ratings = rate(Results.collect(matches), prior)
    assert not np.isnan(ratings.elo).any()
    assert not np.signbit(ratings.elo[ratings.elo == 0]).any()
    assert np.isfinite(ratings.elo).all() or prior == 0
    assert (ratings.error[~np.isnan(ratings.error)] > 0).all()
