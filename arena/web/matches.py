"""Lists of matches, and what a match's page tells."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from arena.replay import Mismatch, Replay
from arena.store.db import Store
from arena.store.errors import NotFound
from arena.store.model import Filter, MatchSummary
from arena.web.bots import TAIL
from arena.web.queries import flag_of, number_of, wanted_of
from arena.web.replay_data import kept_analysis, replay_data
from arena.web.replay_page import section
from engine.game import TableError
from engine.guarded import GameFault
from engine.registry import UnknownGame
from protocol.record import Fault, Record

PER_PAGE: Final = 50
LAST_PAGE: Final = 400


class Search(Struct, frozen=True):
    """Which matches are looked for."""

    wanted: Filter = Filter()
    page: int = 1
    size: int = PER_PAGE
    """Of a page."""


class Found(Struct, frozen=True):
    """A page of a list of matches, the latest first."""

    matches: Sequence[MatchSummary]
    page: int
    more: bool
    """There is another page."""


class Place(Struct, frozen=True):
    """How a seat ended."""

    seat: int
    name: str
    version: str | None
    rank: int
    score: int
    fault: Fault | None
    stderr: str
    """The end of it, kept of faulted seats."""


class Match(Struct, frozen=True):
    """All that a match's page shows."""

    record: Record
    run: str
    """The run that it is stored under."""
    places: Sequence[Place]
    """The best first."""
    replay: str
    """As HTML; empty where it cannot be replayed here."""
    failure: str
    """Why not."""


def search_of(words: Mapping[str, str], size: int = PER_PAGE) -> Search:
    """The search in a query: a filter's words, `match`, `faulted` and `page`.

    Raises:
        BadQuery: as `wanted_of`, `flag_of` and `number_of` do.
    """
    wanted = replace(
        wanted_of(words),
        match=words.get("match", "").strip(),
        faulted=flag_of(words, "faulted"),
    )
    return Search(wanted, number_of(words, "page", LAST_PAGE), size)


def find(store: Store, search: Search) -> Found:
    """One page of what a search finds.

    Raises:
        NotFound: the run that it names is not there.
    """
    start = (search.page - 1) * search.size
    some = list(islice(store.matches(search.wanted), start, start + search.size + 1))
    more = len(some) > search.size and search.page < LAST_PAGE
    return Found(some[: search.size], search.page, more)


def match_named(store: Store, name: str) -> str | None:
    """The id of the one match that a name or its beginning means."""
    try:
        return store.record(name).match if name else None
    except NotFound:
        return None


def match_of(store: Store, name: str) -> Match:
    """A match's page.

    Raises:
        NotFound: there is no such match.
    """
    record = store.record(name)
    replayed, failure = "", ""
    sides: Sequence[int] = range(record.players)
    try:
        replay = Replay(record)
        sides = replay.sides
        replayed = section(replay_data(replay, kept_analysis(store, record.match)))
    except (Mismatch, UnknownGame, TableError, GameFault) as error:
        failure = str(error)
    return Match(record, record.run or "", _places(store, record, sides), replayed, failure)


def _places(store: Store, record: Record, sides: Sequence[int]) -> list[Place]:
    faults = {fault.seat: fault for fault in record.faults}
    scores = record.result.scores
    found = [
        Place(
            seat=seat,
            name=bot.name,
            version=bot.version,
            rank=record.result.ranks[seat],
            score=scores[sides[seat]] if sides[seat] < len(scores) else 0,
            fault=faults.get(seat),
            stderr=(store.log(record.match, seat) or "")[-TAIL:] if seat in faults else "",
        )
        for seat, bot in enumerate(record.bots)
    ]
    return sorted(found, key=lambda place: (place.rank, place.seat))
