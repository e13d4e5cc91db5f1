"""Runs and their entrants: rows to structs and back, and what a name or a filter means."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from arena.referee.clock import Clocks
from arena.store.connection import Database, Row
from arena.store.errors import NotFound
from arena.store.model import Entrant, Filter, Run
from arena.store.text import from_json, to_json

IMPORTED: Final = "imported"
"""The format of a run whose matches were played elsewhere."""

_COLUMNS: Final = "id, game, version, options, seats, sides, format, clocks, seed, words, created"
_SHOWN: Final = 4
"""How many candidates an error names."""


def insert(db: Database, run: Run) -> int:
    """Add a run; give its key."""
    return db.run(
        f"INSERT INTO runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        run.id,
        run.game,
        run.version,
        to_json(run.options),
        run.seats,
        to_json(run.sides),
        run.format,
        to_json(run.clocks),
        run.seed,
        run.words,
        run.created,
    )


def every(db: Database) -> list[tuple[int, Run]]:
    """All runs with their keys, in the order they were created."""
    rows = db.all(f"SELECT key, {_COLUMNS} FROM runs ORDER BY created, key")
    return [(key, _run(columns)) for key, *columns in rows]


def find(db: Database, name: str) -> tuple[int, Run]:
    """The run with an id, or the only one whose id begins so.

    Raises:
        NotFound: none or more; names what comes near.
    """
    key, _ = resolve(db, "runs", "id", name, "run")
    row = db.one(f"SELECT {_COLUMNS} FROM runs WHERE key = ?", key)
    if row is None:
        raise NotFound(f"the run has just been deleted from {db.path}")
    return key, _run(row)


def fitting(db: Database, wanted: Filter) -> list[tuple[int, Run]]:
    """The runs that a filter lets through, in the order they were created.

    Raises:
        NotFound: the run that it names is not there.
    """
    candidates = every(db) if wanted.run is None else [find(db, wanted.run)]
    return [(key, run) for key, run in candidates if _fits(run, wanted)]


def resolve(db: Database, table: str, column: str, name: str, what: str) -> tuple[int, str]:
    """The key and the full text of the row whose name is, or alone begins with, these characters.

    Raises:
        NotFound: none or more; names what comes near.
    """
    query = f"SELECT key, {column} FROM {table} WHERE {column}"
    exact = db.one(f"{query} = ?", name)
    if exact is not None:
        return exact[0], exact[1]
    found = db.all(f"{query} >= ? AND {column} < ? || char(0x10FFFF) LIMIT ?", name, name, _SHOWN)
    if len(found) == 1:
        return found[0][0], found[0][1]
    if found:
        raise NotFound(f"more than one {what} begins with {name!r}: {_listed(found)}, …")
    near = db.all(f"{query} < ? ORDER BY {column} DESC LIMIT 1", name)
    near += db.all(f"{query} > ? ORDER BY {column} LIMIT 1", name)
    hint = f"; the nearest: {_listed(near)}" if near else ": there are none yet"
    raise NotFound(f"there is no {what} {name!r} in {db.path}{hint}")


def entrants(db: Database, run_key: int) -> list[Entrant]:
    """The bots entered in a run, by name."""
    rows = db.all(
        "SELECT name, digest, words, network FROM entrants JOIN bots ON bots.key = bot_key "
        "WHERE run_key = ? ORDER BY name, digest",
        run_key,
    )
    return [Entrant(name, digest, words, bool(network)) for name, digest, words, network in rows]


def pool_of(run: Run) -> str:
    """What runs agree in whose matches may enter one fit."""
    return to_json([run.game, run.version, run.options, run.seats])


def _run(columns: Sequence[Any]) -> Run:
    run_id, game, version, options, seats, sides, play, clocks, seed, words, created = columns
    return Run(
        id=run_id,
        game=game,
        version=version,
        options=from_json(options),
        seats=seats,
        format=play,
        clocks=msgspec.json.decode(clocks, type=Clocks),
        seed=seed,
        words=words,
        created=created,
        sides=tuple(from_json(sides)),
    )


def _fits(run: Run, wanted: Filter) -> bool:
    return (
        wanted.game in (None, run.game)
        and wanted.seats in (None, run.seats)
        and all(
            name in run.options and value in (run.options[name], _word(run.options[name]))
            for name, value in wanted.options.items()
        )
    )


def _word(value: Any) -> str:
    """An option's value as `--option` takes it."""
    return value if isinstance(value, str) else to_json(value)


def _listed(rows: Sequence[Row]) -> str:
    return ", ".join(name for _, name in rows)
