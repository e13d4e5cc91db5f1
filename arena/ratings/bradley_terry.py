"""Bradley–Terry strengths by maximum likelihood.

P(i beats j) = 1 / (1 + exp(θj − θi)), with θ in log-odds (Bradley and Terry, 1952); an equal
rank is half a win each. The likelihood is concave, and damped Newton steps climb it from anywhere.
"""

from typing import Final

import numpy as np

from .results import Floats

TOLERANCE: Final = 1e-6
"""The last step, in log-odds. Convergence is quadratic: what is still missing is its square."""
STEPS: Final = 1000
"""Far more than needed: 20 for a million games to one, 5 for a usual table."""


def maximum_likelihood(points: Floats, prior: float) -> tuple[Floats, Floats]:
    """The strengths of bots, and the inverse of the information about them, about their mean.

    `points[i, j]` is what i took from j. Each bot draws `prior` virtual games against a fixed
    player at 0; without them the bots must be linked both ways by points taken. Returns log-odds
    of the shape (bots,) and their inverse information of the shape (bots, bots). Raises
    ArithmeticError if the climb does not end, which no known input brings about.
    """
    bots = len(points)
    points = _with_fixed_player(points, prior) if prior else points
    strength = _climb(points, bots)
    inverse = np.zeros(points.shape)
    inverse[:-1, :-1] = np.linalg.inv(_derivatives(points, strength)[1])
    centre = np.eye(bots) - 1 / bots
    return centre @ strength[:bots], centre @ inverse[:bots, :bots] @ centre


def win_probability(strength: Floats) -> Floats:
    """P(the row beats the column), to full relative precision however small it is."""
    return np.asarray(np.exp(-np.logaddexp(0, np.subtract.outer(-strength, -strength))))


def _with_fixed_player(points: Floats, prior: float) -> Floats:
    """The points with a last player added, that drew `prior` games with each bot."""
    wider = np.pad(points, (0, 1), constant_values=prior / 2)
    wider[-1, -1] = 0
    return wider


def _climb(points: Floats, bots: int) -> Floats:
    """The strengths of all players by Newton's method, the last player's being 0."""
    strength = np.zeros(len(points))
    for _ in range(STEPS):
        gradient, information = _derivatives(points, strength)
        step = np.append(np.linalg.solve(information, gradient), 0.0)
        strength = strength + _damped(points, step)
        if np.ptp(step[:bots]) < TOLERANCE:
            return strength
    raise ArithmeticError(f"the ratings of {bots} bots have not converged in {STEPS} steps")


def _derivatives(points: Floats, strength: Floats) -> tuple[Floats, Floats]:
    """The gradient and the information (minus the Hessian) of all players but the last.

    The last player stays at 0: the fixed one, or any bot, since only differences count.
    """
    wins = win_probability(strength)
    surprise = points * wins.T
    weight = (points + points.T) * wins * wins.T
    information = np.diag(weight.sum(axis=1)) - weight
    return (surprise.sum(axis=1) - surprise.sum(axis=0))[:-1], information[:-1, :-1]


def _damped(points: Floats, step: Floats) -> Floats:
    """The step, shortened so that no two players who met move by more than 1 against each other.

    The curvature then changes by no more than the factor e, and the likelihood rises at every
    step (Bach, 2010, self-concordance of the logistic loss): Newton's method cannot run away.
    """
    moved = np.abs(np.subtract.outer(step, step))[points + points.T > 0]
    return np.asarray(step / max(1.0, moved.max(initial=0.0)))
