"""Fits the evaluator of Herd on self-play: `python -m benchmarks.fit_herd --size 5`.

As in TD-Gammon (Tesauro, 1995): in each round games are played by the turns that the networks of
the last round like best, with some noise; then the networks learn to foretell, from every state of
the last rounds, a mean of the result and of what they thought of the next turns (TD(λ)). The last
rounds look for turns with a wider beam, and learn more slowly.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict
from numpy.typing import NDArray

from benchmarks.herd_self_play import Player, leads, swapped_sides
from engine.evaluation.herd_cells import (
    IS_ENEMY,
    IS_FREE,
    KINDS,
    NOWHERE,
    Array,
    Grid,
    grid_of,
)
from engine.evaluation.herd_network import (
    PLACING,
    REMOVING,
    ROLLING,
    STAGES,
    Floats,
    Network,
    Weights,
    stage_inputs,
)

TARGET = Path(__file__).parent.parent / "engine" / "evaluation" / "herd.npz"
UNITS = 17
NOISE = 0.05
"""The scale of the Gumbel noise on the log-odds of an action."""
TRUST = 0.3
"""1 − λ: how much the next turn's value counts against what came after."""
TRUSTED_FROM = 3
"""The round from which on it counts."""
WINDOW = 4
"""The rounds that are learned from."""
SAMPLED = 0.4
"""The share of the states within turns that are learned from; those before a roll are all."""
BATCH = 1024
DECAY = 1e-4


class Samples(Struct, frozen=True):
    """States, and what they turned out to be worth. Shape (states, …)."""

    phase: NDArray[np.int8]
    counts: NDArray[np.uint16]
    """How many cells there are of each kind."""
    stage: Floats
    """As `stage_inputs` tells it."""
    target: Floats
    """The expected result of the side whose turn it is."""


# Games


class Recorder:
    """Notes the states of games that are played side by side."""

    def __init__(self, network: Network, grid: Grid, games: int, rng: np.random.Generator) -> None:
        self._network, self._grid, self._rng = network, grid, rng
        self._turns: list[tuple[Array, Array, list[tuple[Array, ...]]]] = []
        self.black: Floats = np.zeros(games, np.float32)
        """Black's result of each game."""

    def turn(self, games: Array, boards: Array) -> None:
        """A turn begins in these games."""
        kinds = self._grid.kinds(boards)
        empty = np.add.reduce(IS_FREE.take(kinds))
        odds = self._network.odds(ROLLING, kinds, self._network.stages(ROLLING, empty, 0, 0))
        value = 1 / (1 + np.exp(-odds))
        self._turns.append((games, value, []))
        self.state(ROLLING, np.arange(len(games)), boards, 0 * empty, 0 * empty)

    def some(self, boards: Array, remove: Array, place: Array, over: Array) -> None:
        """Perhaps learn from these states within the turn."""
        chosen = ~over & (self._rng.random(len(over)) < SAMPLED)
        for phase, these in ((REMOVING, chosen & (remove > 0)), (PLACING, chosen & (remove == 0))):
            columns = np.flatnonzero(these)
            self.state(phase, columns, boards[:, columns], remove[columns], place[columns])

    def state(self, phase: int, columns: Array, boards: Array, remove: Array, place: Array) -> None:
        """Learn from these states."""
        kinds = self._grid.kinds(boards)
        numbers = kinds + np.arange(len(columns)) * (NOWHERE + 1)
        counts = np.bincount(numbers.ravel(), minlength=len(columns) * (NOWHERE + 1))
        empty = np.add.reduce(IS_FREE.take(kinds)) / self._grid.cells
        self._turns[-1][2].append(
            (
                columns,
                np.full(len(columns), phase, np.int8),
                counts.reshape(-1, NOWHERE + 1)[:, :NOWHERE].astype(np.uint16),
                stage_inputs(empty, remove, place),
            )
        )

    def samples(self, trust: float) -> Samples:
        """All states with their targets, a mean over the turns that followed."""
        found, black = [], self.black.copy()
        for number in range(len(self._turns) - 1, -1, -1):
            games, value, states = self._turns[number]
            worth = black[games] if number % 2 == 0 else 1 - black[games]
            found += [(*state[1:], worth[state[0]]) for state in states]
            blended = trust * value + (1 - trust) * worth
            black[games] = blended if number % 2 == 0 else 1 - blended
        return Samples(*map(np.concatenate, zip(*found, strict=True)))


def play(
    network: Network, grid: Grid, games: int, width: int, rng: np.random.Generator, trust: float
) -> Samples:
    """Games side by side, and what is to be learned from them."""
    player = Player(network, grid, width, NOISE, rng)
    recorder = Recorder(network, grid, games, rng)
    going, boards, first = np.arange(games), np.zeros((grid.all_places, games), np.int16), True
    sign = 1
    while len(going):
        recorder.turn(going, boards)
        dice = np.sort(rng.integers(1, 7, (2, len(going))), axis=0)
        enemies = np.add.reduce(IS_ENEMY.take(grid.kinds(boards)).astype(int))
        steps = list(player.turn(boards, np.minimum(dice[0], enemies), dice[0 if first else 1]))
        for step in steps:
            recorder.some(step.boards, step.remove, step.place, step.over)
        boards, first = steps[-1].boards, False
        kinds = grid.kinds(boards)
        full = ~IS_FREE.take(kinds).any(axis=0)
        recorder.black[going[full]] = sign * np.sign(leads(kinds[:, full])) / 2 + 0.5
        going, boards, sign = going[~full], swapped_sides(boards[:, ~full]), -sign
    return recorder.samples(trust)


