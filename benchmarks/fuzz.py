"""A million lines of noise at the codec and at a live seat: no traceback, no hang, flat memory.

`python -m benchmarks.fuzz [LINES] [SEED]` prints how many lines got which verdict, how fast, and
what the memory grew by.
"""

import os
import sys
import time
from collections import Counter
from random import Random

import trio

from arena.referee import procfs
from tests.fuzzing import codec_verdict, matches, mutated, seat_verdicts
from tests.toy_game import ToyGame

LIVE_SHARE = 50
"""One line of so many goes through a live seat, which costs as much."""


async def main(lines: int, seed: int) -> None:
    rng = Random(seed)
    verdicts: Counter[str] = Counter()
    began = time.monotonic()
    memory = procfs.private_bytes(os.getpid())
    for number in range(lines):
        verdicts[codec_verdict(mutated(rng))] += 1
        if number == lines // 10:
            memory = procfs.private_bytes(os.getpid())
    seconds = time.monotonic() - began
    print(f"codec: {lines} lines, {lines / seconds:.0f} a second: {dict(verdicts)}")
    began = time.monotonic()
    live = await seat_verdicts(rng, lines // LIVE_SHARE)
    seconds = time.monotonic() - began
    rate = lines / LIVE_SHARE / seconds
    print(f"seat: {lines // LIVE_SHARE} lines, {rate:.0f} a second: {dict(live)}")
    print(f"matches: {dict(await matches(rng, ToyGame(), lines // 10_000))}")
    print(f"memory grew by {(procfs.private_bytes(os.getpid()) - memory) >> 10} KiB")


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]) if sys.argv[1:] else 1_000_000, int((sys.argv[2:] or ["1"])[0]))
