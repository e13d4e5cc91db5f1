"""How strong `search` is, on paired deals: `python -m benchmarks.strength savanna-ten --ms 100`.

Prints a table of Elo ± error (95 %), a row for each kind of table and a column for each opponent.
In a match of more than two sides all others are that opponent. Every cell is an `arena compare`
that always plays all its deals; the matches stay in the store, and a command that was interrupted
goes on where it stopped.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

TABLES = {
    "savanna-ten": {
        "2 seats": [],
        "2 seats, mouse=add": ["--option", "mouse=add"],
        "3 seats": ["--seats", "3"],
        "4 seats": ["--seats", "4"],
        "4 seats, mouse=replace": ["--seats", "4", "--option", "mouse=replace"],
        "teams": ["--seats", "4", "--option", "teams=true"],
    },
    "herd": {
        "size 4": ["--option", "size=4"],
        "size 5": ["--option", "size=5"],
    },
}
OPPONENTS = ("random", "greedy", "lookahead")
ARENA = Path(sys.executable).with_name("arena")
SAID = (0, 1, 4)
"""The statuses of an `arena` that has said its data."""
NEVER_STOP = ["--elo0", "0", "--elo1", "1", "--alpha", "1e-12", "--beta", "1e-12"]
"""A test that no number of deals in question decides."""


class Trial(Struct, frozen=True):
    """What all cells have in common."""

    bot: str
    ms: int
    deals: int
    store: Path
    workers: int | None

    def cell(self, game: str, table: Sequence[str], opponent: str) -> str:
        """`+523 ± 31`, with the faults of either side if there were any."""
        clocks = ["--turn-time", f"{self.ms}ms", "--first-time", f"{self.ms}ms"]
        workers = [] if self.workers is None else ["--workers", str(self.workers)]
        verdict = self._arena(
            *("compare", game, self.bot, opponent, *table, *clocks, *workers, *NEVER_STOP),
            *("--max-deals", str(self.deals), "--seed", "strength"),
        )
        found = self._arena("leaderboard", "--run", verdict["run"])["tables"][0]["bots"]
        faults = sum(bot["faults"] for bot in found)
        told = f"{verdict['elo']:+.0f} ± {verdict['error']:.0f}"
        return f"{told} ({faults} faults)" if faults else told

    def _arena(self, *words: str) -> Any:
        command = [str(ARENA), *words, "--store", str(self.store), "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if done.returncode not in SAID:
            sys.exit(done.returncode)
        return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=TABLES)
    parser.add_argument("--bot", default="search", help="whose strength (default %(default)s)")
    parser.add_argument("--ms", type=int, default=100, help="a turn (default %(default)s)")
    parser.add_argument("--deals", type=int, default=200, help="a cell (default %(default)s)")
    parser.add_argument("--tables", nargs="+", help="some of the rows")
    parser.add_argument("--against", nargs="+", choices=OPPONENTS, default=OPPONENTS)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--store", type=Path, default=Path("strength.db"))
    words = parser.parse_args()
    if words.deals < 2:
        parser.error("--deals must be at least 2: one deal says nothing of its error")
    trial = Trial(words.bot, words.ms, words.deals, words.store, words.workers)
    print(f"| {words.game}, {words.ms} ms a turn | {' | '.join(words.against)} |")
    print(f"|---|{'---|' * len(words.against)}", flush=True)
    for name in words.tables or TABLES[words.game]:
        table = TABLES[words.game][name]
        cells = (trial.cell(words.game, table, other) for other in words.against)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
