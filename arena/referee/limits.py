"""What a bot may use of the host."""

import contextlib
import resource

from msgspec import Struct

_MIB = 1 << 20


class Limits(Struct, frozen=True):
    """The limits of one bot. Going over the memory is a fault, over the others its own trouble."""

    memory_mb: int = 512
    """Of all its processes together, in MiB; each alone is refused twice as much by the kernel."""
    processes: int = 256
    """How many processes and threads it may have at a time."""
    file_mb: int = 64
    """How long a file may get, in MiB."""
    folder_mb: int = 64
    """How much it may write in MiB where a sandbox gives it a place of its own, in each place."""
    cpu_s: int = 86_400
    """How long each process may compute: a backstop for what nobody watches any more."""


def apply(limits: Limits, processes: int | None) -> None:
    """Limit this process and all that it starts. Runs between fork and exec.

    Args:
        limits: what to apply; the memory of all processes together is watched elsewhere.
        processes: how many its user may have at a time, None where that is limited elsewhere.
    """
    _limit(resource.RLIMIT_DATA, 2 * limits.memory_mb * _MIB)
    _limit(resource.RLIMIT_FSIZE, limits.file_mb * _MIB)
    _limit(resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1)  # SIGXCPU tells what it was
    _limit(resource.RLIMIT_CORE, 0)
    if processes is not None:
        _limit(resource.RLIMIT_NPROC, processes)


def _limit(kind: int, soft: int, hard: int | None = None) -> None:
    with contextlib.suppress(ValueError):  # the operator's own limit is lower
        resource.setrlimit(kind, (soft, soft if hard is None else hard))
