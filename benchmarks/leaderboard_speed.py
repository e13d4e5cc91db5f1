"""How long a leaderboard of 100 bots takes: from columns to table, and the command on a store.

python -m benchmarks.leaderboard_speed
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from arena.ratings.leaderboard import leaderboard
from arena.ratings.results import Results
from arena.store.db import Store
from arena.store.model import Finished, Slot
from tests.stored import entrants, record, run

BOTS = 100
STORED = 10_000
REPEATS = 5
ARENA = Path(sys.executable).with_name("arena")


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


def rated(names: list[str], given: dict[str, Any]) -> None:
    """Make the table."""
    leaderboard(Results.from_columns(names, **given))


def fill(path: Path, names: list[str]) -> None:
    """A store of matches for two, each of a random pair of bots, the later one the stronger."""
    rng, tournament = Random(0), run()
    matches = []
    for number in range(STORED):
        deal, rotation = divmod(number, 2)
        if not rotation:
            low, high = sorted(rng.sample(range(BOTS), 2))
        seats = [(low, high), (high, low)][rotation]
        high_wins = rng.random() < 1 / (1 + 10 ** ((low - high) / 100))
        ranks = [1 if (seat == high) == high_wins else 2 for seat in seats]
        played = record(
            tournament, f"{number}", [names[seat] for seat in seats], ranks, deal=f"{deal:x}"
        )
        matches.append(Finished(Slot(deal, (names[low], names[high]), rotation), played))
    with Store.open(path) as store:
        store.add_run(tournament)
        store.add_entrants(tournament.id, entrants(*names))
        store.add(tournament.id, matches)


def seconds(work: Callable[[], Any]) -> float:
    """The median of some tries."""
    taken = []
    for _ in range(REPEATS):
        before = time.perf_counter()
        work()
        taken.append(time.perf_counter() - before)
    return statistics.median(taken)


def main() -> None:
    names = [f"bot-{number:02}" for number in range(BOTS)]
    for matches, sides in ((10_000, 2), (1_000_000, 2), (1_000_000, 4)):
        given = columns(matches, sides)
        taken = seconds(partial(rated, names, given))
        print(f"{matches:,} matches of {sides} sides: {taken:.2f} s", flush=True)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        fill(path, names)
        command: list[str | Path] = [ARENA, "leaderboard", "--store", path]
        taken = seconds(partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL))
        print(f"arena leaderboard, {STORED:,} stored matches of 2 sides: {taken:.2f} s")


if __name__ == "__main__":
    main()
