"""A sequential test of two versions, NEW and BASE, on paired deals.

The unit is a deal, played once per rotation, since the matches of a deal are correlated. Its
outcome is what NEW took over all rotations and opponents, in half points: 0 to 4 between two
sides (the pentanomial), 0 to 2n(n − 1) between n. The test is the sequential probability ratio
test (Wald, 1945) in its generalised form (Li, Liu and Ying, 2014): a hypothesis has the
likelihood of the most likely distribution of outcomes that has its strength.
"""

from collections.abc import Iterable, Sequence
from math import exp, expm1, log, sqrt
from typing import Final, Literal

from msgspec import Struct

from . import RatingError
from .units import ELO, FEW_POINTS, Z95, likelihood_of_superiority, rounded

NORMALIZED: Final = 2 * ELO
"""Normalized Elo per standard deviation of one game's score (Van den Bergh, as below)."""
LIMITS: Final = {"logistic": 1000.0, "normalized": 100.0}
"""The largest Elo of a hypothesis, in either direction; beyond it no distribution is found."""
UNSEEN: Final = 1e-3
"""What an outcome that never came counts for: it may come yet."""
BISECTIONS: Final = 60
"""Halvings of an interval, to the precision of a float."""
ROUNDS: Final = 50
"""Linearisations at most; a handful is usual."""


class Hypotheses(Struct, frozen=True):
    """What is asked: is NEW `elo0` stronger than BASE, or `elo1`? RatingError if it is no test."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """The chance of accepting `elo1` when `elo0` is true."""
    beta: float = 0.05
    """The chance of accepting `elo0` when `elo1` is true."""
    scale: Literal["logistic", "normalized"] = "logistic"
    """The kind of Elo of `elo0` and `elo1`."""
    sides: int = 2
    """How many sides a match has, which is also the number of rotations of a deal."""

    def __post_init__(self) -> None:
        limit = LIMITS[self.scale]
        if not -limit <= self.elo0 < self.elo1 <= limit:
            raise RatingError(
                f"elo0 must be below elo1, both within ±{limit:g} in {self.scale} Elo, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise RatingError(
                f"alpha and beta must be between 0 and 0.5, not {self.alpha:g} and {self.beta:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0` and `elo1` are accepted (Wald, 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def outcomes(self) -> int:
        """How many outcomes a deal can have."""
        return 2 * self.sides * (self.sides - 1) + 1


class Estimate(Struct, frozen=True):
    """How much stronger NEW is, in logistic Elo."""

    elo: float
    error: float
    """Half a 95 % interval."""
    los: float
    """The likelihood that NEW is the stronger."""


class Verdict(Struct, frozen=True):
    """What the deals say so far."""

    accepted: Literal["elo0", "elo1"] | None
    """The hypothesis that is accepted; None while the test is undecided."""
    llr: float
    """The log-likelihood ratio of `elo1` to `elo0`."""
    to_go: float | None
    """Deals expected until the decision, if NEW is as strong as it looks; None: no deal yet."""
    estimate: Estimate | None
    """None: fewer than two deals."""


def deal_outcome(rotations: Iterable[tuple[int, Sequence[int]]]) -> int:
    """NEW's half points on a deal, from its own rank and its opponents' in each rotation."""
    return sum(
        1 + (rank < other) - (rank > other) for rank, others in rotations for other in others
    )


def judge(counts: Sequence[int], hypotheses: Hypotheses) -> Verdict:
    """The verdict after `counts[i]` deals of outcome i, for all `hypotheses.outcomes` of them."""
    if len(counts) != hypotheses.outcomes:
        raise ValueError(f"there are {hypotheses.outcomes} outcomes, not {len(counts)}")
    if not any(counts):
        return Verdict(None, 0.0, None, None)
    weights = [count or UNSEEN for count in counts]
    frequencies = [weight / sum(weights) for weight in weights]
    ratios = [
        log(one / zero) for zero, one in zip(*_most_likely(frequencies, hypotheses), strict=True)
    ]
    drift, variance = _moments(ratios, frequencies)
    llr = drift * sum(weights)
    lower, upper = hypotheses.bounds
    return Verdict(
        accepted="elo0" if llr <= lower else "elo1" if llr >= upper else None,
        llr=rounded(llr),
        to_go=rounded(mean_exit_time(llr - lower, upper - llr, drift, variance)),
        estimate=estimate(counts, hypotheses.sides),
    )


def estimate(counts: Sequence[int], sides: int) -> Estimate | None:
    """The strength of NEW by its mean score; the error by the delta method.

    Where it won or lost under 5 points, or all deals ended alike, one drawn game is added and
    the error is at least that of independent games, as on the leaderboard.
    """
    deals = sum(counts)
    if deals < 2:
        return None
    share, variance = _moments(_scores(len(counts)), [count / deals for count in counts])
    games = float(deals * sides)
    extreme = min(share, 1 - share) * games < FEW_POINTS or variance < 1e-12
    if extreme:
        share, games = (share * games + 0.5) / (games + 1), games + 1
    information = share * (1 - share)
    spread = variance / (deals - 1) / information**2
    if extreme:
        spread = max(spread, 1 / (games * information))
    elo = ELO * log(share / (1 - share))
    error = Z95 * ELO * sqrt(spread)
    los = likelihood_of_superiority(elo, error)
    return Estimate(rounded(elo), rounded(error), rounded(los))


def _scores(outcomes: int) -> list[float]:
    """The share of the points that each outcome is."""
    return [outcome / (outcomes - 1) for outcome in range(outcomes)]


def _moments(values: Sequence[float], probabilities: Sequence[float]) -> tuple[float, float]:
    """Mean and variance."""
    mean = sum(p * value for p, value in zip(probabilities, values, strict=True))
    return mean, sum(p * (v - mean) ** 2 for p, v in zip(probabilities, values, strict=True))


def _most_likely(
    frequencies: Sequence[float], hypotheses: Hypotheses
) -> tuple[list[float], list[float]]:
    """The most likely distributions of outcomes under the two hypotheses."""
    if hypotheses.scale == "logistic":
        means = (1 / (1 + exp(-elo / ELO)) for elo in (hypotheses.elo0, hypotheses.elo1))
        zero, one = (_with_mean(frequencies, mean) for mean in means)
    else:
        per_deal = sqrt(hypotheses.sides) / NORMALIZED
        t_values = (elo * per_deal for elo in (hypotheses.elo0, hypotheses.elo1))
        zero, one = (_with_t_value(frequencies, t) for t in t_values)
    return zero, one


def _with_mean(frequencies: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution with this mean score."""
    return _with_zero(frequencies, [score - mean for score in _scores(len(frequencies))])


