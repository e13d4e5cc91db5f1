"""One seat of a match in progress, as far as its bot sees it; the other seats play at random."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from arena.referee.faults import BotFault, Code
from engine.game import CHANCE, AnyGame, AnyTable, IllegalAction
from protocol.messages import Act, Action, ActTime, End, Result, Start, StartTime

DEAL = "arena check"
SEED = 471_100_123
"""What the bot is given as its seed."""
LIMITS = StartTime(5000, 5000)
"""The clocks that the bot is told of."""


class Sitting:
    """A match from the deal to its end."""

    def __init__(
        self,
        game: AnyGame,
        table: AnyTable,
        seat: int,
        *,
        match: str = "m1",
        legal: bool = True,
        time: StartTime = LIMITS,
    ) -> None:
        self.game = game
        self.table = table
        self.seat = seat
        self.actions: list[str] = []
        """What the bot played."""
        self.longest = 0
        """How many actions its longest turn took."""
        self._match = match
        self._legal = legal
        self._time = time
        self._state: Any = game.initial(table)
        self._events: list[Struct] = []
        self._asked = 0
        self._turn = (0, 0)
        self._others = Random(f"{DEAL}/{seat}")

    @property
    def turn(self) -> int:
        """The number of the turn in progress."""
        return self.game.turn(self._state)

    def start(self) -> Start:
        """The beginning of the match."""
        options = msgspec.to_builtins(self.table.options)
        return Start(
            self._match,
            self.game.name,
            self.game.version,
            options,
            self.table.players,
            self.seat,
            SEED,
            self._time,
        )

    def question(self, step: int = 1) -> Act | None:
        """The next question, after chance and the others; None: the game is over.

        Args:
            step: by how much its id is higher than that of the question before.
        """
        while (mover := self.game.to_act(self._state)) != self.seat:
            if mover is None:
                return None
            self._apply(self._choice(mover))
        self._asked += step
        legal = self.game.legal(self._state) if self._legal else UNSET
        time = ActTime(self._time.turn_ms, self._time.bank_ms)
        view = self.game.view(self._state, self.seat)
        events, self._events = self._events, []
        return Act(self._match, self._asked, self.seat, view, events, legal, time)

    def play(self, answer: Action) -> None:
        """Play what the bot answered.

        Raises:
            BotFault: `illegal`.
        """
        turn = self.game.turn(self._state)
        for action in answer.actions:
            over = self.game.to_act(self._state) is None
            if not over and self._mover_and_turn() != (self.seat, turn):
                raise BotFault(Code.ILLEGAL, f"the turn was over before {action[:60]} was played")
            if not over:
                self._play_one(action)

    def end(self) -> End:
        """The end of the match, wherever it is: a match can also end by another seat's fault."""
        outcome = self.game.outcome(self._state)
        if outcome is None:
            ranks = tuple(1 for _ in range(self.table.players))
            result = Result(ranks, self.game.scores(self._state), "fault")
        else:
            result = Result(outcome.ranks, outcome.scores, outcome.reason)
        return End(self._match, result, self._events)

    def _play_one(self, action: str) -> None:
        turn = self.game.turn(self._state)
        try:
            self._apply(action)
        except IllegalAction as error:
            raise BotFault(Code.ILLEGAL, error.detail) from None
        self.actions.append(action)
        self._turn = (turn, self._turn[1] + 1 if self._turn[0] == turn else 1)
        self.longest = max(self.longest, self._turn[1])

    def _mover_and_turn(self) -> tuple[int | None, int]:
        return self.game.to_act(self._state), self.game.turn(self._state)

    def _choice(self, mover: int) -> str:
        if mover == CHANCE:
            return self.game.chance(self._state, DEAL)
        legal: Sequence[str] = self.game.legal(self._state)
        return self._others.choice(legal)

    def _apply(self, action: str) -> None:
        before = self._state
        self._state = self.game.apply(before, action)
        event = self.game.redact(before, action, self._state, self.seat)
        if event is not None:
            self._events.append(event)
