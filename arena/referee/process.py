"""One running bot program: started, listened to on stderr, stopped and ended whole."""

import contextlib
import errno
import itertools
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from typing import IO, Final, TypeAlias

import trio

from arena.referee import procfs, sandbox, tree
from arena.referee.faults import CannotStart, HostFault
from arena.referee.limits import Limits
from arena.referee.log import BotLog
from arena.referee.meter import Meter
from arena.referee.program import Program
from arena.referee.warden import Warden
from arena.referee.wire import Wire

QUIT_GRACE: Final = 1.0
"""Seconds that a process has to leave after `quit`."""
FAULT_GRACE: Final = 0.1
"""Seconds that a faulted process has to read why."""

_LOOK: Final = 0.1
"""Seconds between two looks at a process that is expected to end."""
_LOOKS: Final = 100

STDERR_PIPE: Final = 65536
"""Bytes that a pipe holds at most."""

_CLOSE_TO_LIMIT: Final = 0.9
"""A program that ends after it held so much of its memory limit ended for want of memory."""

Connect: TypeAlias = Callable[[int, int], Wire]
"""Makes a wire of the referee's ends of a bot's stdin and stdout."""

_numbers: Iterator[int] = itertools.count(1)
_living: dict[int, tree.Tree] = {}


class Process:
    """A bot's process tree. Made by `spawn`, tended by a task, ended by `end`."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        launch: sandbox.Launch,
        limits: Limits,
        connect: Connect = Wire,
    ) -> None:
        self._popen = popen
        self._launch = launch
        self._limits = limits
        self._tree = tree.Tree(popen.pid, launch.marker)
        self._pidfd = os.pidfd_open(popen.pid)
        self._exited = trio.Event()
        self._silent = trio.Event()
        self._stderr = trio.lowlevel.FdStream(_own(popen.stderr))
        self.log = BotLog()
        self.wire = connect(_own(popen.stdin), _own(popen.stdout))
        self.meter = Meter(self.members)
        self.warden = Warden(self, limits)
        self.over_memory = ""
        """How it went over its memory limit, "" where it did not."""
        _living[popen.pid] = self._tree

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._popen.pid

    @property
    def asked(self) -> bool:
        """It is to answer right now."""
        return self.wire.waiting

    def members(self) -> list[int]:
        """All living processes of the bot, without those that wrap it."""
        return tree.members(self._tree, self._others())[self._launch.wrappers :]

    def stop(self) -> None:
        """Stop every process of the bot until `go_on`."""
        tree.stop(self._tree, self._others())

    def go_on(self) -> None:
        """Let a stopped bot run again."""
        tree.go_on(self._tree, self._others())

    async def tend(self) -> None:
        """Drain stderr and watch the process; returns when it ended and stderr is closed."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._drain)
            async with trio.open_nursery() as watching:
                watching.start_soon(self.warden.watch)
                await self._await_exit()
                watching.cancel_scope.cancel()

    def catch_up(self) -> None:
        """Put into the log what is in the stderr pipe by now."""
        with contextlib.suppress(OSError):  # nothing is there, or it is closed
            self.log.write(os.read(self._stderr.fileno(), STDERR_PIPE))

    async def wait(self, seconds: float) -> bool:
        """Wait for its end so long at most; whether it ended."""
        with trio.move_on_after(seconds):
            await self._exited.wait()
        return self._exited.is_set()

    async def leaves(self) -> bool:
        """Whether the process ends that has closed its output: a busy host is slow to end it."""
        self.warden.release()  # one that is stopped does not end
        for _ in range(_LOOKS):
            if await self.wait(_LOOK):
                return True
            if not all(map(procfs.is_leaving, self.members()[:1])):
                return False
        return False

    async def hear_out(self, seconds: float) -> None:
        """Wait so long at most for the last that a dead process wrote to stderr."""
        with trio.move_on_after(seconds):
            await self._silent.wait()
        self.catch_up()

    async def end(self, grace: float) -> None:
        """Give the process time to leave, then end it with everything that it started."""
        self.warden.forgive()
        try:
            await self.wait(grace)
        finally:
            self.kill()

    def kill_for_memory(self, used: int) -> None:
        """End the whole tree for what it used, in bytes; the next exchange tells."""
        self._blame_memory(used)
        tree.kill(self._tree, self._others())

    def kill(self) -> None:
        """End the whole tree now and free what it held; a second call does nothing."""
        if _living.pop(self.pid, None) is None:
            return
        tree.kill(self._tree, _living.values())
        _, status, usage = os.wait4(self.pid, os.WNOHANG)
        self._popen.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss * 1024
        if not self.over_memory and peak > _CLOSE_TO_LIMIT * (self._limits.memory_mb << 20):
            self._blame_memory(peak)
        self.wire.close()
        sandbox.discard(self._launch)

    def ending(self) -> str:
        """How the process ended, for a message."""
        code = self._popen.returncode
        if code is None:
            return "closed its input or output"
        match -code if code < 0 else code - 128:  # a wrapper tells a signal as a shell does
            case signal.SIGXCPU:
                return f"was ended for computing over {self._limits.cpu_s} s"
            case signal.SIGXFSZ:
                return f"was ended for a file of over {self._limits.file_mb} MiB"
            case number if number in set(signal.Signals):
                return f"was killed by {signal.Signals(number).name}"
        return f"ended with exit code {code}"

    def _others(self) -> list[tree.Tree]:
        return [other for pid, other in _living.items() if pid != self.pid]

    def _blame_memory(self, used: int) -> None:
        limit = self._limits.memory_mb
        self.over_memory = f"used {used >> 20} MiB of memory, its limit is {limit} MiB"

    async def _drain(self) -> None:
        with contextlib.suppress(OSError, trio.BrokenResourceError):
            async with self._stderr:
                async for data in self._stderr:
                    self.log.write(data)
        self._silent.set()

    async def _await_exit(self) -> None:
        """Wait until the process is a zombie: reaped it is in `kill`, so its id stays its own."""
        try:
            await trio.lowlevel.wait_readable(self._pidfd)
        finally:
            os.close(self._pidfd)
        self._exited.set()
        self.wire.process_ended()


