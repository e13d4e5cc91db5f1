"""One table in the browser: who sits where, and what each of them has seen."""

import secrets
import time
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import trio
from msgspec import Raw, Struct

from arena.draft import Draft
from arena.referee.clock import Clocks
from arena.referee.sandbox import Level
from arena.tournament import seeds
from arena.tournament.entry import Entry
from arena.web.play.host import Referee, start
from arena.web.play.story import told
from arena.web.play.wire import (
    Advice,
    Advise,
    Asked,
    Chair,
    FromReferee,
    Leave,
    Open,
    Over,
    Reply,
    Shown,
    Sight,
    Void,
)
from engine.game import CHANCE, AnyGame, AnyTable, Effect
from protocol.record import Record, decode_record

PERSON: Final = "person"
"""Stands where a bot has its digest."""
LINES: Final = 60
"""How much of the story is kept."""


class Terms(Struct, frozen=True):
    """What is agreed on before a match at a table."""

    game: AnyGame
    table: AnyTable
    seats: "tuple[Entry | None, ...]"
    """The bot in each seat; None: a person."""
    names: tuple[str, ...]
    """What each seat is called; a person's may be changed on sitting down."""
    clocks: Clocks
    timed: bool
    """The clocks hold for people too."""
    stored: bool
    """The match is stored, and rated."""


class Moment(Struct, frozen=True):
    """What is to be seen now, by one seat or by anybody."""

    view: Any
    effects: Sequence[Effect]
    story: Sequence[str]
    """What happened, in words, the latest last."""
    lately: Sequence[str]
    """The cells of the last turn's actions."""


class _Memory:
    """What one seat, or a spectator, has seen so far."""

    def __init__(self) -> None:
        self.view: Any = None
        self.story: list[str] = []
        self.lately: list[str] = []


