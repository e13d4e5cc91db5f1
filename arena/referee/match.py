"""One match, from the deal to its record."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct

from arena.referee.clock import Clocks
from arena.referee.faults import BotFault, Code, HostFault, printable
from arena.referee.seat import Player, Seat
from arena.referee.verdict import is_decided, result_of, sides_out
from engine.game import CHANCE, AnyGame, AnyTable, IllegalAction
from engine.guarded import GameFault
from engine.randomness import below
from protocol.messages import NOTE_LENGTH, Action, Result, Start
from protocol.record import RECORD_VERSION, Fault, LogEntry, Record, RecordedBot

Watch: TypeAlias = Callable[[Struct, LogEntry, Struct], None]
"""Called after each action with the state before it, its log entry and the state after it."""


class Setup(Struct, frozen=True):
    """What is fixed before a match begins."""

    match: str
    """The match's name in the store."""
    run: str | None
    game: AnyGame
    table: AnyTable
    deal: str
    seed: str
    """Stand-ins play from it."""
    seeds: tuple[int, ...]
    """What each seat is given in `start`."""
    clocks: Clocks
    isolation: str
    names: tuple[str, ...]
    """The entrant in each seat."""
    digests: tuple[str, ...]
    """The entrant's digest in each seat."""
    handicaps: tuple[float, ...] = ()
    """What the clocks of each seat are multiplied by; empty: all alike."""

    def clocks_of(self, seat: int) -> Clocks:
        """The clocks of a seat."""
        return self.clocks.scaled(self.handicaps[seat]) if self.handicaps else self.clocks


async def play(
    setup: Setup, bots: Sequence[Player | BotFault], watch: Watch | None = None
) -> Record:
    """Referee one match. Faulted bots are told why and are not usable afterwards.

    Args:
        setup: what is fixed.
        bots: one per seat; a fault stands for a bot that did not start.
        watch: sees every action as it happens.

    Raises:
        HostFault: the match is void.
    """
    try:
        return await Match(setup, bots, watch).play()
    except GameFault as fault:
        raise HostFault(str(fault)) from fault