def _with_t_value(frequencies: Sequence[float], t: float) -> list[float]:
    """The most likely distribution whose (mean − ½) / standard deviation is t.

    The condition is not linear; it is linearised at the last distribution until that stays.
    Source: Van den Bergh, hardy.uhasselt.be/Fishtest/normalized_elo_practical.pdf, section 4.1.
    """
    scores = _scores(len(frequencies))
    distribution = [1 / len(scores)] * len(scores)
    for _ in range(ROUNDS):
        before = distribution
        mean, variance = _moments(scores, before)
        sd = sqrt(variance)
        excess = [s - 0.5 - t * sd * (1 + ((s - mean) / sd) ** 2) / 2 for s in scores]
        distribution = _with_zero(frequencies, excess)
        if max(abs(p - q) for p, q in zip(before, distribution, strict=True)) < 1e-10:
            break
    return distribution


def _with_zero(frequencies: Sequence[float], excess: Sequence[float]) -> list[float]:
    """The most likely distribution in which the mean of `excess` is 0.

    It is p / (1 + x · excess), with x the root of a falling function between two poles.
    Source: Van den Bergh, hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, prop. 1.1.
    """
    low, high = -1 / max(excess), -1 / min(excess)
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        if sum(p * e / (1 + x * e) for p, e in zip(frequencies, excess, strict=True)) > 0:
            low = x
        else:
            high = x
    return [p / (1 + x * e) for p, e in zip(frequencies, excess, strict=True)]


def mean_exit_time(below: float, above: float, drift: float, variance: float) -> float:
    """The mean time in which a Brownian motion leaves an interval (Cox and Miller, 1965).

    `below` and `above` are the distances to its ends, `drift` and `variance` go by unit of time.
    """
    if below <= 0 or above <= 0:
        return 0.0
    if drift < 0:
        below, above, drift = above, below, -drift
    pull = 2 * drift / variance
    if pull * (below + above) < 1e-6:
        return below * above / variance
    upwards = expm1(-pull * below) / expm1(-pull * (below + above))
    return (upwards * (below + above) - below) / drift
