"""Records as they are stored: whole, as lines of an export, compressed a few at a time.

A pack is up to 8 records of a run. Alone, a record of 2 KB would need Huffman tables and a
compressor of its own: half as much time again and a quarter more bytes. Longer packs gain nothing
and are slower to read one record from. All start from the run's first records as a preset
dictionary, so that a pack of one is small too. Of zlib's levels 3 is the best trade: 2 takes an
eighth less time for a sixth more bytes, 6 half as much time again for a seventh less. A compressor
of these sizes is cheap to copy; one of the default sizes is not.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from arena.store.connection import Database
from arena.store.errors import StoreError
from protocol.record import Record, RecordError, decode_record

SIZE: Final = 8
"""Records in a pack, at most."""

_LEVEL: Final = 3
_WINDOW_BITS: Final = 14
_MEMORY_LEVEL: Final = 6
_DICTIONARY_RECORDS: Final = 4
"""Records in a dictionary; more make it no better."""
_KEPT: Final = 64
"""How many packs are kept open, for readers of neighbouring records."""


def dictionary_of(lines: Iterable[bytes]) -> bytes:
    """The dictionary of a run whose records begin with these lines."""
    return b"\n".join(lines)[-(1 << _WINDOW_BITS) :]


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

    def pack(self, lines: Iterable[bytes]) -> bytes:
        """The lines of records compressed, with a checksum."""
        compressor = self._compressor.copy()  # cheaper than a new one with its dictionary
        return compressor.compress(b"\n".join(lines)) + compressor.flush()

    def unpack(self, body: bytes) -> list[bytes]:
        """The lines that were packed; raises zlib.error where the bytes are damaged."""
        decompressor = zlib.decompressobj(_WINDOW_BITS, self._dictionary)
        lines = decompressor.decompress(body)
        if not decompressor.eof:
            raise zlib.error("it is cut short")
        return lines.split(b"\n")


class Packs:
    """The packs of a database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._packer = lru_cache(maxsize=_KEPT)(self._read_packer)
        self._lines = lru_cache(maxsize=_KEPT)(self._read_lines)

    def forget(self) -> None:
        """Read everything anew: a transaction was undone."""
        self._packer.cache_clear()
        self._lines.cache_clear()

    def add(self, run_key: int, lines: Sequence[bytes]) -> Iterator[tuple[int, int]]:
        """Store lines of records of a run; give the pack's key and the place of each, in order."""
        if self._db.value("SELECT dictionary IS NULL FROM runs WHERE key = ?", run_key):
            dictionary = dictionary_of(lines[:_DICTIONARY_RECORDS])
            self._db.run("UPDATE runs SET dictionary = ? WHERE key = ?", dictionary, run_key)
            self._packer.cache_clear()
        packer = self._packer(run_key)
        for start in range(0, len(lines), SIZE):
            some = lines[start : start + SIZE]
            body = packer.pack(some)
            key = self._db.run("INSERT INTO packs (run_key, body) VALUES (?, ?)", run_key, body)
            yield from ((key, place) for place in range(len(some)))

    def record(self, run_key: int, pack_key: int, line: int) -> Record:
        """The record on a line of a pack.

        Raises:
            StoreError: the pack is damaged.
        """
        try:
            return decode_record(self._lines(run_key, pack_key)[line])
        except (zlib.error, IndexError, RecordError) as error:
            raise StoreError(f"{self._db.path} is damaged: pack {pack_key}: {error}") from None

    def _read_packer(self, run_key: int) -> Packer:
        return Packer(self._db.value("SELECT dictionary FROM runs WHERE key = ?", run_key))

    def _read_lines(self, run_key: int, pack_key: int) -> list[bytes]:
        body: bytes | None = self._db.value("SELECT body FROM packs WHERE key = ?", pack_key)
        return self._packer(run_key).unpack(body or b"")
