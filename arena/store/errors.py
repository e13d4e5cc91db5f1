"""What can be wrong with a store, in one sentence each."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final


class StoreError(Exception):
    """The store cannot do what was asked; the sentence says why and what to do."""


class NotFound(StoreError):  # noqa: N818  # what it says is not a defect
    """No run or match has this name, or more than one begins with it."""


_SENTENCES: Final = {
    "NOTADB": "{path} is not a store: it is no SQLite database",
    "CORRUPT": "{path} is damaged ({error}); put back a copy, or `arena export` what is readable",
    "CANTOPEN": "{path} cannot be opened; see who may read and write it and its folder",
    "PERM": "{path} cannot be opened; see who may read and write it and its folder",
    "READONLY": "{path} cannot be written: the file, its folder or its disk is read-only",
    "FULL": "the disk that holds {path} is full; make room and repeat the command: what was "
    "stored before is kept",
    "BUSY": "{path} has been locked by another process for {wait:g} s; repeat the command when "
    "that is done",
    "IOERR": "the disk that holds {path} fails to read or write ({error})",
}
"""By what SQLite calls the error, without its `SQLITE_` and what follows the first word."""


@contextmanager
def explained(path: Path, wait: float) -> Iterator[None]:
    """Turn every error of SQLite into a StoreError: no other exception of it leaves the store."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_sentence(error, path, wait)) from None
    except UnicodeEncodeError:
        raise StoreError("a name that is not valid text cannot be in a store") from None
    except OverflowError:
        raise StoreError("a number over 64 bits cannot be kept in a store") from None


def _sentence(error: sqlite3.Error, path: Path, wait: float) -> str:
    name = getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_").split("_")[0]
    sentence = _SENTENCES.get(name, "{path} cannot be used: {error}")
    return sentence.format(path=path, error=error, wait=wait)