def spawn(program: Program, level: sandbox.Level, connect: Connect = Wire) -> Process:
    """Execute a program. Call from the main thread: parent-death signals follow the thread.

    Args:
        program: what to execute.
        level: how it is isolated.
        connect: makes the wire of its stdin and stdout.

    Raises:
        CannotStart: it cannot be executed.
        HostFault: the host has no processes, descriptors or memory left.
    """
    try:
        launch = sandbox.prepare(program, level, next(_numbers))
    except OSError as error:
        raise _classified(program, error) from error
    try:
        popen = subprocess.Popen(
            launch.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.cwd,
            env=launch.env,
            start_new_session=True,
            pass_fds=launch.descriptors,
            preexec_fn=launch.before_exec,  # noqa: PLW1509  # one thread, and few system calls
        )
    except (OSError, subprocess.SubprocessError) as error:
        sandbox.discard(launch)
        raise _classified(program, error) from error
    return Process(popen, launch, program.limits, connect)


def _own(pipe: IO[bytes] | None) -> int:
    """The descriptor of a pipe, taken away from `subprocess`."""
    assert pipe is not None
    with pipe:
        return os.dup(pipe.fileno())


def _classified(program: Program, error: Exception) -> CannotStart | HostFault:
    """A missing or malformed program is the bot's; a host without means is the host's."""
    own = (errno.ENOENT, errno.EACCES, errno.ENOTDIR, errno.ENOEXEC, errno.ELOOP)
    if isinstance(error, OSError) and error.errno in own:
        return CannotStart(f"bot {program.name} cannot be executed: {error}")
    return HostFault(f"the host cannot start bot {program.name}: {error}")
