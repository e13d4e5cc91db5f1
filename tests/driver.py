"""Whole games between bots without a referee: the protocol's conversation, and nothing else.

A faulty answer is an error of the test: an illegal action raises `IllegalAction`, a line that is
no answer `ProtocolError`.
"""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO, Final, Protocol
from zlib import crc32

import msgspec
from msgspec import Struct

from engine.game import CHANCE, AnyGame, AnyTable, Outcome
from protocol.bot import Answer, Decide
from protocol.codec import LINE_LIMIT, decode_action, decode_ready, encode
from protocol.messages import (
    Act,
    Action,
    ActTime,
    End,
    Hello,
    Message,
    Quit,
    Ready,
    Result,
    Start,
    StartTime,
)

PATIENCE: Final = 120.0
"""Seconds that a program may take for all its games."""


class Player(Protocol):
    """A bot as the driver sees it."""

    def tell(self, message: Message) -> None:
        """Hear a message that needs no answer."""

    def ask(self, act: Act) -> Action:
        """Answer a question."""


class Called:
    """A Python bot in this process: its `decide` is called with what would be on the wire."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    def tell(self, message: Message) -> None:
        if isinstance(message, Start):
            self._start = msgspec.json.decode(encode(message), type=Start)

    def ask(self, act: Act) -> Action:
        answer = self._decide(msgspec.json.decode(encode(act), type=Act), self._start)
        if isinstance(answer, Answer):
            return Action(act.id, list(answer.actions), answer.note, answer.value)
        return Action(act.id, list(answer))


class Program:
    """A bot behind pipes, greeted."""

    def __init__(self, to_bot: IO[bytes], from_bot: IO[bytes]) -> None:
        self._to_bot = to_bot
        self._from_bot = from_bot
        self.tell(Hello(1, "test driver"))
        self.ready: Ready = decode_ready(self._line())

    def tell(self, message: Message | bytes) -> None:
        line = message if isinstance(message, bytes) else encode(message)
        assert len(line) <= LINE_LIMIT + 1
        self._to_bot.write(line)
        self._to_bot.flush()

    def ask(self, act: Act) -> Action:
        self.tell(act)
        action = decode_action(self._line())
        assert action.id == act.id
        return action

    def _line(self) -> bytes:
        line = self._from_bot.readline()
        assert line.endswith(b"\n"), f"half a line or none: {line!r}"
        return line[:-1]


@contextmanager
def program(command: Sequence[str], folder: Path | None = None) -> Iterator[Program]:
    """A bot that is started here and must leave with status 0 when it is told to quit.

    One that is silent where it should speak is killed, so that a test fails and does not wait.
    """
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        alarm = Timer(PATIENCE, process.kill)
        alarm.start()
        try:
            bot = Program(process.stdin, process.stdout)
            yield bot
            bot.tell(Quit())
            assert process.wait(PATIENCE) == 0
            assert process.stdout.read() == b"", "spoke after quit"
        finally:
            alarm.cancel()
            process.kill()


def play(game: AnyGame, table: AnyTable, players: Sequence[Player], deal: str) -> Outcome:
    """Play a game to its end by the rules of the protocol."""
    seats = range(table.players)
    state = game.initial(table)
    events: list[list[Struct]] = [[] for _ in seats]
    asked = [0 for _ in seats]

    def do(action: str) -> None:
        nonlocal state
        before, state = state, game.apply(state, action)
        for seat in seats:
            event = game.redact(before, action, state, seat)
            if event is not None:
                events[seat].append(event)

    for own, player in enumerate(players):
        player.tell(start(game, table, own, crc32(f"{deal}/{own}".encode()) >> 1))
    while (seat := game.to_act(state)) is not None:
        if seat == CHANCE:
            do(game.chance(state, deal))
            continue
        asked[seat] += 1
        view, legal = game.view(state, seat), game.legal(state)
        act = Act("m1", asked[seat], seat, view, events[seat], legal, ActTime(1000, None))
        answer = players[seat].ask(act)
        events[seat].clear()
        for action in answer.actions:
            assert game.to_act(state) == seat, f"left over after the turn: {answer}"
            do(action)
    outcome = game.outcome(state)
    assert outcome is not None
    result = Result(outcome.ranks, outcome.scores, outcome.reason)
    for own, player in enumerate(players):
        player.tell(End("m1", result, events[own]))
    return outcome


def start(game: AnyGame, table: AnyTable, seat: int, seed: int = 7) -> Start:
    """The start of a match."""
    return Start(
        match="m1",
        game=game.name,
        version=game.version,
        options=table.options,
        players=table.players,
        seat=seat,
        seed=seed,
        time=StartTime(1000, 5000),
    )
