"""`arena compare`: is the new version better? A sequential test that stops when it knows."""

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.cli import DONE, NO, REFUSED, UNDECIDED
from arena.cli import options as o
from arena.cli.playing import play, say_unplayed

if TYPE_CHECKING:
    from arena.cli.verdict import Outcome
    from arena.tournament.agenda import Unplayed

USUAL_DEALS: Final = 5000
STATUS: Final = {"better": DONE, "not better": NO, "undecided": UNDECIDED}
_TEST: Final = "The test"


class Scale(Enum):
    """What is meant by Elo in the test."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


New = Annotated[str, typer.Argument(metavar="NEW", help="The version in question.")]
Base = Annotated[str, typer.Argument(metavar="BASE", help="What it must beat.")]
Elo0 = Annotated[
    float, typer.Option("--elo0", rich_help_panel=_TEST, help="Not better: at most so much.")
]
Elo1 = Annotated[
    float, typer.Option("--elo1", rich_help_panel=_TEST, help="Better: at least so much.")
]
Alpha = Annotated[
    float,
    typer.Option("--alpha", rich_help_panel=_TEST, help="Chance to take an equal for better."),
]
Beta = Annotated[
    float, typer.Option("--beta", rich_help_panel=_TEST, help="Chance to take a better for equal.")
]
ScaleOfElo = Annotated[
    Scale, typer.Option("--scale", rich_help_panel=_TEST, help="What Elo is meant.")
]
MaxDeals = Annotated[
    int, typer.Option("--max-deals", min=1, rich_help_panel=_TEST, help="Then it is undecided.")
]


@o.takes(o.OF_THE_GAME, o.OF_THE_RUN, o.CLOCKS, o.HOLD_ON_BOTS, o.WORKERS)
def compare(
    game: o.GameName,
    candidate: New,
    base: Base,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    scale: ScaleOfElo = Scale.LOGISTIC,
    max_deals: MaxDeals = USUAL_DEALS,
    json: o.AsJson = False,
    **given: Any,
) -> None:
    """Play NEW against BASE until it is clear: status 0 better, 1 not better, 4 undecided."""
    from arena.cli.place import place_of, say_workers
    from arena.cli.settings import settings_from
    from arena.cli.verdict import LiveLine, Outcome
    from arena.ratings.sprt import Hypotheses
    from arena.store.db import Store
    from arena.tournament.comparison import Comparison
    from arena.tournament.config import request_of, sides_of
    from arena.tournament.prepare import begun

    sides = sides_of(game, given["seats"], o.option_words(given["option"] or []))
    bots = [candidate, *[base] * (sides - 1)]
    settings = settings_from(game, bots, given | {"format": "compare", "deals": max_deals})
    request = request_of(settings, number_repeated=True, new=given["new"], replace=given["replace"])
    hypotheses = Hypotheses(elo0, elo1, alpha, beta, scale.value, sides)
    challenger, opponent = (entry.name for entry in request.entries[:2])
    line = LiveLine(Comparison(request.names, challenger, hypotheses))
    place = place_of(settings, request)
    path = Path(settings.store or o.DEFAULT_STORE)
    with Store.open(path) as kept, begun(kept, place.request) as prepared:
        unplayed = play(kept, prepared, place, settings, line)
    say_workers(place.farm.reports)
    outcome = Outcome.of(line.comparison, prepared.run.id, challenger, opponent)
    _conclude(outcome, unplayed, json)
    sys.exit(REFUSED if unplayed and not line.comparison.decided else STATUS[outcome.verdict])


def _conclude(outcome: "Outcome", unplayed: "Unplayed", json: bool) -> None:
    """Print how the test ended, and name what stays open."""
    from arena.cli.output import print_json

    if json:
        print_json(outcome)
    else:
        typer.echo(outcome.sentence())
    say_unplayed(unplayed)
