"""A bot's log: what it wrote to stderr and what the referee noted, bounded."""

from typing import Final

KEPT: Final = 65536
"""Bytes kept of the beginning, and again of the end."""


class BotLog:
    """The first and the last 64 KiB of what a bot wrote, with the referee's notes among it."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._cut = 0

    def write(self, data: bytes | bytearray) -> None:
        """Append what the bot wrote."""
        room = KEPT - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * KEPT:
            self._trim()

    def note(self, text: str) -> None:
        """Append a line of the referee's."""
        self.write(f"[referee] {text}\n".encode())

    def text(self) -> str:
        """All that was kept; bytes that are not UTF-8 and control characters are escaped."""
        self._trim()
        gap = f"\n[{self._cut} bytes left out]\n" if self._cut else ""
        return _shown(self._head) + gap + _shown(self._tail)

    def last_line(self) -> str:
        """The last line with something on it, "" where there is none."""
        lines = self.text().rstrip().rsplit("\n", 1)
        return lines[-1].strip()

    def clear(self) -> None:
        """Forget everything: the next match begins."""
        self._head.clear()
        self._tail.clear()
        self._cut = 0

    def _trim(self) -> None:
        surplus = len(self._tail) - KEPT
        if surplus > 0:
            del self._tail[:surplus]
            self._cut += surplus


def _shown(data: bytearray) -> str:
    text = data.decode(errors="backslashreplace")
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)
