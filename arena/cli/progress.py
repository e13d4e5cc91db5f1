"""How work goes on, on a terminal: a bar, and of a tournament the pace and running standings."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final

from arena.store.db import Store
from arena.store.model import Filter
from arena.tournament.agenda import Agenda

STANDINGS_EVERY: Final = 1.0
"""Seconds between two looks at the standings."""


class Progress:
    """What `arena run` shows on stderr while it plays; silent where that is no terminal."""

    def __init__(self, store: Store, run: str) -> None:
        """Prepare to show a run of a store."""
        self._store = store
        self._run = run
        self._looked = 0.0
        self._live: Any = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def start(self, agenda: Agenda, matches: int | None) -> None:
        """Begin to show it: what is played, of so many matches if that is known."""
        if not sys.stderr.isatty():
            return
        from rich import progress
        from rich.console import Console
        from rich.live import Live

        self._bar = progress.Progress(
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            _pace_column(),
            progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        )
        self._task = self._bar.add_task("", total=matches, completed=len(agenda.played))
        self._live = Live(self._bar, console=Console(stderr=True), transient=True)
        self._live.start()

    def advance(self, matches: int) -> None:
        """Count matches that were played and stored."""
        if self._live is not None:
            self._bar.advance(self._task, matches)
            self._look()

    def _look(self) -> None:
        """Draw the standings under the bar, once in a while."""
        if time.monotonic() - self._looked < STANDINGS_EVERY:
            return
        from rich.console import Group

        from arena.cli.leaderboard import standings_table
        from arena.tournament.standings import tables

        drawn = [standings_table(table) for table in tables(self._store, Filter(run=self._run))]
        self._live.update(Group(self._bar, *drawn))
        self._looked = time.monotonic()


def _pace_column() -> Any:
    """Matches per second, where rich knows them."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Pace(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.1f} matches/s" if task.speed else "")

    return Pace()


@contextmanager
def bar(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, and the function that moves it on; none where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich import progress
    from rich.console import Console

    columns = (
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task("", total=total)
        yield lambda more: drawn.advance(task, more)
