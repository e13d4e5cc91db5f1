"""The rules of the protocol for a bot, each tried by a conversation of its own.

A rule is a coroutine on a Lab. It gives what it saw in a few words, raises BotFault where the bot
broke it, or Skip where it says nothing about this bot. Its docstring is its title.
"""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import trio
from msgspec import Struct

from arena.check.sitting import Sitting
from arena.check.talk import SILENCE, Lab, Talk, last_words
from arena.referee.faults import BotFault, Code
from arena.referee.process import QUIT_GRACE
from engine.game import AnyGame
from engine.options import make_table
from protocol.codec import LINE_LIMIT, encode
from protocol.messages import Act, End, Error, Quit, StartTime

Check: TypeAlias = Callable[[Lab], Awaitable[str]]

LAST_PHASE: Final = 3

_PATIENCE: Final = 30
"""How many times a second a bot has to leave where others have the core."""
_BUSY_HOST: Final = 0.1
"""What share of a second others take from a bot on a host that is busy."""
_IDLE_S: Final = 0.3
"""For so long a bot that is not asked is watched."""
_BUSY: Final = 0.2
"""What share of a core a bot wants that ponders."""


class Skip(Exception):  # noqa: N818  # reads as what to do
    """The rule says nothing about this bot; says why."""


class Rule(Struct, frozen=True):
    """A rule of the protocol."""

    name: str
    title: str
    mend: str
    """What to do about a bot that breaks it; "": what its fault says."""
    check: Check
    phase: int = LAST_PHASE
    """Tried when all rules of the phases before are kept: else they would tell nothing new."""


RULES: Final[list[Rule]] = []
"""In the order in which they are tried."""


def rule(mend: str, phase: int = LAST_PHASE) -> Callable[[Check], Check]:
    """Enter a function among the rules, under its name."""

    def enter(check: Check) -> Check:
        title = (check.__doc__ or "").strip().removesuffix(".")
        RULES.append(Rule(check.__name__.replace("_", "-"), title, mend, check, phase))
        return check

    return enter


# The basics


@rule("", phase=0)
async def answers(lab: Lab) -> str:
    """It answers a question with a legal action."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        await talk.settle(SILENCE)
        sitting.play(await talk.ask(_question(sitting)))
    return f"it plays {sitting.actions[0]}"


@rule("Write nothing but answers to stdout; what is for you goes to stderr.", phase=1)
async def silence(lab: Lab) -> str:
    """It says nothing unless it is asked."""
    async with lab.bot() as talk:
        await talk.hear_nothing("after ready")
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        await talk.hear_nothing("after the start of a match")
        for _ in range(2):
            act = _question(sitting)
            sitting.play(await talk.ask(act))
            await talk.hear_nothing("after its answer")
        talk.say(sitting.end())
        await talk.hear_nothing("after the end of a match")
    return "neither after an answer nor between matches"


# How lines come


@rule(
    "Read whole lines: gather what comes until there is a newline; one read is not one line.",
    phase=2,
)
async def split_lines(lab: Lab) -> str:
    """It waits for the rest of a line that comes in pieces."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        for pieces in (2, 5, 20):
            act = _question(sitting)
            sitting.play(await talk.ask(act, pieces=pieces))
    return "a question came in up to 20 pieces"


@rule("Take one line after another from what came: one read can hold several lines.", phase=2)
async def lines_at_once(lab: Lab) -> str:
    """It reads several lines that come at once."""
    async with lab.bot() as talk:
        first = sitting_of(lab, talk)
        second = sitting_of(lab, talk, seat=1)
        await talk.play(first, most=1)
        act = _question(second)
        second.play(await talk.ask(act, encode(second.start()) + encode(act)))
        talk.say(encode(second.end()))
        third = sitting_of(lab, talk)
        act = _question(third)
        third.play(await talk.ask(act, encode(third.start()) + encode(act)))
    return "the start of a match and its first question came as one"


