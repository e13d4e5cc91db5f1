"""The referee of one table: `python -m arena.web.play.referee`.

It reads what to play and what people answer from stdin, and writes what happens to stdout. It ends
with its match, or when stdin does.
"""

import os
from contextlib import suppress
from typing import Any, Final

import msgspec
import trio
from msgspec import UNSET, Raw
from msgspec.structs import replace

from arena import REFEREE
from arena.referee import tree
from arena.referee.bot import Bot, launch
from arena.referee.faults import BotFault, CannotStart, HostFault
from arena.referee.match import Setup, play
from arena.referee.program import Program
from arena.referee.seat import Player
from arena.store.model import Slot
from arena.tournament import seeds
from arena.tournament.stable import Stable
from arena.web.play.person import Person, Question
from arena.web.play.wire import (
    Advice,
    Advise,
    FromReferee,
    Leave,
    Open,
    Over,
    Reply,
    Shown,
    Sight,
    ToReferee,
    Void,
)
from engine.guarded import GameFault
from engine.options import make_table
from engine.registry import game
from protocol.codec import encode
from protocol.messages import Act
from protocol.record import LogEntry, encode_record

PAUSE: Final = 0.7
"""Seconds between a bot's answer and what comes of it, so that people can follow."""
ADVICE_LIMIT: Final = 5.0
"""Seconds that a bot has for a hint."""
NOTE_SHOWN: Final = 200
"""Characters of the note of a bot that gives a hint."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ToReferee)


class Paced(Bot):
    """A bot whose answers take effect a moment later; the moment is nobody's time."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(bot.process, bot.ready)

    async def ask(self, line: bytes | bytearray, limit: float) -> tuple[bytes, float]:
        """Put a question, as for any bot."""
        answer = await super().ask(line, limit)
        await trio.sleep(PAUSE)
        return answer


