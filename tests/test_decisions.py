"""The decisions of a record: each question as the referee put it, each answer as it was given."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.decisions import Decision, decisions, start_of
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault, Code
from arena.referee.match import Setup, play
from arena.replay import Replay
from engine.options import make_table
from engine.registry import game
from protocol.codec import encode
from protocol.messages import VERSION, Action, Message, Ready, Start
from protocol.record import Fault, Record

BANK = Clocks(turn_ms=800, first_ms=2000, bank_ms=9000, increment_ms=20)


class Scribe:
    """A player that acts by its seed and writes down every question."""

    def __init__(self, seat: int, failure: tuple[int, Code] | None = None) -> None:
        self.ready = Ready(VERSION)
        self.matches = 0
        self.usable = True
        self.start: Start | None = None
        self.asked: list[bytes] = []
        self.answers: list[list[str]] = []
        self._rng = Random(seat)
        self._failure = failure

    def begin(self, start: Start) -> None:
        self.matches += 1
        self.start = start

    def post(self, message: Message) -> None:
        pass

    def note(self, text: str) -> None:
        pass

    async def ask(
        self,
        line: bytes | bytearray,
        limit: float,  # noqa: ARG002  # a player takes one
    ) -> tuple[bytes, float]:
        self.asked.append(bytes(line))
        return bytes(line), self._rng.randrange(1, 60_000) / 100_000

    async def understand(self, line: bytes, question: int) -> Action:
        if self._failure and self._failure[0] == question:
            self.answers.append([])
            if self._failure[1] is Code.ILLEGAL:
                return Action(question, ["lion@Z9"])
            raise BotFault(self._failure[1], "as it was told to")
        act: dict[str, Any] = msgspec.json.decode(line)
        count = 2 if act["state"].get("remove", 0) >= 2 else 1
        legal = self._rng.sample(act["legal"], count)
        self.answers.append(legal)
        return Action(question, legal, note=f"question {question}", value=0.5)


async def match(
    name: str,
    players: int,
    options: Mapping[str, Any],
    failures: Mapping[int, tuple[int, Code]],
    handicaps: tuple[float, ...] = (),
) -> tuple[Record, list[Scribe]]:
    rules = game(name)
    scribes = [Scribe(seat, failures.get(seat)) for seat in range(players)]
    letters = tuple("abcd"[:players])
    setup = Setup(
        match="m",
        run=None,
        game=rules,
        table=make_table(rules, players, options),
        deal="00",
        seed="5eed",
        seeds=tuple(range(players)),
        clocks=BANK,
        isolation="none",
        names=letters,
        digests=letters,
        handicaps=handicaps,
    )
    return await play(setup, scribes), scribes


def of(found: Sequence[Decision], seat: int) -> list[Decision]:
    return [decision for decision in found if decision.seat == seat]


@pytest.mark.parametrize(
    ("name", "players", "options", "failures"),
    [
        ("savanna-ten", 2, {}, {}),
        ("savanna-ten", 3, {"mouse": "add"}, {1: (4, Code.TIMEOUT)}),
        ("savanna-ten", 4, {"teams": True}, {2: (3, Code.ILLEGAL)}),
        ("savanna-ten", 2, {}, {0: (1, Code.CRASH)}),
        ("savanna-ten", 4, {}, {3: (2, Code.PROTOCOL), 0: (5, Code.MEMORY)}),
        ("herd", 2, {"size": 3, "turn_limit": 30}, {}),
        ("herd", 2, {"size": 3}, {1: (4, Code.CRASH)}),
    ],
)
async def test_every_question_is_byte_for_byte_as_it_was_put(
    name: str, players: int, options: dict[str, Any], failures: dict[int, tuple[int, Code]]
) -> None:
    record, scribes = await match(name, players, options, failures, (1.0, 2.0, 1.0, 0.5)[:players])
    replay = Replay(record)
    found = list(decisions(replay))
    for seat, scribe in enumerate(scribes):
        assert start_of(replay, seat) == scribe.start
        own = of(found, seat)
        assert [encode(decision.act) for decision in own] == scribe.asked
        assert [list(decision.actions) for decision in own] == scribe.answers
    assert [decision.fault for decision in found if decision.fault] == list(record.faults)


async def test_what_is_answered_beyond_the_end_of_a_turn_is_a_fault_of_that_answer() -> None:
    record, _ = await match("savanna-ten", 3, {}, {})
    replay = Replay(record)
    first = next(decisions(replay))
    beyond = Fault(0, "illegal", "the turn was over before zebra@A1 could be played", 2)
    stopped = replace(record, log=record.log[: record.log.index(first.entries[0]) + 1 + 1])
    *_, last = decisions(Replay(replace(stopped, faults=(beyond,))))
    assert last.actions == first.actions
    assert last.fault == beyond


async def test_the_actions_of_an_answer_stay_together() -> None:
    record, _ = await match("herd", 2, {"size": 3, "turn_limit": 30}, {})
    found = list(decisions(Replay(record)))
    assert {len(decision.entries) for decision in found} == {1, 2}
    assert [entry for decision in found for entry in decision.entries] == [
        entry for entry in record.log if entry.by >= 0
    ]
