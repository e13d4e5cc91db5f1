"""`breakpoint()` in a bot: pdb on a terminal, not on the pipes of the protocol."""

import contextlib
import os
import pty
import subprocess
import sys

from tests.arena_cli import PATIENCE, until

BOT = """
import sys
line = sys.stdin.readline()
secret = 42
breakpoint()
print("answer to", line, end="")
"""


def test_a_breakpoint_opens_on_the_terminal_that_is_named() -> None:
    ours, theirs = pty.openpty()
    env = {
        **os.environ,
        "PYTHONBREAKPOINT": "protocol.debugger.set_trace",
        "ARENA_TERMINAL": os.ttyname(theirs),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", BOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=env,
        text=True,
        start_new_session=True,
    )
    assert process.stdin is not None
    process.stdin.write("a question\n")
    process.stdin.flush()
    seen = bytearray()
    os.set_blocking(ours, False)

    def shows(text: bytes) -> bool:
        with contextlib.suppress(BlockingIOError):
            seen.extend(os.read(ours, 4096))
        return text in seen

    until(lambda: shows(b"(Pdb)"))
    os.write(ours, b"p secret\n")
    until(lambda: shows(b"42"))
    os.write(ours, b"c\n")
    out, _ = process.communicate(timeout=PATIENCE)
    assert out == "answer to a question\n"
    os.close(ours)
    os.close(theirs)
