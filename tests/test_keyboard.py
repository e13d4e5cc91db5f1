"""What a person types at a terminal: completed by Tab, and the terminal is left as it was."""

import os
import pty
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.arena_cli import PATIENCE, PROGRAM, Arena, until


class Terminal:
    """The screen and the keys of a command."""

    def __init__(self, ours: int) -> None:
        self._ours = ours
        os.set_blocking(ours, False)
        self.text = ""

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def shows(self, words: str) -> None:
        """Wait until it stands there."""
        until(lambda: words in self._read())

    def _read(self) -> str:
        with suppress(OSError):
            self.text += os.read(self._ours, 65536).decode(errors="replace")
        return self.text


@contextmanager
def playing(arena: Arena, *words: str) -> Iterator[tuple[Terminal, int, "subprocess.Popen[bytes]"]]:
    """A match on a terminal; gives also the terminal's other end."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "match", *words, "--isolation", "none"],
        cwd=arena.folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    try:
        yield Terminal(ours), theirs, process
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)


def test_tab_completes_and_commands_are_obeyed(arena: Arena) -> None:
    with playing(arena, "herd", "human", arena.bot("little")) as (terminal, _, process):
        terminal.shows("turn 1; ? helps> ")
        terminal.type("un\t\n")
        terminal.shows("There is nothing to take back.")
        terminal.type("quit\n")
        terminal.shows("y/N ")
        terminal.type("y\n")
        terminal.shows("crash: left the table")
        assert process.wait(PATIENCE) == 0


def test_an_interrupt_leaves_the_terminal_as_it_was(arena: Arena) -> None:
    with playing(arena, "herd", "human", arena.bot("little")) as (terminal, theirs, process):
        terminal.shows("turn 1; ? helps> ")
        until(lambda: not termios.tcgetattr(theirs)[3] & termios.ICANON)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert termios.tcgetattr(theirs)[3] & termios.ICANON
        assert termios.tcgetattr(theirs)[3] & termios.ECHO


def test_the_end_of_input_leaves_the_table(arena: Arena) -> None:
    with playing(arena, "herd", "human", arena.bot("little")) as (terminal, _, process):
        terminal.shows("turn 1; ? helps> ")
        terminal.type("\x04")
        terminal.shows("crash: left the table")
        assert process.wait(PATIENCE) == 0


def test_a_screen_that_is_handed_over_is_cleared(arena: Arena) -> None:
    with playing(arena, "savanna-ten", "human", "human") as (terminal, _, process):
        terminal.shows("Press Enter when nobody else sees the screen.")
        terminal.type("\n")
        terminal.shows("turn 1; ? helps> ")
        terminal.type("1\n")
        terminal.shows("human-2 (seat 1), it is your turn.")
        hand, last = terminal.text.rsplit("\x1b[2J\x1b[3J", 1)
        assert "Your hand" in hand
        assert "Your hand" not in last
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