class Room:
    """A table from the invitation to the result. Changes are told by `on_change`."""

    def __init__(self, terms: Terms, level: Level) -> None:
        self.id = secrets.token_urlsafe(9)
        self.terms = terms
        self.names = list(terms.names)
        self.tokens: dict[int, str] = {}
        """The token of each person that has sat down."""
        self.used = time.monotonic()
        self.to_act: int | None = None
        self.record: Record | None = None
        self.failure = ""
        self.stored = False
        self.advice: dict[int, Advice] = {}
        self.rematch: Room | None = None
        self.full = trio.Event()
        """Set when every person has sat down."""
        self.changed = trio.Event()
        """Set, and replaced, whenever there is something new to see."""
        self._level = level
        self._referee: Referee | None = None
        self._asked: dict[int, Asked] = {}
        self._asked_at: dict[int, float] = {}
        self._drafts: dict[int, Draft] = {}
        self._pondered: set[int] = set()
        """The seats for which a bot looks for a hint: one at a time."""
        self._memories = {seat: _Memory() for seat in (None, *self.people)}
        self._turn: tuple[int, int] | None = None
        self._effects: list[Effect] = []

    # Sitting down

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, bot in enumerate(self.terms.seats) if bot is None]

    @property
    def free(self) -> list[int]:
        """The seats that wait for somebody."""
        return [seat for seat in self.people if seat not in self.tokens]

    @property
    def over(self) -> bool:
        """There is nothing more to play."""
        return self.record is not None or bool(self.failure)

    def sit(self, seat: int, name: str, token: str | None = None) -> str:
        """Take a free seat; gives the token that proves it."""
        free = self.free
        others = [other for number, other in enumerate(self.names) if number not in free]
        self.names[seat] = _distinct(name, others)
        self.tokens[seat] = token or secrets.token_urlsafe(24)
        if not self.free:
            self.full.set()
        self._tell()
        return self.tokens[seat]

    def seat_of(self, token: str | None) -> int | None:
        """Whose token this is."""
        if token is None:
            return None
        held = self.tokens.items()
        given = token.encode()  # text would have to be ASCII
        return next((s for s, own in held if secrets.compare_digest(own.encode(), given)), None)

    # The match

    async def play(self) -> None:
        """Wait until everybody is there, then play to the result."""
        await self.full.wait()
        async with start(self._opened()) as self._referee:
            while not self.over and (messages := await self._referee.receive()) is not None:
                for message in messages:
                    self._take(message)
                self._tell()
        if not self.over:
            self.fail("its referee ended unexpectedly")

    async def act(self, seat: int, action: str) -> bool:
        """Add an action to the seat's turn, and play the turn when it is complete."""
        draft = self._drafts.get(seat)
        if draft is None or not draft.add(action):
            return False
        if draft.settled:
            await self._send(seat, draft)
        self._tell()
        return True

    def undo(self, seat: int) -> bool:
        """Take back the last action of a turn that is not complete."""
        draft = self._drafts.get(seat)
        undone = draft is not None and draft.undo()
        self._tell()
        return undone

    async def advise(self, seat: int, bot: Entry) -> bool:
        """Ask a bot what it would do in the seat's place; False where it is not asked."""
        if seat not in self._asked or seat in self._pondered or self._referee is None:
            return False
        draft = self._drafts[seat]
        while draft.undo():
            pass
        self._pondered.add(seat)
        await self._referee.send(Advise(seat, bot.program))
        return True

    async def leave(self, seat: int) -> None:
        """Give up a seat."""
        if self._referee is not None:
            await self._referee.send(Leave(seat))
            self._answered(seat)
            self._tell()

    def invite(self, rematch: "Room") -> None:
        """Everybody at this table may come over to another."""
        self.rematch = rematch
        self._tell()

    def fail(self, reason: str) -> None:
        """The match cannot go on."""
        self.failure = reason
        self._forget_questions()
        self._tell()

    def kept(self) -> None:
        """The match is in the store."""
        self.stored = True
        self._tell()

    # What is seen

    def asked(self, seat: int | None) -> Asked | None:
        """What the seat is asked just now."""
        return None if seat is None else self._asked.get(seat)

    def draft(self, seat: int | None) -> Draft | None:
        """The turn that the seat is putting together."""
        return None if seat is None else self._drafts.get(seat)

    def left_ms(self, seat: int) -> int | None:
        """What the seat has left for its turn; None: no clock, or not its turn."""
        asked = self._asked.get(seat)
        if asked is None or not self.terms.timed:
            return None
        limits = [limit for limit in (asked.time.turn_ms, asked.time.bank_ms) if limit is not None]
        spent = 1000 * (time.monotonic() - self._asked_at[seat])
        return max(0, round(min(limits) - spent)) if limits else None

    def moment(self, seat: int | None) -> Moment | None:
        """What a seat, or a spectator, sees now; None before the match."""
        memory = self._memories.get(seat, self._memories[None])
        if memory.view is None:
            return None
        draft = self.draft(seat)
        if draft is not None and draft.actions:
            lately = [_cell(action) for action in draft.actions]
            return Moment(draft.view, draft.effects, memory.story, lately)
        return Moment(memory.view, self._effects, memory.story, memory.lately)

    def _tell(self) -> None:
        self.used = time.monotonic()
        self.changed.set()
        self.changed = trio.Event()

    def _opened(self) -> Open:
        terms = self.terms
        return Open(
            game=terms.game.name,
            options=msgspec.to_builtins(terms.table.options),
            chairs=tuple(
                Chair(name, PERSON, None)
                if bot is None
                else Chair(
                    name, bot.entrant.digest, msgspec.structs.replace(bot.program, name=name)
                )
                for name, bot in zip(self.names, terms.seats, strict=True)
            ),
            clocks=terms.clocks,
            timed=terms.timed,
            level=self._level,
            seed=seeds.random_seed(),
        )

    # What the referee says

    def _take(self, message: FromReferee) -> None:
        match message:
            case Shown():
                self._see(message)
            case Asked(seat=seat):
                self._asked[seat] = message
                self._asked_at[seat] = time.monotonic()
                view = self._view(message.view)
                self._drafts[seat] = Draft(
                    self.terms.game, self.terms.table, seat, view, message.legal
                )
            case Advice(seat=seat, question=question):
                self._pondered.discard(seat)
                if seat in self._asked and self._asked[seat].question == question:
                    self.advice[seat] = message
            case Over(record):
                self.record = decode_record(record)
                self._forget_questions()
            case Void(reason):
                self.failure = reason
                self._forget_questions()

    def _see(self, shown: Shown) -> None:
        self.to_act = shown.to_act
        if shown.by is not None and shown.by != CHANCE:
            self._begin_turn((shown.by, shown.turn))
        self._effects += shown.effects
        for seat, memory in self._memories.items():
            sight = shown.public if seat is None else shown.own[seat]
            memory.view = self._view(sight.view)
            self._remember(memory, sight, shown)

    def _begin_turn(self, turn: tuple[int, int]) -> None:
        """What the turn before brought about is not lit any more."""
        if turn != self._turn:
            self._turn = turn
            self._effects = []
            for memory in self._memories.values():
                memory.lately = []

    def _remember(self, memory: _Memory, sight: Sight, shown: Shown) -> None:
        event = msgspec.json.decode(sight.event)
        if event is None:
            return
        cell = _cell(str(event.get("action", "")))
        if cell:
            memory.lately.append(cell)
        line = told(event, shown.effects, self.names, self.terms.game.sides(self.terms.table))
        if line:
            memory.story = [*memory.story[-LINES:], line]

    def _view(self, raw: Raw) -> Any:
        return msgspec.json.decode(raw, type=self.terms.game.view_type)

    async def _send(self, seat: int, draft: Draft) -> None:
        question = self._asked[seat].question
        self._answered(seat)
        assert self._referee is not None
        await self._referee.send(Reply(seat, question, draft.actions))

    def _answered(self, seat: int) -> None:
        """The seat is asked nothing any more."""
        self._asked.pop(seat, None)
        self._drafts.pop(seat, None)
        self.advice.pop(seat, None)

    def _forget_questions(self) -> None:
        self.to_act = None
        self._asked.clear()
        self._drafts.clear()
        self.advice.clear()


def _cell(action: str) -> str:
    return action.rpartition("@")[2] if "@" in action else ""


def _distinct(name: str, others: Sequence[str]) -> str:
    """The name, numbered where another has it."""
    taken = {other.lower() for other in others}
    names = (name, *(f"{name}-{number}" for number in range(2, 99)))
    return next(free for free in names if free.lower() not in taken)
