"""How long `arena serve` takes for its pages, and what spectators cost a table.

python -m benchmarks.web_speed [SPECTATORS]

Two questions of who publishes an arena: the leaderboard from 100,080 stored matches of ten
bots, and the time from a click at a live table to what the player sees of it, with and without
spectators, who are clients in a process of their own.
"""

import json
import re
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from itertools import combinations
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory

import httpx

from arena.store.db import Store
from arena.tournament.schedule import rotations
from tests.stored import entrants, finished, run
from tests.web_server import program

BOTS = tuple(f"bot-{number}" for number in range(10))
DEALS = 1112
REQUESTS = 200
CLICKS = 30
SPECTATORS = 200


def fill(path: Path) -> int:
    """Made-up matches of all pairs; gives how many."""
    rng, of, count = Random(0), run(), 0
    with Store.open(path) as store:
        store.add_run(of)
        store.add_entrants(of.id, entrants(*BOTS))
        for deal in range(DEALS):
            slots = [s for pair in combinations(BOTS, 2) for s in rotations(pair, deal)]
            count += store.add(of.id, [finished(of, s, rng.sample((1, 2), 2)) for s in slots])
    return count


def time_pages(client: httpx.Client) -> None:
    """Whole answers, one after another over one connection."""
    for path in ("/", "/bots/bot-0", "/matches", "/matches?faulted=1", "/api/leaderboard"):
        began = time.perf_counter()
        client.get(path).raise_for_status()
        first = time.perf_counter() - began
        took = [_timed(client, path) for _ in range(REQUESTS)]
        median, slow = statistics.median(took), sorted(took)[int(0.95 * REQUESTS)]
        print(f"{path}: first {first:.3f} s, then {median:.1f} ms, 95 % under {slow:.1f} ms")


def _timed(client: httpx.Client, path: str) -> float:
    began = time.perf_counter()
    client.get(path).raise_for_status()
    return 1000 * (time.perf_counter() - began)


def time_clicks(address: str, spectators: int) -> None:
    """Undone clicks at a table: from the request to the news of it in the player's stream."""
    with httpx.Client(base_url=address, timeout=60) as client:
        words = {"game": "herd", "opponent1": "random", "option.size": "10", "seat": "0"}
        opened = client.post("/play", data=words, headers={"Origin": address})
        table = opened.headers["location"]
        with _watched(address, table, spectators), client.stream("GET", f"{table}/events") as news:
            lines = news.iter_lines()
            at, action = _asked(lines)
            took = []
            for _ in range(CLICKS):
                began = time.perf_counter()
                form = {"at": at, "action": action}
                httpx.post(
                    f"{address}{table}/act", data=form, headers=_headers(client, address)
                ).raise_for_status()
                while _asked(lines)[0] == at:
                    pass
                took.append(1000 * (time.perf_counter() - began))
                httpx.post(f"{address}{table}/undo", headers=_headers(client, address))
                while _asked(lines)[0] != at:
                    pass
        median, slow = statistics.median(took), max(took)
        print(f"a click with {spectators} spectators: {median:.0f} ms, the slowest {slow:.0f} ms")


def _asked(lines: Iterator[str]) -> tuple[str, str]:
    """What the player is asked in the next piece of news that asks something."""
    for line in lines:
        found = re.search(r'data-at="([^"]+)" data-legal="([^"]+)"', line)
        if found:
            actions = next(iter(json.loads(unescape(found[2])).values()))
            return found[1], actions[0][0]
    raise RuntimeError("the table is gone")


def _headers(client: httpx.Client, address: str) -> dict[str, str]:
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
    return {"Origin": address, "Cookie": cookies, "Accept": "text/plain"}


@contextmanager
def _watched(address: str, table: str, spectators: int) -> Iterator[None]:
    """So many streams open, read in another process."""
    words = [sys.executable, "-m", "benchmarks.web_speed", "watch", address, table]
    with Popen([*words, str(spectators)], stdin=PIPE, stdout=PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.kill()


def watch(address: str, table: str, spectators: int) -> None:
    """Open streams and read them for ever; says on stdout when all are open."""
    import trio

    async def one(client: httpx.AsyncClient, opened: trio.Semaphore) -> None:
        async with client.stream("GET", f"{address}{table}/events") as news:
            async for _ in news.aiter_raw():
                opened.release()

    async def everybody() -> None:
        limits = httpx.Limits(max_connections=None)
        async with (
            httpx.AsyncClient(timeout=None, limits=limits) as client,
            trio.open_nursery() as nursery,
        ):
            opened = trio.Semaphore(0)
            for _ in range(spectators):
                nursery.start_soon(one, client, opened)
            for _ in range(spectators):
                await opened.acquire()
            print("ready", flush=True)

    trio.run(everybody)


def main(words: list[str]) -> None:
    if words[:1] == ["watch"]:
        watch(words[1], words[2], int(words[3]))
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "arena.db")
        print(f"{fill(path):,} matches stored", flush=True)
        with program(path, "--isolation", "none") as (address, _):
            with httpx.Client(base_url=address, timeout=60) as client:
                time_pages(client)
            for spectators in (0, int(words[0]) if words else SPECTATORS):
                time_clicks(address, spectators)


if __name__ == "__main__":
    main(sys.argv[1:])
