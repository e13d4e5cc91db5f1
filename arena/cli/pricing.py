"""Pricing the luck of stored matches, and how that goes on."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from arena.store.db import Store
    from arena.store.model import Filter


def price_all(store: "Store", wanted: "Filter") -> None:
    """Price the luck of the matches that a filter means, where that is not done yet.

    Raises:
        StoreError: the store cannot be written.
    """
    from arena.cli.playing import counted
    from arena.tournament.pricing import evaluator_digest, price

    for pool in store.pools(wanted):
        evaluator = evaluator_digest(pool)
        if evaluator is None:
            typer.echo(f"{pool.game} has no evaluator: its luck has no price", err=True)
        elif count := len(store.unpriced(pool, evaluator)):
            matches = counted(count, "match")
            typer.echo(f"pricing the luck of {matches} of {pool.game}, once for all", err=True)
            with bar(count) as report:
                price(store, pool, evaluator, report)


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
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda more: bar.advance(task, more)
