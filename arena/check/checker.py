"""A whole check: the handshake, every rule, advice."""

from collections.abc import Callable, Collection
from math import inf
from typing import Final, TypeAlias

import trio
from msgspec.structs import replace

from arena.check.advice import advise
from arena.check.handshake import handshake
from arena.check.matches import match_rules
from arena.check.report import Advice, Report, Result
from arena.check.rules import RULES, Rule, Skip
from arena.check.talk import Lab, Measures
from arena.referee import tree
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault, Code, quoted
from arena.referee.sandbox import Level
from arena.tournament.entry import Entry
from engine import registry
from engine.game import AnyGame
from protocol.messages import Ready

Watch: TypeAlias = Callable[[Result], None]
"""Is told of each result as it comes."""

_SHOWN: Final = 160
"""How many characters of a line are shown."""
_MENDS: Final = {
    Code.START: "Start it by hand with its command and see what it says.",
    Code.TIMEOUT: "Answer in time, and flush stdout after each line.",
    Code.CRASH: "It must not end: mend what its last words say.",
    Code.PROTOCOL: "Answer a question with one action, its id copied, and be silent otherwise.",
    Code.OVERLONG: "Keep lines under 65,536 bytes, a note included.",
    Code.ILLEGAL: "Play only actions that stand in legal, exactly as they are written there.",
    Code.MEMORY: "Use less memory, or allow more with --memory.",
}
"""What to do about a fault."""
_PLAIN: Final = {Code.START, Code.OVERLONG, Code.ILLEGAL, Code.MEMORY}
"""Faults that have nothing to do with the rule that was tried."""


class UnknownRule(ValueError):  # noqa: N818  # reads as what is wrong
    """There is no rule of this name; one sentence that names those that there are."""


async def check(
    entry: Entry, level: Level, clocks: Clocks, watch: Watch, only: Collection[str] = ()
) -> Report:
    """Try a bot by every rule.

    Args:
        entry: the bot, built.
        level: how it is isolated.
        clocks: the limits of its start-up and of each answer.
        watch: is told of each result as it comes.
        only: the names of the rules to try after the handshake; (): all, and advice is given.

    Raises:
        UnknownRule: there is no rule of a name, or the bot does not play that game.
        CannotStart, HostFault: it cannot be started here.
    """
    tree.adopt_orphans()
    results: list[Result] = []
    phase = 0
    advice: tuple[Advice, ...] = ()

    def note(result: Result) -> None:
        results.append(result)
        watch(result)

    async with trio.open_nursery() as nursery:
        lab = _lab(entry, level, clocks, nursery)
        first, ready = await handshake(lab)
        lab.games = _games(entry, ready)
        note(first if lab.games else _without_games(first, ready))
        waiting = _chosen(lab.games, only) if lab.games else []
        while waiting and (only or _passed(results) or waiting[0].phase == phase):
            phase = waiting[0].phase
            note(await _try(waiting.pop(0), lab))
        if _passed(results) and not only:
            advice = advise(lab.measures)
    return Report(
        bot=entry.name,
        digest=entry.entrant.digest,
        isolation=level,
        passed=_passed(results),
        untried=tuple(rule.name for rule in waiting),
        rules=tuple(results),
        advice=advice,
    )


def _lab(entry: Entry, level: Level, clocks: Clocks, nursery: trio.Nursery) -> Lab:
    start_s = clocks.start_ms / 1000
    turn_s = inf if clocks.turn_ms is None else clocks.turn_ms / 1000
    return Lab(entry.program, level, (), start_s, turn_s, nursery, Measures())


def _chosen(games: tuple[AnyGame, ...], only: Collection[str]) -> list[Rule]:
    rules = [*RULES, *match_rules(games)]
    known = [rule.name for rule in rules]
    if unknown := [name for name in only if name not in known]:
        raise UnknownRule(f"there is no rule {unknown[0]}; there are {', '.join(known)}")
    return [rule for rule in rules if not only or rule.name in only]


def _passed(results: list[Result]) -> bool:
    return all(result.outcome != "failed" for result in results)


def _games(entry: Entry, ready: Ready | None) -> tuple[AnyGame, ...]:
    """The games here that the bot plays; none where there was no handshake."""
    if ready is None:
        return ()
    return tuple(
        game
        for name, game in registry.games().items()
        if (ready.games is None or name in ready.games)
        and (entry.games is None or name in entry.games)
    )


def _without_games(result: Result, ready: Ready | None) -> Result:
    """A handshake after which there is nothing to play."""
    if ready is None:
        return result
    known = ", ".join(registry.games())
    return replace(
        result,
        outcome="failed",
        detail="it plays none of the games here",
        mend=f"Name some of {known} in games of ready and of bot.toml, or leave games out.",
    )


async def _try(rule: Rule, lab: Lab) -> Result:
    try:
        detail = await rule.check(lab)
    except Skip as skip:
        return Result(rule.name, rule.title, "skipped", str(skip))
    except BotFault as fault:
        return _failed(rule, lab, fault)
    return Result(rule.name, rule.title, "ok", detail)


def _failed(rule: Rule, lab: Lab, fault: BotFault) -> Result:
    sent, received = "", ""
    if lab.talk is not None:
        sent = quoted(lab.talk.sent.rstrip(b"\n"), _SHOWN)
        received = quoted(lab.talk.received, _SHOWN) if lab.talk.received else "nothing"
    detail, mend = f"{fault.code}: {fault.message}", _mend(rule, fault.code)
    return Result(rule.name, rule.title, "failed", detail, sent, received, mend)


def _mend(rule: Rule, code: Code) -> str:
    if not rule.mend or code in _PLAIN:
        return _MENDS[code]
    return f"{rule.mend} {_MENDS[code]}" if code is Code.CRASH else rule.mend
