"""A lock that lets one arena at a time play a run of a store. It ends with its process."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from arena.store.errors import StoreError


@contextmanager
def playing(store: Path, run: str) -> Iterator[None]:
    """Hold the run of a store.

    Raises:
        StoreError: another process plays it; names that process.
    """
    path = _lock_file(store, run)
    file = _hold(path, f"run {run} of {store}")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)  # which frees the lock


def _hold(path: Path, what: str) -> int:
    """The file, locked. One that its last holder has just removed is made again."""
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise StoreError(f"{what} cannot be locked: {path}: {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(file, 20).decode("ascii", "replace") or "unknown"
            os.close(file)
            raise StoreError(
                f"{what} is being played by another arena (process {holder}); wait for it or end it"
            ) from None
        if os.fstat(file).st_nlink:
            os.truncate(file, 0)
            os.write(file, str(os.getpid()).encode())
            return file
        os.close(file)


def _lock_file(store: Path, run: str) -> Path:
    """A file per user, store and run in the folder for temporary files."""
    key = blake2b(os.fsencode(store.resolve()) + b"\0" + run.encode(), digest_size=12).hexdigest()
    return Path(tempfile.gettempdir()) / f"savanna-arena-{os.getuid()}-{key}.lock"
