"""`human` as a BOT: a seat for a person at the terminal."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import msgspec
import typer

from arena.cli.keyboard import Keyboard
from arena.cli.output import shown
from arena.draft import Draft
from arena.referee.faults import BotFault, Code
from engine.game import AnyGame, AnyTable, IllegalAction
from protocol.codec import decode_action, encode
from protocol.messages import VERSION, Act, Action, Error, Message, Ready, Start

if TYPE_CHECKING:
    from arena.tournament.entry import Entry

HUMAN: Final = "human"
"""The BOT word."""

HELP: Final = """\
Type the number of an action, or the action itself, as in zebra@D2: Tab completes it.
  board   the board and the actions again
  undo    take back the last action of a turn that is not complete
  quit    leave the table, which loses the match"""
_GAP: Final = 2
"""Columns of the terminal between two of actions."""
COMMANDS: Final = ("board", "help", "undo", "quit")


def is_human(words: str) -> bool:
    """Whether a BOT is a person: `human` or `NAME=human`, where no file has that name."""
    _, _, bot = words.rpartition("=")
    return bot == HUMAN and not Path(HUMAN).exists()


def entry_of(words: str) -> "Entry":
    """The entry of a person.

    Raises:
        BadName: the name in `NAME=human` cannot be an entrant's.
    """
    from arena.referee.program import Program
    from arena.store.model import Entrant
    from arena.tournament.entry import Entry, checked_name

    name, equals, _ = words.partition("=")
    name = checked_name(name, "NAME=human") if equals else HUMAN
    return Entry(Entrant(name, "person", words), Program(name, ()))


class Table:
    """The terminal that the people of one match share, and whose turn it is to look at it."""

    def __init__(
        self,
        game: AnyGame,
        table: AnyTable,
        names: Sequence[str],
        people: frozenset[str],
        keyboard: Keyboard,
    ) -> None:
        """Lay it out.

        Args:
            game: whose rules hold.
            table: what is fixed.
            names: of the entrants, in seat order.
            people: the names of those who are people.
            keyboard: where they type.
        """
        self.game: Final = game
        self.table: Final = table
        self.names: Final = names
        self.keyboard: Final = keyboard
        self._shared = len(people) > 1
        self._looking: str | None = None

    async def hand_to(self, seat: int, *, secretly: bool) -> None:
        """Have the person of a seat alone at the screen, if there is something to hide."""
        name = self.names[seat]
        if secretly and self._shared and self._looking != name:
            self.keyboard.clear()
            typer.echo(f"{name} (seat {seat}), it is your turn.")
            await self.keyboard.line("Press Enter when nobody else sees the screen. ")
        self._looking = name

    def leave(self, *, secretly: bool) -> None:
        """Have nothing on the screen that only one may know."""
        if secretly and self._shared:
            self.keyboard.clear()
            self._looking = None


class Human:
    """Holds a seat in a match: shows what the seat knows, and plays what is typed."""

    def __init__(self, seat: int, table: Table) -> None:
        self.ready = Ready(VERSION)
        self.matches = 0
        self.usable = True
        self._seat = seat
        self._at = table

    # As a player

    def begin(self, start: Start) -> None:  # noqa: ARG002  # a player's
        """Hear that a match begins."""
        self.matches += 1

    def post(self, message: Message) -> None:
        """Hear what needs no answer; the result is shown to all."""
        if isinstance(message, Error):
            typer.echo(shown(message.message))

    def note(self, text: str) -> None:
        """A person keeps no log."""

    async def ask(
        self,
        line: bytes | bytearray,
        limit: float,  # noqa: ARG002  # there is no clock
    ) -> tuple[bytes, float]:
        """Have the person put a turn together.

        Raises:
            BotFault: `crash` where the person left.
        """
        act = msgspec.json.decode(line, type=Act)
        turn = Turn(self._at, self._seat, act)
        await self._at.hand_to(self._seat, secretly=turn.has_secrets)
        actions = await turn.put_together()
        self._at.leave(secretly=turn.has_secrets)
        return encode(Action(act.id, list(actions))), 0.0

    async def understand(self, line: bytes, question: int) -> Action:  # noqa: ARG002  # a player's
        """The answer."""
        return decode_action(line)


class Turn:
    """One question to a person."""

    def __init__(self, at: Table, seat: int, act: Act) -> None:
        view = msgspec.convert(act.state, at.game.view_type)
        self._at = at
        self._seat = seat
        self._act = act
        self._draft = Draft(at.game, at.table, seat, view, list(act.legal or ()))
        self._guess: Any = at.game.sample(at.table, view, seat, Random(0))
        """A state that fits what the seat knows."""

    @property
    def has_secrets(self) -> bool:
        """Whether the seat knows what others do not."""
        game, encoded = self._at.game, msgspec.json.encode
        own, public = game.view(self._guess, self._seat), game.view(self._guess, None)
        return encoded(own) != encoded(public)

    async def put_together(self) -> Sequence[str]:
        """What the person plays.

        Raises:
            BotFault: `crash` where the person left.
        """
        self._tell_news()
        self._show()
        draft = self._draft
        while not draft.settled:
            name, turn = self._at.names[self._seat], self._at.game.turn(self._guess)
            prompt = f"{name} (seat {self._seat}), turn {turn}; ? helps> "
            word = await self._at.keyboard.line(prompt, [*draft.legal, *COMMANDS])
            if word is None or (word in ("quit", "resign") and await self._is_sure()):
                raise BotFault(Code.CRASH, "left the table")
            self._obey(word)
        return draft.actions

    async def _is_sure(self) -> bool:
        sure = await self._at.keyboard.line("Leave the table and lose the match? y/N ")
        return sure in (None, "y", "Y", "yes")

    def _obey(self, word: str) -> None:
        draft = self._draft
        match word:
            case "" | "quit" | "resign":
                return
            case "?" | "help":
                typer.echo(HELP)
            case "board":
                self._show()
            case "undo" if draft.undo():
                self._show()
            case "undo":
                typer.echo("There is nothing to take back.")
            case _ if (action := chosen(word, draft.legal)) and draft.add(action):
                if not draft.settled:
                    self._show()
            case _:
                typer.echo(self._why_not(word))

    def _why_not(self, word: str) -> str:
        """What is wrong with a word that is no command and not legal."""
        if self._draft.actions or word.isdecimal():
            return f"'{shown(word)}' is none of the actions; ? helps"
        try:
            self._at.game.apply(self._guess, word)
        except IllegalAction as error:
            return f"{shown(error.detail)}; ? helps"
        return f"'{shown(word)}' is none of the actions; ? helps"

    def _tell_news(self) -> None:
        typer.echo()
        for event in self._act.events:
            text = told(event, self._at.names, self._seat)
            if text:
                typer.echo(shown(text))

    def _show(self) -> None:
        """The board as the seat knows it, what is put together, and what can follow."""
        typer.echo(f"\n{self._at.game.text(self._at.table, self._draft.view)}\n")
        width = shutil.get_terminal_size().columns
        for line in listed(self._draft.legal, width):
            typer.echo(line)
        if self._draft.actions:
            typer.echo(f"this turn so far: {' '.join(self._draft.actions)}")


def chosen(word: str, legal: Sequence[str]) -> str | None:
    """The legal action that a word means: its number from 1, or itself in any case of letters."""
    if word.isdecimal():
        return legal[int(word) - 1] if 1 <= int(word) <= len(legal) else None
    return next((action for action in legal if action.lower() == word.lower()), None)


def listed(actions: Sequence[str], width: int) -> Iterator[str]:
    """Numbered actions, a paragraph for each kind: `zebra  41 A1  42 A2  43 A3`."""
    numbered = [(number, *action.partition("@")) for number, action in enumerate(actions, 1)]
    margin = max((len(kind) for _, kind, _, _ in numbered), default=0)
    digits = len(str(len(actions)))
    for kind, some in groupby(numbered, key=itemgetter(1)):
        cells = [f"{number:>{digits}} {cell}".rstrip() for number, _, _, cell in some]
        wide = max(map(len, cells)) + _GAP
        each = max(1, (width - margin) // wide)
        for at in range(0, len(cells), each):
            row = "".join(f"{'':{_GAP}}{cell:<{wide - _GAP}}" for cell in cells[at : at + each])
            yield f"{kind if at == 0 else '':<{margin}}{row}".rstrip()


def told(event: Mapping[str, Any], names: Sequence[str], seat: int) -> str:
    """An event in words, "" where it says nothing: `greedy: lion@B3, scores 0 2`."""
    parts = []
    for key, value in event.items():
        if key == "seat" or value is None:
            continue
        words = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        parts.append(words if key == "action" else f"{key} {words}")
    actor = event.get("seat")
    who = "" if actor is None else "you: " if actor == seat else f"{names[actor]}: "
    return who + ", ".join(parts) if parts else ""