# Learning


class Learner:
    """One of the three networks, with what Adam (Kingma and Ba, 2015) remembers of the slopes."""

    def __init__(self, phase: int, weights: Weights) -> None:
        self._phase = phase
        self.parts = [
            weights.cells[phase, :NOWHERE].copy(),
            weights.stages[phase].copy(),
            weights.units[phase].copy(),
        ]
        self._means = [np.zeros_like(part) for part in self.parts]
        self._squares = [np.zeros_like(part) for part in self.parts]
        self._steps = 0

    def learn(self, samples: Samples, rate: float, rng: np.random.Generator) -> float:
        """One pass over all samples; the mean surprise, in nats."""
        order = rng.permutation(np.flatnonzero(samples.phase == self._phase))
        surprises = [
            self._step(samples, order[start : start + BATCH], rate)
            for start in range(0, len(order) - BATCH + 1, BATCH)
        ]
        return float(np.mean(surprises)) if surprises else 0.0

    def _step(self, samples: Samples, chosen: Array, rate: float) -> float:
        cells, stages, units = self.parts
        counts, stage = samples.counts[chosen].astype(np.float32), samples.stage[chosen]
        target = samples.target[chosen]
        hidden = counts @ cells + stage @ stages
        rectified = np.maximum(hidden[:, :-1], 0)
        odds = rectified @ units + hidden[:, -1]
        error = (1 / (1 + np.exp(-odds)) - target) / len(chosen)
        slope = np.column_stack([error[:, None] * units * (rectified > 0), error])
        slopes = (counts.T @ slope, stage.T @ slope, rectified.T @ error)
        self._adam(slopes, rate)
        return float((np.logaddexp(0, odds) - target * odds).mean())

    def _adam(self, slopes: Sequence[Floats], rate: float) -> None:
        self._steps += 1
        rate *= np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for number, slope in enumerate(slopes):
            part, mean, square = self.parts[number], self._means[number], self._squares[number]
            decayed = slope + DECAY * part
            np.add(0.9 * mean, 0.1 * decayed, out=mean)
            np.add(0.999 * square, 0.001 * decayed**2, out=square)
            np.subtract(part, rate * mean / (np.sqrt(square) + 1e-8), out=part)


def weights_of(learners: Sequence[Learner]) -> Weights:
    """What the three networks have learned."""
    cells, stages, units = (
        np.array(parts) for parts in zip(*(learner.parts for learner in learners), strict=True)
    )
    return Weights(np.pad(cells, ((0, 0), (0, 1), (0, 0))), stages, units)


def naive(rng: np.random.Generator) -> Weights:
    """The weights to begin with: stones count."""
    cells = rng.normal(0, 0.02, (3, NOWHERE, UNITS))
    cells[:, :, -1] = [(0, 0.3, -0.3)[kind.stone] for kind in KINDS]
    stages = rng.normal(0, 0.3, (3, STAGES, UNITS))
    stages[:, :, -1] = 0
    units = rng.normal(0, 0.1, (3, UNITS - 1))
    return Weights(
        *(
            part.astype(np.float32)
            for part in (np.pad(cells, ((0, 0), (0, 1), (0, 0))), stages, units)
        )
    )


def fit(
    size: int,
    weights: Weights,
    games: int,
    widths: Sequence[int],
    rate: float,
    rng: np.random.Generator,
) -> Weights:
    """The weights for a board size after a round for each width of the beam.

    The rate at which they are changed falls to a tenth.
    """
    grid = grid_of(size)
    learners = [Learner(phase, weights) for phase in (ROLLING, REMOVING, PLACING)]
    window: list[Samples] = []
    for number, width in enumerate(widths):
        network = Network(weights_of(learners), grid)
        trust = TRUST if number >= TRUSTED_FROM else 0
        window = [*window, play(network, grid, games, width, rng, trust)][-WINDOW:]
        samples = Samples(
            *(
                np.concatenate([asdict(one)[name] for one in window])
                for name in Samples.__struct_fields__
            )
        )
        slower = rate * (1 - 0.9 * number / len(widths))
        surprises = [learner.learn(samples, slower, rng) for learner in learners]
        told = " ".join(f"{surprise:.4f}" for surprise in surprises)
        print(f"size {size}: round {number + 1}, {told}, {process_time():.0f} s of CPU", flush=True)
    return weights_of(learners)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--games", type=int, default=1000, help="games a round")
    parser.add_argument("--rounds", type=int, default=30, help="rounds with a beam of 1")
    parser.add_argument("--wide-rounds", type=int, default=15, help="rounds with a beam of 4")
    parser.add_argument("--start", type=int, help="begin with the weights of this size")
    parser.add_argument("--rate", type=float, default=2e-3, help="the step of the first round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=Path, default=TARGET)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    kept = dict(np.load(arguments.target)) if arguments.target.exists() else {}
    begin = naive(rng)
    if arguments.start:
        names = Weights.__struct_fields__
        begin = Weights(*(kept[f"{arguments.start}/{name}"].astype(np.float32) for name in names))
    widths = [1] * arguments.rounds + [4] * arguments.wide_rounds
    weights = fit(arguments.size, begin, arguments.games, widths, arguments.rate, rng)
    for name, array in asdict(weights).items():
        kept[f"{arguments.size}/{name}"] = array.astype(np.float16)
    np.savez_compressed(arguments.target, **kept)


if __name__ == "__main__":
    main()
