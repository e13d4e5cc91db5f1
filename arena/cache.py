"""Where the arena keeps what it can make again: builds, and bots that came from elsewhere."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def cache_folder(kind: str) -> Path:
    """The folder of one kind of thing; whatever is in it may be deleted at any time.

    Root's home is closed to the users that its bots run as, so root's are the system's.
    """
    usual = Path("/var/cache") if os.geteuid() == 0 else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "savanna-arena" / kind


@contextmanager
def staged(place: Path) -> Iterator[Path]:
    """A new folder that becomes `place` when the block ends well: there whole, or not at all.

    Where another arena was faster its folder stays. The shelf is made where there is none.

    Raises:
        OSError: it cannot be made, or not be put there.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        yield staging
        staging.chmod(0o755)
        _shelve(staging, place)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _shelve(staging: Path, place: Path) -> None:
    try:
        staging.rename(place)
    except OSError:
        if not place.is_dir():  # else another arena was faster
            raise
