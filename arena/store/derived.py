"""What is computed from records and kept: the luck of matches, and analyses of them."""

from collections.abc import Mapping, Sequence
from struct import pack

from arena.store.connection import Database


def unpriced(db: Database, run_keys: Sequence[int], evaluator: str) -> list[str]:
    """The matches of these runs whose luck this evaluator has not priced, in the order stored."""
    rows = db.all(
        "SELECT id FROM matches LEFT JOIN luck ON match_key = key AND evaluator = ? "
        f"WHERE run_key IN ({', '.join(map(str, run_keys))}) AND match_key IS NULL ORDER BY key",
        evaluator,
    )
    return [match for (match,) in rows]


def keep_luck(db: Database, evaluator: str, luck: Mapping[str, Sequence[float]]) -> None:
    """Keep the luck of each side of some matches; those that were deleted are passed over."""
    db.run_many(
        "INSERT OR REPLACE INTO luck (match_key, evaluator, sides) "
        "SELECT key, ?, ? FROM matches WHERE id = ?",
        [(evaluator, pack(f"<{len(sides)}f", *sides), match) for match, sides in luck.items()],
    )


def keep_analysis(db: Database, match_key: int, analysis: str) -> None:
    """Keep what was said of a match, in place of what was said before."""
    db.run("INSERT OR REPLACE INTO analyses VALUES (?, ?)", match_key, analysis)


def analysis(db: Database, match_key: int) -> str | None:
    """What was said of a match; None: nothing."""
    text: str | None = db.value("SELECT analysis FROM analyses WHERE match_key = ?", match_key)
    return text
