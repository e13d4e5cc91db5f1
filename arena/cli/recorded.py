"""Where a MATCH of the command line is found: in the store, or in a file of records."""

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.record import Record

HELP = "A match, or how its name begins; or a file of records, for the last in it."


def recorded(match: str, store: Path) -> "Record":
    """The record that the words name.

    Raises:
        RecordError: the file holds none.
        StoreError: the store has no such match, or cannot be read.
    """
    from arena.files import read_records
    from arena.store.db import Store
    from protocol.record import RecordError

    file = Path(match)
    if not file.is_file():
        with Store.open(store, read_only=True) as kept:
            return kept.record(match)
    last = deque(read_records(file), maxlen=1)
    if not last:
        raise RecordError(f"{file} holds no record")
    return last[0]
