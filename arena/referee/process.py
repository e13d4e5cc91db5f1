"""One running bot program: started, watched, listened to on stderr, and ended whole."""

import contextlib
import errno
import itertools
import os
import signal
import subprocess
from collections.abc import Iterator
from typing import Final

import trio

from arena.referee import sandbox, tree
from arena.referee.faults import CannotStart, HostFault
from arena.referee.log import BotLog
from arena.referee.program import Program
from arena.referee.wire import Wire

QUIT_GRACE: Final = 1.0
"""Seconds that a process has to leave after `quit`."""
FAULT_GRACE: Final = 0.1
"""Seconds that a faulted process has to read why."""

_numbers: Iterator[int] = itertools.count(1)
_living: set[int] = set()


class Process:
    """A bot's process tree. Made by `spawn`, tended by a task, ended by `end`."""

    def __init__(self, popen: subprocess.Popen[bytes], launch: sandbox.Launch) -> None:
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._popen = popen
        self._launch = launch
        self._stderr = trio.lowlevel.FdStream(os.dup(popen.stderr.fileno()))
        self._pidfd = os.pidfd_open(popen.pid)
        self._exited = trio.Event()
        self.log = BotLog()
        self.wire = Wire(os.dup(popen.stdin.fileno()), os.dup(popen.stdout.fileno()))
        for pipe in (popen.stdin, popen.stdout, popen.stderr):
            pipe.close()
        _living.add(popen.pid)

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._popen.pid

    async def tend(self) -> None:
        """Drain stderr and watch for the end of the process; returns when both are done."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._drain)
            nursery.start_soon(self._watch)

    async def wait(self, seconds: float) -> int | None:
        """The exit code as `subprocess` gives it, None where the process is still there."""
        with trio.move_on_after(seconds):
            await self._exited.wait()
        return self._popen.poll()

    async def end(self, grace: float) -> None:
        """Give the process time to leave, then end it with everything that it started."""
        await self.wait(grace)
        self.kill()

    def kill(self) -> None:
        """End the whole tree now and free what it held; a second call does nothing."""
        if self.pid in _living:
            _living.discard(self.pid)
            tree.kill_tree(self.pid, self._launch.marker, _living)
            self._popen.wait()
            self.wire.close()
            sandbox.discard(self._launch)

    def ending(self) -> str:
        """How the process ended, for a message."""
        code = self._popen.poll()
        if code is None:
            return "closed its output"
        number = -code if code < 0 else code - 128
        if number in set(signal.Signals):
            return f"was killed by {signal.Signals(number).name}"
        return f"ended with exit code {code}"

    async def _drain(self) -> None:
        with contextlib.suppress(OSError, trio.BrokenResourceError):
            async with self._stderr:
                async for data in self._stderr:
                    self.log.write(data)

    async def _watch(self) -> None:
        try:
            await trio.lowlevel.wait_readable(self._pidfd)
        finally:
            os.close(self._pidfd)
        self._popen.poll()
        self._exited.set()
        self.wire.process_ended()


def spawn(program: Program, level: sandbox.Level) -> Process:
    """Execute a program. Call from the main thread: parent-death signals follow the thread.

    Raises:
        CannotStart: it cannot be executed.
        HostFault: the host has no processes, descriptors or memory left.
    """
    try:
        launch = sandbox.prepare(program, level, next(_numbers))
        popen = subprocess.Popen(
            launch.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.cwd,
            env=launch.env,
            start_new_session=True,
            preexec_fn=launch.before_exec,  # noqa: PLW1509  # one thread, and one system call
        )
    except OSError as error:
        raise _classified(program, error) from error
    return Process(popen, launch)


def _classified(program: Program, error: OSError) -> CannotStart | HostFault:
    """A missing or malformed program is the bot's; a host without means is the host's."""
    if error.errno in (errno.ENOENT, errno.EACCES, errno.ENOTDIR, errno.ENOEXEC, errno.ELOOP):
        return CannotStart(f"bot {program.name} cannot be executed: {error}")
    return HostFault(f"the host cannot start bot {program.name}: {error}")
