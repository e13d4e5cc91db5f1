"""Whether luck is 0 in the mean, and how much less noisy results freed from it are.

    python -m benchmarks.luck_variance GAME [--matches 20000] [--processes 1]

A player of skill k looks at k legal actions drawn at random and plays the one that greedy's judge
likes best. Two pairings, of equal and of unequal skill, share the matches; each deal is played from
both seats. For each pairing: the mean luck of the first player; and the variance of its mean score
on a deal, against what it would be were its two matches unrelated: freed from luck alone, paired
alone, and paired and freed. The coefficients are those of `arena.ratings.control`, across deals.
Errors are half a 95 % interval, by a bootstrap over deals.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random

import numpy as np
from numpy.typing import NDArray

from arena.ratings.control import coefficients
from arena.ratings.luck import evaluator_of, luck_of
from bots.judge import Judge, judge_of
from engine import registry
from engine.game import CHANCE, AnyGame, AnyTable
from engine.options import make_table

PAIRINGS = ((4, 4), (8, 2))
"""Skills of the first and the second player."""
ROUNDS = 500
"""Of the bootstrap."""
PART = 50
"""Deals that a process plays at a time."""

Floats = NDArray[np.float64]


def match(
    game: AnyGame, table: AnyTable, judge: Judge, skills: Sequence[int], deal: str, rng: Random
) -> tuple[float, float]:
    """The points and the luck of seat 0."""
    evaluator = evaluator_of(game, table)
    assert evaluator is not None
    state, luck = game.initial(table), 0.0
    while (seat := game.to_act(state)) is not None:
        if seat == CHANCE:
            outcome = game.chance(state, deal)
            luck += luck_of(game, evaluator, state, outcome)[0]
            state = game.apply(state, outcome)
        else:
            legal = game.legal(state)
            some = rng.sample(legal, min(skills[seat], len(legal)))
            after = [game.apply(state, action) for action in some]
            values = [judge.worth(other, seat) for other in after]
            state = after[values.index(max(values))]
    outcome_of = game.outcome(state)
    assert outcome_of is not None
    own, other = outcome_of.ranks
    return 0.5 + (own < other) / 2 - (own > other) / 2, luck


def play(game: AnyGame, skills: tuple[int, int], deals: int, processes: int) -> Floats:
    """The points and the luck of the first player. Shape (deals, 2 rotations, 2)."""
    began, found = time.monotonic(), []
    with ProcessPoolExecutor(processes) as pool:
        parts = [(game.name, skills, range(at, at + PART)) for at in range(0, deals, PART)]
        for part in pool.map(play_part, *zip(*parts, strict=True)):
            found.append(part)
            seconds = time.monotonic() - began
            print(f"{PART * len(found)} of {deals} deals, {seconds:.0f} s", file=sys.stderr)
    return np.concatenate(found)[:deals]


def play_part(name: str, skills: tuple[int, int], deals: range) -> Floats:
    """Some of the deals."""
    game = registry.game(name)
    table = make_table(game, 2, {})
    judge = judge_of(game, game.sides(table))
    found = np.empty((len(deals), 2, 2))
    for row, number in enumerate(deals):
        deal = f"{skills}{number:06}"
        rng = Random(deal)
        found[row, 0] = match(game, table, judge, skills, deal, rng)
        points, luck = match(game, table, judge, skills[::-1], deal, rng)
        found[row, 1] = 1 - points, -luck
    return found


def freed(points: Floats, luck: Floats) -> Floats:
    """Points less what luck explains, with coefficients across deals."""
    deals = np.arange(len(points))
    return points - coefficients(deals, np.zeros_like(deals), points, luck) * luck


def variances(found: Floats) -> Floats:
    """Of the mean score on a deal: unrelated, freed, paired, paired and freed."""
    points, luck = found[..., 0], found[..., 1]
    apart = np.stack([freed(points[:, seat], luck[:, seat]) for seat in (0, 1)])
    return np.array(
        [
            points.var(axis=0, ddof=1).sum() / 4,
            apart.var(axis=1, ddof=1).sum() / 4,
            points.mean(axis=1).var(ddof=1),
            freed(points.mean(axis=1), luck.mean(axis=1)).var(ddof=1),
        ]
    )


def bootstrap(found: Floats, of: Callable[[Floats], Floats]) -> Floats:
    """Half a 95 % interval of each figure."""
    rng = np.random.default_rng(1)
    size = len(found)
    samples = [of(found[rng.integers(0, size, size)]) for _ in range(ROUNDS)]
    return np.asarray(1.96 * np.std(samples, axis=0, ddof=1))


def report(name: str, skills: tuple[int, int], found: Floats) -> None:
    """One pairing."""
    points, luck = found[..., 0].mean(axis=1), found[..., 1].mean(axis=1)
    error = luck.std(ddof=1) / len(luck) ** 0.5
    deals = np.arange(len(luck))
    slope = coefficients(deals, np.zeros_like(deals), points, luck).mean()
    shift = (freed(points, luck) - points).mean()
    print(f"\n{name}, skill {skills[0]} against {skills[1]}, {found[..., 0].size:,} matches")
    print(f"  points of the first {points.mean():.3f}, freed from luck {points.mean() + shift:.3f}")
    print(f"  luck of the first   {luck.mean():+.5f} ± {2 * error:.5f} (2 standard errors)")
    print(f"  luck of a match     {found[..., 1].std():.3f} (standard deviation)")
    print(f"  coefficient         {slope:.2f} on top of pairing")

    def ratios(of: Floats) -> Floats:
        unrelated, alone, paired, both = variances(of)
        return np.array([alone / unrelated, paired / unrelated, both / unrelated, both / paired])

    words = ("freed, alone", "paired, alone", "paired and freed", "freed, of what pairing left")
    for word, value, noise in zip(words, ratios(found), bootstrap(found, ratios), strict=True):
        print(f"  variance {word:<28} {value:.3f} ± {noise:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["savanna-ten", "herd"])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=1)
    words = parser.parse_args()
    game, deals = registry.game(words.game), words.matches // 2 // len(PAIRINGS)
    for skills in PAIRINGS:
        report(game.name, skills, play(game, skills, deals, words.processes))


if __name__ == "__main__":
    main()
