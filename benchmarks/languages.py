"""Languages: what a starter bot costs and how it plays, in each language of examples/.

`python -m benchmarks.languages [LANGUAGE …]` prints the table of docs/languages.md: each bot is
built from nothing, tried by every rule of `arena check`, and plays a hundred matches of each game
against random. It needs every toolchain that docs/first-bot.md names, and several minutes.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
import trio
from msgspec import Struct

from arena.bench.machine import this_machine
from arena.referee.sandbox import choose
from arena.starters import Starter, starters
from arena.tournament.build import built
from arena.tournament.entry import resolve

ARENA: Final = (sys.executable, "-c", "import sys; from arena.cli import main; sys.exit(main())")
GAMES: Final = ("savanna-ten", "herd")
DEALS: Final = 50
"""Each is played from either seat."""
HEAD: Final = (
    "language", "lines", "build s", "start-up ms", "answer µs", "`arena check`", *GAMES, "faults"
)  # fmt: skip


class Row(Struct, frozen=True):
    """What was measured of one language."""

    title: str
    lines: int
    """Of its one source file, without blank ones."""
    build_s: float | None
    """None: it needs no building."""
    start_ms: float
    answer_us: float
    """The middle one of all that the check asked."""
    check: str
    """How many rules were kept, or which were not."""
    points: Sequence[float]
    """The share won against random, per game."""
    faults: int
    """In all those matches."""

    def cells(self) -> Iterator[str]:
        """As the table shows it."""
        yield self.title
        yield str(self.lines)
        yield "–" if self.build_s is None else f"{self.build_s:.1f}"
        yield f"{self.start_ms:.0f}"
        yield f"{self.answer_us:.0f}"
        yield self.check
        yield from (f"{share:.0%}" for share in self.points)
        yield str(self.faults)


def measured(starter: Starter, folder: Path) -> Row:
    """Build, check and play a starter bot; what is kept goes into a folder."""
    build_s = trio.run(_build, starter)
    report = _arena("check", str(starter.folder))
    advice = {advice["name"]: advice["value"] for advice in report["advice"]}
    won = [_against_random(starter, game, folder / f"{game}.db") for game in GAMES]
    return Row(
        title=starter.title,
        lines=_lines(starter),
        build_s=build_s,
        start_ms=advice["start-up"],
        answer_us=1000 * advice["answer"],
        check=_verdict(report["rules"]),
        points=[bot["points"] for bot in won],
        faults=sum(bot["faults"] for bot in won),
    )


def _verdict(rules: Sequence[dict[str, str]]) -> str:
    failed = [rule["rule"] for rule in rules if rule["outcome"] == "failed"]
    kept = sum(rule["outcome"] == "ok" for rule in rules)
    return f"✗ {', '.join(failed)}" if failed else f"✓ {kept} rules"


async def _build(starter: Starter) -> float | None:
    """The seconds that it takes in an empty cache."""
    entry = resolve(str(starter.folder))
    began = time.perf_counter()
    await built(entry, choose("auto"), trust=True)
    return time.perf_counter() - began if entry.build else None


def _against_random(starter: Starter, game: str, store: Path) -> dict[str, Any]:
    """Its line of the leaderboard."""
    bots = [f"starter={starter.folder}", "random"]
    played = _arena(
        "run", game, *bots, "--deals", str(DEALS), "--seed", "languages", "--store", str(store)
    )
    [table] = played["tables"]
    [line] = [bot for bot in table["bots"] if bot["name"] == "starter"]
    return dict(line)


def _arena(*words: str) -> Any:
    """What a command prints as JSON."""
    done = subprocess.run(
        [*ARENA, *words, "--trust", "--json"], stdout=subprocess.PIPE, check=False
    )
    return msgspec.json.decode(done.stdout)


def _lines(starter: Starter) -> int:
    [source] = [
        path
        for path in starter.folder.iterdir()
        if path.stem.lower() == "bot" and path.suffix != ".toml"
    ]
    return sum(bool(line.strip()) for line in source.read_text(encoding="utf-8").splitlines())


def main(languages: Sequence[str]) -> None:
    """Print the table, a line as soon as it is known."""
    known = starters()
    machine = this_machine()
    print(f"{machine.cpu}, {machine.cores} cores, {machine.kernel}\n")
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for language in languages or known:
        with TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            row = measured(known[language], Path(folder))
        print(f"| {' | '.join(row.cells())} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
