from math import exp, inf, log, sqrt
from typing import Literal

import pytest

from arena.ratings import RatingError
from arena.ratings.sprt import Hypotheses, deal_outcome, estimate, judge, mean_exit_time
from arena.ratings.units import ELO

Scale = Literal["logistic", "normalized"]
SCALES: list[Scale] = ["logistic", "normalized"]
PENTANOMIAL = [10, 20, 40, 25, 12]


@pytest.mark.parametrize(("scale", "llr"), [("logistic", 0.17251), ("normalized", 0.14193)])
def test_the_likelihood_ratio_of_a_pentanomial(scale: Scale, llr: float) -> None:
    assert judge(PENTANOMIAL, Hypotheses(0, 5, scale=scale)).llr == pytest.approx(llr, abs=5e-6)


def test_a_small_likelihood_ratio_is_that_of_normal_scores() -> None:
    """LLR ≈ N (s1 − s0) (2m − s0 − s1) / 2v, for four sides and 25 outcomes."""
    counts = [1 + 7 * i % 5 + min(i, 24 - i) for i in range(25)]
    deals = sum(counts)
    mean = sum(count * i / 24 for i, count in enumerate(counts)) / deals
    variance = sum(count * (i / 24 - mean) ** 2 for i, count in enumerate(counts)) / deals
    s0, s1 = 1 / 2, 1 / (1 + exp(-5 / ELO))
    expected = deals * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert judge(counts, Hypotheses(0, 5, sides=4)).llr == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("counts", [PENTANOMIAL, [0, 3, 30, 9, 0], [1, 0, 0, 0, 0]])
def test_seen_from_the_other_side_the_ratio_is_the_opposite(
    counts: list[int], scale: Scale
) -> None:
    ours = judge(counts, Hypotheses(-2, 8, scale=scale))
    theirs = judge(counts[::-1], Hypotheses(-8, 2, scale=scale))
    assert ours.llr == pytest.approx(-theirs.llr)


def test_the_bounds_are_walds() -> None:
    assert Hypotheses().bounds == pytest.approx((-log(19), log(19)))
    assert Hypotheses(alpha=0.1, beta=0.2).bounds == pytest.approx((log(0.2 / 0.9), log(8)))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("counts", "accepted"),
    [
        ([0, 0, 0, 0, 200], "elo1"),
        ([200, 0, 0, 0, 0], "elo0"),
        ([100, 200, 400, 300, 180], "elo1"),
        ([150, 250, 400, 230, 120], "elo0"),
        (PENTANOMIAL, None),
        ([0, 0, 0, 0, 1], None),
        ([0, 0, 0, 0, 0], None),
    ],
)
def test_a_hypothesis_is_accepted_at_its_bound(
    counts: list[int], accepted: str | None, scale: Scale
) -> None:
    verdict = judge(counts, Hypotheses(scale=scale))
    assert verdict.accepted == accepted
    assert (verdict.to_go == 0) == (accepted is not None)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("bounds", [(-100, 100), (90, 100), (-100, -90), (0, 0.1)])
def test_deals_that_all_end_alike_are_judged(
    sides: int, bounds: tuple[float, float], scale: Scale
) -> None:
    hypotheses = Hypotheses(*bounds, scale=scale, sides=sides)
    lost, even, won = (
        judge([1000 * (i == at) for i in range(hypotheses.outcomes)], hypotheses)
        for at in (0, hypotheses.outcomes // 2, hypotheses.outcomes - 1)
    )
    assert lost.llr < even.llr < won.llr


def test_without_a_deal_nothing_is_known() -> None:
    verdict = judge([0] * 5, Hypotheses())
    assert (verdict.llr, verdict.to_go, verdict.estimate) == (0, None, None)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"elo0": 10, "elo1": 10}, "elo0 must be below elo1, both within ±1000 in logistic Elo"),
        ({"elo1": 101, "scale": "normalized"}, "both within ±100 in normalized Elo, not 0 and 101"),
        ({"elo1": inf}, "not 0 and inf"),
        ({"alpha": 0.5}, r"alpha and beta must be between 0 and 0\.5, not 0\.5 and 0\.05"),
        ({"beta": 0}, r"alpha and beta must be between 0 and 0\.5, not 0\.05 and 0"),
    ],
)
def test_what_is_no_test_is_refused(bounds: dict[str, float], message: str) -> None:
    with pytest.raises(RatingError, match=message):
        Hypotheses(**bounds)  # type: ignore[arg-type]  # some are wrong on purpose


def test_the_number_of_outcomes_must_fit_the_sides() -> None:
    with pytest.raises(ValueError, match="there are 13 outcomes, not 5"):
        judge(PENTANOMIAL, Hypotheses(sides=3))


@pytest.mark.parametrize(
    ("rotations", "outcome"),
    [
        ([(1, [2]), (2, [1])], 2),
        ([(1, [2]), (1, [1])], 3),
        ([(2, [1, 3]), (1, [1, 1]), (1, [2, 3])], 2 + 2 + 4),
    ],
)
def test_a_deal_counts_half_points(rotations: list[tuple[int, list[int]]], outcome: int) -> None:
    assert deal_outcome(rotations) == outcome


def test_the_estimate_is_that_of_the_mean_score() -> None:
    found = estimate(PENTANOMIAL, sides=2)
    assert found is not None
    mean, deals = 55.75 / 107, 107
    squares = sum(count * (i / 4 - mean) ** 2 for i, count in enumerate(PENTANOMIAL))
    standard_error = sqrt(squares / (deals - 1) / deals) / (mean * (1 - mean))
    assert found.elo == pytest.approx(ELO * log(mean / (1 - mean)), abs=1e-6)
    assert found.error == pytest.approx(1.96 * ELO * standard_error, abs=1e-6)
    assert found.los == pytest.approx(0.781729)


@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        pytest.param([0, 0, 0, 0, 10], 645.1, 488, id="all won"),
        pytest.param([10, 0, 0, 0, 0], -645.1, 488, id="all lost"),
        pytest.param([0, 0, 10, 0, 0], 0, 149, id="all even"),
        pytest.param([0, 0, 0, 1, 9], 520.4, 349, id="half a point lost"),
    ],
)
def test_extreme_estimates_have_the_error_of_independent_games(
    counts: list[int], elo: float, error: float
) -> None:
    found = estimate(counts, sides=2)
    assert found is not None
    assert found.elo == pytest.approx(elo, abs=0.1)
    assert found.error == pytest.approx(error, abs=1)


@pytest.mark.parametrize("counts", [[0] * 5, [0, 0, 0, 0, 1]])
def test_one_deal_is_too_little_for_an_estimate(counts: list[int]) -> None:
    assert estimate(counts, sides=2) is None


@pytest.mark.parametrize(
    ("below", "above", "drift", "variance", "time"),
    [
        pytest.param(3, 5, 0, 2, 7.5, id="without drift: a · b / variance"),
        pytest.param(3, 5, 1e-9, 2, 7.5, id="hardly any drift"),
        pytest.param(3, 5, 0.5, 1e-9, 10, id="without noise: straight up"),
        pytest.param(3, 5, -0.5, 1e-9, 6, id="straight down"),
        pytest.param(1, 1, 0.5, 1, (2 / (1 + exp(-1)) - 1) / 0.5, id="from the middle"),
        pytest.param(0, 8, 1, 1, 0, id="at the bound"),
    ],
)
def test_the_mean_time_to_a_bound(
    below: float, above: float, drift: float, variance: float, time: float
) -> None:
    assert mean_exit_time(below, above, drift, variance) == pytest.approx(time)