class Game:
    """One match at a table."""

    def __init__(self, opened: Open, stdout: int, nursery: trio.Nursery) -> None:
        self._opened = opened
        self._stdout = stdout
        self._nursery = nursery
        self._game = game(opened.game)
        self._table = make_table(self._game, len(opened.chairs), opened.options)
        self._people = {
            seat: Person(seat, self._tell, timed=opened.timed)
            for seat, chair in enumerate(opened.chairs)
            if chair.program is None
        }

    async def play(self) -> None:
        """Play to the result, and tell it."""
        try:
            self._show_table()
        except GameFault as fault:
            self._tell(Void(str(fault)))
            return
        opened = self._opened
        async with trio.open_nursery() as nursery:
            stable = Stable(
                {c.name: c.program for c in opened.chairs if c.program is not None},
                game=opened.game,
                clocks=opened.clocks,
                level=opened.level,
                nursery=nursery,
            )
            try:
                self._tell(await self._outcome(stable))
            finally:
                stable.kill()

    def reply(self, reply: Reply) -> None:
        """A person answers."""
        if reply.seat in self._people:
            self._people[reply.seat].answer(reply.question, reply.actions)

    def leave(self, seat: int) -> None:
        """A person gives up."""
        if seat in self._people:
            self._people[seat].leave()

    async def advise(self, seat: int, program: Program) -> None:
        """Ask a bot what it would do; it is told what the person was told, and nothing else."""
        question = self._people[seat].question
        if question is None:
            self._tell(Advice(seat, 0, (), failure="the turn is over"))
            return
        async with trio.open_nursery() as nursery:
            self._tell(await self._advice(seat, question, program, nursery))

    def _show_table(self) -> None:
        """As it is before anything happens."""
        state = self._game.initial(self._table)
        self._tell(Shown(self._game.to_act(state), 0, self._sight(state, None), self._own(state)))

    async def _outcome(self, stable: Stable) -> Over | Void:
        chairs = self._opened.chairs
        try:
            bots = iter(await stable.bots([c.name for c in chairs if c.program is not None], 0))
            players = [self._people.get(seat) or _paced(next(bots)) for seat in range(len(chairs))]
            record = await play(self._setup(), players, self._watch)
        except (HostFault, CannotStart) as error:
            return Void(str(error))
        return Over(Raw(encode_record(record)))

    def _setup(self) -> Setup:
        opened = self._opened
        names = tuple(chair.name for chair in opened.chairs)
        digests = tuple(chair.digest for chair in opened.chairs)
        slot = Slot(0, names, 0)
        return Setup(
            match=seeds.match_id("web", slot, (opened.seed, *digests)),
            run=None,
            game=self._game,
            table=self._table,
            deal=seeds.deal(opened.seed, (), 0),
            seed=seeds.match_seed(opened.seed, slot),
            seeds=seeds.bot_seeds(opened.seed, slot, len(names)),
            clocks=opened.clocks,
            isolation=opened.level,
            names=names,
            digests=digests,
        )

    async def _advice(
        self, seat: int, question: Question, program: Program, nursery: trio.Nursery
    ) -> Advice:
        opened, act = self._opened, question.act
        start_s = opened.clocks.start_ms / 1000
        try:
            bot = await launch(program, opened.level, opened.game, REFEREE, start_s, nursery)
        except (BotFault, HostFault, CannotStart) as error:
            return Advice(seat, act.id, (), failure=_reason(error))
        try:
            bot.begin(question.start)
            line, _ = await bot.ask(encode(_as_wanted(act, bot)), ADVICE_LIMIT)
            answer = await bot.understand(line, act.id)
        except (BotFault, HostFault) as error:
            return Advice(seat, act.id, (), failure=_reason(error))
        finally:
            bot.process.kill()
        note = (answer.note or "")[:NOTE_SHOWN]
        return Advice(seat, act.id, tuple(answer.actions), note, answer.value)

    # What happens

    def _watch(self, before: Any, entry: LogEntry, after: Any) -> None:
        event = (before, entry.do)
        self._tell(
            Shown(
                to_act=self._game.to_act(after),
                turn=self._game.turn(before),
                public=self._sight(after, None, event),
                own=self._own(after, event),
                by=entry.by,
                effects=self._game.effects(before, entry.do, after),
            )
        )

    def _own(self, state: Any, event: tuple[Any, str] | None = None) -> dict[int, Sight]:
        return {seat: self._sight(state, seat, event) for seat in self._people}

    def _sight(self, state: Any, seat: int | None, event: tuple[Any, str] | None = None) -> Sight:
        seen = None
        if event is not None:
            before, action = event
            seen = self._game.redact(before, action, state, seat)
        view = Raw(_encoder.encode(self._game.view(state, seat)))
        return Sight(view, Raw(_encoder.encode(seen)))

    def _tell(self, message: FromReferee) -> None:
        line = memoryview(_encoder.encode(message) + b"\n")
        while line:
            line = line[os.write(self._stdout, line) :]


def _paced(bot: Bot | BotFault) -> Player | BotFault:
    return bot if isinstance(bot, BotFault) else Paced(bot)


def _as_wanted(act: Act, bot: Bot) -> Act:
    return act if bot.ready.legal else replace(act, legal=UNSET)


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, BotFault) else str(error)


async def serve(stdin: int, stdout: int) -> None:
    """Play the match that is asked for."""
    async with trio.open_nursery() as nursery:
        table: Game | None = None
        rest = b""
        async for chunk in trio.lowlevel.FdStream(stdin):
            *lines, rest = (rest + chunk).split(b"\n")
            for message in map(_decoder.decode, lines):
                if isinstance(message, Open):
                    table = Game(message, stdout, nursery)
                    nursery.start_soon(table.play)
                elif table is not None:
                    _pass_on(table, message, nursery)
        nursery.cancel_scope.cancel()


def _pass_on(table: Game, message: Reply | Leave | Advise, nursery: trio.Nursery) -> None:
    match message:
        case Reply():
            table.reply(message)
        case Leave(seat):
            table.leave(seat)
        case Advise(seat, program):
            nursery.start_soon(table.advise, seat, program)


def main() -> None:
    """Run the referee on the standard descriptors."""
    tree.die_with_parent()
    tree.adopt_orphans()
    tree.forbid_peeking()
    with suppress(KeyboardInterrupt, BrokenPipeError):
        trio.run(serve, os.dup(0), os.dup(1))


if __name__ == "__main__":
    main()
