"""Bots of installed packages: the entry-point group `arena.bots`.

    [project.entry-points."arena.bots"]
    nim-master = "nim_game.master"

An entry point names a module to run. Nothing of it is imported here: a bot is a program.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from arena.referee.faults import CannotStart, printable

GROUP: Final = "arena.bots"


def names() -> Sequence[str]:
    """The names that installed packages give to bots, in order."""
    return list(_points())


def module_named(name: str) -> str | None:
    """The module of an installed bot; None: no package gives one of this name.

    Raises:
        CannotStart: two packages do.
    """
    points = _points().get(name, ())
    if len(points) > 1:
        both = " and ".join(map(package_of, points))
        raise CannotStart(
            f"bot {printable(name)}: the packages {both} both give a bot of this name;"
            " uninstall one of them"
        )
    return _module(points[0]) if points else None


def shadowed(taken: Sequence[str]) -> Sequence[str]:
    """A sentence for each installed bot whose name is taken by one that comes along."""
    return [
        f"bot {name} of the package {package_of(point)} is left out: the name is that of a bot"
        " that comes along"
        for name, points in _points().items()
        if name in taken
        for point in points
    ]


def origin(name: str, module: str) -> Path:
    """The file of a module's top-level package, `__init__.py`, or of the module itself.

    Raises:
        CannotStart: it is not installed, or there is nothing to run in it.
    """
    package, *parts = module.split(".")
    spec = find_spec(package) if package else None
    if spec is None or spec.origin is None:
        raise CannotStart(f"bot {name}: its package {printable(package)} is not installed")
    path = Path(spec.origin)
    place = path.parent.joinpath(*parts)
    if path.name == "__init__.py" and not _can_run(place, whole=not parts):
        raise CannotStart(
            f"bot {name}: there is no module {printable(module)} to run in its package {package}"
        )
    return path


def _can_run(place: Path, *, whole: bool) -> bool:
    """Whether `python -m` finds a file here; a compiled module counts."""
    if (place / "__main__.py").is_file():
        return True
    return not whole and any(place.parent.glob(f"{place.name}.*"))


def package_of(point: EntryPoint) -> str:
    """The distribution that gives an entry point."""
    return point.dist.name if point.dist else "unknown"


def _module(point: EntryPoint) -> str:
    """Read from the value: a malformed one has no attribute `module`."""
    return point.value.partition(":")[0].strip()


def _points() -> Mapping[str, Sequence[EntryPoint]]:
    points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, package_of(point)))
    return {name: list(same) for name, same in groupby(points, attrgetter("name"))}
