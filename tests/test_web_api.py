"""The JSON API: the formats of `--json`, described by a document that every answer fits."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from arena.store.db import Store
from arena.store.model import Filter
from arena.web import api
from arena.web.openapi import document
from tests.arena_cli import PATIENCE, Arena
from tests.web_server import HERE, PLAYED, fill, program, serving

EXAMPLES = 25
DESCRIBED = document([operation for operation, _ in api.ENDPOINTS])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "arena.db"
    fill(path)
    return path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    path = tmp_path_factory.mktemp("store") / "arena.db"
    fill(path)
    with program(path) as (address, _):
        yield address


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/leaderboard", "leaderboard"),
        ("/leaderboard?seats=2", "leaderboard --seats 2"),
        ("/leaderboard?seats=3", "leaderboard --seats 3"),
        ("/matches?limit=1000", "matches"),
        ("/matches?bot=ann&limit=3", "matches --bot ann --limit 3"),
        ("/games", "games"),
    ],
)
async def test_it_tells_what_the_command_line_tells(arena: Arena, path: str, words: str) -> None:
    fill(arena.folder / "arena.db")
    async with serving(arena.folder / "arena.db") as site:
        told = (await site.get(f"/api{path}")).json()
    assert told == arena.data(*words.split())


async def test_the_command_line_tells_more_of_what_is_its_users_own(arena: Arena) -> None:
    fill(arena.folder / "arena.db")
    async with serving(arena.folder / "arena.db") as site:
        runs = (await site.get("/api/runs")).json()
        bots = (await site.get("/api/bots")).json()
    assert [run | {"seed": PLAYED.seed} for run in runs] == arena.data("runs")
    assert [{"command", "folder"} | set(bot) for bot in bots] == [
        set(bot) for bot in arena.data("bots", "greedy", "random")
    ]


async def test_a_match_is_its_record(store: Path) -> None:
    with Store.open(store) as kept:
        record = next(kept.records(Filter(bot="ann")))
    async with serving(store) as site:
        told = await site.get(f"/api/matches/{record.match}")
        begun = await site.get(f"/api/matches/{record.match[:30]}")
    assert told.content == begun.content
    assert told.json()["log"][1]["do"] == record.log[1].do


async def test_pages_of_matches_follow_each_other(store: Path) -> None:
    async with serving(store) as site:
        whole = (await site.get("/api/matches?limit=24")).json()
        parts = [(await site.get(f"/api/matches?limit=9&page={n}")).json() for n in (1, 2, 3, 4)]
        faulted = (await site.get("/api/matches?faulted=1")).json()
    assert [len(part) for part in parts] == [9, 9, 6, 0]
    assert [match for part in parts for match in part] == whole
    assert faulted == [match for match in whole if match["faults"]]


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/nothing", 404, "there is no such page"),
        ("/matches/zz", 404, "there is no match 'zz' in arena.db"),
        ("/leaderboard?run=zz", 404, "there is no run 'zz' in arena.db"),
        ("/leaderboard?options=mouse", 400, "options are written k=v, not 'mouse'"),
        ("/matches?limit=0", 400, "limit is a number from 1 to 1000, not '0'"),
        ("/matches?limit=1001", 400, "limit is a number from 1 to 1000, not '1001'"),
        ("/matches?faulted=no", 400, "faulted is 1 or left out, not 'no'"),
        ("/matches?page=٣", 400, "page is a number from 1 to 400, not '٣'"),
    ],
)
async def test_what_is_wrong_is_a_sentence(
    store: Path, path: str, status: int, sentence: str
) -> None:
    async with serving(store) as site:
        answer = await site.get(f"/api{path}")
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"].startswith(sentence)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_it_is_only_read(store: Path, method: str) -> None:
    async with serving(store) as site:
        answer = await site.client.request(method, "/api/runs", headers={"Origin": HERE})
    assert answer.status_code == 405
    assert answer.json() == {"error": "Method Not Allowed"}


async def test_the_description_is_served_and_names_every_route(store: Path) -> None:
    async with serving(store) as site:
        assert (await site.get("/api/openapi.json")).json() == json.loads(json.dumps(DESCRIBED))
    routes = {route.path for route in api.ROUTES} - {"/api/openapi.json"}
    assert routes == set(DESCRIBED["paths"])


@pytest.mark.parametrize(
    ("path", "mode"),
    [
        *((path, "positive") for path in DESCRIBED["paths"]),
        ("/api/leaderboard", "negative"),
        ("/api/matches", "negative"),
    ],
)
def test_every_answer_fits_the_description(server: str, path: str, mode: str) -> None:
    """Schemathesis asks with words that fit the description, or with others."""
    import schemathesis  # here, since it takes long, and every worker reads this module
    from schemathesis import Case, GenerationMode

    operation = schemathesis.openapi.from_dict(DESCRIBED)[path]["GET"]

    @given(operation.as_strategy(GenerationMode(mode)))
    @settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
    def ask(case: Case[Any]) -> None:
        case.call_and_validate(base_url=server, timeout=PATIENCE)

    ask()
