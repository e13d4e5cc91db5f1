"""The server as a program: it binds, streams, stops; the sites that it can be written as."""

import re
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
import trio

from arena.referee import procfs
from arena.store.db import Store
from arena.store.model import Slot
from tests.arena_cli import LITTLE, PATIENCE, QUICK, Arena, until
from tests.conftest import NeedsTool
from tests.stored import finished
from tests.web_server import HERE, PLAYED, Site, fill, program, serving


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "arena.db"
    fill(path)
    return path


def test_it_stops_at_once_with_streams_open(store: Path) -> None:
    with program(store, grace=600) as (address, process), ExitStack() as streams:
        client = streams.enter_context(httpx.Client(base_url=address, timeout=PATIENCE))
        headers = {"Origin": address}
        table = client.post("/play", data={"game": "herd", "opponent1": "random"}, headers=headers)
        for path in (f"/runs/{PLAYED.id}/events", f"{table.headers['location']}/events"):
            stream = streams.enter_context(client.stream("GET", path))
            assert next(stream.iter_lines()).startswith("data: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0, "it waits for no stream"
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_it_is_on_this_machine_only(store: Path) -> None:
    with program(store) as (address, _):
        assert address.startswith("http://127.0.0.1:")


def test_bots_that_are_built_are_built_before_it_begins(
    arena: Arena, needs_tool: NeedsTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_tool("cp")
    monkeypatch.setenv("XDG_CACHE_HOME", str(arena.folder / "cache"))
    folder = arena.folder / "built"
    folder.mkdir()
    (folder / "source.py").write_text(LITTLE)
    build = (
        'name = "built"\ncommand = ["python3", "bot.py"]\nbuild = ["cp", "source.py", "bot.py"]\n'
    )
    (folder / "bot.toml").write_text(build)
    done = arena("serve", "./built", "--isolation", "none")
    assert done.status == 3
    assert "bot built cannot be built" in done.err
    words = (str(folder), "--isolation", "none", "--trust")
    with program(arena.folder / "arena.db", *words) as (address, _):
        bots = httpx.get(f"{address}/api/bots", timeout=PATIENCE).json()
    assert "built" in [bot["name"] for bot in bots]


def test_weak_isolation_is_told(arena: Arena) -> None:
    words = ("--isolation", "none", "--store", str(arena.folder / "arena.db"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = arena("serve", *words, "--port", str(taken.getsockname()[1]))
    assert done.err.startswith("isolation none holds little: play trusted bots only\n")


def test_a_port_that_is_taken_is_told(arena: Arena) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = arena("serve", "--port", port)
    assert done.status == 3
    assert f"127.0.0.1 port {port} cannot be served on: Address already in use" in done.err


def test_a_store_that_is_not_there_is_not_made_where_it_is_only_read(arena: Arena) -> None:
    done = arena("serve", "--read-only")
    assert done.status == 3
    assert "there is no store at arena.db" in done.err


async def test_a_run_is_followed_while_it_is_played(store: Path) -> None:
    async with serving(store) as site, _followed(site) as news:
        assert "24 matches" in news[-1]
        with Store.open(store) as opened:
            slot = Slot(99, ("ann", "bob"), 0)
            opened.add(PLAYED.id, [finished(PLAYED, slot)])
        while "25 matches" not in news[-1]:
            await trio.sleep(0.02)


async def test_a_run_that_is_deleted_ends_its_streams_and_nothing_else(store: Path) -> None:
    async with serving(store) as site:
        async with _followed(site):
            with Store.open(store) as opened:
                opened.delete_run(PLAYED.id)
            while site.service._feeds:
                await trio.sleep(0.02)
        assert (await site.get("/")).status_code == 200


@asynccontextmanager
async def _followed(site: Site) -> AsyncIterator[list[str]]:
    """The news of the run, from the first on; fails when what is done meanwhile takes too long."""
    news: list[str] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_follow, site, f"/runs/{PLAYED.id}/events", news)
        with trio.fail_after(PATIENCE):
            while not news:
                await trio.sleep(0.02)
            yield news
        nursery.cancel_scope.cancel()


async def _follow(site: Site, path: str, news: list[str]) -> None:
    """Keep a stream open, as a browser does."""

    async def receive() -> dict[str, object]:
        await trio.sleep_forever()
        raise AssertionError

    async def send(message: dict[str, object]) -> None:
        body = message.get("body", b"")
        assert isinstance(body, bytes)
        if body.startswith(b"data: "):
            news.append(body.decode())

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "server": ("127.0.0.1", 8010),
        "headers": [(b"host", HERE.removeprefix("http://").encode())],
    }
    await site.client._transport.app(scope, receive, send)  # type: ignore[attr-defined]  # httpx waits for the end of a stream


def test_a_site_has_pages_that_lead_to_each_other(arena: Arena) -> None:
    assert arena("run", "herd", "greedy", "random", "--deals", "2", *QUICK).status == 0
    done = arena("site", "out/it", "--matches", "3")
    assert done.status == 0
    assert "with 3 replays; `python -m http.server -d out/it` shows them" in done.err
    folder = arena.folder / "out/it"
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    assert len(pages) == 3 + 1 + 2 + 3
    for page in pages:
        text = (folder / page).read_text()
        assert "Traceback" not in text
        for link in re.findall(r'(?:href|src)="([^"#]*)"', text):
            target = urljoin(page, link)
            assert (folder / target).is_file(), f"{page} leads to {link}"


def test_a_site_goes_where_files_can_be_written(arena: Arena) -> None:
    fill(arena.folder / "arena.db")
    (arena.folder / "file").write_text("")
    done = arena("site", "file")
    assert done.status == 3
    assert "cannot be written" in done.err


def test_without_the_extra_it_says_what_to_install(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    for words in (("serve",), ("site", "out")):
        done = arena(*words)
        assert done.status == 3
        assert "pip install 'savanna-arena[web]' brings them" in done.err


def test_the_death_of_the_server_leaves_no_process(store: Path) -> None:
    with program(store) as (address, process):
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            words = {"game": "savanna-ten", "opponent1": "greedy", "seat": "0"}
            table = client.post("/play", data=words, headers={"Origin": address})
            until(lambda: "data-legal" in client.get(table.headers["location"]).text)
        below = set(procfs.descendants(process.pid)) - {process.pid}
        assert len(below) > 1, "a referee and its bot"
        process.kill()
        process.wait()
        until(lambda: not any(map(runs, below)))


def runs(pid: int) -> bool:
    """Whether a process is more than a zombie."""
    seen = procfs.look_at(pid)
    return seen is not None and not seen.zombie
