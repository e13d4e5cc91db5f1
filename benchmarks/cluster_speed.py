"""What a cluster costs beside local workers: matches a second, and CPU time a match and a batch.

python -m benchmarks.cluster_speed [SECONDS]

A scheduler and one Dask worker with a thread for each core run on this machine, and the tournament
beside them, so all that the cluster costs is taken from the matches here. Of each figure CPU time
is the one that a busy machine does not spoil.
"""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from arena.bench.workshop import open_workshop
from arena.referee import tree
from arena.referee.clock import Clocks
from arena.referee.procfs import cpu_seconds
from arena.referee.sandbox import Level
from arena.store.model import Slot
from arena.tournament.cluster import roll
from arena.tournament.cluster.farm import ClusterFarm
from arena.tournament.entry import Entry, resolve
from arena.tournament.farm import Farm, LocalFarm
from arena.tournament.job import Assignment, Done, Job, Player, Void
from tests.arena_cli import LITTLE

SECONDS = 10.0
IDLE_S = 10.0
BATCHES_S = (0.01, 0.1, 1.0, 4.0)
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
"""Else a Dask worker samples its threads a hundred times a second."""
NAMES = ("one", "two")
BIN = Path(sys.executable).parent


class Stream:
    """A docket of different deals for so long; counts."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._given = 0
        self.began = self.ended = 0.0
        self.matches = self.batches = 0

    def take(self) -> Job | None:
        """A match on a deal that was never played."""
        if self.began and time.monotonic() > self.began + self._seconds:
            return None
        self._given += 1
        number = f"{self._given:032x}"
        return Job(Slot(self._given, NAMES, 0), number, number, number, (1, 2), NAMES)

    def settle(self, results: Sequence[Done | Void]) -> None:
        """Count what came; the first results begin the time, and count nothing."""
        assert all(isinstance(result, Done) for result in results), results
        self.ended = time.monotonic()
        if not self.began:
            self.began = self.ended
        else:
            self.matches += len(results)
            self.batches += 1

    @property
    def rate(self) -> float:
        """Matches a second."""
        return self.matches / (self.ended - self.began)


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """The scheduler file, and the ids of the processes by what they are."""
    file = folder / "scheduler.json"
    dask = [str(BIN / "dask")]
    scheduler = ["scheduler", "--port", "0", "--scheduler-file", str(file), "--no-dashboard"]
    worker = ["worker", "--scheduler-file", str(file), "--no-nanny", "--no-dashboard"]
    worker += ["--local-directory", str(folder)]
    with (folder / "dask.log").open("wb") as log:
        running = [
            subprocess.Popen(
                dask + words, cwd=folder, stdout=log, stderr=log, env=os.environ | QUIET
            )
            for words in (scheduler, worker)
        ]
    try:
        while not file.exists():
            time.sleep(0.1)
        names = ("scheduler", "Dask worker")
        yield str(file), {n: p.pid for n, p in zip(names, running, strict=True)}
    finally:
        for process in running:
            process.terminate()
            process.wait()


def measure(
    farm: Farm, entries: Sequence[Entry], game: str, processes: dict[str, int]
) -> tuple[Stream, Counter[str]]:
    """Play for so long; the CPU seconds of each process, its children apart."""
    players = {e.name: Player(e.entrant.digest, e.program) for e in entries}
    assignment = Assignment(game, {}, 2, None, Clocks(), Level.PROCESS, players)
    stream = Stream(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
    before = {name: cpu_seconds(process) for name, process in processes.items()}
    trio.run(farm.play, assignment, stream)
    used = {name: cpu_seconds(process) - before[name] for name, process in processes.items()}
    return stream, Counter(used)


def show(what: str, stream: Stream, used: Counter[str]) -> None:
    a_match = ", ".join(f"{name} {1e6 * s / stream.matches:,.0f}" for name, s in used.items())
    line = f"{what:<24} {stream.rate:9,.1f} matches/s   CPU µs a match: {a_match}"
    if "scheduler" in used:
        each = 1e3 * used["scheduler"] / stream.batches
        line += f"   {stream.batches:,} batches, scheduler {each:.1f} ms each"
    print(line, flush=True)


def compare(title: str, words: str, game: str, file: str, there: dict[str, int]) -> None:
    """The same matches by local workers, and on the cluster in batches of several lengths."""
    print(f"\n{title}")
    entries = [resolve(f"{name}={words}") for name in NAMES]
    own = {"tournament": os.getpid()}
    show("local workers", *measure(LocalFarm(), entries, game, own))
    for seconds in BATCHES_S:
        roll.BATCH_S = seconds  # type: ignore[misc]  # a constant for everybody else
        farm = ClusterFarm(file, entries, isolation="process")
        show(f"cluster, batches of {seconds:g} s", *measure(farm, entries, game, own | there))


def show_idle(there: dict[str, int]) -> None:
    """What the cluster computes while there is nothing to do, which is in all figures."""
    before = {name: cpu_seconds(process) for name, process in there.items()}
    time.sleep(IDLE_S)
    shares = {n: (cpu_seconds(process) - before[n]) / IDLE_S for n, process in there.items()}
    print("idle: " + ", ".join(f"{name} {share:.1%} of a core" for name, share in shares.items()))


def main() -> None:
    tree.adopt_orphans()
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}")
    with TemporaryDirectory(prefix="arena-speed-") as name, open_workshop() as workshop:
        little = Path(name) / "little.py"
        little.write_text(LITTLE)
        Path(name).chmod(0o755)
        with cluster(Path(name)) as (file, there):
            time.sleep(IDLE_S)  # they start
            show_idle(there)
            short = " ".join([*workshop.command("bot"), "legal"])
            compare("short matches: Savanna Ten by C bots", short, "savanna-ten", file, there)
            compare("long matches: 20 ms a turn", f"{little} slow 0.02", "savanna-ten", file, there)


if __name__ == "__main__":
    main()