@rule(f"Have room for lines of {LINE_LIMIT:,} bytes, and nothing shorter that cuts them.", phase=2)
async def long_lines(lab: Lab) -> str:
    """It reads lines of 65,536 bytes."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        act = _question(sitting)
        sitting.play(await talk.ask(act, _filled(encode(act), LINE_LIMIT)))
        act = _question(sitting)
        sitting.play(await talk.ask(act))
    return "one that long, and a usual one behind it"


@rule("End each line with \\n or \\r\\n, and write UTF-8 without a byte-order mark.", phase=2)
async def line_ends(lab: Lab) -> str:
    """It ends each answer with one newline, and at once."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        sitting.play(await talk.ask(_question(sitting)))
        ends = "\\r\\n, which is accepted" if talk.received.endswith(b"\r") else "\\n"
    return f"they end in {ends}"


# What lines say


@rule("Look only at the fields that you know, by name and in their own object.")
async def unknown_fields(lab: Lab) -> str:
    """It ignores fields that it does not know."""
    async with lab.bot() as talk:
        await talk.play(sitting_of(lab, talk), most=5, dress=_with_unknown_fields)
    return "in every message, inside objects too"


@rule("Pass over every message whose type you do not know: no answer, no error.")
async def unknown_messages(lab: Lab) -> str:
    """It ignores messages of a type that it does not know."""
    strange = b'{"type":"weather","match":"m1","id":1,"seat":0,"state":{},"legal":["rain@A1"]}\n'
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(strange)
        talk.say(sitting.start())
        for _ in range(3):
            talk.say(strange)
            await talk.hear_nothing("when it heard a message of an unknown type")
            act = _question(sitting)
            sitting.play(await talk.ask(act))
    return "before a match and between questions"


@rule("Answer with the id of the question: do not count yourself.")
async def ids(lab: Lab) -> str:
    """It answers with the id of the question."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        for step in (5, 1, 1_000_000):
            act = _question(sitting, step)
            sitting.play(await talk.ask(act))
    return "also where ids leap"


@rule("A limit can be null: there is none then. Check before you count with it.")
async def no_limits(lab: Lab) -> str:
    """It plays without limits of time, and on a bank."""
    async with lab.bot() as talk:
        for time in (StartTime(None, None), StartTime(None, None, 60_000, 100)):
            await talk.play(sitting_of(lab, talk, time=time), most=3)
    return "where turn_ms is null, too"


@rule("Find the legal actions from the state yourself, or say `legal: true`.")
async def legal_off(lab: Lab) -> str:
    """It needs no legal actions if it said `legal: false`."""
    async with lab.bot() as talk:
        if talk.bot.ready.legal:
            raise Skip("it wants to have them")
        await talk.play(sitting_of(lab, talk))
    return "a whole match"


# When it speaks


@rule("`error` needs no answer: write it to stderr and go on reading, or leave.")
async def after_error(lab: Lab) -> str:
    """It takes an error and the early end in silence."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        act = _question(sitting)
        await talk.ask(act)
        error = Error(act.match, act.id, Code.ILLEGAL, "the check says so; nothing was wrong")
        talk.say(encode(error) + encode(End(act.match, None, [])))
        await talk.settle(2 * SILENCE)
        if speech := last_words(talk.bot.process):
            talk.received = speech
            raise BotFault(Code.PROTOCOL, "it answered an error")
    return "no answer"


@rule("Leave within a second of `quit`, with every process that you started.")
async def quitting(lab: Lab) -> str:
    """It leaves within a second of `quit`."""
    async with lab.bot() as talk:
        await talk.play(sitting_of(lab, talk), most=2)
        talk.say(Quit())
        return await _leaving(talk, "quit")


@rule("Leave when a read says that the input has ended, and do not read on.")
async def end_of_input(lab: Lab) -> str:
    """It leaves within a second of the end of its input."""
    async with lab.bot() as talk:
        await talk.play(sitting_of(lab, talk), most=2)
        talk.bot.process.wire.hang_up()
        return await _leaving(talk, "the end of its input")


# Matches


@rule("At `start` forget the match before: seat, options, ids and all.")
async def several_matches(lab: Lab) -> str:
    """It plays one match after another, in any seat."""
    async with lab.bot() as talk:
        for number in range(6):
            game = lab.games[number % len(lab.games)]
            early = 2 if number % 2 else None  # ended by another's fault
            await talk.play(sitting_of(lab, talk, game, seat=number % 2), most=early)
            await talk.hear_nothing("after the end of a match", 0.02)
    return "six in one process, some ended early"


