"""Tables: who may sit, act and see what; whole games against bots over HTTP."""

import json
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import httpx
import pytest
import trio

from arena.store.db import Store
from arena.web.play.lobby import ROOMS
from tests.web_server import HERE, Site, serving, words_of

PATIENCE = 180


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "arena.db"
    Store.open(path).close()
    return path


class Guest:
    """Somebody with a browser: keeps cookies, looks at tables and acts."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._cookies: dict[str, str] = {}
        self.table = ""

    async def look(self) -> str:
        """The table as it is shown to this one."""
        answer = await self.site.get(self.table, **self._headers())
        assert answer.status_code == 200, answer.text
        return answer.text

    async def do(self, what: str, words: Mapping[str, str] | None = None) -> httpx.Response:
        """Send a form to the table."""
        path = f"{self.table}/{what}" if what else "/play"
        answer = await self.site.post(path, words or {}, **self._headers())
        for line in answer.headers.get_list("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self._cookies[name] = value
        if answer.status_code == 303:
            self.table = answer.headers["location"]
        return answer

    async def open(self, **words: str) -> str:
        """Set up a table and sit down."""
        answer = await self.do("", {"clock": "2m"} | words)  # bots have it too
        assert answer.status_code == 303, answer.text
        return self.table

    async def turn(self) -> "Turn":
        """Wait for one's turn, or the end."""
        with trio.fail_after(PATIENCE):
            while True:
                page = await self.look()
                turn = Turn(page)
                if turn.at or turn.over:
                    return turn
                await trio.sleep(0.02)

    async def play_on(self) -> str:
        """Play the first legal action until the game is over; gives the last page."""
        while not (turn := await self.turn()).over:
            answer = await self.do("act", {"at": turn.at, "action": turn.actions[0]})
            assert answer.status_code == 204, answer.text
        return turn.page

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Cookie": cookies, "Accept": "text/plain"}


class Turn:
    """What a page says that can be done."""

    def __init__(self, page: str) -> None:
        self.page = page
        board = re.search(r'class="board"[^>]*data-at="([^"]+)" data-legal="([^"]+)"', page)
        self.at = board[1] if board else ""
        legal = json.loads(unescape(board[2])) if board else {}
        self.actions = [action for cell in legal.values() for action, _ in cell]
        self.over = 'id="rematch"' in page or "The match cannot go on" in page


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("herd", {"option.size": "2"}),
        ("savanna-ten", {"option.mouse": "add"}),
        ("savanna-ten", {"opponent2": "random", "opponent3": "random"}),
    ],
)
async def test_a_whole_game_against_bots(store: Path, game: str, more: dict[str, str]) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        await guest.open(game=game, opponent1="random", **more)
        words = words_of(await guest.play_on())
        assert "won" in words or "A draw" in words
    with Store.open(store) as kept:
        assert not list(kept.matches()), "it was not asked for"


