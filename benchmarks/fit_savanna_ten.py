"""Fits the evaluator of Savanna Ten on self-play: `python -m benchmarks.fit_savanna_ten`.

Policy iteration. In each round games are played by the placement that the last round's evaluator
likes best, with some noise; where there are more than two sides, half of the seats are greedy
players, whom the search reckons with. Then, for each number of empty cells, the points that each
side still made are explained by least squares, as a sum over the patterns of the lines and the
tiles not yet placed. The mean of the last rounds is kept.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict
from numpy.typing import NDArray

from bots.search_savanna_ten import SavannaDomain, drawn
from bots.search_savanna_ten_greedy import GreedyPlayer
from bots.search_tree import GREEDY_SHARE, NEVER, Floats
from engine.evaluation.savanna_ten_patterns import Patterns, patterns_of
from engine.evaluation.savanna_ten_stages import LION_COST, Weights, weights_key
from engine.game import CHANCE, Table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import VARIANTS, variant_of
from engine.savanna_ten_lines import CELLS, LINES, TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import counts
from engine.savanna_ten_wire import SavannaOptions

TARGET = Path(__file__).parent.parent / "engine" / "evaluation" / "savanna_ten.npz"
TABLES: dict[str, list[Table[SavannaOptions]]] = {}
for variant in VARIANTS.values():
    TABLES.setdefault(weights_key(variant.table), []).append(variant.table)
"""By what names their weights: the tables that share them, and are played equally often."""
NOISE = 0.01
"""The scale of the Gumbel noise on the expected result of a placement against one other side."""
RIDGE = 30.0
"""How many positions the weights for two more empty cells pull with."""
STEPS = 60
"""Steps of conjugate gradients for each least-squares problem."""
MEAN_OF = 4
"""How many of the last rounds are averaged."""

GAME = SavannaTen()
Ints: TypeAlias = NDArray[np.int64]
Doubles: TypeAlias = NDArray[np.float64]


class Positions(Struct, frozen=True):
    """What was seen with one number of empty cells, in the frame of the side to move."""

    numbers: Ints
    """The pattern of each line. Shape (positions, 20)."""
    tiles: Floats
    """Tiles of each side in hand and in the pile. Shape (positions, sides · 2 · kinds)."""
    scores: Floats
    """Scores as they stood, less what Lions cost. Shape (positions, sides)."""
    final: Floats
    """The same at the end. Shape (positions, sides)."""


# Games


def play(domain: SavannaDomain, rng: Random, noise: np.random.Generator) -> list[SavannaState]:
    """The states of a game in which a tile was to be placed, and the last one."""
    state = GAME.initial(domain.table)
    sides = variant_of(domain.table).sides
    greedy = [max(sides) > 1 and rng.random() < GREEDY_SHARE for _ in sides]
    player = GreedyPlayer(max(sides) + 1, seed=rng.getrandbits(32)) if any(greedy) else None
    states = []
    while (seat := GAME.to_act(state)) is not None:
        if seat == CHANCE:
            state = GAME.apply(state, drawn(state, rng))
        else:
            states.append(state)
            values = domain.look(state).values + domain.mask(state)
            if player is not None and greedy[seat]:
                likes = player.likes(state, sides[seat])
                values = np.where(values > NEVER / 2, likes, NEVER)
            else:
                values += noise.gumbel(scale=NOISE / max(sides), size=len(values))
            [action] = domain.names(state, int(values.argmax()))
            state = GAME.apply(state, action)
    return [*states, state]


def positions(games: Sequence[list[SavannaState]], patterns: Patterns) -> list[Positions]:
    """All that was seen in the games, by the number of empty cells − 1."""
    return [
        Positions(
            *map(np.array, zip(*(_seen(game, empty, patterns) for game in games), strict=True))
        )
        for empty in range(1, 1 + len(CELLS))
    ]


def _seen(
    game: list[SavannaState], empty: int, patterns: Patterns
) -> tuple[list[int], Floats, list[float], list[float]]:
    state, last = game[len(CELLS) - empty], game[-1]
    sides = variant_of(state.table).sides
    side = sides[state.step.seat]
    tiles = np.zeros((patterns.sides, 2, len(TILES)), np.float32)
    for seat, owner in enumerate(sides):
        tiles[owner - side] += counts(state.hand(seat)), counts(state.pile(seat))
    return (
        patterns.numbers(state.lines, side),
        tiles.ravel(),
        _in_frame(state, side),
        _in_frame(last, side),
    )


def _in_frame(state: SavannaState, side: int) -> list[float]:
    standing = [
        score - LION_COST * lions for score, lions in zip(state.scores, state.lions, strict=True)
    ]
    return standing[side:] + standing[:side]


# Least squares


def explain(stages: Sequence[Positions], patterns: Patterns) -> Weights:
    """The weights that explain what was seen."""
    sides = patterns.sides
    shape = (patterns.complete + 1 + sides * 2 * len(TILES), sides)
    solved: list[Doubles] = []
    for seen in stages:
        prior = solved[-2] if len(solved) >= 2 else np.zeros(shape)
        solved.append(_least_squares(seen, patterns.complete, prior))
    lines, tiles = zip(
        *(np.split(weights, [patterns.complete + 1]) for weights in solved), strict=True
    )
    weights = Weights(
        np.array(lines, np.float32),
        np.array(tiles, np.float32).reshape(len(stages), sides, 2, len(TILES), sides),
        np.ones(len(stages), np.float32),
    )
    spreads = [_spread(seen, one) for seen, one in zip(stages, solved, strict=True)]
    return Weights(weights.lines, weights.tiles, np.array(spreads, np.float32))


def _least_squares(seen: Positions, complete: int, prior: Doubles) -> Doubles:
    """The weights of patterns and tiles, drawn to the prior; by conjugate gradients."""
    flat, lines = seen.numbers.ravel(), len(LINES)

    def explained(weights: Doubles) -> Doubles:
        of_lines: Doubles = weights[seen.numbers].sum(axis=1)
        return of_lines + seen.tiles @ weights[complete + 1 :]

    def gradient(errors: Doubles) -> Doubles:
        columns = [np.bincount(flat, np.repeat(column, lines), complete + 1) for column in errors.T]
        slope = np.vstack([np.array(columns).T, seen.tiles.T @ errors])
        slope[complete] = 0  # a complete line is worth nothing more
        return slope

    change = np.zeros_like(prior)
    residual = gradient(seen.final - seen.scores - explained(prior))
    direction, size = residual, (residual**2).sum(axis=0)
    for _ in range(STEPS):
        curved = gradient(explained(direction)) + RIDGE * direction
        step = size / np.maximum((direction * curved).sum(axis=0), 1e-12)
        change += step * direction
        residual = residual - step * curved
        before, size = size, (residual**2).sum(axis=0)
        direction = residual + size / np.maximum(before, 1e-12) * direction
    return prior + change


def _spread(seen: Positions, weights: Doubles) -> float:
    """The spread with which the gaps in the expected scores foretell best who ranks ahead."""
    lines, tiles = np.split(weights, [len(weights) - seen.tiles.shape[1]])
    expected = seen.scores + lines[seen.numbers].sum(axis=1) + seen.tiles @ tiles
    gaps = (expected[:, :1] - expected[:, 1:]).ravel()
    ahead = np.sign(seen.final[:, :1] - seen.final[:, 1:]).ravel() / 2 + 0.5

    def surprise(spread: float) -> float:
        odds = gaps / spread
        return float((np.logaddexp(0, odds) - ahead * odds).mean())

    spreads: list[float] = np.geomspace(0.5, 8, 50).tolist()
    return min(spreads, key=surprise)


def mean(fitted: Sequence[Weights]) -> Weights:
    """The mean of some weights."""
    names = Weights.__struct_fields__
    return Weights(*(np.mean([getattr(one, name) for one in fitted], axis=0) for name in names))


# All tables


def fit(tables: Sequence[Table[SavannaOptions]], games: int, rounds: int, seed: int) -> Weights:
    """The weights for tables that share them."""
    rng, noise = Random(seed), np.random.default_rng(seed)
    patterns = patterns_of(max(variant_of(tables[0]).sides) + 1)
    weights, fitted = _nothing(patterns), []
    for number in range(1, rounds + 1):
        domains = [SavannaDomain(table, weights) for table in tables]
        played = [play(domains[game % len(domains)], rng, noise) for game in range(games)]
        fitted.append(explain(positions(played, patterns), patterns))
        weights = mean(fitted[-MEAN_OF:])
        key = weights_key(tables[0])
        print(f"{key}: round {number}, {process_time():.0f} s of CPU", flush=True)
    return weights


def _nothing(patterns: Patterns) -> Weights:
    """The weights to begin with: only points that are made count."""
    sides, stages = patterns.sides, len(CELLS)
    return Weights(
        np.zeros((stages, patterns.complete + 1, sides), np.float32),
        np.zeros((stages, sides, 2, len(TILES), sides), np.float32),
        np.full(stages, 3, np.float32),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--games", type=int, default=4_000, help="games a round")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=Path, default=TARGET)
    words = parser.parse_args()
    for key in words.tables:
        weights = fit(TABLES[key], words.games, words.rounds, words.seed)
        save(words.target, key, weights)


def save(target: Path, key: str, weights: Weights) -> None:
    """Write the weights of a table into the file, beside those of the others."""
    arrays = dict(np.load(target)) if target.exists() else {}
    for name, array in asdict(weights).items():
        arrays[f"{key}/{name}"] = array.astype(np.float16)
    np.savez_compressed(target, **arrays)


if __name__ == "__main__":
    main()
