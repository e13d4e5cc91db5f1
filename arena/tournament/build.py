"""Bots that are built: once for each state of their sources, on demand.

What `build` in a bot.toml runs is a stranger's program. It runs as a bot does, under the same
isolation and without network, in a copy of the bot's folder. The bot is then run from that copy,
which is kept in a cache and named by the digest of the sources: a build that is there is one of
these sources. The bot's own folder is never written to.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import replace

from arena.cache import cache_folder, staged
from arena.files import reason
from arena.referee import tree
from arena.referee.exchange import exchange
from arena.referee.faults import CannotStart, printable
from arena.referee.limits import Limits
from arena.referee.process import Process, spawn
from arena.referee.program import Program, check_executable
from arena.referee.sandbox import Level
from arena.referee.wire import Broken, WireError
from arena.tournament import digest, parcel
from arena.tournament.entry import Entry

SECONDS: Final = 300
"""How long a build may take."""
LIMITS: Final = Limits(memory_mb=2048, processes=512, file_mb=1024, folder_mb=1024)
"""What a build may use."""
KEPT: Final = 5
"""How many builds of a bot's folder are kept, the last ones used."""
WORDS: Final = 100
"""How many lines of what a failed build said are shown."""

