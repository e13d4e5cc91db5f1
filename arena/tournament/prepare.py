"""From what is asked for to a run in the store that can be played."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart
from arena.store.db import Store
from arena.store.model import Entrant, Run, Slot
from arena.tournament import schedule, seeds
from arena.tournament.entry import Entry
from engine.game import AnyGame, AnyTable, TableError


class Request(Struct, frozen=True):
    """A tournament as it is asked for."""

    game: AnyGame
    table: AnyTable
    entries: tuple[Entry, ...]
    clocks: Clocks
    deals: int
    """Deals of each group."""
    matches: int | None = None
    """A balanced sample of that many matches, in place of all groups."""
    format: str = "round-robin"
    seed: str | None = None
    """None: continue what was asked for with the same words, else start with a random one."""
    new: bool = False
    """Start anew also where there is something to continue."""
    replace: bool = False
    """Play the matches of changed programs again."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return self.game.sides(self.table)

    @property
    def group_size(self) -> int:
        """How many entrants meet in a match: one per side."""
        return max(self.sides) + 1

    @property
    def names(self) -> list[str]:
        """The entrants' names, sorted."""
        return sorted(entry.name for entry in self.entries)


class Prepared(Struct, frozen=True):
    """A run in the store, and what of it is to be played."""

    run: Run
    slots: Iterable[Slot]
    """All of it in order, also what is played already."""
    continued: bool
    """The run was there before."""


def check(request: Request) -> None:
    """See that the entrants are enough and play the game.

    Raises:
        TableError: too few for the seats.
        CannotStart: one does not play the game.
    """
    if len(request.entries) < request.group_size:
        raise TableError(
            f"{request.game.name} with {request.table.players} seats needs at least "
            f"{request.group_size} bots, not {len(request.entries)}"
        )
    for entry in request.entries:
        if entry.games is not None and request.game.name not in entry.games:
            raise CannotStart(
                f"bot {entry.name} does not play {request.game.name}; "
                f"its bot.toml says {', '.join(entry.games)}"
            )


def prepare(store: Store, request: Request) -> Prepared:
    """Find the run to continue or make it, enter the bots, and lay out the slots.

    Raises:
        CannotStart: a name is in the run with another program.
        StoreError: the store cannot be used.
    """
    wanted = _run(request)
    found = None if request.new else _found(store, request, wanted)
    run = found or wanted
    if found is None:
        store.add_run(run)
    _enter(store, run, request)
    slots = _slots(request, run.seed, store.done(run.id))
    return Prepared(run, slots, found is not None)


def planned(request: Request) -> schedule.Plan:
    """What a run from the start would play."""
    if request.matches is None:
        return schedule.round_robin_plan(len(request.entries), request.group_size, request.deals)
    return schedule.plan(request.names, _slots(request, request.seed or "", ()))


def _found(store: Store, request: Request, wanted: Run) -> Run | None:
    if request.seed is None:
        return store.latest_run(wanted.words)
    return next((known.run for known in store.runs() if known.run.id == wanted.id), None)


def _run(request: Request) -> Run:
    seed = request.seed if request.seed is not None else seeds.random_seed()
    run = Run(
        id="",
        game=request.game.name,
        version=request.game.version,
        options=msgspec.to_builtins(request.table.options),
        seats=request.table.players,
        format=request.format,
        clocks=request.clocks,
        seed=seed,
        words=_words(request),
        sides=request.sides,
        created=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    return replace(run, id=seeds.run_id(run))


def _words(request: Request) -> str:
    """What a command without a seed is recognised by: all but what only extends a run."""
    told: list[Any] = [
        request.game.name,
        msgspec.to_builtins(request.table.options),
        request.table.players,
        request.format,
        request.clocks,
        sorted((entry.name, entry.entrant.words) for entry in request.entries),
    ]
    return msgspec.json.encode(told, order="deterministic").decode()


def _enter(store: Store, run: Run, request: Request) -> None:
    known = {entrant.name: entrant for entrant in store.entrants(run.id)}
    new: list[Entrant] = []
    for entry in request.entries:
        old = known.get(entry.name)
        if old is None:
            new.append(entry.entrant)
        elif old.digest != entry.entrant.digest:
            if not request.replace:
                raise CannotStart(
                    f"bot {entry.name} has changed: its digest is {entry.entrant.digest}, in this "
                    f"run it was {old.digest}; --replace plays its matches afresh, NAME=BOT "
                    "enters it under a new name"
                )
            store.replace_entrant(run.id, entry.entrant)
    store.add_entrants(run.id, new)


def _slots(request: Request, seed: str, played: Iterable[Slot]) -> Iterable[Slot]:
    if request.matches is None:
        return schedule.round_robin(request.names, request.group_size, request.deals)
    return schedule.balanced_sample(
        request.names, request.group_size, request.matches, seed, played
    )
