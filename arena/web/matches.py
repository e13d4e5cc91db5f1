"""Lists of matches, and what a match's page tells."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from arena.store.db import Store
from arena.store.errors import NotFound
from arena.store.model import Filter, MatchSummary
from arena.web.leaderboard import BadQuery
from protocol.record import Fault, Record

PER_PAGE: Final = 50
LAST_PAGE: Final = 400


class Search(Struct, frozen=True):
    """Which matches are looked for."""

    wanted: Filter = Filter()
    match: str = ""
    """How the id begins."""
    faulted: bool = False
    """Only those with a fault."""
    page: int = 1


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


def search_of(words: Mapping[str, str], wanted: Filter) -> Search:
    """The search in a query: a filter's words, `match`, `faulted` and `page`.

    Raises:
        BadQuery: the page is no number.
    """
    page = words.get("page", "1")
    if not page.isdecimal() or not 1 <= int(page[:6]) <= LAST_PAGE:
        raise BadQuery(f"page is a number from 1 to {LAST_PAGE}, not {page[:40]!r}")
    return Search(wanted, words.get("match", "").strip(), bool(words.get("faulted")), int(page))


def find(store: Store, search: Search) -> Found:
    """One page of what a search finds.

    Raises:
        NotFound: the run that it names is not there.
    """
    fitting = (
        match
        for match in store.matches(search.wanted)
        if match.match.startswith(search.match) and (match.faults or not search.faulted)
    )
    start = (search.page - 1) * PER_PAGE
    some = list(islice(fitting, start, start + PER_PAGE + 1))
    more = len(some) > PER_PAGE and search.page < LAST_PAGE
    return Found(some[:PER_PAGE], search.page, more)


def match_named(store: Store, name: str) -> str | None:
    """The id of the one match that a name or its beginning means."""
    try:
        return store.record(name).match if name else None
    except NotFound:
        return None


def places(record: Record, sides: Sequence[int]) -> list[Place]:
    """The seats of a match, the best first."""
    faults = {fault.seat: fault for fault in record.faults}
    found = [
        Place(
            seat=seat,
            name=bot.name,
            version=bot.version,
            rank=record.result.ranks[seat],
            score=record.result.scores[sides[seat]],
            fault=faults.get(seat),
        )
        for seat, bot in enumerate(record.bots)
    ]
    return sorted(found, key=lambda place: (place.rank, place.seat))
