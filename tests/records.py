"""Whole matches as records, played at random in this process: no bot, no referee."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from arena.referee.clock import Clocks
from arena.referee.verdict import is_decided, result_of, sides_out
from engine.game import CHANCE
from engine.options import make_table
from engine.randomness import below
from engine.registry import game
from protocol.record import RECORD_VERSION, Fault, LogEntry, Record, RecordedBot


def played(
    name: str = "herd",
    players: int = 2,
    options: Mapping[str, Any] | None = None,
    *,
    deal: str = "00",
    seed: str = "5eed",
    match: str = "m-1",
    run: str | None = None,
    bots: Sequence[str] = ("ann", "bob", "cid", "dan"),
    faulty: Mapping[int, int] | None = None,
) -> Record:
    """A random match; `faulty` says of seats in which of the game's turns they are faulted."""
    rules = game(name)
    table = make_table(rules, players, {} if options is None else options)
    sides, rng = rules.sides(table), Random(deal + match)
    state = rules.initial(table)
    log: list[LogEntry] = []
    faults: list[Fault] = []
    while (seat := rules.to_act(state)) is not None:
        out = sides_out(faults, sides)
        if is_decided(out, sides):
            break
        turn = rules.turn(state)
        if seat == CHANCE:
            entry = LogEntry(CHANCE, rules.chance(state, deal))
        elif sides[seat] in out:
            legal = rules.legal(state)
            action = legal[below(len(legal), seed, "stand-in", len(log))]
            entry = LogEntry(seat, action, stand_in=True)
        elif turn >= (faulty or {}).get(seat, 10**9):
            faults.append(Fault(seat, "illegal", "D2 is taken", turn))
            continue
        else:
            entry = LogEntry(seat, rng.choice(rules.legal(state)), ms=1.5)
        state = rules.apply(state, entry.do)
        log.append(entry)
    return Record(
        record=RECORD_VERSION,
        match=match,
        run=run,
        game=name,
        version=rules.version,
        options=msgspec.to_builtins(table.options),
        players=players,
        seed=seed,
        deal=deal,
        seeds=tuple(range(players)),
        isolation="none",
        bots=tuple(RecordedBot(bot, "1.0", f"digest-{bot}") for bot in bots[:players]),
        time=Clocks().told(),
        started="2026-11-29T19:00:00Z",
        log=tuple(log),
        faults=tuple(faults),
        result=result_of(rules, state, sides, faults),
    )
