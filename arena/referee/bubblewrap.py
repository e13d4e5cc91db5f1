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
from engine.registry import packages

WORKING_FOLDER: Final = "/tmp/bot"  # inside the sandbox's own /tmp
WRAPPERS: Final = 2
"""bubblewrap itself, and its first process inside."""

_SYSTEM: Final = ("/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix")
_OWN_PACKAGES: Final = ("bots", "engine", "protocol")
_TOOLS: Final = "/usr/bin:/bin:/usr/sbin:/sbin"
"""Where the wrapping's own tools are looked for: not where a bot could put one of the name."""
_TAKE_PIPES: Final = 'exec "$@" <&8 >&9 8<&- 9>&-'


@cache
def executable() -> str | None:
    """Where bubblewrap is, None where it is not installed."""
    return shutil.which("bwrap")


def command(program: Program, user: int | None) -> tuple[str, ...]:
    """The program wrapped. It finds its stdin in descriptor 8 and its stdout in 9.

    Args:
        program: what to run.
        user: whom to run it as, if not as who runs the referee.
    """
    bwrap = executable()
    assert bwrap is not None
    return (
        bwrap,
        *_namespaces(program.network, user),
        *_file_system(program),
        "--chdir",
        WORKING_FOLDER,
        "--",
        *(_tool("sh"), "-c", _TAKE_PIPES, "sh"),
        *(_tool("prlimit"), f"--nproc={program.limits.processes}"),
        *_change_user(user),
        *program.command,
    )


@cache
def _tool(name: str) -> str:
    return shutil.which(name, path=_TOOLS) or f"/usr/bin/{name}"


def _namespaces(network: bool, user: int | None) -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
    if not network:
        yield "--unshare-net"
    if user is None:
        yield "--unshare-user"
    else:
        yield from ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    yield from ("--die-with-parent", "--new-session")


def _change_user(user: int | None) -> Iterator[str]:
    if user is not None:
        yield from (_tool("setpriv"), "--reuid", str(user), "--regid", str(user))
        yield from ("--clear-groups", "--bounding-set", "-all", "--inh-caps", "-all")
        yield "--no-new-privs"


def _file_system(program: Program) -> Iterator[str]:
    for path in _SYSTEM:
        yield from _same(path)
    yield from ("--proc", "/proc", "--dev", "/dev")
    size = str(program.limits.folder_mb << 20)
    for path in ("/tmp", "/dev/shm"):  # the sandbox's own
        yield from ("--perms", "1777", "--size", size, "--tmpfs", path)
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
    """What a bot needs to see outside the system: its own files and its interpreter's.

    The words of a bot.toml are a stranger's: of those only the program itself is shown.
    """
    words = program.command if program.folder is None else program.command[:1]
    needed = {sys.prefix, sys.base_prefix, *_own_packages()}
    for word in (*words, *program.tools):
        if word.startswith("/") and os.path.exists(word):
            needed |= {_installation(word), _installation(os.path.realpath(word))}
    if program.folder is not None:
        needed |= {program.folder, os.path.realpath(program.folder)}
    if program.network:
        needed.add(os.path.realpath("/etc/resolv.conf"))
    return {path for path in needed if not _is_system(path)}


def _installation(path: str) -> str:
    """What to show for a program or script: the prefix of its `bin` folder, else itself alone."""
    folder = os.path.dirname(path)
    prefix = os.path.dirname(folder)
    return prefix if os.path.basename(folder) == "bin" and not _is_personal(prefix) else path


def _is_personal(prefix: str) -> bool:
    """Whether a folder holds more than an installation: a home, one above it, or ~/.local."""
    if os.path.exists(os.path.join(prefix, "pyvenv.cfg")):
        return False
    home = Path.home()
    path = Path(prefix)
    return home.is_relative_to(path) or path.parent == home or Path("/home") in path.parents[:2]


@cache
def _own_packages() -> tuple[str, ...]:
    """What a Python bot may import, also where it is not in site-packages; games too."""
    specs = [find_spec(name) for name in (*_OWN_PACKAGES, *sorted(packages()))]
    origins = [spec.origin for spec in specs if spec and spec.origin]
    return tuple(path.removesuffix("/__init__.py") for path in origins)


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
