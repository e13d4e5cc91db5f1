"""From scores to results: who ranks ahead of whom, and how surely."""

from collections.abc import Sequence
from math import exp

from engine.game import Outcome

LARGEST_EXPONENT = 50.0


def expected_results(scores: Sequence[float], spread: float) -> list[float]:
    """Each side's expected result, from the scores expected at the end.

    Side i ranks ahead of side j with the chance 1 / (1 + exp(−(score i − score j) / spread)).
    """
    results = [0.0] * len(scores)
    for side, score in enumerate(scores):
        for other in range(side):
            ahead = logistic((score - scores[other]) / spread)
            results[side] += ahead
            results[other] += 1 - ahead
    return [result / (len(scores) - 1) for result in results]


def final_results(outcome: Outcome, sides: Sequence[int]) -> list[float]:
    """Each side's result of a finished game; `sides` names the side of each seat."""
    ranks = dict(zip(sides, outcome.ranks, strict=True))
    return [
        (sum((rank < other) + (rank == other) / 2 for other in ranks.values()) - 0.5)
        / (len(ranks) - 1)
        for _, rank in sorted(ranks.items())
    ]


def logistic(x: float) -> float:
    """1 / (1 + exp(−x)), without overflow."""
    return 1 / (1 + exp(-max(-LARGEST_EXPONENT, min(x, LARGEST_EXPONENT))))
