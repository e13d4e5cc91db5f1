"""A match of a hostile program against two that play well, as a worker would play it."""

import atexit
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from arena.referee import procfs, tree, users
from arena.referee.bot import Bot
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault
from arena.referee.limits import Limits
from arena.referee.match import Setup, play
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.tournament.stable import Stable
from engine.game import AnyGame
from engine.options import make_table
from protocol.record import Record
from tests.toy_game import ToyGame

BOTS = Path(__file__).parent / "bots"
ROOT = BOTS.parent.parent
SYSTEM_PYTHON = "/usr/bin/python3"
PATIENT = Clocks(turn_ms=60_000, first_ms=60_000, start_ms=60_000)
"""Nobody is out of time, on the busiest of machines."""
QUICK = replace(PATIENT, turn_ms=250, first_ms=250)
"""For a bot that does not answer, however long it has."""
_HANDICAP = 240.0
"""What the others have of it."""


class Contest(Struct):
    """What became of a match of a hostile bot in seat 0."""

    record: Record
    ms: float
    """From the first question to the result."""
    log: str
    """The hostile bot's."""

    @property
    def code(self) -> str | None:
        """The fault code of the hostile bot."""
        return self.record.faults[0].code if self.record.faults else None

    @property
    def message(self) -> str:
        return self.record.faults[0].message if self.record.faults else ""

    @property
    def notes(self) -> list[str]:
        return [entry.note for entry in self.record.log if entry.by == 0 and entry.note]

    def assert_the_others_played_on(self) -> None:
        """The match went to its end, and the others have no fault."""
        assert [fault.seat for fault in self.record.faults] in ([], [0])
        assert self.record.result.reason == "finished"
        assert self.record.result.ranks[0] == (3 if self.record.faults else 1)


def open_to_others(folder: Path) -> Path:
    """Let other users look into a test's own folder: the level is to keep a bot out, not pytest."""
    for each in (folder, *folder.parents):
        if each.name.startswith(("test_", "popen-", "pytest-")):
            each.chmod(0o755)
    return folder


def hostile(
    mode: str, *words: object, python: str = sys.executable, limits: Limits | None = None
) -> Program:
    """The program that does what a mode says."""
    return _program("hostile.py", (mode, *words), python, limits)


def escaping(attempt: str, *words: object, python: str = sys.executable) -> Program:
    """The program that attempts to escape."""
    return _program("escaping.py", (attempt, *words), python, None)


def _program(file: str, words: Sequence[object], python: str, limits: Limits | None) -> Program:
    command = (python, "-S", "-E", str(BOTS / file), *map(str, words))
    return Program("bad", command, folder=str(BOTS), limits=limits or Limits())


@cache
def first() -> Program:
    """A bot that plays well and answers at once."""
    target = Path(mkdtemp(prefix="arena-first-")) / "first"
    subprocess.run(["cc", "-O2", "-o", target, BOTS / "first.c"], check=True)
    target.parent.chmod(0o755)
    atexit.register(shutil.rmtree, target.parent, ignore_errors=True)
    return Program("first", (str(target),))


async def contest(
    bad: Program,
    level: Level = Level.PROCESS,
    clocks: Clocks = PATIENT,
    game: AnyGame | None = None,
    other: Program | None = None,
    **options: int,
) -> Contest:
    """Play one match: the program in seat 0 against one or two others, who have all the time."""
    tree.adopt_orphans()
    other = other or first()
    game = game or ToyGame()
    players = min(3, max(game.players))
    options = options or ({"turns": 6} if game.name == "toy" else {})
    async with trio.open_nursery() as nursery:
        own, theirs = (
            Stable({name: program}, game=game.name, clocks=times, level=level, nursery=nursery)
            for name, program, times in (("bad", bad, clocks), ("first", other, PATIENT))
        )
        try:
            names = ("bad", *["first"] * (players - 1))
            bots = [*await own.bots(names[:1], 0), *await theirs.bots(names[1:], 0)]
            setup = setup_of(game, names, clocks, options)
            handicaps = (1.0, *[_HANDICAP] * (players - 1))
            began = time.monotonic()
            record = await play(replace(setup, handicaps=handicaps), bots)
            ms = (time.monotonic() - began) * 1000
            for stable in (own, theirs):
                await stable.clear_faulted()
                await stable.dismiss()
        finally:
            own.kill()
            theirs.kill()
    return Contest(record, ms, _log(bots[0]))


def setup_of(
    game: AnyGame, names: tuple[str, ...], clocks: Clocks, options: dict[str, int]
) -> Setup:
    return Setup(
        match="m",
        run=None,
        game=game,
        table=make_table(game, len(names), options),
        deal="d0",
        seed="5eed",
        seeds=tuple(range(len(names))),
        clocks=clocks,
        isolation="any",
        names=names,
        digests=names,
    )


def _log(bot: Bot | BotFault) -> str:
    return bot.message if isinstance(bot, BotFault) else bot.process.log.text()


def as_nobody(bad: Program, level: Level) -> Contest:
    """The same contest with an ordinary user for the referee.

    Needs a Python of the system and a tree that others can read; `why_not_nobody` tells.
    """
    packages = Path(trio.__file__).parent.parent
    done = subprocess.run(
        [
            *("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"),
            *("env", "-i", f"PATH={os.environ['PATH']}", f"PYTHONPATH={packages}:{ROOT}"),
            *(SYSTEM_PYTHON, "-m", "tests.contest", level),
        ],
        input=msgspec.json.encode((bad, first())),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert not done.returncode, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Contest)


def why_not_nobody() -> str | None:
    """What keeps this from working here."""
    if os.geteuid() != 0:
        return "only root may become somebody else"
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    if not os.path.realpath(SYSTEM_PYTHON).endswith(wanted):
        return f"{SYSTEM_PYTHON} is not Python {wanted}"
    return users.why_not(Program("", (SYSTEM_PYTHON, trio.__file__, __file__)))


def alive(mark: str) -> list[int]:
    """The processes that have a word in their command line or their environment."""
    found = []
    for process in procfs.table():
        words = procfs.read(f"/proc/{process.pid}/cmdline")
        variables = procfs.read(f"/proc/{process.pid}/environ")
        if not process.zombie and mark.encode() in words + variables:
            found.append(process.pid)
    return found


async def main(level: str) -> None:
    """Play a contest whose programs come as JSON on stdin."""
    tree.forbid_peeking()
    bad, other = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[Program, Program])
    played = await contest(bad, Level(level), other=other)
    sys.stdout.buffer.write(msgspec.json.encode(played))


if __name__ == "__main__":
    trio.run(main, sys.argv[1])
