"""The Elo scale and the 95 % interval: what strengths and their errors are told in."""

from math import erfc, log, sqrt
from typing import Final

ELO: Final = 400 / log(10)
"""Elo points per unit of log-odds: 400 points are odds of ten to one."""
Z95: Final = 1.96
"""Standard errors in half a 95 % interval of the normal distribution."""
FEW_POINTS: Final = 5
"""With fewer points won, or lost, deals are too much alike to show their noise."""
DECIMALS: Final = 8
"""Reported figures are rounded so far that they do not depend on the machine."""


def likelihood_of_superiority(difference: float, error: float) -> float:
    """Φ(difference / its standard error), from a difference and half its 95 % interval."""
    return erfc(-Z95 * difference / error / sqrt(2)) / 2


def rounded(value: float) -> float:
    """The figure as reported; never −0."""
    return round(float(value), DECIMALS) + 0.0
