"""How true the evaluators are: `python -m benchmarks.calibration RECORDS`.

RECORDS is what `arena export` writes. Every state in which a seat is to act is judged, and what
each side was expected to get is held against its result in the end. Printed for each game and
number of sides:

- by the part of the game that was played: the log loss, in nats (0.693 is that of knowing nothing),
  and the mean squared error beside that of always saying 0.5;
- by what was expected: what came, with its standard error over matches.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.replay import Replay
from engine.evaluation import evaluator
from engine.evaluation.results import final_results
from engine.game import CHANCE
from protocol.record import Record, decode_records

PARTS = 5
"""How many parts of a game are told apart."""
BINS = 10
Floats: TypeAlias = NDArray[np.float64]


class Judged(NamedTuple):
    """One side in one state."""

    match: int
    played: float
    """The part of the match's turns that was played, 0 … 1."""
    expected: float
    result: float


def judged(number: int, record: Record) -> Iterator[Judged]:
    """Every side in every state of a match in which a seat is to act."""
    replay = Replay(record)
    judge = evaluator(replay.game, replay.table)
    steps = [step for step in replay.steps() if step.entry.by != CHANCE]
    outcome = replay.game.outcome(steps[-1].after)
    if judge is None or outcome is None:
        return
    results = final_results(outcome, replay.sides)
    for place, step in enumerate(steps):
        for expected, result in zip(judge.results(step.before), results, strict=True):
            yield Judged(number, place / len(steps), expected, result)


def log_loss(expected: Floats, result: Floats) -> float:
    """The mean cross-entropy of results and expectations."""
    sure = np.clip(expected, 1e-6, 1 - 1e-6)
    return float(-(result * np.log(sure) + (1 - result) * np.log(1 - sure)).mean())


def error_over_matches(match: Floats, difference: Floats) -> float:
    """The standard error of a mean whose terms hang together within a match."""
    _, place = np.unique(match, return_inverse=True)
    sums = np.bincount(place, difference - difference.mean())
    return float(np.sqrt((sums**2).sum()) / len(difference))


def report(rows: Iterable[Judged]) -> None:
    match, played, expected, result = np.array(list(rows)).T
    print(f"{'played':<10} {'sides':>8} {'log loss':>9} {'squared error':>14} {'of 0.5':>7}")
    for part in range(PARTS):
        chosen = (played * PARTS).astype(int) == part
        squared = ((expected - result) ** 2)[chosen].mean()
        nothing = ((0.5 - result) ** 2)[chosen].mean()
        loss = log_loss(expected[chosen], result[chosen])
        share = f"{part / PARTS:.0%}–{(part + 1) / PARTS:.0%}"
        print(f"{share:<10} {chosen.sum():>8} {loss:>9.3f} {squared:>14.3f} {nothing:>7.3f}")
    print(f"{'expected':<10} {'sides':>8} {'mean':>9} {'came':>14} {'error':>7}")
    for part in range(BINS):
        chosen = np.minimum((expected * BINS).astype(int), BINS - 1) == part
        if chosen.any():
            error = error_over_matches(match[chosen], result[chosen] - expected[chosen])
            share = f"{part / BINS:.1f}–{(part + 1) / BINS:.1f}"
            means = f"{expected[chosen].mean():>9.3f} {result[chosen].mean():>14.3f}"
            print(f"{share:<10} {chosen.sum():>8} {means} {error:>7.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("records", type=Path)
    pools: dict[str, list[Judged]] = defaultdict(list)
    with parser.parse_args().records.open("rb") as file:
        for number, record in enumerate(decode_records(file)):
            sides = len(record.result.scores)
            pools[f"{record.game}, {sides} sides"] += judged(number, record)
    for name, rows in pools.items():
        print(f"\n{name}: {len({row.match for row in rows})} matches")
        report(rows)


if __name__ == "__main__":
    main()
