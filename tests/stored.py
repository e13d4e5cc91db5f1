"""Runs and matches for tests of the store: the logs are made up, nothing was played."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

from msgspec.structs import replace

from arena.referee.clock import Clocks
from arena.store.model import Entrant, Finished, Run, Slot
from protocol.messages import Result, StartTime
from protocol.record import Fault, LogEntry, Record, RecordedBot

TEAMS = (0, 1, 0, 1)


def run(name: str = "run1", **other: Any) -> Run:
    """A run of two seats, unless other values are given."""
    base = Run(
        id=name,
        game="savanna-ten",
        version=1,
        options={"mouse": "off", "teams": False},
        seats=2,
        format="round-robin",
        clocks=Clocks(),
        seed="words",
        words="savanna-ten ann bob",
        created="2026-11-29T19:00:00Z",
    )
    return replace(base, **other)


def team_run(name: str = "teams") -> Run:
    """A run of two teams of two seats."""
    return run(name, seats=4, sides=TEAMS, options={"mouse": "off", "teams": True})


def entrants(*names: str) -> list[Entrant]:
    """Entrants whose digests are their names in capitals."""
    return [Entrant(name, name.upper(), f"./{name}") for name in names]


def record(
    of: Run,
    match: str,
    bots: Sequence[str],
    ranks: Sequence[int] = (1, 2),
    *,
    faults: Sequence[tuple[int, str]] = (),
    deal: str = "00",
) -> Record:
    """A match with the bots in seat order; `faults` are seats and codes."""
    rng = Random(f"{match} {deal}")
    return Record(
        record=1,
        match=match,
        run=of.id,
        game=of.game,
        version=of.version,
        options=of.options,
        players=of.seats,
        seed=rng.randbytes(16).hex(),
        deal=deal,
        seeds=tuple(rng.randrange(2**31) for _ in range(of.seats)),
        isolation="none",
        bots=tuple(RecordedBot(bot, "1.0", bot.upper()) for bot in bots),
        time=StartTime(1000, 5000),
        started="2026-11-29T19:00:01Z",
        log=tuple(_log(rng, of.seats)),
        faults=tuple(Fault(seat, code, "what was wrong", 7) for seat, code in faults),
        result=Result(tuple(ranks), (15, 10, 5, 0)[: max(of.seat_sides()) + 1], "finished"),
    )


def finished(
    of: Run,
    slot: Slot,
    ranks: Sequence[int] = (1, 2),
    *,
    faults: Sequence[tuple[int, str]] = (),
    logs: Mapping[int, str] | None = None,
    **other: Any,
) -> Finished:
    """The match of a slot, whose ranks are in seat order; the rotation shifts the group."""
    group = slot.group
    bots = [group[(side + slot.rotation) % len(group)] for side in of.seat_sides()]
    match = f"{of.id}-{slot.deal:06}-{slot.rotation}-{_hash(group)}"
    deal = _hash((*group, slot.deal))
    played = record(of, match, bots, ranks, deal=deal, faults=faults)
    return Finished(slot, replace(played, **other), dict(logs or {}))


def _log(rng: Random, seats: int) -> list[LogEntry]:
    """A log that looks like one of Savanna Ten: a draw, then a tile placed, twenty times."""
    log = []
    for turn in range(20):
        seat, tile = turn % seats, rng.choice(["monkey", "zebra", "giraffe", "elephant/lion"])
        log.append(LogEntry(-1, f"draw@{seat}:{tile.removesuffix('/lion')}"))
        cell = rng.choice("ABCDE") + rng.choice("12345")
        log.append(LogEntry(seat, f"{tile}@{cell}", ms=round(rng.lognormvariate(-2, 1), 2)))
    return log


def _hash(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=8).hexdigest()
