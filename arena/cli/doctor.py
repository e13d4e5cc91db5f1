"""`arena doctor`: what this machine gives, and what to install for more."""

import os
import platform
import shutil
from typing import Final

import typer
from msgspec import Struct

from arena.cli import options as o
from arena.cli.output import print_json

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

HOLDS: Final = {
    "bwrap": "bots see a read-only system and their own folder, no network, no other process",
    "process": "bots are limited and ended whole, but reach the network and files of their user",
    "none": "nothing holds a bot but a session of its own",
}


class Tool(Struct, frozen=True):
    """A language of bots."""

    language: str
    path: str | None
    """None: it is not here."""
    package: str


class Report(Struct, frozen=True):
    """What `arena doctor --json` prints."""

    isolation: str
    holds: str
    better: str | None
    """What keeps a higher level from working, and the mend."""
    cores: int
    kernel: str
    tools: tuple[Tool, ...]


def doctor(json: o.AsJson = False) -> None:
    """Say which isolation works, how many cores there are, and which languages."""
    report = _report()
    if json:
        print_json(report)
        return
    typer.echo(f"isolation  {report.isolation}: {report.holds}")
    if report.better is not None:
        typer.echo(f"           bwrap would hold more, but {report.better}")
    typer.echo(f"cores      {report.cores}, one worker each")
    typer.echo(f"kernel     {report.kernel}")
    for tool in report.tools:
        found = tool.path or f"missing; apt-get install {tool.package} brings it"
        typer.echo(f"{tool.language:<10} {found}")


def _report() -> Report:
    from arena.referee.sandbox import choose, why_no_bwrap

    level = choose("auto")
    return Report(
        isolation=level,
        holds=HOLDS[level],
        better=why_no_bwrap(),
        cores=len(os.sched_getaffinity(0)),
        kernel=platform.release(),
        tools=tuple(
            Tool(language, shutil.which(program), package)
            for language, (program, package) in TOOLS.items()
        ),
    )
