"""Where the arena keeps what it can make again: builds, and bots that came from elsewhere."""

import os
from pathlib import Path


def cache_folder(kind: str) -> Path:
    """The folder of one kind of thing; whatever is in it may be deleted at any time.

    Root's home is closed to the users that its bots run as, so root's are the system's.
    """
    usual = Path("/var/cache") if os.geteuid() == 0 else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "savanna-arena" / kind
