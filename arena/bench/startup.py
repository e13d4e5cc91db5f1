"""How long a bot takes from the start of its program to `ready`, in each language found here."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Final

import trio

from arena import REFEREE
from arena.bench.workshop import SOURCES, Workshop
from arena.referee.bot import launch
from arena.referee.program import Program
from arena.referee.sandbox import Level

START_S: Final = 60.0
"""The start-up limit in seconds."""
GAME: Final = "savanna-ten"

_IN_ARENA: Final = "from protocol.bot import run; run(lambda act, _: act.legal[:1], name='bench')"


def languages(workshop: Workshop) -> Iterator[tuple[str, Program]]:
    """What to start for each language that is there."""
    if workshop.language == "C":
        yield "C", workshop.bot("legal")
    yield "Python", _program(sys.executable, "-S", "-E", str(SOURCES / "bot.py"), "legal")
    yield "Python with protocol.bot", _program(sys.executable, "-P", "-c", _IN_ARENA)
    if node := shutil.which("node"):
        yield "JavaScript (node)", _program(node, str(SOURCES / "ready.js"))
    if perl := shutil.which("perl"):
        yield "Perl", _program(perl, str(SOURCES / "ready.pl"))
    if (shell := shutil.which("sh")) and shutil.which("jq"):
        yield "sh and jq", _program(shell, str(SOURCES / "ready.sh"))
    if (java := shutil.which("java")) and _compile_java(workshop):
        yield "Java", _program(java, "-cp", str(workshop.folder), "Ready")


async def ready(program: Program, level: Level, seconds: float) -> Mapping[str, float]:
    """Start a bot again and again, at least once."""
    times: list[float] = []
    began = time.perf_counter()
    async with trio.open_nursery() as nursery:
        while not times or time.perf_counter() - began < seconds:
            started = time.perf_counter()
            bot = await launch(program, level, GAME, REFEREE, START_S, nursery)
            times.append(time.perf_counter() - started)
            bot.process.kill()
    return {"ms": 1000 * median(times)}


def _program(*command: str) -> Program:
    return Program("bench", command)


def _compile_java(workshop: Workshop) -> bool:
    """Whether there is a compiler that compiles it."""
    compiler = shutil.which("javac")
    if compiler is None:
        return False
    command = (compiler, "-d", str(workshop.folder), str(SOURCES / "Ready.java"))
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
