"""Which machine it is, and keeping to one of its cores."""

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct


class Machine(Struct, frozen=True):
    """What figures are to be read with."""

    cpu: str
    cores: int
    """How many this process may use."""
    python: str
    kernel: str


def this_machine() -> Machine:
    """The machine that this runs on."""
    return Machine(
        cpu=_cpu(),
        cores=len(os.sched_getaffinity(0)),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        kernel=f"{platform.system()} {platform.release()}",
    )


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process, and what it starts meanwhile, to the first core that it may use."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _cpu() -> str:
    """The model as the kernel names it, else the architecture."""
    found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found[1] if found else platform.machine()
