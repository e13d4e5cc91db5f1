"""What a run's page shows, also while it is being played."""

from collections.abc import Sequence

from msgspec import Struct

from arena.store.db import Store
from arena.store.model import Entrant, Filter, Run
from arena.web.leaderboard import Board, boards


class RunNow(Struct, frozen=True):
    """A run as it stands."""

    run: Run
    entrants: Sequence[Entrant]
    matches: int
    planned: int | None
    """How many matches it has at its end; None: that is not known."""
    boards: Sequence[Board]


def run_now(store: Store, name: str) -> RunNow:
    """A run as it stands.

    Raises:
        NotFound: there is no such run.
    """
    run = store.run(name)
    summary = next(summary for summary in store.runs() if summary.run.id == run.id)
    standings = boards(store, Filter(run=run.id))
    return RunNow(run, store.entrants(run.id), summary.matches, summary.planned, standings)
