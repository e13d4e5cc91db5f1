"""The pages in Chromium: they work, nothing on the console, no request to elsewhere."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # has none
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect, sync_playwright

from arena.analysis import Analysis, Judged
from arena.cli import command
from arena.replay import Replay
from arena.store.db import Store
from arena.store.model import Filter, Slot
from arena.web import replay_page
from tests.arena_cli import unhurried
from tests.stored import finished
from tests.web_server import PLAYED, fill, program

PATIENCE: Final = 180_000.0
"""Milliseconds until something must be seen, on the busiest of machines."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; where it is missing tests are skipped, and fail in CI."""
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing, and CI has to bring it")
        pytest.skip("chromium is missing")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=PATIENCE
        )
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made-up matches, and some that were played."""
    path = tmp_path_factory.mktemp("store") / "arena.db"
    fill(path)
    for game, option in (("savanna-ten", "mouse=add"), ("herd", "size=3")):
        words = f"run {game} greedy random --deals 2 --isolation none --workers 1 --option {option}"
        assert command(unhurried([*words.split(), "--store", str(path)])) == 0
    return path


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[str]:
    """The address of a server."""
    with program(store, "--isolation", "none") as (address, _):
        yield address


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """Open a page in a fresh browser; afterwards see that nothing went wrong in it."""
    wrong: list[str] = []
    contexts = []

    def open_page(path: str, width: int = 1280, **options: Any) -> Page:
        size = {"width": width, "height": 800}
        context = browser.new_context(viewport=size, **options)  # type: ignore[arg-type]  # a dict
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(server) else wrong.append(request.url),
        )
        page.goto(server + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def played(store: Path, game: str) -> str:
    """The page of a match of a game that was really played."""
    with Store.open(store, read_only=True) as kept:
        return f"/matches/{next(kept.matches(Filter(game=game, bot='greedy'))).match}"


@pytest.fixture(scope="module")
def pages(store: Path) -> Mapping[str, str]:
    """Every kind of page."""
    return {
        "leaderboard": "/",
        "bot": "/bots/%3Ci%3Ecy%3C%2Fi%3E",
        "bots": "/bots",
        "matches": "/matches",
        "match": played(store, "savanna-ten"),
        "runs": "/runs",
        "run": f"/runs/{PLAYED.id}",
        "play": "/play",
    }


KINDS: Final = ("leaderboard", "bot", "bots", "matches", "match", "runs", "run", "play", "table")


def test_a_column_sorts_by_a_click_and_by_a_key(visit: Visit) -> None:
    page = visit("/?options=mouse%3Doff")
    names = page.locator(".ratings tbody th")
    expect(names).to_have_text(["ann", "bob", "<i>cy</i>"])
    page.get_by_role("button", name="Faults").click()
    expect(names.first).to_have_text("<i>cy</i>")
    page.get_by_role("button", name="Bot").press("Enter")
    expect(names).to_have_text(["<i>cy</i>", "ann", "bob"])
    head = page.locator(".ratings th").nth(1)
    expect(head).to_have_attribute("aria-sort", "ascending")


def test_a_filter_takes_effect_by_itself(visit: Visit) -> None:
    page = visit("/")
    page.get_by_label("Game").select_option("herd")
    expect(page.get_by_role("heading", level=2)).to_have_text(["Herd"])


@pytest.mark.parametrize("game", ["savanna-ten", "herd"])
def test_a_replay_is_stepped_through(visit: Visit, store: Path, game: str) -> None:
    page = visit(played(store, game))
    board = page.locator(".replay .board")
    start = board.inner_html()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".replay .where")).to_contain_text("1 /")
    assert board.inner_html() != start
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".replay .where")).to_contain_text("0 /")
    assert board.inner_html() == start


def test_a_replay_in_one_file_steps_too(browser: Browser, store: Path, tmp_path: Path) -> None:
    file, wrong = tmp_path / "replay.html", []
    with Store.open(store, read_only=True) as kept:
        match = next(kept.matches(Filter(game="herd", bot="greedy"))).match
        file.write_text(replay_page.page(Replay(kept.record(match))))
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    page.keyboard.press("ArrowRight")
    expect(page.locator(".replay .where")).to_contain_text("1 /")
    page.close()
    assert wrong == []


def test_a_replay_tells_luck_and_what_an_analysis_found(visit: Visit, store: Path) -> None:
    with Store.open(store) as kept:
        *_, last = kept.matches(Filter(game="savanna-ten", bot="greedy"))  # not looked at before
        match = last.match
        first, second = (
            Judged(turn, turn - 1, ("x",), 0.4, ("lion@D3",), 0.56, 0.16, "blunder")
            for turn in (1, 2)
        )
        turns = (first, replace(second, best=("x",), best_value=0.4, loss=0.0, mark=None))
        found = Analysis(match, "search --nodes 9", turns, (49.4, None))
        kept.keep_analysis(match, msgspec.json.encode(found).decode())
    page = visit(f"/matches/{match}#t1")
    row = page.locator(".replay .turns li")
    expect(row.nth(0).locator(".loss")).to_have_text("??")
    expect(row.nth(1).locator(".loss")).to_have_count(0)
    said = page.locator(".replay .now")
    expect(said).to_contain_text("Worth 40 % of the win; better: lion@D3, 56 %: blunder.")
    expect(said).to_contain_text("Luck: ")
    expect(page.locator(".replay .places")).to_contain_text("49 %")
    page.get_by_title("Next").click()
    expect(said).to_contain_text("Worth 40 % of the win: nothing better was found.")
    page.keyboard.press("Home")
    expect(said).to_contain_text("The start.Luck: ")
    page.locator(".replay .choices select").first.select_option("what everyone sees")
    expect(said).not_to_contain_text("Luck")
    expect(said).not_to_contain_text("Worth")
    expect(page.locator(".replay .places")).not_to_contain_text("luck")


@pytest.mark.parametrize(
    ("number", "more"), [(0, {}), (1, {"size": "2"})], ids=["savanna-ten", "herd"]
)
def test_a_whole_game_is_played_by_clicks(
    visit: Visit, number: int, more: Mapping[str, str]
) -> None:
    page = visit("/play")
    offer = page.locator("form.offer").nth(number)
    for option, value in more.items():
        offer.locator("summary").click()
        offer.get_by_label(option, exact=True).fill(value)
    offer.get_by_role("button", name="Play").click()
    rematch = page.locator("#rematch")
    cell = page.locator(".board .can").first
    while not rematch.is_visible():
        expect(cell.or_(rematch).first).to_be_visible(timeout=PATIENCE)
        if rematch.is_visible():
            break
        play_on(page)
    expect(page.locator("#status")).to_have_text(
        page.locator(".table").get_attribute("data-status") or "?"
    )
    seat = my_seat(page)
    rematch.click()
    expect(rematch).to_have_count(0)
    expect(page.locator(".board")).to_be_visible()
    assert my_seat(page) != seat


def my_seat(page: Page) -> str:
    """The number of one's seat."""
    mine = page.locator(".seats li", has_text="(you)").locator(".seat")
    return mine.inner_text()


