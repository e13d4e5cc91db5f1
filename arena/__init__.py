"""The arena: referee, tournaments, ratings, store and command line."""

import os
from typing import Final

VERSION: Final = "0.1.0"
REFEREE: Final = f"savanna-arena {VERSION}"
"""How the referee names itself to bots."""

# The matrices of the ratings are small, and OpenBLAS has its threads wait for each other in a
# spin: beside a running tournament a leaderboard would take a second instead of 50 ms. Numpy reads
# this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
