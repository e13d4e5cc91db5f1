"""The JSON API: what the pages show, for programs, in the formats of `--json`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.store.model import MatchSummary
from arena.tournament import listings
from arena.tournament.listings import BotListing, GameListing, RunListing
from arena.tournament.standings import Standings
from arena.web import matches
from arena.web.browse import boards_now, service_of
from arena.web.openapi import Operation, Parameter, Refusal, document
from arena.web.queries import MOST_SEATS, number_of, wanted_of
from protocol.record import Record, encode_record

ROOT: Final = "/api"
MOST: Final = 1000
"""Matches in one answer."""

Answer: TypeAlias = Callable[[Request], Awaitable[Any]]

_TEXT: Final = {"type": "string"}
_FILTER: Final = (
    Parameter("game", "Of this game.", _TEXT),
    Parameter(
        "options",
        "With these options of the game, as `k=v k=v`.",
        {"type": "string", "pattern": "^( *[^ =]*=[^ ]*)?( +[^ =]*=[^ ]*)* *$"},
    ),
    Parameter(
        "seats", "With so many seats.", {"type": "integer", "minimum": 1, "maximum": MOST_SEATS}
    ),
    Parameter("run", "Of this run; the beginning of its id is enough.", _TEXT),
)
_SEARCH: Final = (
    *_FILTER,
    Parameter("bot", "In which a bot of this name took part.", _TEXT),
    Parameter("match", "Whose id begins so.", _TEXT),
    Parameter("faulted", "Only those with a fault.", {"enum": ["1"]}),
    Parameter(
        "limit",
        f"At most so many; {matches.PER_PAGE} unless told.",
        {"type": "integer", "minimum": 1, "maximum": MOST},
    ),
    Parameter(
        "page",
        "Which part of the list, of so many each.",
        {"type": "integer", "minimum": 1, "maximum": matches.LAST_PAGE},
    ),
)
_MATCH: Final = Parameter("match", "Its id, or the beginning of it.", _TEXT)


class Tables(Struct, frozen=True):
    """A leaderboard: a table per pool."""

    tables: list[Standings]


async def give_leaderboard(request: Request) -> Tables:
    """Ratings of all bots, filtered."""
    wanted = wanted_of(request.query_params)
    boards = await boards_now(service_of(request).shelf, wanted)
    return Tables([board.table for board in boards])


async def give_matches(request: Request) -> Sequence[MatchSummary]:
    """Matches, the latest first."""
    words = request.query_params
    search = matches.search_of(words, number_of(words, "limit", MOST, matches.PER_PAGE))
    shelf = service_of(request).shelf
    found = await shelf.remembered(repr(search), lambda store: matches.find(store, search))
    return found.matches


async def give_match(request: Request) -> Raw:
    """The record of a match."""
    name = request.path_params["match"]
    record = await service_of(request).shelf.read(lambda store: store.record(name))
    return Raw(encode_record(record))


async def give_runs(request: Request) -> list[RunListing]:
    """All runs, in the order they were created."""
    return await service_of(request).shelf.remembered("run listings", listings.runs)


async def give_bots(request: Request) -> list[BotListing]:
    """The bots that can be played against."""
    return list(map(listings.bot, service_of(request).settings.entries))


async def give_games(_request: Request) -> list[GameListing]:
    """The games that can be played."""
    return listings.games()


ENDPOINTS: Final[tuple[tuple[Operation, Answer], ...]] = (
    (
        Operation(
            f"{ROOT}/leaderboard",
            "The tables of `arena leaderboard --json`.",
            Tables,
            query=_FILTER,
            missing="There is no such run.",
        ),
        give_leaderboard,
    ),
    (
        Operation(
            f"{ROOT}/matches",
            "Matches, the latest first, as `arena matches --json`.",
            list[MatchSummary],
            query=_SEARCH,
            missing="There is no such run.",
        ),
        give_matches,
    ),
    (
        Operation(
            f"{ROOT}/matches/{{match}}",
            "The record of a match.",
            Record,
            parts=(_MATCH,),
            missing="There is no such match.",
        ),
        give_match,
    ),
    (Operation(f"{ROOT}/runs", "All runs, the oldest first.", list[RunListing]), give_runs),
    (Operation(f"{ROOT}/bots", "The bots to play against.", list[BotListing]), give_bots),
    (Operation(f"{ROOT}/games", "The games and their options.", list[GameListing]), give_games),
)


def refusal(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """What is wrong, for a program."""
    answer = _json(Refusal(sentence), status)
    answer.headers.update(headers or {})
    return answer


async def describe(_request: Request) -> Response:
    """The description of all this."""
    return _json(document([operation for operation, _ in ENDPOINTS]))


def _route(path: str, answer: Answer) -> Route:
    async def give(request: Request) -> Response:
        return _json(await answer(request))

    return Route(path, give)


def _json(data: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, media_type="application/json")


ROUTES: Final = [
    *(_route(operation.path, answer) for operation, answer in ENDPOINTS),
    Route(f"{ROOT}/openapi.json", describe),
]
