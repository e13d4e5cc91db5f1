"""`breakpoint()` in a Python bot whose stdin and stdout carry the protocol.

`arena ask BOT MATCH --turn N --pause --isolation none` sets PYTHONBREAKPOINT to it.
"""

import os
import pdb
import sys


def set_trace() -> None:
    """Open pdb where it is called, on the terminal that ARENA_TERMINAL names.

    Raises:
        KeyError: it names none.
    """
    terminal = os.environ["ARENA_TERMINAL"]
    keys, screen = open(terminal), open(terminal, "w")  # noqa: SIM115  # as long as pdb lives
    pdb.Pdb(stdin=keys, stdout=screen).set_trace(sys._getframe().f_back)
