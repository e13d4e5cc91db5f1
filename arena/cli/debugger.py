"""A bot that is held before its first line, so that a debugger can be attached to it."""

import os
from typing import TYPE_CHECKING, Final

import typer

if TYPE_CHECKING:
    from arena.referee.process import Process
    from arena.referee.program import Program
    from arena.referee.sandbox import Level

_STDIN: Final = 0


def with_breakpoints(program: "Program", level: "Level") -> "Program":
    """The program, whose `breakpoint()`, if it is in Python, opens pdb on this terminal.

    A bot that is kept from the terminal stays as it is.
    """
    from msgspec.structs import replace

    from arena.referee.sandbox import Level

    if level is not Level.NONE or not os.isatty(_STDIN):
        return program
    debugger = {
        "PYTHONBREAKPOINT": "protocol.debugger.set_trace",
        "ARENA_TERMINAL": os.ttyname(_STDIN),
    }
    return replace(program, env={**debugger, **program.env})


async def wait_for_enter(process: "Process") -> None:
    """Say which process the bot is, and wait for a line or the end of stdin."""
    import trio

    with trio.move_on_after(1):  # a sandbox takes a moment to start it
        while not process.members():
            await trio.sleep(0.01)
    pids = process.members() or [process.pid]
    typer.echo(
        f"the bot is process {pids[0]}, and nothing was sent to it yet; attach a debugger, as in\n"
        f"  gdb -p {pids[0]}\nand press Enter",
        err=True,
    )
    try:
        await trio.lowlevel.wait_readable(_STDIN)
    except OSError:  # a file: it is always readable
        return
    os.read(_STDIN, 4096)
