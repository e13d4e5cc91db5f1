"""A long run in which nothing may grow: `python -m benchmarks.soak [MATCHES]`, 10,000 at first.

`arena run` plays a round robin of two fast bots and one that crashes in every 20th match. A
look at the run's processes after each tenth tells how many they are and what they hold. Exits
with 1 if something grew, or if the last tenth had less than 95 % of the speed of the second: the
first one also starts the bots.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from arena.bench.workshop import open_workshop
from arena.referee import procfs
from tests.arena_cli import is_worker, matches_in

ARENA: Final = Path(sys.executable).with_name("arena")
PAIRS: Final = 3
"""Of the three bots."""
ROTATIONS: Final = 2
PARTS: Final = 10
LOOK_EVERY: Final = 0.05
"""Seconds between two looks at the store."""
CRASHES_EVERY: Final = 20
MOST_GROWTH: Final = {"processes": 4, "descriptors": 8, "run_mb": 8, "worker_mb": 8}
"""What may be more: a bot is just starting, an allocator keeps what it was given."""
LEAST_SPEED: Final = 0.95

CRASHING: Final = f"""\
import json, sys

matches = 0
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        print(json.dumps({{"type": "ready", "protocol": 1}}), flush=True)
    elif kind == "start":
        matches += 1
    elif kind == "act":
        if matches == {CRASHES_EVERY}:
            sys.exit("out of ideas")
        answer = {{"type": "action", "id": message["id"], "actions": message["legal"][:1]}}
        print(json.dumps(answer), flush=True)
    elif kind == "quit":
        break
"""


class Look(Struct, frozen=True):
    """What the processes of a run hold: the run itself, its workers and their bots."""

    matches: int
    """Stored by then."""
    seconds: float
    """Since the command was given."""
    processes: int
    descriptors: int
    """Open in the run and its workers together; 0 where this user may not see them."""
    run_mb: float
    """Private memory of the run's own process."""
    worker_mb: float
    """The same of its largest worker."""
    cpu_s: float
    """Seconds that the run and its workers have computed."""


def soak(matches: int, folder: Path, *options: str) -> Sequence[Look]:
    """Play so many matches, at least, and look at the beginning and after each tenth.

    Args:
        matches: how many.
        folder: where the store is made.
        options: more of `arena run`.

    Raises:
        CalledProcessError: the run did not end well.
    """
    store = folder / "arena.db"
    deals = -(-matches // (PAIRS * ROTATIONS))
    with open_workshop() as workshop:
        fast = " ".join((*workshop.command("bot"), "legal"))
        crashing = f"{sys.executable} -S -E {_written(folder / 'crashing.py')}"
        bots = [f"one={fast}", f"two={fast}", f"crashing={crashing}"]
        words = ["--deals", str(deals), "--store", str(store), "--option", "size=2"]
        process = subprocess.Popen(
            [ARENA, "run", "herd", *bots, *words, *options], cwd=folder, stdout=subprocess.DEVNULL
        )
        looks = list(_looks(process, store, [matches * part // PARTS for part in range(PARTS + 1)]))
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, "arena run")
    return looks


def speeds(looks: Sequence[Look]) -> tuple[float, float]:
    """Matches a second in the second part, when all have begun, and in the last."""
    return _speed(looks[1], looks[2]), _speed(looks[-2], looks[-1])


def grown(looks: Sequence[Look]) -> Sequence[str]:
    """What is more at the last look but one than at any of the first half."""
    found = []
    for name, slack in MOST_GROWTH.items():
        early = max(getattr(look, name) for look in looks[: PARTS // 2 + 1])
        late = getattr(looks[-2], name)
        if late > early + slack:
            found.append(f"{name} grew from {early:.0f} to {late:.0f}")
    return found


def _looks(process: "subprocess.Popen[bytes]", store: Path, at: Sequence[int]) -> Iterator[Look]:
    """A look each time that so many matches are stored, one where several come together."""
    began, before = time.monotonic(), 0
    for wanted in at:
        while (count := matches_in(store)) < max(wanted, 1) and process.poll() is None:
            time.sleep(LOOK_EVERY)
        if count > before:
            yield _look(process.pid, count, time.monotonic() - began)
        before = count


def _look(pid: int, matches: int, seconds: float) -> Look:
    everything = list(procfs.descendants(pid))
    workers = [other for other in procfs.children(pid) if is_worker(other)]
    return Look(
        matches=matches,
        seconds=seconds,
        processes=len(everything),
        descriptors=sum(map(_descriptors, (pid, *workers))),
        run_mb=procfs.private_bytes(pid) / 2**20,
        worker_mb=max(map(procfs.private_bytes, workers), default=0) / 2**20,
        cpu_s=sum(map(procfs.cpu_seconds, (pid, *workers))),
    )


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _speed(since: Look, to: Look) -> float:
    return (to.matches - since.matches) / (to.seconds - since.seconds)


def _written(path: Path) -> Path:
    path.write_text(CRASHING)
    return path


def main(matches: int) -> None:
    with tempfile.TemporaryDirectory(prefix="arena-soak-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # bots may run as other users
        looks = soak(matches, folder)
    print(" ".join(f"{field:>12}" for field in Look.__struct_fields__))
    for look in looks:
        print(" ".join(f"{value:>12.1f}" for value in astuple(look)))
    first, last = speeds(looks)
    wrong = list(grown(looks))
    if last < LEAST_SPEED * first:
        wrong.append(f"the last part was played at {last / first:.1%} of the early speed")
    print(f"second part {first:.1f} matches/s, last part {last:.1f} ({last / first:.1%})")
    sys.exit("; ".join(wrong) or None)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
