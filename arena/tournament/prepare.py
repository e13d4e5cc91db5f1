"""From what is asked for to a run in the store that can be played."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.referee.faults import CannotStart
from arena.store.db import Store
from arena.store.errors import NotFound, StoreError
from arena.store.model import Entrant, Filter, Run
from arena.tournament import schedule, seeds
from arena.tournament.comparison import Duel
from arena.tournament.entry import Entry
from arena.tournament.formats import Format, Gauntlet, RoundRobin, Sample, Swiss, usual_rounds
from arena.tournament.ladder import Ladder
from arena.tournament.schedule import Span
from engine.game import AnyGame, AnyTable, TableError

USUAL_DEALS: Final = 10
FORMATS: Final = {
    "round-robin": ("deals", "matches"),
    "gauntlet": ("deals", "challengers"),
    "swiss": ("deals", "rounds"),
    "ladder": ("matches",),
}
"""The formats, and which numbers each uses."""


class FormatError(ValueError):
    """A format cannot be played as it is asked for; one sentence."""


class FormatChoice(Struct, frozen=True):
    """A format and its numbers, as they are asked for."""

    name: str = "round-robin"
    deals: int | None = None
    """Deals of each group; in a Swiss tournament in each round. None: 10."""
    matches: int | None = None
    """A balanced sample of a round robin, or the budget of a ladder."""
    rounds: int | None = None
    """Of a Swiss tournament; None: as many as tell a winner."""
    challengers: tuple[str, ...] = ()
    """Of a gauntlet."""


class Request(Struct, frozen=True):
    """A tournament as it is asked for."""

    game: AnyGame
    table: AnyTable
    entries: tuple[Entry, ...]
    clocks: Clocks
    format: FormatChoice = FormatChoice()
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
    def names(self) -> tuple[str, ...]:
        """The entrants' names, sorted."""
        return tuple(sorted(entry.name for entry in self.entries))


class Prepared(Struct, frozen=True):
    """A run in the store, and what of it is to be played."""

    run: Run
    format: Format
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
                f"it plays {', '.join(entry.games)}"
            )


def prepare(store: Store, request: Request) -> Prepared:
    """Find the run to continue or make it, and its format.

    Raises:
        CannotStart: a new run is asked for, but it would be one that is there.
        FormatError: the format cannot be played as it is asked for.
        StoreError: the store cannot be used, or holds the run from elsewhere.
    """
    wanted = _run(request)
    run = _found(store, request, wanted) or wanted
    plan = make_format(request, run.seed)
    store.add_run(wanted if run.id == wanted.id else run)  # refuses one from elsewhere
    return Prepared(run, plan, run is not wanted)


@contextmanager
def begun(store: Store, request: Request) -> Iterator[Prepared]:
    """The run while it is played: a new one of which no match came about is not kept.

    Raises:
        CannotStart, FormatError, StoreError: as `prepare` does.
    """
    prepared = prepare(store, request)
    try:
        yield prepared
    finally:
        if not prepared.continued:
            _drop_if_empty(store, prepared.run)


def _drop_if_empty(store: Store, run: Run) -> None:
    with suppress(StoreError):  # another arena plays it by now; or the store fails, which is told
        if not any(store.matches(Filter(run=run.id), 1)):
            store.delete_run(run.id)


class Planned(Struct, frozen=True):
    """What a tournament would play from the start; None where that depends on the results."""

    matches: int | None
    groups: int | None = None
    """How many different sets of bots meet."""
    meetings: Span | None = None
    """In how many matches a pair of bots meets."""
    appearances: Span | None = None
    """In how many matches a bot plays."""


def planned(request: Request) -> Planned:
    """What would be played.

    Raises:
        FormatError: as `make_format` does.
    """
    plan = make_format(request, request.seed or "")
    if isinstance(plan, Swiss | Ladder):
        return Planned(plan.matches())
    if isinstance(plan, RoundRobin):
        known = schedule.round_robin_plan(len(plan.names), plan.sides, plan.deals)
    else:
        known = schedule.plan(request.names, plan.slots({}))
    return Planned(known.matches, known.groups, known.meetings, known.appearances)


def make_format(request: Request, seed: str) -> Format:
    """The format that a request asks for.

    Raises:
        FormatError: its numbers do not suit it or the entrants.
    """
    choice, names, sides = request.format, request.names, request.group_size
    _check_numbers(choice)
    deals = choice.deals or USUAL_DEALS
    match choice.name:
        case "round-robin":
            if choice.matches is not None:
                return Sample(names, sides, choice.matches, seed)
            return RoundRobin(names, sides, deals)
        case "gauntlet":
            return _gauntlet(request, deals)
        case "swiss":
            rounds = choice.rounds or usual_rounds(len(names), sides)
            return Swiss(names, sides, deals, rounds, seed)
        case "ladder":
            return Ladder(names, sides, choice.matches)
        case "compare" if len(names) == sides:
            return Duel(names, deals)
    raise FormatError(f"there is no format '{choice.name}'; use {', '.join(FORMATS)}")


def _gauntlet(request: Request, deals: int) -> Gauntlet:
    challengers = request.format.challengers or (request.entries[0].name,)
    for name in challengers:
        if name not in request.names:
            raise FormatError(f"the challenger {name} is none of the bots")
    field = tuple(name for name in request.names if name not in challengers)
    if len(field) < request.group_size - 1:
        raise FormatError(f"a field of {len(field)} bots is too small for {request.group_size}")
    return Gauntlet(tuple(sorted(challengers)), field, request.group_size, deals)


def _check_numbers(choice: FormatChoice) -> None:
    """See that only numbers are given that the format uses."""
    used = FORMATS.get(choice.name, ("deals",))
    for number in ("deals", "matches", "rounds", "challengers"):
        if getattr(choice, number) and number not in used:
            raise FormatError(f"{number} mean nothing in a {choice.name}")
    if choice.name == "round-robin" and choice.deals and choice.matches:
        raise FormatError("a round robin takes deals or matches, not both")


def _found(store: Store, request: Request, wanted: Run) -> Run | None:
    """The run to continue."""
    if request.seed is None:
        return None if request.new else store.latest_run(wanted.words)
    try:
        known = store.run(wanted.id)
    except NotFound:
        return None
    if request.new:
        raise CannotStart(
            f"run {known.id} has this seed already; leave out --new to continue it, or give "
            "another --seed"
        )
    return known


def _run(request: Request) -> Run:
    seed = request.seed if request.seed is not None else seeds.random_seed()
    run = Run(
        id="",
        game=request.game.name,
        version=request.game.version,
        options=msgspec.to_builtins(request.table.options),
        seats=request.table.players,
        format=request.format.name,
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
        request.format.name,
        request.clocks,
        sorted((entry.name, entry.entrant.words) for entry in request.entries),
    ]
    return msgspec.json.encode(told, order="deterministic").decode()


def enter(store: Store, run: Run, request: Request) -> None:
    """Enter the bots in the run, which nobody else may be playing.

    Raises:
        CannotStart: a name is in the run with another program, and is not to be replaced.
    """
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
