"""A worker: a process that plays the matches it is sent, on one core with its bots.

`python -m arena.tournament.worker` reads an assignment and jobs from stdin and writes results to
stdout. The end of stdin without an `Enough` means that nobody wants the results any more.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
import trio

from arena.referee import tree
from arena.referee.bot import Bot
from arena.referee.faults import BotFault, CannotStart, HostFault
from arena.referee.match import Setup, play
from arena.tournament.job import Assignment, Done, Enough, FromWorker, Job, ToWorker, Void
from arena.tournament.stable import Stable
from engine.options import make_table
from engine.registry import game
from protocol.record import encode_record

FLUSH_AFTER: Final = 0.1
"""Seconds that a result waits for company at most."""

_decoder = msgspec.json.Decoder(ToWorker)
_encoder = msgspec.json.Encoder()


class Outbox:
    """Results on their way to the tournament, written in batches."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pending = bytearray()
        self._flushed = time.monotonic()

    def put(self, result: FromWorker) -> None:
        """Add a result; it leaves at once when the last ones left long ago."""
        self._pending += _encoder.encode(result) + b"\n"
        if time.monotonic() - self._flushed > FLUSH_AFTER:
            self.flush()

    async def keep_flushing(self) -> None:
        """Let no result wait for the end of a long match."""
        while True:
            await trio.sleep(FLUSH_AFTER)
            if self._pending:
                self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        view = memoryview(bytes(self._pending))
        self._pending.clear()
        while view:
            view = view[os.write(self._descriptor, view) :]
        self._flushed = time.monotonic()


class Worker:
    """One worker's matches."""

    def __init__(self, assignment: Assignment, outbox: Outbox) -> None:
        self._assignment = assignment
        self._outbox = outbox
        self._game = game(assignment.game)
        self._table = make_table(self._game, assignment.seats, assignment.options)

    async def lane(self, jobs: trio.MemoryReceiveChannel[Job]) -> None:
        """Play jobs one after another until there are no more."""
        async with trio.open_nursery() as nursery:
            stable = Stable(
                {name: player.program for name, player in self._assignment.players.items()},
                game=self._game.name,
                clocks=self._assignment.clocks,
                level=self._assignment.isolation,
                nursery=nursery,
            )
            try:
                async for job in jobs:
                    self._outbox.put(await self._result(job, stable))
                    if not jobs.statistics().current_buffer_used:
                        self._outbox.flush()
                    if self._assignment.fresh:
                        await stable.dismiss()
                await stable.dismiss()
            finally:
                stable.kill()

    async def _result(self, job: Job, stable: Stable) -> FromWorker:
        try:
            bots = await stable.bots(job.seating, job.slot.rotation)
            record = await play(self._setup(job), bots)
        except (HostFault, CannotStart) as error:
            await stable.clear_faulted()
            return Void(job.slot, str(error))
        await stable.clear_faulted()  # which also hears their last words
        logs = {fault.seat: _log_of(bots[fault.seat]) for fault in record.faults}
        return Done(job.slot, msgspec.Raw(encode_record(record)), logs)

    def _setup(self, job: Job) -> Setup:
        assignment = self._assignment
        seated = [assignment.players[name] for name in job.seating]
        handicaps = tuple(player.time_handicap for player in seated)
        return Setup(
            match=job.match,
            run=assignment.run,
            game=self._game,
            table=self._table,
            deal=job.deal,
            seed=job.seed,
            seeds=job.seeds,
            clocks=assignment.clocks,
            isolation=assignment.isolation,
            names=job.seating,
            digests=tuple(player.digest for player in seated),
            handicaps=handicaps if set(handicaps) != {1.0} else (),
        )


def _log_of(bot: Bot | BotFault) -> str:
    return bot.message if isinstance(bot, BotFault) else bot.process.log.text()


async def _read(
    stdin: trio.lowlevel.FdStream,
    begin: Callable[[Assignment], None],
    jobs: trio.MemorySendChannel[Job],
) -> bool:
    """Pass on what comes until `Enough` (True) or the end of stdin (False)."""
    rest = b""
    async for chunk in stdin:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            match _decoder.decode(line):
                case Assignment() as assignment:
                    begin(assignment)
                case Job() as job:
                    jobs.send_nowait(job)
                case Enough():
                    return True
    return False


async def serve(stdin: int, stdout: int) -> None:
    """Work until told that it is enough, or until stdin ends."""
    outbox = Outbox(stdout)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outbox.keep_flushing)
        await _work(stdin, outbox)
        nursery.cancel_scope.cancel()
    outbox.flush()


async def _work(stdin: int, outbox: Outbox) -> None:
    sender, receiver = trio.open_memory_channel[Job](float("inf"))

    async with trio.open_nursery() as nursery, receiver:

        def begin(assignment: Assignment) -> None:
            if assignment.core is not None:
                os.sched_setaffinity(0, {assignment.core})
            worker = Worker(assignment, outbox)
            for _ in range(assignment.lanes):
                nursery.start_soon(worker.lane, receiver.clone())

        with sender:
            finished = await _read(trio.lowlevel.FdStream(stdin), begin, sender)
        if not finished:
            nursery.cancel_scope.cancel()


def main() -> None:
    """Run a worker on the standard descriptors."""
    tree.die_with_parent()
    tree.adopt_orphans()
    tree.forbid_peeking()
    with suppress(KeyboardInterrupt, BrokenPipeError):
        trio.run(serve, os.dup(0), os.dup(1))


if __name__ == "__main__":
    main()
