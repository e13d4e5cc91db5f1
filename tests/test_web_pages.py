"""The pages that only read: what they show, and what they refuse."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import trio

from arena.store.db import Store
from arena.tournament.pricing import evaluator_digest
from arena.web.guard import BODY_LIMIT
from tests.web_server import HERE, PLAYED, fill, serving


class Much(httpx.AsyncByteStream):
    """Kilobytes, one after another."""

    def __init__(self) -> None:
        self.left = 40

    def __aiter__(self) -> "Much":
        return self

    async def __anext__(self) -> bytes:
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return b"x" * 1024


class Nothing(httpx.AsyncByteStream):
    """A body that does not come."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"game="
        await trio.sleep_forever()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "arena.db"
    fill(path)
    return path


async def test_the_leaderboard_has_a_row_per_bot_and_the_crosstable(store: Path) -> None:
    async with serving(store) as site:
        page = (await site.get("/")).text
    names = re.findall(r'<th scope="row" data-value="[^"]*"><a href="/bots/([^"]*)"', page)
    assert names == ["ann", "bob", "%3Ci%3Ecy%3C%2Fi%3E"]
    assert page.count('class="whisker"') == 3
    assert "ann took 100\u00a0% from bob in 8 matches" in page
    assert "24 matches" in page


async def test_luck_is_shown_where_it_is_priced(store: Path) -> None:
    with Store.open(store) as kept:
        (pool,) = kept.pools()
        evaluator = evaluator_digest(pool)
        assert evaluator is not None
        priced = kept.unpriced(pool, evaluator)[1:]
    async with serving(store) as site:
        assert "Luck is what chance gave" not in (await site.get("/")).text
    with Store.open(store) as kept:
        kept.keep_luck(evaluator, dict.fromkeys(priced, (0.25, -0.25)))
    async with serving(store) as site:
        page = (await site.get("/")).text
        listed = (await site.get("/api/leaderboard")).json()
    assert "Luck is what chance gave a bot in a match, in shares of the win" in page
    assert "Matches whose luck is not known, 1 here, count as they are." in page
    (table,) = listed["tables"]
    assert table["unpriced"] == 1
    for row in table["bots"]:
        words = f"{row['luck']:+.1%}".replace("-", "−")
        assert f'data-value="{row["luck"]}">{words}</td>' in page
        assert f'data-value="{row["elo_luck"]}"' in page


async def test_names_and_stderr_are_text(store: Path) -> None:
    async with serving(store) as site:
        for path in ("/", "/bots/%3Ci%3Ecy%3C%2Fi%3E", "/matches", f"/runs/{PLAYED.id}", "/bots"):
            page = (await site.get(path)).text
            assert "<i>cy" not in page
            assert "&lt;i&gt;cy&lt;/i&gt;" in page
        assert "<b>ideas" not in (await site.get("/bots/%3Ci%3Ecy%3C%2Fi%3E")).text


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("game=savanna-ten", True),
        ("game=herd", False),
        ("options=mouse%3Doff", True),
        ("options=mouse%3Dadd", False),
        ("seats=2", True),
        ("seats=3", False),
        (f"run={PLAYED.id[:4]}", True),
    ],
)
async def test_the_leaderboard_is_filtered(store: Path, query: str, shown: bool) -> None:
    async with serving(store) as site:
        assert ('href="/bots/ann"' in (await site.get(f"/?{query}")).text) is shown


async def test_a_bot_has_its_rating_opponents_seats_versions_and_faults(store: Path) -> None:
    async with serving(store) as site:
        page = (await site.get("/bots/%3Ci%3Ecy%3C%2Fi%3E")).text
        words = await site.text("/bots/%3Ci%3Ecy%3C%2Fi%3E")
    assert 'aria-label="Rating of &lt;i&gt;cy&lt;/i&gt; over 24 matches, from 1500 to ' in page
    assert "16 matches · 2 faults" in words
    assert "Seat Points Share Matches 0 0 % 8 1 0 % 8" in words
    assert "crash Savanna Ten, turn 7" in words
    assert "out of <b>ideas</b>" in words
    assert "&lt;I&gt;CY" in page


async def test_matches_are_listed_searched_and_found_by_id(store: Path) -> None:
    async with serving(store) as site:
        assert (await site.text("/matches")).count(" finished") == 24
        assert (await site.text("/matches?bot=ann")).count(" finished") == 16
        assert (await site.text("/matches?faulted=1")).count(" crash") == 2
        some = site.service.shelf.read(lambda opened: next(opened.matches()).match)
        match = await some
        answer = await site.get(f"/matches?match={match[:30]}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/matches/{match}")


async def test_a_match_that_cannot_be_replayed_says_why(store: Path) -> None:
    async with serving(store) as site:
        match = await site.service.shelf.read(lambda opened: next(opened.matches()).match)
        words = await site.text(f"/matches/{match}")
        record = (await site.get(f"/api/matches/{match}")).json()
    assert "There is no replay: entry " in words
    assert record["match"] == match


