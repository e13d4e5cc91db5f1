"""Dask's client, as Trio calls it.

Dask's own client runs an asyncio loop in a thread of its own. Nothing of ours runs there: calls
that wait are made in threads, and that a batch is done is told to Trio by Dask's callback.
"""

import asyncio
import json
import logging
import re
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import trio
from distributed import Client, Security
from distributed.comm.core import connect
from msgspec import Struct

from arena.files import reason
from arena.tournament.cluster import hands
from arena.tournament.cluster.order import Played
from arena.tournament.job import Job

PATIENCE_S: Final = 10
"""How long the scheduler has to answer at first."""
THREADS: Final = 64
"""How many calls wait for Dask at a time."""
PARTING_S: Final = 0.7
"""How long each step of taking leave may take: an interrupted run ends within two seconds."""

T = TypeVar("T")


class ClusterError(Exception):
    """The cluster cannot be used, or cannot be used any more; one sentence."""


class Seen(Struct, frozen=True):
    """A Dask worker that the scheduler knows."""

    id: str
    """Of its process: one that was begun anew has another."""
    address: str
    name: str
    threads: int


class Link:
    """A connection to the scheduler."""

    def __init__(self, client: Client, place: str) -> None:
        """Use a client; `connected` makes one."""
        self._client = client
        self._place = place
        self._token = trio.lowlevel.current_trio_token()
        self._limiter = trio.CapacityLimiter(THREADS)

    async def workers(self) -> list[Seen]:
        """The Dask workers that are there now.

        Raises:
            ClusterError: the scheduler is gone.
        """
        scheduler: Any = self._client.scheduler
        if scheduler is None or self._client.status != "running":
            raise self._gone()
        try:  # not `scheduler_info`: the client overwrites that every two seconds, without workers
            found: Any = await self._call(self._client.sync, scheduler.identity)
        except OSError as error:
            raise self._gone() from error
        return [
            Seen(str(it["id"]), address, str(it["name"]), it["nthreads"])
            for address, it in found["workers"].items()
        ]

    async def run(self, worker: Seen, function: Callable[..., Any], *args: Any) -> Any:
        """What a function gives in the process of a Dask worker.

        Raises:
            Exception: what it raises there, or what keeps it from running there.
        """
        found = await self._call(self._client.run, function, *args, workers=[worker.address])
        if worker.address not in found:
            raise ClusterError(f"worker {worker.name} is gone")
        return found[worker.address]

    async def play(self, worker: Seen, order: str, jobs: Sequence[Job]) -> Played:
        """What became of a batch that one Dask worker plays; cancelled, it is played no more.

        Raises:
            Exception: what went wrong there.
            ClusterError: the scheduler is gone.
        """
        key = f"arena-{uuid.uuid4().hex}"
        batch = msgspec.json.encode(jobs)
        future: Any = self._client.submit(
            hands.play, key, order, batch, key=key, workers=[worker.address], pure=False
        )
        try:
            await self._wait(future)
            played: Played = await self._call(future.result)
        except asyncio.CancelledError:  # not an Exception, and not Trio's
            raise self._gone() from None
        finally:
            future.release()
        return played

    async def _wait(self, future: Any) -> None:
        done = trio.Event()

        def tell(_: Any) -> None:
            self._token.run_sync_soon(done.set)

        future.add_done_callback(tell)
        await done.wait()

    async def _call(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        """Call what waits for Dask; cancelled, it is left to itself."""
        return await trio.to_thread.run_sync(
            partial(function, *args, **named), abandon_on_cancel=True, limiter=self._limiter
        )

    def _gone(self) -> ClusterError:
        return ClusterError(f"the scheduler at {self._place} is gone; what was finished is kept")


@asynccontextmanager
async def connected(place: str) -> AsyncIterator[Link]:
    """A connection to a scheduler.

    Args:
        place: its address, or the file that it wrote.

    Raises:
        ClusterError: it does not answer, or there is no such file.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the arena says what matters
    client = await trio.to_thread.run_sync(_client, _address(place), abandon_on_cancel=True)
    try:
        yield Link(client, place)
    finally:
        with trio.move_on_after(PARTING_S, shield=True):
            await trio.to_thread.run_sync(client.close, PARTING_S, abandon_on_cancel=True)


def _client(address: str) -> Client:
    try:
        asyncio.run(_knock(address))
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError(f"no scheduler can be reached at {address}: {_why(error)}") from None
    make: Any = Client  # whose constructor has no types
    client: Client = make(address, timeout=PATIENCE_S, set_as_default=False, name="arena")
    return client


async def _knock(address: str) -> None:
    """See whether the scheduler answers: a client that finds none takes long to give up."""
    security: Any = Security  # neither has types
    knock: Any = connect
    comm = await knock(address, timeout=PATIENCE_S, **security().get_connection_args("client"))
    await comm.close()


def _address(place: str) -> str:
    """The address of a scheduler, from the file that it wrote if need be."""
    if "://" in place or re.fullmatch(r"[^/]+:\d+", place):
        return place
    try:
        return str(json.loads(Path(place).read_bytes())["address"])
    except OSError as error:
        raise ClusterError(
            f"cluster {place}: {reason(error)}; give the file that a scheduler wrote, or its "
            "address, such as tcp://host:8786"
        ) from None
    except (ValueError, LookupError, TypeError):
        raise ClusterError(f"cluster {place}: no scheduler wrote this file") from None


def _why(error: Exception) -> str:
    """What is behind an error, without the object of Dask's that met it."""
    text = str(error.__cause__ or error).strip()
    return re.sub(r"^in <[^>]*>: ", "", text) or type(error).__name__
