"""The programs that are measured: C where a compiler is, else the same in Python."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from arena.referee.program import Program

SOURCES: Final = Path(str(files("arena.bench"))) / "sources"

Mode = Literal["legal", "state"]
"""How a bench bot finds its action: `state` works in Savanna Ten alone."""


class Workshop(Struct, frozen=True):
    """A folder with what was compiled."""

    folder: Path
    language: str
    """`C` or `Python`: what the bench bots are written in."""

    def command(self, name: str) -> tuple[str, ...]:
        """What runs one of the programs `bot` and `pingpong`."""
        if self.language == "C":
            return (str(self.folder / name),)
        return (sys.executable, "-S", "-E", str(SOURCES / f"{name}.py"))

    def bot(self, mode: Mode) -> Program:
        """The trivially fast bot."""
        return Program("bench", (*self.command("bot"), mode))


@contextmanager
def open_workshop() -> Iterator[Workshop]:
    """Compile in a folder of its own, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # bots may run as other users
        compiled = all(_compile_c(program, folder) for program in ("bot", "pingpong"))
        yield Workshop(folder, "C" if compiled else "Python")


def _compile_c(program: str, folder: Path) -> bool:
    """Whether there is a compiler that compiles it."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return False
    source, output = SOURCES / f"{program}.c", folder / program
    done = subprocess.run([compiler, "-O2", "-o", output, source], capture_output=True, check=False)
    return done.returncode == 0
