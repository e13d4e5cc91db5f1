"""The arena: referee, tournaments, ratings, store and command line."""

from typing import Final

VERSION: Final = "0.1.0"
REFEREE: Final = f"savanna-arena {VERSION}"
"""How the referee names itself to bots."""
