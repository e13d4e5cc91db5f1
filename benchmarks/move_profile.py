"""Where the time of a refereed move goes: samples of this process while it referees bench bots.

python -m benchmarks.move_profile [--game GAME] [--mode legal|state] [--seconds S]

The samples are taken by ITIMER_PROF, which counts the time that the referee itself computes: a
profiler that looks at the core would see the bots on it too. Python handles the signal at its next
function call, so a long call of C code is booked to what is called after it.
"""

import argparse
import resource
import signal
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import get_args

import trio
from msgspec import Struct

import arena
from arena.bench.machine import on_one_core
from arena.bench.workshop import Mode, open_workshop
from arena.referee import tree
from arena.referee.bot import Bot, launch
from arena.referee.clock import Clocks
from arena.referee.match import Setup, play
from arena.referee.program import Program
from arena.referee.sandbox import Level
from engine.game import AnyGame
from engine.options import make_table
from engine.registry import game as game_named

EVERY = 0.001
"""Seconds of computing between two samples; the kernel may round it up."""
FUNCTIONS = 25
ROOT = Path(arena.__file__).parents[1]


class Profile:
    """Samples, by the function that was running."""

    def __init__(self) -> None:
        self.functions: Counter[tuple[str, str]] = Counter()

    def sample(self, _signal: int, frame: FrameType | None) -> None:
        """Take one; a handler of signals."""
        if frame is not None:
            code = frame.f_code
            self.functions[module_of(code.co_filename), code.co_qualname] += 1


def module_of(file: str) -> str:
    """A module of ours, or the package of somebody else's."""
    parts = Path(file).parts
    if "site-packages" in parts:
        return parts[parts.index("site-packages") + 1]
    path = Path(file)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else "Python"


class Costs(Struct, frozen=True):
    """Of so many moves, in seconds."""

    moves: int
    wall: float
    user: float
    system: float


async def referee(program: Program, game: AnyGame, seconds: float) -> Costs:
    """Matches between two bots of one kind for so long."""
    async with trio.open_nursery() as nursery:
        bots = [
            await launch(program, Level.PROCESS, game.name, "profile", 10.0, nursery)
            for _ in range(game.players[0])
        ]
        costs = await _referee(bots, game, seconds)
        for bot in bots:
            bot.process.kill()
    return costs


async def _referee(bots: list[Bot], game: AnyGame, seconds: float) -> Costs:
    table = make_table(game, game.players[0], {})
    names = tuple(f"bench-{seat}" for seat in range(table.players))
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    moves = matches = 0
    while (wall := time.perf_counter() - began) < seconds:
        matches += 1
        setup = Setup(
            match="profile",
            run=None,
            game=game,
            table=table,
            deal=f"{matches:032x}",
            seed="00",
            seeds=tuple(range(table.players)),
            clocks=Clocks(),
            isolation=Level.PROCESS,
            names=names,
            digests=names,
        )
        record = await play(setup, bots)
        moves += sum(entry.by >= 0 for entry in record.log)
        await trio.lowlevel.checkpoint()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return Costs(moves, wall, after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime)


def report(profile: Profile, costs: Costs) -> None:
    def us(seconds: float) -> str:
        return f"{1e6 * seconds / costs.moves:6.2f}"

    used = costs.user + costs.system
    print(f"{us(costs.wall)} µs a move, of {costs.moves:,}")
    print(f"{us(costs.user)}    the referee's own code")
    print(f"{us(costs.system)}    its system calls")
    print(f"{us(costs.wall - used)}    bots, switches to and from them, and whoever has the core\n")
    total = profile.functions.total()
    modules: Counter[str] = Counter()
    for (module, _), count in profile.functions.items():
        modules[module] += count
    for module, count in modules.most_common():
        print(f"{us(used * count / total)}  {module}")
    print()
    for (module, function), count in profile.functions.most_common(FUNCTIONS):
        print(f"{us(used * count / total)}  {module}  {function}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="savanna-ten")
    parser.add_argument("--mode", choices=get_args(Mode), default="legal")
    parser.add_argument("--seconds", type=float, default=10.0)
    wanted = parser.parse_args()
    tree.adopt_orphans()
    profile = Profile()
    with open_workshop() as workshop, on_one_core():
        signal.signal(signal.SIGPROF, profile.sample)
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
        costs = trio.run(
            referee, workshop.bot(wanted.mode), game_named(wanted.game), wanted.seconds
        )
        signal.setitimer(signal.ITIMER_PROF, 0)
    report(profile, costs)


if __name__ == "__main__":
    main()
