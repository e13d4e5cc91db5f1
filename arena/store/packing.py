"""Records as they are stored: whole, as a line of an export, compressed.

The records of a run are much alike, so they are compressed with the run's first ones as a preset
dictionary. Of zlib's levels 3 is the best trade: 2 is hardly faster, 6 takes half as long again
for a twentieth of the bytes. A window of 8 KiB and small tables keep a compressor cheap to copy,
which is cheaper than to make one with its dictionary.
"""

import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.store.connection import Database
from arena.store.errors import StoreError
from protocol.record import Record, RecordError, decode_record, encode_record

_LEVEL: Final = 3
_WINDOW_BITS: Final = 13
_MEMORY_LEVEL: Final = 5


def dictionary_of(records: Iterable[Record]) -> bytes:
    """A dictionary for records like these."""
    return b"".join(map(encode_record, records))[-(1 << _WINDOW_BITS) :]


class Packer:
    """Compresses and reads the records of one run."""

    def __init__(self, dictionary: bytes) -> None:
        self._dictionary = dictionary
        self._compressor = zlib.compressobj(
            _LEVEL,
            zlib.DEFLATED,
            _WINDOW_BITS,
            _MEMORY_LEVEL,
            zlib.Z_DEFAULT_STRATEGY,
            dictionary,
        )

    def pack(self, record: Record) -> bytes:
        """The record compressed, with a checksum."""
        compressor = self._compressor.copy()
        return compressor.compress(encode_record(record)) + compressor.flush()

    def unpack(self, body: bytes, match: str) -> Record:
        """The record that was packed.

        Raises:
            StoreError: the bytes are damaged; names the match.
        """
        try:
            return decode_record(
                zlib.decompressobj(_WINDOW_BITS, self._dictionary).decompress(body)
            )
        except (zlib.error, RecordError) as error:
            raise StoreError(f"the record of match {match} is damaged: {error}") from None


class Packers:
    """The packer of each run of a database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.of = lru_cache(maxsize=32)(self._of)

    def prepare(self, run_key: int, records: Iterable[Record]) -> None:
        """Give a run whose first records these are its dictionary; others keep theirs."""
        if self._db.value("SELECT dictionary IS NULL FROM runs WHERE key = ?", run_key):
            self._db.run(
                "UPDATE runs SET dictionary = ? WHERE key = ?", dictionary_of(records), run_key
            )
            self.forget()

    def forget(self) -> None:
        """Read every dictionary anew: a transaction was undone."""
        self.of.cache_clear()

    def _of(self, run_key: int) -> Packer:
        """The packer of a run that has records."""
        return Packer(self._db.value("SELECT dictionary FROM runs WHERE key = ?", run_key))
