"""The loop of a Python bot: the whole of a bot is a function from a question to actions.

```python
import random
from protocol.bot import run

run(lambda act, start: [random.choice(act.legal)], name="dicey", version="1.0")
```
"""

import sys
from collections.abc import Callable, Sequence
from typing import BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from protocol.codec import encode
from protocol.messages import VERSION, Act, Action, Hello, Quit, Ready, Start, ToBot


class Answer(Struct, frozen=True):
    """Actions with something for the replay."""

    actions: Sequence[str]
    """Played in order while it is still the seat's turn; at least one."""
    note: str | None = None
    """Shown in replays; the first 500 characters are kept."""
    value: float | None = None
    """The seat's own expected share of the win, 0 … 1."""


Decide: TypeAlias = Callable[[Act, Start], Sequence[str] | Answer]
"""From a question, and the `start` of its match, to actions or an `Answer`."""


class _Kind(Struct):
    type: str = ""


_kinds = msgspec.json.Decoder(_Kind)
_messages = msgspec.json.Decoder(ToBot)
_known = {kind.__struct_config__.tag for kind in ToBot.__args__}


def run(
    decide: Decide,
    *,
    name: str,
    version: str | None = None,
    author: str | None = None,
    games: Sequence[str] | None = None,
    legal: bool = True,
    lines: BinaryIO | None = None,
    out: BinaryIO | None = None,
) -> None:
    """Speak the protocol on stdin and stdout until `quit` or the end of input.

    Args:
        decide: called once per question.
        name: how the bot calls itself.
        version: of the bot, shown as text.
        author: shown as text.
        games: the games it can play; None: any.
        legal: False asks the referee to leave `legal` out.
        lines: read from here instead of stdin.
        out: written to instead of stdout.
    """
    lines = lines or sys.stdin.buffer
    out = out or sys.stdout.buffer
    ready = Ready(VERSION, name, version, author, list(games) if games else None, legal)
    start: Start | None = None
    for line in lines:
        if _kinds.decode(line).type not in _known:
            continue
        match _messages.decode(line):
            case Hello():
                out.write(encode(ready))
            case Start() as start:
                continue
            case Act() as act if start is not None:
                out.write(encode(_action(act, decide(act, start))))
            case Quit():
                return
            case _:
                continue
        out.flush()


def _action(act: Act, answer: Sequence[str] | Answer) -> Action:
    if isinstance(answer, Answer):
        return Action(act.id, list(answer.actions), answer.note, answer.value)
    return Action(act.id, list(answer))