@rule("A turn can take several questions: answer each, or play all that you know at once.")
async def compound_turns(lab: Lab) -> str:
    """It plays turns of several actions."""
    herd = next((game for game in lab.games if game.name == "herd"), None)
    if herd is None:
        raise Skip("it does not play Herd")
    async with lab.bot() as talk:
        longest = 0
        for seat in (0, 1):
            sitting = sitting_of(lab, talk, herd, seat=seat)
            await talk.play(sitting)
            longest = max(longest, sitting.longest)
    return f"up to {longest} actions in a turn of Herd"


@rule("The seed of `start` changes what a bot plays, not whether it plays.")
async def same_seed(lab: Lab) -> str:
    """It plays again with the same seed."""
    played = []
    for _ in range(2):
        async with lab.bot() as talk:
            sitting = sitting_of(lab, talk)
            await talk.play(sitting, most=10)
            played.append(sitting.actions)
    lab.measures.plays_the_same = played[0] == played[1]
    return "the same actions" if lab.measures.plays_the_same else "other actions"


@rule("Wait for the next line: while others are to move nothing is due.")
async def waiting(lab: Lab) -> str:
    """It can wait to be asked."""
    async with lab.bot() as talk:
        sitting = sitting_of(lab, talk)
        talk.say(sitting.start())
        sitting.play(await talk.ask(_question(sitting)))
        await talk.hear_nothing("after its answer", _IDLE_S)
        before = talk.cpu_s() + talk.delay_s()
        await talk.hear_nothing("after its answer", _IDLE_S)
        busy = talk.cpu_s() + talk.delay_s() - before > _BUSY * _IDLE_S
        lab.measures.ponders = busy or talk.bot.process.warden.leashed
        sitting.play(await talk.ask(_question(sitting)))
    return "it computes meanwhile" if lab.measures.ponders else "it rests"


# What the rules are made of


def sitting_of(
    lab: Lab,
    talk: Talk,
    game: AnyGame | None = None,
    seat: int = 0,
    time: StartTime = StartTime(5000, 5000),  # noqa: B008  # frozen
) -> Sitting:
    """A seat in the next match of a conversation, of any game if none is named."""
    game = game or lab.games[0]
    table = make_table(game, None, {})
    legal = talk.bot.ready.legal
    seat %= table.players
    return Sitting(game, table, seat, match=talk.new_match(), legal=legal, time=time)


def _question(sitting: Sitting, step: int = 1) -> Act:
    act = sitting.question(step)
    if act is None:
        raise Skip(f"a match of {sitting.game.title} is too short")
    return act


def _filled(line: bytes, length: int) -> bytes:
    """The line with a field that nobody knows, so that it has this length without its end."""
    frame = b',"filling":""'
    gap = length - (len(line) - 1) - len(frame)
    return line.replace(b"}\n", frame[:-1] + b"x" * gap + b'"}\n')


def _with_unknown_fields(line: bytes) -> bytes:
    """The line with fields that mislead a bot which looks for words instead of fields."""
    bait = b'{"type":"quit","id":-1,"seat":9,"board":{},"legal":["rain@A1"],"hand":["]}",0.5e3]}'
    line = b'{"x1":' + bait + b"," + line[1:]
    for name in (b'"state":{', b'"time":{'):
        line = line.replace(name, name + b'"x2":' + bait + b",")
    return line.replace(b"}\n", b',"x3":' + bait + b"}\n").replace(b",}", b"}")


async def _leaving(talk: Talk, why: str) -> str:
    process = talk.bot.process
    process.warden.release()  # leaving may take it a while
    began = trio.current_time()
    for number in range(_PATIENCE):
        delayed, waiting = talk.delay_s(), trio.current_time()
        if await process.wait(QUIT_GRACE):
            break
        taken = talk.delay_s() - delayed + trio.current_time() - waiting - QUIT_GRACE
        calm = taken < _BUSY_HOST * QUIT_GRACE and process.members()
        if calm or number == _PATIENCE - 1:
            raise BotFault(Code.TIMEOUT, f"it is still there {QUIT_GRACE:g} s after {why}")
    used = trio.current_time() - began
    if speech := last_words(process):
        talk.received = speech
        raise BotFault(Code.PROTOCOL, f"it spoke after {why}")
    return f"after {used * 1000:.0f} ms"
