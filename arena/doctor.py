"""What this machine gives to an arena, and what to install for more."""

import os
import platform
import shutil
from typing import Final

from msgspec import Struct

from arena.referee.levels import Description, describe
from arena.referee.sandbox import Level, choose

TOOLS: Final = {
    "python": ("python3", "python3"),
    "javascript": ("node", "nodejs"),
    "typescript": ("tsc", "node-typescript"),
    "c": ("cc", "gcc"),
    "c++": ("c++", "g++"),
    "rust": ("cargo", "cargo"),
    "go": ("go", "golang-go"),
    "java": ("javac", "default-jdk-headless"),
    "ruby": ("ruby", "ruby"),
    "lua": ("lua", "lua5.4"),
    "shell": ("jq", "jq"),
}
"""For each language the program that shows it is there, and Debian's package that brings it."""


class Tool(Struct, frozen=True):
    """A language of bots."""

    language: str
    path: str | None
    """None: it is not here."""
    package: str


class Report(Struct, frozen=True):
    """What `arena doctor --json` prints."""

    isolation: Level
    """The best level that works here."""
    levels: tuple[Description, ...]
    """What each level holds, the best first."""
    cores: int
    kernel: str
    tools: tuple[Tool, ...]


def report() -> Report:
    """The level of isolation that works here, the cores, and the languages found."""
    return Report(
        isolation=choose("auto"),
        levels=tuple(map(describe, Level)),
        cores=len(os.sched_getaffinity(0)),
        kernel=platform.release(),
        tools=tuple(
            Tool(language, shutil.which(program), package)
            for language, (program, package) in TOOLS.items()
        ),
    )
