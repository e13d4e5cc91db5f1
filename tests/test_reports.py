"""Tables for other programs."""

import csv
import io

import pytest
from msgspec.structs import replace

from arena.store.model import MatchSummary, SeatFault
from arena.tournament.reports import (
    elo_text,
    error_text,
    has_luck,
    likelihoods,
    luck_note,
    luck_texts,
    matches_csv,
    shares,
    standings_csv,
    standings_html,
)
from arena.tournament.standings import Pair, Row, Standings


def row(
    name: str, elo: float | str = 10.4, error: float | None = 3.6, floored: bool = False
) -> Row:
    return Row(
        rank=1,
        name=name,
        digest="d1",
        elo=elo,
        error=error,
        elo_seq=1500.0,
        matches=1200,
        points=0.625,
        faults=2,
        floored=floored,
        network=False,
    )


TABLE = Standings(
    game="herd",
    version=1,
    options={"size": 5, "teams": False},
    seats=2,
    runs=("r1",),
    bots=(row("a"), row("b", -0.2, None), row("=cmd", "inf", 9.0, floored=True)),
    pairs=(Pair("a", "b", 8, 0.75, 0.9), Pair("b", "=cmd", 2, 0.0, None)),
)


def test_ratings_are_whole_numbers_and_never_minus_zero() -> None:
    assert [elo_text(bot) for bot in TABLE.bots] == ["10", "0", "inf"]
    assert [error_text(bot) for bot in TABLE.bots] == ["4", "too few", "9*"]


def test_both_sides_of_a_pair_have_their_share() -> None:
    assert shares(TABLE) == {
        ("a", "b"): 0.75,
        ("b", "a"): 0.25,
        ("b", "=cmd"): 0.0,
        ("=cmd", "b"): 1.0,
    }
    assert likelihoods(TABLE)["a", "b"] == 0.9
    assert ("b", "=cmd") not in likelihoods(TABLE)


def test_row_68_csv_has_a_line_per_bot_and_no_cell_that_a_spreadsheet_computes() -> None:
    lines = list(csv.DictReader(io.StringIO(standings_csv([TABLE]))))
    assert [line["name"] for line in lines] == ["a", "b", "'=cmd"]
    assert [line["error"] for line in lines] == ["3.6", "", "9.0"]
    assert {line["options"] for line in lines} == {"size=5 teams=false"}


def test_csv_of_matches_joins_lists() -> None:
    match = MatchSummary(
        "m1",
        "r1",
        "herd",
        {"size": 5},
        ("@a", "b"),
        (2, 1),
        (0, 3),
        "fault",
        (SeatFault(0, "crash"),),
    )
    (line,) = csv.DictReader(io.StringIO(matches_csv([match])))
    assert line["bots"] == "'@a b"
    assert (line["ranks"], line["scores"], line["faults"]) == ("2 1", "0 3", "'@a:crash")


def test_html_shows_names_as_text() -> None:
    page = standings_html([Standings("<b>", 1, {}, 2, (), (row("x&y"),), ())])
    assert "<h2>&lt;b&gt;" in page
    assert "x&amp;y" in page
    assert "<p>No matches yet.</p>" in standings_html([])


def with_luck(error: float | None = 3.0, unpriced: int = 0) -> Standings:
    """The table with ratings freed from luck, of a and b with this error."""
    a, b, c = TABLE.bots
    bots = (
        replace(a, luck=0.0123, elo_luck=12.6, error_luck=error),
        replace(b, luck=-0.0001, elo_luck=-0.3, error=4.0, error_luck=error),
        replace(c, luck=None, elo_luck="inf", error_luck=1.0),
    )
    return replace(TABLE, bots=bots, unpriced=unpriced)


def test_luck_is_told_where_it_is_priced() -> None:
    assert [has_luck(table) for table in (TABLE, with_luck())] == [False, True]
    assert [luck_texts(bot) for bot in with_luck().bots] == [
        ("+1.2%", "13", "3"),
        ("+0.0%", "0", "3"),
        ("", "inf", "1"),
    ]
    assert luck_texts(with_luck(None).bots[0])[2] == "too few"
    page = standings_html([with_luck()])
    assert "<th>faults<th>luck<th>adjusted<th>±<th>1" in page
    assert "<td>2<td>+1.2%<td>13<td>3<td>" in page
    assert luck_note(with_luck()) in page
    assert "luck" not in standings_html([TABLE])


def test_csv_has_luck_where_it_is_priced() -> None:
    def first(*tables: Standings) -> dict[str, str]:
        return next(csv.DictReader(io.StringIO(standings_csv(tables))))

    assert "luck" not in first(TABLE)
    assert first(TABLE, with_luck())["luck"] == ""
    line = first(with_luck(None))
    assert [line[key] for key in ("luck", "elo_luck", "error_luck")] == ["0.0123", "12.6", ""]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (with_luck(2.0), "Here it tells as much as 262% more matches would."),
        (with_luck(3.8), "Here it gains nothing."),
        (with_luck(4.0), "Here it gains nothing."),
        (with_luck(None), "There is too little here to tell what it gains."),
        (
            with_luck(unpriced=1200),
            "Matches whose luck is not known, 1,200 here, count as they are.",
        ),
    ],
)
def test_the_note_says_what_adjusting_gains(table: Standings, words: str) -> None:
    """The errors 3.6 and 4.0 make 28.96 of variance; one-sided results are left out."""
    assert luck_note(table).endswith(words)
