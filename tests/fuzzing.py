"""Noise for the codec and the referee: lines that are nearly right, and answers that may be."""

import json
import os
from collections import Counter
from random import Random

import trio

from arena.referee.bot import Bot
from arena.referee.clock import Clocks
from arena.referee.faults import BotFault
from arena.referee.match import play
from arena.referee.seat import Seat
from engine.game import AnyGame
from protocol.codec import LINE_LIMIT, ProtocolError, decode_action, decode_ready
from protocol.messages import Start, StartTime
from tests.contest import setup_of
from tests.scripted import Pipes, Script, scripted

SEEDS = (
    b'{"type":"action","id":1,"actions":["one"]}',
    b'{"type":"action","id":1,"actions":["one","two"],"note":"\\u00e9 \xc3\xa9","value":0.5}',
    b'{"type":"ready","protocol":1,"name":"x","games":["toy"],"legal":false}',
    b'{"type":"action","id":12345678901234567890,"actions":["a","b@C3"],"value":-1e5,"x":{"y":[null]}}',
)
PIECES = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc0\xaf", b"\\ud800", b"\\u0000", b"\r", b"\t", b" "),
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"null", b"true", b"NaN", b"1e400", b"-0"),
    *(b"9" * 400, b"[" * 2000, b'"type"', b'"id":', b'"actions":[]', b"x" * LINE_LIMIT),
)


def mutated(rng: Random) -> bytes:
    """A line that was proper before a few pieces of it were cut, doubled or replaced."""
    line = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randrange(4)):
        start = rng.randrange(len(line) + 1)
        end = min(len(line), start + rng.choice((0, 1, 1, 2, 8)))
        line[start:end] = rng.choice(
            (rng.choice(PIECES), bytes([rng.randrange(256)]), bytes(line[start:end]) * 2, b"")
        )
    return bytes(line).replace(b"\n", b" ")


def codec_verdict(line: bytes) -> str:
    """What the codec makes of a line; any other exception is a failure of the codec."""
    verdicts = []
    for decode in (decode_action, decode_ready):
        try:
            decode(line)
            verdicts.append("valid")
        except ProtocolError as error:
            message = str(error)
            assert message
            assert message.isprintable(), message
            assert len(message) < 500
            verdicts.append("refused")
    return "valid" if "valid" in verdicts else "refused"


async def seat_verdicts(rng: Random, lines: int) -> Counter[str]:
    """What a live seat makes of noise for an answer, in pieces, with more behind it or without."""
    verdicts: Counter[str] = Counter()
    for _ in range(lines):
        async with scripted(_noise(rng)) as bots:
            verdicts[await _verdict(bots[0])] += 1
    return verdicts


def _noise(rng: Random) -> Script:
    line = mutated(rng) + rng.choice((b"\n", b"\n", b"\n", b"\r\n", b"", b"\n" + mutated(rng)))
    cut = rng.randrange(len(line) + 1)
    closes = rng.random() < 0.3

    async def script(pipes: Pipes) -> None:
        await pipes.question()
        for piece in (line[:cut], line[cut:]):
            await pipes.say(piece)
            await trio.lowlevel.checkpoint()
        if closes:
            pipes.close_stdout()

    return script


async def _verdict(bot: Bot) -> str:
    start = Start("m1", "toy", 1, {}, 2, 0, 7, StartTime(1000, 1000))
    seat = Seat(bot, start, Clocks(turn_ms=50, first_ms=50))
    try:
        answer, used = await seat.ask(start, ["one"])
    except BotFault as fault:
        if not (fault.message.isascii() and fault.message.isprintable()):
            raise
        return fault.code
    assert answer.actions
    assert used < 0.06
    return "ok"


async def matches(rng: Random, game: AnyGame, count: int) -> Counter[str]:
    """Whole matches of bots that answer with something valid, legal or not, in any number."""
    codes: Counter[str] = Counter()
    for _ in range(count):
        players = rng.choice(list(game.players)[:3])
        names = tuple("abcd"[:players])
        async with scripted(*[_random_answers(rng) for _ in names]) as bots:
            record = await play(setup_of(game, names, Clocks(None, None), {}), bots)
        assert record.result.reason in ("finished", "limit", "fault")
        assert len(record.result.ranks) == players
        codes.update([fault.code for fault in record.faults] or ["ok"])
    return codes


def _random_answers(rng: Random) -> Script:
    rate = rng.choice((0.0, 0.01, 0.2))

    async def script(pipes: Pipes) -> None:
        while act := await pipes.question():
            legal = act["legal"]
            assert isinstance(legal, list)
            actions = [rng.choice(legal)]
            if rng.random() < rate:
                actions += [rng.choice([*legal, "zebra@Z9", "no such", ""]) for _ in range(2)]
            message = {"type": "action", "id": act["id"], "actions": actions}
            await pipes.say(json.dumps(message).encode() + os.linesep.encode())

    return script
