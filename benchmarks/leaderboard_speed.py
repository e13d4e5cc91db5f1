"""How long a leaderboard of 100 bots takes, from columns to table.

python -m benchmarks.leaderboard_speed
"""

import statistics
import time
from typing import Any

from arena.ratings.leaderboard import leaderboard
from arena.ratings.results import Results

BOTS = 100
REPEATS = 5


def columns(matches: int, sides: int) -> dict[str, Any]:
    """Random groups of bots, each playing one deal in all rotations, in shuffled order."""
    import numpy as np  # as late as the arena does, which sets how it computes

    rng = np.random.default_rng(0)
    deals = matches // sides
    groups = rng.permuted(np.tile(np.arange(BOTS), (deals, 1)), axis=1)[:, :sides]
    bots = np.stack([np.roll(groups, turn, axis=1) for turn in range(sides)], axis=1)
    order = rng.permutation(deals * sides)
    return {
        "slots": order,
        "clusters": np.repeat(np.arange(deals), sides)[order],
        "bots": bots.reshape(-1, sides)[order],
        "ranks": rng.permuted(np.tile(np.arange(1, sides + 1), (deals * sides, 1)), axis=1),
    }


def main() -> None:
    names = [f"bot-{number}" for number in range(BOTS)]
    for matches, sides in ((10_000, 2), (1_000_000, 2), (1_000_000, 4)):
        given = columns(matches, sides)
        seconds = []
        for _ in range(REPEATS):
            before = time.perf_counter()
            leaderboard(Results.from_columns(names, **given))
            seconds.append(time.perf_counter() - before)
        print(
            f"{matches:,} matches of {sides} sides: {statistics.median(seconds):.2f} s", flush=True
        )


if __name__ == "__main__":
    main()
