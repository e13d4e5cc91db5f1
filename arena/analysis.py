"""What each turn of a match was worth, and the better one: asked of an analyst.

An analyst is a program that speaks the protocol, heeds `legal` and says `value`. It is asked for
the best turn; then, with `legal` narrowed to the last action of that turn, and to that of the one
played, for what each is worth: two answers of the same kind that can be compared.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import exp
from typing import Any, Final

import trio
from msgspec import Struct

from arena.again import Again, seated
from arena.decisions import Decision
from arena.referee.faults import BotFault, CannotStart
from arena.referee.program import Program
from arena.referee.sandbox import Level
from arena.replay import Replay, Step
from engine.game import CHANCE, IllegalAction
from protocol.messages import Act, Action

MARKS: Final = (("blunder", 0.15), ("mistake", 0.10), ("inaccuracy", 0.05))
"""What a loss of so much of the win is called, as on Lichess."""


class Judged(Struct, frozen=True):
    """A turn, or the part of one between two chance events."""

    turn: int
    seat: int
    played: tuple[str, ...]
    value: float
    """What the seat could expect of the win after what it played, 0 … 1."""
    best: tuple[str, ...]
    """The best that was found; what was played, where that is it."""
    best_value: float
    loss: float
    """How much less of the win the seat could expect."""
    mark: str | None
    """`inaccuracy`, `mistake` or `blunder`; None: none of them."""


class Analysis(Struct, frozen=True):
    """All turns of a match."""

    match: str
    analyst: str
    """The words that it was started with."""
    turns: tuple[Judged, ...]
    accuracy: tuple[float | None, ...]
    """Per seat, 0 … 100; None where it decided nothing."""


class Played(Struct, frozen=True):
    """The actions of a seat that follow each other in a turn, and the state before each."""

    turn: int
    seat: int
    actions: tuple[str, ...]
    states: tuple[Any, ...]
    after: Any


async def analyse(
    replay: Replay, program: Program, level: Level, words: str, report: Callable[[int], None]
) -> Analysis:
    """Ask an analyst for every turn that a bot decided; each seat has a process of its own.

    Args:
        replay: of the match.
        program: the analyst.
        level: how it is isolated.
        words: what it is called in the analysis.
        report: is told how many more turns are done.

    Raises:
        CannotStart: it does not start, or says nothing that is of use.
        HostFault: the host has no means to.
        Mismatch: the record does not replay.
    """
    turns = list(decided(replay))
    judged: dict[int, Judged] = {}

    async def ask(seat: int) -> None:
        async with seated(program, level, replay, seat) as bot:
            asked = _Asked(replay, bot)
            for place, turn in enumerate(turns):
                if turn.seat == seat:
                    judged[place] = await asked.judge(turn)
                    report(1)

    try:
        async with trio.open_nursery() as nursery:
            for seat in sorted({turn.seat for turn in turns}):
                nursery.start_soon(ask, seat)
    except ExceptionGroup as group:
        raise _first(group) from None
    ordered = tuple(judged[place] for place in range(len(turns)))
    return Analysis(replay.record.match, words, ordered, accuracies(ordered, replay.record.players))


def decided(replay: Replay) -> Iterator[Played]:
    """What bots played, turn by turn; stand-ins decide nothing.

    Raises:
        Mismatch: the record does not replay.
    """
    for (seat, turn, stand_in), steps in groupby(replay.steps(), lambda s: _part(replay, s)):
        if seat != CHANCE and not stand_in:
            taken = list(steps)
            yield Played(
                turn,
                seat,
                tuple(step.entry.do for step in taken),
                tuple(step.before for step in taken),
                taken[-1].after,
            )


def mark_of(loss: float) -> str | None:
    """What a loss is called."""
    return next((mark for mark, least in MARKS if loss >= least), None)


def accuracies(turns: Sequence[Judged], seats: int) -> tuple[float | None, ...]:
    """The accuracy of each seat: the mean of its turns', 0 … 100."""
    of_seats = [[accuracy(turn.loss) for turn in turns if turn.seat == s] for s in range(seats)]
    return tuple(round(sum(of) / len(of), 1) if of else None for of in of_seats)


def accuracy(loss: float) -> float:
    """How accurate a turn with this loss is, 0 … 100, by the curve that Lichess uses.

    https://lichess.org/page/accuracy
    """
    return max(0.0, min(100.0, 103.1668 * exp(-4.354 * loss) - 3.1669))


class _Asked:
    """An analyst in a seat."""

    def __init__(self, replay: Replay, bot: Again) -> None:
        self._game = replay.game
        self._bot = bot
        self._questions = 0

    async def judge(self, played: Played) -> Judged:
        """What a turn was worth, and the best one."""
        first = played.states[0]
        best = await self._best(played, first)
        value = await self._worth(played, played.states[-1], played.actions[-1])
        states = self._follow(first, best)
        best_value = value
        if states[-1] != played.after:
            best_value = await self._worth(played, states[-2], best[-1])
        if best_value <= value:
            best, best_value = played.actions, value
        loss = round(best_value - value, 3)
        return Judged(
            played.turn, played.seat, played.actions, value, best, best_value, loss, mark_of(loss)
        )

    async def _best(self, played: Played, state: Any) -> tuple[str, ...]:
        answer = await self._ask(played, state, self._game.legal(state))
        return tuple(answer.actions)

    async def _worth(self, played: Played, state: Any, action: str) -> float:
        answer = await self._ask(played, state, (action,))
        if answer.value is None:
            raise CannotStart("the analyst says no value")
        return answer.value

    def _follow(self, state: Any, actions: Sequence[str]) -> list[Any]:
        """The states before and after each action."""
        states = [state]
        try:
            for action in actions:
                states.append(self._game.apply(states[-1], action))
        except IllegalAction as error:
            raise CannotStart(f"the analyst names what is not legal: {error.detail}") from None
        return states

    async def _ask(self, played: Played, state: Any, legal: Sequence[str]) -> Action:
        self._questions += 1
        view = self._game.view(state, played.seat)
        act = Act("m1", self._questions, played.seat, view, (), legal)
        answer = await self._bot.put(Decision(played.turn, act, state))
        if answer.action is None:
            assert answer.fault is not None
            raise CannotStart(f"the analyst fails in turn {played.turn}: {answer.fault.message}")
        return answer.action


def _part(replay: Replay, step: Step) -> tuple[int, int, bool]:
    return step.entry.by, replay.game.turn(step.before), step.entry.stand_in


def _first(group: "ExceptionGroup[Exception]") -> Exception:
    """The error itself; a bot that does not start cannot."""
    error = group.exceptions[0]
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, BotFault):
        return CannotStart(f"the analyst does not start: {error.message}")
    return error
