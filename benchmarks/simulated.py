"""Tournaments of bots whose true strengths are known.

A rank is drawn from strength + Gumbel noise, so that every pair of sides obeys Bradley–Terry
exactly (Luce's choice axiom; Yellott, 1977). The noise is a Gaussian with three parts, mapped to a
Gumbel variable: the luck of the seat on the deal (another bot has it in the next rotation), the
bot's grasp of the deal (it keeps it in all rotations), and the rest. Luck pulls the matches of a
deal apart, grasp pulls them together.
"""

from collections.abc import Iterator
from itertools import combinations
from statistics import NormalDist

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from arena.ratings.results import Results
from arena.ratings.units import ELO

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GAUSSIAN = np.linspace(-6, 6, 4001)
GUMBEL = np.array([-np.log(-np.log(NormalDist().cdf(z))) for z in GAUSSIAN])


class Field(Struct, frozen=True):
    """Who plays, and how the matches of one deal hang together."""

    strengths: tuple[float, ...]
    """The true ratings, in Elo."""
    sides: int
    """How many meet in a match: every group of so many bots plays."""
    luck: float
    """The share of the seat's luck on the deal in the variance."""
    grasp: float
    """The share of the bot's grasp of the deal in the variance."""


def tournament(field: Field, deals: int, rng: np.random.Generator) -> Results:
    """Every group plays this many deals, each in all rotations."""
    groups = np.array(list(combinations(range(len(field.strengths)), field.sides)))
    seated = rng.permuted(np.repeat(groups, deals, axis=0), axis=1)
    bots, ranks = (
        np.stack(rotations, axis=1).reshape(-1, field.sides)
        for rotations in zip(*_rotations(field, seated, rng), strict=True)
    )
    return Results.from_columns(
        [f"bot-{number}" for number in range(len(field.strengths))],
        slots=np.arange(len(bots)),
        clusters=np.repeat(np.arange(len(seated)), field.sides),
        bots=bots,
        ranks=ranks,
    )


def _rotations(field: Field, seated: Ints, rng: np.random.Generator) -> Iterator[tuple[Ints, Ints]]:
    """For each rotation the bot in each seat of each deal, and the ranks."""
    luck = np.sqrt(field.luck) * rng.standard_normal(seated.shape)
    grasp = np.sqrt(field.grasp) * rng.standard_normal(seated.shape)
    for turn in range(field.sides):
        rest = np.sqrt(1 - field.luck - field.grasp) * rng.standard_normal(seated.shape)
        bots = np.roll(seated, turn, axis=1)
        noise = np.interp(luck + np.roll(grasp, turn, axis=1) + rest, GAUSSIAN, GUMBEL)
        value = np.asarray(field.strengths)[bots] / ELO + noise
        yield bots, 1 + (value[:, None, :] > value[:, :, None]).sum(axis=2)
