"""Where pages are: on a server, or as files in a folder."""

import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Final, Protocol
from urllib.parse import quote

_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._+-]{0,79}")
"""Names that are safe as the name of a file, also where case does not count."""


class Links(Protocol):
    """What a page needs to point at others."""

    live: bool
    """There is a server: pages may ask for filters, and be told news."""
    play: bool
    """People may play."""

    def home(self) -> str:
        """The leaderboard."""

    def asset(self, name: str) -> str:
        """A file of styles, code or pictures."""

    def bot(self, name: str) -> str:
        """A bot's page."""

    def match(self, match: str) -> str:
        """A match's page."""

    def record(self, match: str) -> str:
        """A match's record; nothing where it is not given out."""

    def matches(self) -> str:
        """The list of matches."""

    def run(self, run: str) -> str:
        """A run's page."""

    def runs(self) -> str:
        """The list of runs."""


class ServerLinks:
    """Pages of a server."""

    live = True

    def __init__(self, *, play: bool = True) -> None:
        self.play = play

    def home(self) -> str:
        """The leaderboard."""
        return "/"

    def asset(self, name: str) -> str:
        """A file of styles, code or pictures."""
        return f"/static/{name}"

    def bot(self, name: str) -> str:
        """A bot's page."""
        return f"/bots/{quote(name, safe='')}"

    def match(self, match: str) -> str:
        """A match's page."""
        return f"/matches/{quote(match, safe='')}"

    def record(self, match: str) -> str:
        """A match's record."""
        return f"/api/matches/{quote(match, safe='')}"

    def matches(self) -> str:
        """The list of matches."""
        return "/matches"

    def run(self, run: str) -> str:
        """A run's page."""
        return f"/runs/{quote(run, safe='')}"

    def runs(self) -> str:
        """The list of runs."""
        return "/runs"


class FileLinks:
    """Pages in a folder, seen from a page that lies `depth` folders below it."""

    live = False
    play = False

    def __init__(self, depth: int = 0, matches: frozenset[str] | None = None) -> None:
        """Say from where, and which matches have a page; None: all."""
        self._up = "../" * depth
        self._matches = matches

    def home(self) -> str:
        """The leaderboard."""
        return f"{self._up}index.html"

    def asset(self, name: str) -> str:
        """A file of styles, code or pictures."""
        return f"{self._up}static/{name}"

    def bot(self, name: str) -> str:
        """A bot's page."""
        return f"{self._up}bots/{file_name(name)}"

    def match(self, match: str) -> str:
        """A match's page, or nothing where it has none."""
        if self._matches is not None and match not in self._matches:
            return ""
        return f"{self._up}matches/{file_name(match)}"

    def record(self, match: str) -> str:  # noqa: ARG002  # a server's links have it
        """A match's record; nothing: a site has pages only."""
        return ""

    def matches(self) -> str:
        """The list of matches."""
        return f"{self._up}matches.html"

    def run(self, run: str) -> str:
        """A run's page."""
        return f"{self._up}runs/{file_name(run)}"

    def runs(self) -> str:
        """The list of runs."""
        return f"{self._up}runs.html"


def file_name(name: str) -> str:
    """The file for something of this name: different for different names, and harmless.

    A name with other characters, or with capitals, which some file systems do not tell from small
    letters, gets a hash behind what is left of it.
    """
    if _PLAIN.fullmatch(name):
        return f"{name}.html"
    left = re.sub(r"[^a-z0-9._+-]", "-", name.lower()).lstrip(".")[:40]
    return f"{left}~{blake2b(name.encode(), digest_size=6).hexdigest()}.html"


def query(path: str, words: Mapping[str, str], *without: str) -> str:
    """A path with these words as its query, but for some."""
    kept: Iterable[str] = (
        f"{quote(k)}={quote(v, safe='')}" for k, v in words.items() if k not in without and v
    )
    joined = "&".join(kept)
    return f"{path}?{joined}" if joined else path
