"""Leaderboards and matches for other programs: CSV, and a page of HTML."""

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from msgspec import UNSET

from arena.store.model import MatchSummary
from arena.tournament.standings import Row, Standings
from engine.options import options_text

LUCK_FIELDS: Final = ("luck", "elo_luck", "error_luck")
"""Of a row: absent where no luck is priced."""
LEAST_GAIN: Final = 0.02
"""A smaller gain of adjusted ratings is not told from none."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet compute a cell."""

_STYLE: Final = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem }
div { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--line) }
th:nth-child(2), td:nth-child(2) { text-align: left }
td.share { text-align: center; background: color-mix(in srgb, #2a78b8 var(--share), transparent) }
p { color: color-mix(in srgb, currentColor 70%, transparent) }
"""


def standings_csv(tables: Iterable[Standings]) -> str:
    """One line per bot and table; cells that a spreadsheet would compute are text."""
    tables = list(tables)
    left_out = () if any(map(has_luck, tables)) else LUCK_FIELDS
    fields = [field for field in Row.__struct_fields__ if field not in left_out]
    rows = (
        [table.game, table.version, options_text(table.options), table.seats, table.pool or 1]
        + [getattr(row, field) for field in fields]
        for table in tables
        for row in table.bots
    )
    return _csv(["game", "version", "options", "seats", "pool", *fields], rows)


def matches_csv(matches: Iterable[MatchSummary]) -> str:
    """One line per match, lists joined by spaces."""
    head = ["match", "run", "game", "bots", "ranks", "scores", "reason", "faults"]
    rows = (
        [
            match.match,
            match.run,
            match.game,
            " ".join(match.bots),
            " ".join(map(str, match.ranks)),
            " ".join(map(str, match.scores)),
            match.reason,
            " ".join(f"{match.bots[fault.seat]}:{fault.code}" for fault in match.faults),
        ]
        for match in matches
    )
    return _csv(head, rows)


def standings_html(tables: Iterable[Standings]) -> str:
    """A page that stands for itself: ratings and crosstable of each table."""
    body = "".join(map(_section, tables)) or "<p>No matches yet.</p>"
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Leaderboard</title><style>{_STYLE}</style><h1>Leaderboard</h1>{body}</html>\n"
    )


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(map(_neutral, row) for row in rows)
    return out.getvalue()


def _neutral(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell
    return "" if cell is None or cell is UNSET else cell


def shares(table: Standings) -> dict[tuple[str, str], float]:
    """What the first of two bots took of the points between them."""
    took = {(pair.a, pair.b): pair.a_points for pair in table.pairs}
    return took | {(b, a): 1 - points for (a, b), points in took.items()}


def likelihoods(table: Standings) -> dict[tuple[str, str], float]:
    """The likelihood that the first of two bots is the stronger, where it is known."""
    known = {(pair.a, pair.b): pair.los for pair in table.pairs if pair.los is not None}
    return known | {(b, a): 1 - los for (a, b), los in known.items()}


def elo_text(row: Row) -> str:
    """The rating as a whole number, never −0."""
    return _whole(row.elo)


def error_text(row: Row) -> str:
    """The error as a whole number, marked where the results are extreme."""
    return "too few" if row.error is None else f"{row.error:.0f}{'*' * row.floored}"


def luck_texts(row: Row) -> tuple[str, str, str]:
    """The mean luck in a match, and the rating freed from luck with its error."""
    luck = "" if row.luck is UNSET or row.luck is None else f"{row.luck:+.1%}"
    elo = "" if row.elo_luck is UNSET else _whole(row.elo_luck)
    few = row.error_luck is UNSET or row.error_luck is None
    return luck.replace("-0.0%", "+0.0%"), elo, "too few" if few else f"{row.error_luck:.0f}"


def has_luck(table: Standings) -> bool:
    """Whether there are ratings freed from luck."""
    return table.unpriced is not UNSET


def luck_note(table: Standings) -> str:
    """What these ratings are, and what they gain here."""
    note = (
        "Luck is what chance gave a bot in a match, in shares of the win; the adjusted rating is "
        f"that of results freed from it. {_gain(table)}"
    )
    if table.unpriced:
        note += f" Matches whose luck is not known, {table.unpriced:,} here, count as they are."
    return note


def _gain(table: Standings) -> str:
    """What the errors say: n times as many matches would cut the variance to 1/n."""
    known = [
        (row.error, row.error_luck)
        for row in table.bots
        if row.error and isinstance(row.error_luck, float) and row.error_luck and not row.floored
    ]
    if not known:
        return "There is too little here to tell what it gains."
    gain = sum(error**2 for error, _ in known) / sum(freed**2 for _, freed in known) - 1
    if gain < LEAST_GAIN:
        return "Here it gains nothing."
    return f"Here it tells as much as {gain:.0%} more matches would."


def _whole(elo: float | str) -> str:
    return elo if isinstance(elo, str) else f"{round(elo) + 0:d}"


def _section(table: Standings) -> str:
    names = [row.name for row in table.bots]
    took = shares(table)
    numbers = "".join(f"<th>{number}" for number in range(1, len(names) + 1))
    rows = "".join(
        f"<tr><td>{row.rank}<td>{escape(row.name)}<td>{elo_text(row)}<td>{error_text(row)}"
        f"<td>{row.matches:,}<td>{row.points:.1%}<td>{row.faults}"
        + "".join(f"<td>{text}" for text in (luck_texts(row) if has_luck(table) else ()))
        + "".join(_share(took.get((row.name, other))) for other in names)
        for row in table.bots
    )
    options = escape(options_text(table.options))
    pool = f", pool {table.pool}: these never met the others" if table.pool else ""
    luck_heads = "<th>luck<th>adjusted<th>±" if has_luck(table) else ""
    luck = f"<p>{luck_note(table)}</p>" if has_luck(table) else ""
    return (
        f"<h2>{escape(table.game)}, {table.seats} seats, {options}{pool}</h2>"
        f"<div><table><tr><th>rank<th>bot<th>Elo<th>±<th>matches<th>points<th>faults"
        f"{luck_heads}{numbers}{rows}</table></div>"
        "<p>± is half a 95 % interval; the last columns say what a bot took of the points against "
        f"each other, in per cent.</p>{luck}"
    )


def _share(share: float | None) -> str:
    if share is None:
        return "<td>"
    return f'<td class="share" style="--share: {100 * share:.0f}%">{100 * share:.0f}'
