"""Lines that a person types, with editing and completion where there is a terminal."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import trio
import typer

_STDIN: Final = 0
_CLEAR: Final = "\x1b[H\x1b[2J\x1b[3J"
"""Clears a terminal and what has scrolled off it."""


class Keyboard:
    """Where the people at a table type, one after the other."""

    def __init__(self) -> None:
        self._terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._typed = b""

    async def line(self, prompt: str, words: Sequence[str] = ()) -> str | None:
        """A line that somebody types, stripped; None: there will be no more.

        Args:
            prompt: what stands before it.
            words: what Tab completes to.
        """
        if not self._terminal:
            typer.echo(prompt)
            return await self._from_pipe()
        with _completing(words), _terminal_kept():
            try:
                # the prompt may be waited for only in another thread: this one tends the bots
                text = await trio.to_thread.run_sync(input, prompt, abandon_on_cancel=True)
            except EOFError:
                typer.echo()
                return None
            except trio.Cancelled:
                typer.echo()
                raise
        return text.strip()

    def clear(self) -> None:
        """Leave nothing on the terminal."""
        if self._terminal:
            typer.echo(_CLEAR, nl=False)

    async def _from_pipe(self) -> str | None:
        while b"\n" not in self._typed:
            try:
                await trio.lowlevel.wait_readable(_STDIN)
            except OSError:  # a file: it is always readable
                await trio.lowlevel.checkpoint()
            chunk = os.read(_STDIN, 4096)
            if not chunk:
                return None
            self._typed += chunk
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace").strip()


@contextmanager
def _completing(words: Sequence[str]) -> Iterator[None]:
    """Have Tab complete to these words, and keep no history: another person may look for it."""
    try:
        import readline
    except ImportError:  # a Python without it: no completion
        yield
        return

    def complete(text: str, number: int) -> str | None:
        fitting = [word for word in words if word.startswith(text)]
        return fitting[number] if number < len(fitting) else None

    readline.set_auto_history(False)
    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)


@contextmanager
def _terminal_kept() -> Iterator[None]:
    """Leave the terminal as it was, also where the reading is broken off."""
    import termios

    before = termios.tcgetattr(_STDIN)
    try:
        yield
    finally:
        termios.tcsetattr(_STDIN, termios.TCSADRAIN, before)
