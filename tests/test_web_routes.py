"""Every route with words that nobody means: an answer in a sentence, never a failure of ours."""

from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from starlette.routing import Route

from arena.web import api, browse
from arena.web.play import pages
from tests.web_server import FORM, Site, fill, serving

WORDS = (
    *("", "0", "-1", "1e400", "9" * 400, "٣", "true", "null", "ann", "herd", "savanna-ten"),
    *("<script>", "'; DROP TABLE runs; --", "../../etc/passwd", "%00", "\0", "\r\nX: y", "\ud7ff"),
    *("🦁" * 50, "k=v", "=", "a=b=c", "size=2", "@friend", "greedy", "\u202e", "a" * 3000),
)
FIELDS = (
    *("game", "options", "seats", "run", "bot", "match", "faulted", "page", "seat", "at"),
    *("action", "name", "clock", "stored", "opponent1", "opponent2", "option.size", "option."),
)
ROUTES = (*browse.ROUTES, *api.ROUTES, *pages.ROUTES)
TRIES = 40


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{min(route.methods)} {route.path}")
async def test_no_words_make_it_fail(tmp_path: Path, route: Route) -> None:
    fill(tmp_path / "arena.db", deals=1)
    rng = Random(route.path)
    async with serving(tmp_path / "arena.db") as site:
        for _ in range(TRIES):
            await _ask(site, route, rng)


async def _ask(site: Site, route: Route, rng: Random) -> None:
    path = route.path
    for part in ("{name:path}", "{match}", "{run}", "{room}"):
        path = path.replace(part, quote(rng.choice(WORDS[1:]), safe=""))
    words = {rng.choice(FIELDS): rng.choice(WORDS) for _ in range(rng.randrange(5))}
    if "POST" in (route.methods or ()):
        answer = await site.post(path, words)
    else:
        query = "&".join(f"{field}={quote(word, safe='')}" for field, word in words.items())
        answer = await site.get(f"{path}?{query}")
    asked = f"{path} {words}"
    assert answer.status_code < 500, asked
    assert "Traceback" not in answer.text, asked
    if "html" in answer.headers.get("content-type", ""):
        assert "<script>" not in answer.text, asked


async def test_bytes_that_are_no_text_are_no_form(tmp_path: Path) -> None:
    fill(tmp_path / "arena.db", deals=1)
    async with serving(tmp_path / "arena.db") as site:
        for body in (b"\xff\xfe", b"game=%ff", b"&&&===", b"{" * 9000, b"a=1&" * 4000):
            answer = await site.client.post("/play", content=body, headers=FORM)
            assert answer.status_code == 400