def test_a_hint_is_told_and_marked_on_the_board(visit: Visit) -> None:
    page = table(visit)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("A bot would play")).to_be_visible()
    expect(page.locator(".board .hint")).to_have_count(1)


def play_on(page: Page) -> None:
    """Click on a cell, and on an action where there is a choice; wait until it is done."""
    board = page.locator(".board")
    at = board.get_attribute("data-at")
    board.locator(".can").last.click()
    if page.locator(".menu").count():
        page.locator(".menu button").first.click()
    page.locator(f'.board[data-at="{at}"]').wait_for(state="detached")


def test_an_action_is_chosen_from_the_list(visit: Visit) -> None:
    page = visit("/play")
    page.locator("form.offer").first.get_by_role("button", name="Play").click()
    page.locator("form.turn summary").click()
    at = page.locator(".board").get_attribute("data-at")
    page.evaluate("document.marked = true")
    page.locator("form.turn .actions button").first.click()
    page.locator(f'.board[data-at="{at}"]').wait_for(state="detached")
    assert page.evaluate("document.marked"), "the page was not loaded anew"


def table(visit: Visit, width: int = 1280, **options: Any) -> Page:
    """A table of Savanna Ten where it is one's turn, in seat 0."""
    page = visit("/play", width, **options)
    offer = page.locator("form.offer").first
    offer.get_by_label("Your seat").evaluate("seat => seat.value = '0'")
    offer.get_by_role("button", name="Play").click()
    expect(page.locator(".board .can").first).to_be_visible()
    return page


def test_a_cell_is_chosen_with_the_keyboard(visit: Visit) -> None:
    page = table(visit)
    page.locator('[data-at="A1"].can').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-at="C1"]')).to_be_focused()
    page.keyboard.press("Enter")
    items = page.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(items).to_have_count(0)
    expect(page.locator('[data-at="C1"]')).to_be_focused()


def test_a_reload_resumes_the_seat(visit: Visit) -> None:
    page = table(visit)
    page.reload()
    expect(page.locator(".board .can").first).to_be_visible()
    expect(page.get_by_text("(you)")).to_be_visible()


def test_a_friend_comes_by_the_link(visit: Visit) -> None:
    host = visit("/play")
    offer = host.locator("form.offer").nth(1)
    offer.get_by_label("Opponent").select_option("@friend")
    offer.get_by_role("button", name="Play").click()
    expect(host.get_by_text("a free seat", exact=True)).to_be_visible()
    friend = visit(host.url[host.url.index("/play") :])
    friend.get_by_label("Your name").fill("Fred")
    friend.get_by_role("button", name="Sit down").click()
    expect(host.get_by_text("Fred", exact=False).first).to_be_visible()
    expect(friend.get_by_text("(you)")).to_be_visible()


def test_a_run_is_followed_live(visit: Visit, store: Path) -> None:
    page = visit(f"/runs/{PLAYED.id}")
    expect(page.locator(".progress")).to_contain_text("24 matches played")
    with Store.open(store) as kept:
        kept.plan(PLAYED.id, 100)
        kept.add(PLAYED.id, [finished(PLAYED, Slot(50, ("ann", "bob"), 0))])
    expect(page.locator(".progress")).to_contain_text("25 of 100 matches played")
    expect(page.locator(".pace")).to_contain_text("being played now")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "25")


def shown(
    visit: Visit, pages: Mapping[str, str], kind: str, scheme: str, width: int = 1280
) -> Page:
    """A page of a kind."""
    if kind == "table":
        return table(visit, width, color_scheme=scheme)
    return visit(pages[kind], width, color_scheme=scheme)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(
    visit: Visit, pages: Mapping[str, str], kind: str, scheme: str
) -> None:
    page = shown(visit, pages, kind, scheme, 360)
    root = page.locator("html")
    assert root.evaluate("e => e.scrollWidth") <= 360
    dark = root.evaluate("e => getComputedStyle(e.querySelector('body')).backgroundColor")
    assert (dark == "rgb(24, 22, 17)") is (scheme == "dark")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_serious_finding(
    visit: Visit, pages: Mapping[str, str], kind: str, scheme: str
) -> None:
    page = shown(visit, pages, kind, scheme)
    found = Axe().run(page).response["violations"]
    assert [
        (finding["id"], [node["target"] for node in finding["nodes"]][:3])
        for finding in found
        if finding["impact"] in ("serious", "critical")
    ] == []