async def test_a_match_is_stored_and_rated_where_that_is_asked_for(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        words = {"option.size": "2", "stored": "1", "name": "Zoë <b>"}
        await guest.open(game="herd", opponent1="random", **words)
        await guest.play_on()
        with trio.fail_after(PATIENCE):
            while "/matches/" not in (page := await guest.look()):
                await trio.sleep(0.02)
        match = re.search(r'href="(/matches/[^"]+)"', page)
        assert match
        replay = await site.get(match[1])
        assert "Zoë &lt;b&gt;" in replay.text
        assert "There is no replay" not in replay.text
        assert "Zoë <b>" in await site.text("/")


async def test_only_the_holder_of_a_seat_sees_its_hand_and_acts_for_it(store: Path) -> None:
    async with serving(store) as site:
        guest, stranger = Guest(site), Guest(site)
        stranger.table = await guest.open(game="savanna-ten", opponent1="random", seat="0")
        turn = await guest.turn()
        seen = await stranger.look()
        assert "Your hand" in turn.page
        assert "Your hand" not in seen
        assert "data-legal" not in seen
        assert "You are watching" in words_of(seen)
        for what in ("act", "undo", "hint", "leave", "rematch"):
            words = {"at": turn.at, "action": turn.actions[0], "bot": "greedy"}
            assert (await stranger.do(what, words)).status_code == 403
        assert Turn(await guest.look()).at == turn.at


async def test_a_clock_is_shown_to_who_is_to_act(store: Path) -> None:
    async with serving(store) as site:
        guest, other = Guest(site), Guest(site)
        await guest.open(game="herd", opponent1="random", clock="2m")
        left = re.search(r'data-left="(\d+)"', (await guest.turn()).page)
        assert left
        assert 120_000 < int(left[1]) <= 180_000, "the first turn has three minutes"
        await other.open(game="herd", opponent1="random", clock="")
        assert "data-left" not in (await other.turn()).page


async def test_a_token_is_any_text(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        table = await guest.open(game="herd", opponent1="random")
        for token in ("", "é", "x" * 5000):
            cookie = f"seat-{table.rpartition('/')[2]}={token}".encode()
            answer = await site.client.get(table, headers={b"Cookie": cookie})
            assert "You are watching" in words_of(answer.text)


async def test_behind_a_server_with_https_the_token_goes_to_that_alone(store: Path) -> None:
    async with serving(store) as site:
        words = {"game": "herd", "opponent1": "random"}
        for scheme in ("http", "https"):
            answer = await site.post("/play", words, Origin=f"{scheme}://127.0.0.1:8010")
            assert ("Secure" in answer.headers["set-cookie"]) is (scheme == "https")


async def test_when_all_tables_are_taken_the_one_left_longest_makes_room(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        words = {"game": "herd", "opponent1": "@friend"}
        tables = [await guest.open(**words) for _ in range(ROOMS)]
        assert (await guest.do("", words)).status_code == 503
        assert site.lobby
        for table in tables[:2]:
            site.lobby.room(table.rpartition("/")[2]).used -= 100
        site.lobby.room(tables[1].rpartition("/")[2]).used -= 1000
        assert (await guest.do("", words)).status_code == 303
        assert (await site.get(tables[1])).status_code == 410
        assert (await site.get(tables[0])).status_code == 200


async def test_a_token_is_for_one_table(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        answer = await guest.do("", {"game": "herd", "opponent1": "random"})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert f"Path={guest.table}" in cookie
        other = Guest(site)
        guest.table = await other.open(game="herd", opponent1="random")
        assert (await guest.do("leave")).status_code == 403


async def test_a_turn_can_be_taken_back_until_it_is_complete(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        await guest.open(game="herd", opponent1="random", **{"option.size": "10"})
        while True:  # until a turn of more than one action
            turn = await guest.turn()
            question = turn.at.partition(".")[0]
            assert (await guest.do("undo")).status_code == 409, "there is nothing to take back"
            await guest.do("act", {"at": turn.at, "action": turn.actions[0]})
            now = await guest.turn()
            if now.at.partition(".")[0] == question:
                break
        assert turn.actions[0] not in now.actions
        assert (await guest.do("undo")).status_code == 204
        again = await guest.turn()
        assert (again.at, again.actions) == (turn.at, turn.actions)


async def test_a_click_that_comes_too_late_or_is_illegal_does_nothing(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        await guest.open(game="savanna-ten", opponent1="random", seat="0")
        turn = await guest.turn()
        for words in (
            {"at": "0.0", "action": turn.actions[0]},
            {"at": turn.at, "action": "zebra@Z9"},
            {"at": turn.at},
            {},
        ):
            answer = await guest.do("act", words)
            assert (answer.status_code, answer.text) == (409, "that is not possible any more")
        assert Turn(await guest.look()).actions == turn.actions


async def test_a_hint_is_for_who_asked(store: Path) -> None:
    async with serving(store) as site:
        guest, stranger = Guest(site), Guest(site)
        stranger.table = await guest.open(game="savanna-ten", opponent1="random", seat="0")
        await guest.turn()
        assert (await guest.do("hint", {"bot": "greedy"})).status_code == 204
        assert (await guest.do("hint", {"bot": "/bin/sh"})).status_code == 409
        with trio.fail_after(PATIENCE):
            while "A bot would play" not in await guest.look():
                await trio.sleep(0.02)
        assert "A bot would play" not in await stranger.look()


async def test_two_people_by_a_link_then_a_rematch(store: Path) -> None:
    async with serving(store) as site:
        host, friend = Guest(site), Guest(site)
        words = {"option.size": "2", "seat": "0", "name": "host"}
        friend.table = await host.open(game="herd", opponent1="@friend", **words)
        waiting = await friend.look()
        assert "a free seat" in words_of(waiting)
        assert 'class="board waiting"' in waiting
        assert (await host.do("sit", {"seat": "1"})).status_code == 409
        assert (await friend.do("sit", {"seat": "0"})).status_code == 409
        assert "guest-2" not in words_of(await host.look())
        assert (await friend.do("sit", {"seat": "1", "name": "HOST"})).status_code == 303
        assert "HOST-2" in words_of(await host.look())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.play_on)
            nursery.start_soon(friend.play_on)
        before = host.table
        assert (await host.do("rematch")).status_code == 303
        assert host.table != before
        assert (await friend.do("rematch")).status_code == 303
        assert friend.table == host.table
        with trio.fail_after(PATIENCE):
            while not Turn(await friend.look()).at:
                await trio.sleep(0.02)
        assert not Turn(await host.look()).at, "now the other begins"


async def test_who_leaves_has_lost(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        await guest.open(game="savanna-ten", opponent1="random", seat="0")
        await guest.turn()
        await guest.do("leave")
        turn = await guest.turn()
        assert turn.over
        assert "random won" in words_of(turn.page)
        assert "(left the table)" in words_of(turn.page)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({}, "there is no game ''"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "herd", "opponent1": "zoe"}, "there is no bot 'zoe' to play herd against"),
        ({"game": "herd", "opponent1": "./evil.py"}, "there is no bot './evil.py'"),
        ({"game": "herd"}, "herd is for 2 players, not 1"),
        ({"game": "herd", "opponent1": "random", "option.size": "99"}, "from 2 to 10"),
        ({"game": "herd", "opponent1": "random", "option.x": "1"}, "has no option 'x'"),
        ({"game": "herd", "opponent1": "random", "seat": "7"}, "there is no seat '7'"),
        ({"game": "herd", "opponent1": "random", "clock": "1h"}, "there is no such clock"),
        ({f"x{n}": "1" for n in range(99)}, "this is not a form of this server"),
    ],
)
async def test_what_cannot_be_played_is_said(
    store: Path, words: dict[str, str], sentence: str
) -> None:
    async with serving(store) as site:
        answer = await site.post("/play", words)
    assert answer.status_code == 400
    assert sentence in unescape(answer.text)


async def test_a_table_that_is_not_there(store: Path) -> None:
    async with serving(store) as site:
        assert (await site.get("/play/nothing")).status_code == 410
        assert (await site.get("/play/nothing/events")).status_code == 410
        assert (await site.post("/play/nothing/act", {})).status_code == 410
        assert (await site.get("/play/nothing/act")).status_code == 405


async def test_without_a_script_a_form_leads_back_to_the_table(store: Path) -> None:
    async with serving(store) as site:
        guest = Guest(site)
        await guest.open(game="herd", opponent1="random")
        answer = await guest.site.post(f"{guest.table}/leave", {}, Accept="text/html", Origin=HERE)
        assert answer.status_code == 403, "no cookie, no seat"
