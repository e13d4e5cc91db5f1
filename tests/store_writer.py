"""A program that writes matches into a store: STORE RUN BATCHES BATCH_SIZE.

It waits for a line on stdin, then stores deal after deal and says after each batch how many
matches of it were new.
"""

import sys
from pathlib import Path

from arena.store.db import Store
from arena.store.model import Slot
from tests.stored import finished, run


def main(path: str, name: str, batches: str, size: str) -> None:
    """Write until done, or killed."""
    of = run(name)
    print("ready", flush=True)
    sys.stdin.readline()
    with Store.open(Path(path), wait=60) as store:
        store.add_run(of)
        for batch in range(int(batches)):
            deals = range(batch * int(size), (batch + 1) * int(size))
            print(
                store.add(name, [finished(of, Slot(deal, ("ann", "bob"), 0)) for deal in deals]),
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
