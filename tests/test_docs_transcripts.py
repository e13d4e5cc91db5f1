"""docs/transcripts.md is what the referee and a bot say to each other in a match of each game.

`python -m tests.test_docs_transcripts` writes the page anew.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from tests.arena_cli import UNHURRIED

PAGE: Final = Path(__file__).parent.parent / "docs" / "transcripts.md"
SEAT: Final = 1
"""Whose lines are shown."""

HEAD: Final = """\
# Two matches, line by line

Everything that the referee and one bot said to each other in a real match of each game: `>` is a
line to the bot, `<` is its answer. The bot is `greedy`, and so is its opponent. What each field
means is in [the protocol](protocol.md). `arena match … --trace -` shows any match of yours so.

From the second question on `legal` is cut short here; the bot was sent all of it.
"""


class Shown(NamedTuple):
    """A match on the page."""

    title: str
    game: str
    options: Mapping[str, str]

    @property
    def command(self) -> Sequence[str]:
        """What plays it."""
        options = [f"--option={key}={value}" for key, value in self.options.items()]
        return [
            "match",
            self.game,
            "greedy",
            "greedy",
            *options,
            "--deal",
            "docs",
            "--seed",
            "docs",
        ]


MATCHES: Final = (
    Shown("Herd", "herd", {"size": "3"}),
    Shown("Savanna Ten", "savanna-ten", {}),
)

ARENA: Final = (sys.executable, "-c", "from arena.cli import main; main()")
TRACED: Final = re.compile(r"^ *[\d.]+ +(?:\+[\d.]+ +)?(\d) \S+ ([<>]) (.*)$")


class Line(NamedTuple):
    """A line that was sent."""

    direction: str
    """`>` to the bot, `<` from it."""
    text: str

    @property
    def message(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.text)
        return found


def played(match: Shown) -> Iterator[Line]:
    """The lines of a seat, from a match that is played now."""
    with TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        command = [*ARENA, *match.command, "--trace", str(trace)]
        subprocess.run([*command, *UNHURRIED], check=True, capture_output=True)
        for traced in trace.read_text().splitlines():
            found = TRACED.match(traced)
            if found and found[1] == str(SEAT):
                yield Line(found[2], found[3])


# What is said beside the lines


def section(match: Shown) -> str:
    """A match with a sentence for each line."""
    parts = [f"## {match.title}", f"`arena {' '.join(match.command)}`"]
    for line in played(match):
        parts += [said(line.message), f"```\n{line.direction} {shortened(line)}\n```"]
    return "\n\n".join(parts)


SAID: Final = {
    "hello": "The program was started. Once in its life it is greeted:",
    "ready": "It answers within the start-up limit. Only `protocol` is needed beside the type:",
    "quit": "There is no other match for this program. It leaves within a second:",
}


def said(message: dict[str, Any]) -> str:
    """What happens in this line."""
    match message:
        case {"type": "start", "seat": seat, "players": players}:
            return f"A match of {players} begins, and the bot has seat {seat}. No answer:"
        case {"type": "act"}:
            return question(message)
        case {"type": "action", "actions": actions}:
            whole = "one action is the turn" if len(actions) == 1 else "the whole turn at once"
            return f"The answer repeats the `id`; {whole}:"
        case {"type": "end", "result": {"ranks": ranks, "scores": scores}}:
            place = "wins" if ranks[SEAT] < ranks[1 - SEAT] else "does not win"
            return f"It is over: {scores[0]} to {scores[1]}, so the bot {place}. No answer:"
    return SAID[message["type"]]


def question(act: dict[str, Any]) -> str:
    """What a question is about."""
    state, news = act["state"], len(act["events"])
    if "dice" in state:
        todo = f"The bot rolled {state['dice'][0]} and {state['dice'][1]}: "
        todo += f"{state['remove']} to remove, then {state['place']} to place."
    else:
        todo = f"In the hand: {' and '.join(state['hand'])}. The score is "
        todo += f"{state['scores'][0]} to {state['scores'][1]}."
    return f"Turn {state['turn']}. {todo} Events since the last question: {news}."


def shortened(line: Line) -> str:
    """The line; a long `legal` after the first question is cut."""
    message = line.message
    if message["type"] != "act" or message["id"] == 1 or len(message["legal"]) <= 3:
        return line.text
    legal = message["legal"]
    whole = msgspec.json.encode(legal).decode()
    short = f'["{legal[0]}",… {len(legal) - 2} more …,"{legal[-1]}"]'
    assert whole in line.text
    return line.text.replace(whole, short)


def page() -> str:
    """docs/transcripts.md."""
    return "\n".join([HEAD, *(f"{section(match)}\n" for match in MATCHES)])


# What the page holds


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.game)
def test_the_match_on_the_page_is_played_in_the_same_way_now(match: Shown) -> None:
    assert section(match) in PAGE.read_text(), "python -m tests.test_docs_transcripts writes it"


def test_the_page_holds_nothing_else() -> None:
    assert PAGE.read_text().startswith(HEAD)
    assert len(re.findall("^## ", PAGE.read_text(), re.MULTILINE)) == len(MATCHES)


if __name__ == "__main__":
    PAGE.write_text(page())
