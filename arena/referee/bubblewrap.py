"""The command line of bubblewrap for one bot: what it sees, and what it may use.

It sees the system read-only, its own folder, the arena's Python and nothing of anybody's home,
store or other bots; it has its own process ids, no network, and one bounded place to write.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from arena.referee.program import Program

WORKING_FOLDER: Final = "/tmp/bot"  # inside the sandbox's own /tmp
WRITABLE_BYTES: Final = 64 << 20
"""How much a bot may write, in each of /tmp and /dev/shm."""
PROCESSES: Final = 256
"""How many processes and threads a bot may have."""

_SYSTEM: Final = ("/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix")
_OWN_PACKAGES: Final = ("bots", "engine", "protocol")
_FIRST_USER: Final = 61_184
"""Bots of a referee that runs as root get user ids of their own from here, so that the limit of
processes counts each alone. systemd hands out the same range for the same purpose."""
_USERS: Final = 4096


@cache
def executable() -> str | None:
    """Where bubblewrap is, None where it is not installed."""
    return shutil.which("bwrap")


def command(program: Program, number: int) -> tuple[str, ...]:
    """The program wrapped.

    Args:
        program: what to run.
        number: tells this process of a bot from the others of this referee.
    """
    bwrap = executable()
    assert bwrap is not None
    return (
        bwrap,
        *_namespaces(program.network),
        *_file_system(program),
        "--chdir",
        WORKING_FOLDER,
        "--",
        *_limits(number),
        *program.command,
    )


def _namespaces(network: bool) -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
    if not network:
        yield "--unshare-net"
    if os.geteuid() == 0:
        yield from ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        yield "--unshare-user"
    yield from ("--die-with-parent", "--new-session")


def _limits(number: int) -> Iterator[str]:
    """Inside the sandbox: a bounded number of processes and, of root, another user."""
    yield from ("prlimit", f"--nproc={PROCESSES}")
    if os.geteuid() == 0:
        user = str(_FIRST_USER + number % _USERS)
        yield from ("setpriv", "--reuid", user, "--regid", user, "--clear-groups")
        yield from ("--bounding-set", "-all", "--inh-caps", "-all", "--no-new-privs")


def _file_system(program: Program) -> Iterator[str]:
    for path in _SYSTEM:
        yield from _same(path)
    yield from ("--proc", "/proc", "--dev", "/dev")
    for path in ("/tmp", "/dev/shm"):  # the sandbox's own
        yield from ("--perms", "1777", "--size", str(WRITABLE_BYTES), "--tmpfs", path)
    yield from ("--perms", "1777", "--dir", WORKING_FOLDER)
    yield from _read_only(_needed(program))
    if program.folder is not None:
        for entry in Path(program.folder).iterdir():
            yield from ("--symlink", str(entry), f"{WORKING_FOLDER}/{entry.name}")
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _same(path: str) -> Sequence[str]:
    """A place of the system as it is: a link stays a link."""
    if os.path.islink(path):
        return ("--symlink", os.readlink(path), path)
    return ("--ro-bind-try", path, path)


def _needed(program: Program) -> set[str]:
    """What a bot needs to see outside the system: its own files and its interpreter's."""
    needed = {sys.prefix, sys.base_prefix, *_own_packages()}
    for word in program.command:
        if word.startswith("/") and os.path.exists(word):
            needed |= {_home_of(word), _home_of(os.path.realpath(word))}
    if program.folder is not None:
        needed |= {program.folder, os.path.realpath(program.folder)}
    if program.network:
        needed.add(os.path.realpath("/etc/resolv.conf"))
    return {path for path in needed if not _is_system(path)}


def _home_of(path: str) -> str:
    """What to show for a program or script: the prefix of a `bin` folder, else the file alone."""
    folder, name = os.path.split(path)
    prefix = os.path.dirname(folder)
    if os.path.basename(folder) == "bin" and not _holds_homes(prefix):
        return prefix
    return path if name else folder


def _holds_homes(path: str) -> bool:
    home = os.path.expanduser("~")
    return home == path or home.startswith(path.rstrip("/") + "/")


@cache
def _own_packages() -> tuple[str, ...]:
    """The packages that a Python bot may import, also where they are not in site-packages."""
    specs = [find_spec(name) for name in _OWN_PACKAGES]
    return tuple(os.path.dirname(spec.origin) for spec in specs if spec and spec.origin)


def _is_system(path: str) -> bool:
    return any(path == place or path.startswith(place + "/") for place in _SYSTEM)


def _read_only(paths: Iterable[str]) -> Iterator[str]:
    """Binds, with the folders above them, which bubblewrap would make for itself alone."""
    made: set[str] = set()
    for path in sorted(paths):
        for parent in reversed(Path(path).parents):
            if str(parent) not in made and str(parent) not in ("/", "/tmp"):
                made.add(str(parent))
                yield from ("--perms", "0755", "--dir", str(parent))
        yield from ("--ro-bind", path, path)