async def test_a_run_has_its_standings_and_entrants(store: Path) -> None:
    with Store.open(store) as opened:
        opened.plan(PLAYED.id, 40)
    async with serving(store) as site:
        words = await site.text(f"/runs/{PLAYED.id}")
        assert "24 of 40 matches played" in words
        assert f"{PLAYED.seed}" not in words, "deals to come could be known from the seed"
        assert PLAYED.id in await site.text("/runs")


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/nothing", 404, "there is no such page"),
        ("/bots/zoe", 404, "no bot 'zoe' has played here"),
        ("/runs/zz", 404, "there is no run 'zz'"),
        ("/matches/zz", 404, "there is no match 'zz'"),
        ("/?seats=many", 400, "seats is a number from 1 to 99, not 'many'"),
        ("/?options=mouse", 400, "options are written k=v, not 'mouse'"),
        ("/matches?page=0", 400, "page is a number from 1 to 400, not '0'"),
        ("/matches?page=" + "9" * 5000, 400, "page is a number from 1 to 400"),
        ("/static/../app.py", 404, "there is no such page"),
        ("/static/%2e%2e/app.py", 404, "there is no such page"),
        ("/static/..%2fapp.py", 404, "there is no such page"),
        ("/bots/..%2f..%2fetc", 404, "no bot '../../etc' has played here"),
        ("/matches/%00", 404, "there is no match"),
        ("/?game=" + "x" * 4000, 200, "No matches are stored here yet"),
    ],
)
async def test_what_is_not_there_is_said_in_a_sentence(
    store: Path, path: str, status: int, sentence: str
) -> None:
    async with serving(store) as site:
        answer = await site.get(path)
    assert answer.status_code == status
    assert sentence in answer.text.replace("&#39;", "'")
    assert "Traceback" not in answer.text
    assert str(store.parent) not in answer.text, "where the store lies is nobody's business"


async def test_every_answer_has_the_headers_that_keep_strangers_out(store: Path) -> None:
    async with serving(store) as site:
        for path in ("/", "/static/arena.css", "/nothing", "/play"):
            headers = (await site.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "http://evil@127.0.0.1:8010"}, 403),
        ({"Origin": "127.0.0.1:8010"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Host": "evil.example:8010", "Origin": "http://evil.example:8010"}, 421),
        ({"Content-Length": str(BODY_LIMIT + 1)}, 413),
        ({"Content-Length": "many"}, 413),
        ({}, 303),
    ],
)
async def test_only_a_page_of_this_server_changes_anything(
    store: Path, headers: dict[str, str], status: int
) -> None:
    async with serving(store) as site:
        words = {"game": "herd", "opponent1": "@friend"}
        answer = await site.post("/play", words, **headers)
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("host", "addresses", "status"),
    [
        ("127.0.0.1:8010", False, 200),
        ("LOCALHOST", False, 200),
        ("[::1]:8010", False, 200),
        ("10.0.0.7:8010", False, 421),
        ("10.0.0.7:8010", True, 200),
        ("[fe80::1]:8010", True, 200),
        ("evil.example:8010", True, 421),
        ("10.0.0.7.evil.example", True, 421),
        ("", True, 421),
    ],
)
async def test_a_name_that_a_stranger_points_here_is_not_answered(
    store: Path, host: str, addresses: bool, status: int
) -> None:
    async with serving(store, addresses=addresses) as site:
        assert (await site.get("/", Host=host)).status_code == status


async def test_a_defect_of_ours_is_no_page_and_keeps_strangers_out(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.web.bots.names_of", lambda _store: 1 / 0)
    async with serving(store) as site:
        answer = await site.get("/bots", Cookie="seat-x=secret")
    assert answer.status_code == 500
    assert answer.text == "this page failed; the log of the server says why\n"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    log = capsys.readouterr().err
    assert "division by zero" in log
    assert "secret" not in log


async def test_a_form_that_never_ends_is_not_waited_for(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.play.pages.PATIENCE", 0.1)
    async with serving(store) as site:
        headers = {"Host": "127.0.0.1:8010", "Origin": HERE}
        asked = httpx.Request("POST", f"{HERE}/play", stream=Nothing(), headers=headers)
        assert (await site.client.send(asked)).status_code == 408


async def test_a_body_that_does_not_tell_its_length_is_cut_off(store: Path) -> None:
    async with serving(store) as site:
        origin = {"Host": "127.0.0.1:8010", "Origin": HERE}
        asked = httpx.Request("POST", f"{HERE}/play", stream=Much(), headers=origin)
        answer = await site.client.send(asked)
    assert answer.status_code == 413


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_pages_are_only_read(store: Path, method: str) -> None:
    async with serving(store) as site:
        origin = {"Origin": HERE}
        assert (await site.client.request(method, "/", headers=origin)).status_code == 405


async def test_read_only_has_no_tables(store: Path) -> None:
    async with serving(store, read_only=True) as site:
        assert (await site.get("/play")).status_code == 404
        assert (await site.post("/play", {"game": "herd"})).status_code == 404
        assert "/play" not in (await site.get("/")).text


@pytest.mark.parametrize(
    ("planned", "words"),
    [(None, "24 matches played"), (24, "24 of 24 matches played"), (8, "24 matches played")],
)
async def test_progress_is_told_where_the_end_is_known(
    store: Path, planned: int | None, words: str
) -> None:
    with Store.open(store) as opened:
        opened.plan(PLAYED.id, planned)
    async with serving(store) as site:
        assert words in await site.text(f"/runs/{PLAYED.id}")


async def test_an_empty_store_tells_what_to_do(tmp_path: Path) -> None:
    Store.open(tmp_path / "arena.db").close()
    async with serving(tmp_path / "arena.db") as site:
        assert "arena run savanna-ten greedy random" in await site.text("/")
        for path in ("/matches", "/runs", "/bots"):
            await site.text(path)


async def test_what_is_stored_later_is_shown(store: Path) -> None:
    async with serving(store) as site:
        assert "24 matches" in await site.text("/")
        fill(store, deals=6)
        with trio.fail_after(180):
            while "36 matches" not in await site.text("/"):
                await trio.sleep(0.02)