class Match:
    """The referee's side of one match."""

    def __init__(
        self, setup: Setup, bots: Sequence[Player | BotFault], watch: Watch | None = None
    ) -> None:
        self._setup: Final = setup
        self._game: Final = setup.game
        self._bots: Final = bots
        self._watch: Final = watch
        self._sides: Final = setup.game.sides(setup.table)
        self._state: Any = setup.game.initial(setup.table)
        self._to_act: int | None = setup.game.to_act(self._state)
        self._log: list[LogEntry] = []
        self._faults: list[Fault] = []
        self._out: Mapping[int, int] = {}
        """The sides with a faulted seat."""
        self._decided = False
        """Faults have left one side, or none."""
        self._seats: list[Seat | None] = [None] * len(bots)
        """None: a bot that did not start."""

    async def play(self) -> Record:
        """Play from the deal to the end, whatever the bots do."""
        started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        self._sit_down()
        try:
            self._settle_chance()
            await self._play_turns()
            result = result_of(self._game, self._state, self._sides, self._faults)
        except (HostFault, GameFault):
            self._abandon()
            raise
        for player in self._seats:
            if player is not None:
                player.end(result)
        return self._record(started, result)

    async def _play_turns(self) -> None:
        while not self._decided and (seat := self._to_act) is not None:
            if self._sides[seat] in self._out:
                self._stand_in(seat)
            else:
                await self._turn(seat)

    # One turn

    async def _turn(self, number: int) -> None:
        """All questions of a turn, on one clock."""
        turn = self._game.turn(self._state)
        seat = self._seats[number]
        assert seat is not None
        try:
            while self._is_turn(number, turn):
                legal = self._game.legal(self._state) if seat.bot.ready.legal else ()
                view = self._game.view(self._state, number)
                answer, seconds = await seat.ask(view, legal)
                self._play_answer(number, turn, answer, seconds)
        except BotFault as fault:
            self._take_out(number, fault)
        else:
            seat.clock.end_turn()

    def _is_turn(self, number: int, turn: int) -> bool:
        return self._to_act == number and self._game.turn(self._state) == turn

    def _play_answer(self, number: int, turn: int, answer: Action, seconds: float) -> None:
        first, *others = answer.actions
        value = answer.value if answer.value is not None and 0 <= answer.value <= 1 else None
        note = answer.note[:NOTE_LENGTH] if answer.note else None
        self._act(LogEntry(number, first, round(seconds * 1000, 2), note, value))
        for action in others:
            if not self._is_turn(number, turn):
                if self._to_act is None:
                    break  # once a game is over nothing changes its result
                raise BotFault(
                    Code.ILLEGAL, f"the turn was over before {_cut(action)} could be played"
                )
            self._act(LogEntry(number, action))

    def _act(self, entry: LogEntry) -> None:
        try:
            self._advance(entry)
        except IllegalAction as error:
            raise BotFault(Code.ILLEGAL, error.detail) from None
        self._settle_chance()

    # The log grows

    def _settle_chance(self) -> None:
        while self._to_act == CHANCE:
            outcome = self._game.chance(self._state, self._setup.deal)
            try:
                self._advance(LogEntry(CHANCE, outcome))
            except IllegalAction as error:
                name = self._game.name
                raise GameFault(f"the game {name} refuses its own chance: {error.detail}") from None

    def _advance(self, entry: LogEntry) -> None:
        before, action = self._state, entry.do
        after = self._game.apply(before, action)
        self._state, self._to_act = after, self._game.to_act(after)
        self._log.append(entry)
        for number, seat in enumerate(self._seats):
            if seat is not None:
                event = self._game.redact(before, action, after, number)
                if event is not None:
                    seat.events.append(event)
        if self._watch is not None:
            self._watch(before, entry, after)

    def _stand_in(self, number: int) -> None:
        """Play for a faulted seat: uniformly over the legal actions, from the match seed."""
        legal = self._game.legal(self._state)
        choice = below(len(legal), self._setup.seed, "stand-in", len(self._log))
        self._advance(LogEntry(number, legal[choice], stand_in=True))
        self._settle_chance()

    # Beginning and end

    def _sit_down(self) -> None:
        setup = self._setup
        options = msgspec.to_builtins(setup.table.options)
        for number, bot in enumerate(self._bots):
            if isinstance(bot, BotFault):
                continue
            clocks = setup.clocks_of(number)
            start = Start(
                match=f"m{bot.matches + 1}",
                game=self._game.name,
                version=self._game.version,
                options=options,
                players=setup.table.players,
                seat=number,
                seed=setup.seeds[number],
                time=clocks.told(),
            )
            self._seats[number] = Seat(bot, start, clocks)
        for number, bot in enumerate(self._bots):
            if isinstance(bot, BotFault) and self._sides[number] not in self._out:
                self._take_out(number, bot)

    def _take_out(self, number: int, fault: BotFault) -> None:
        """End a side's part in the match; the seat's bot is told why."""
        turn = self._game.turn(self._state) if self._log else 0
        self._faults.append(Fault(number, fault.code, fault.message, turn))
        self._out = sides_out(self._faults, self._sides)
        self._decided = is_decided(self._out, self._sides)
        guilty = self._seats[number]
        if guilty is not None:
            guilty.blame(fault)
        if not self._decided:
            self._dismiss_side(self._sides[number])

    def _dismiss_side(self, side: int) -> None:
        for number, seat in enumerate(self._seats):
            if seat is not None and self._sides[number] == side:
                seat.end(None)
                self._seats[number] = None

    def _abandon(self) -> None:
        """End a void match. Its deal is played again, and no process meets a deal twice."""
        for seat in self._seats:
            if seat is not None:
                seat.end(None)
                seat.bot.usable = False

    def _record(self, started: str, result: Result) -> Record:
        setup = self._setup
        return Record(
            record=RECORD_VERSION,
            match=setup.match,
            run=setup.run,
            game=self._game.name,
            version=self._game.version,
            options=msgspec.to_builtins(setup.table.options),
            players=setup.table.players,
            seed=setup.seed,
            deal=setup.deal,
            seeds=setup.seeds,
            isolation=setup.isolation,
            bots=tuple(
                RecordedBot(name, None if isinstance(bot, BotFault) else bot.ready.version, digest)
                for name, bot, digest in zip(setup.names, self._bots, setup.digests, strict=True)
            ),
            time=setup.clocks.told(),
            started=started,
            log=tuple(self._log),
            faults=tuple(self._faults),
            result=result,
            handicaps=setup.handicaps or UNSET,
        )


def _cut(action: str) -> str:
    return printable(action[:60])
