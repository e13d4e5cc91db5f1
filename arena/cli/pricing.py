"""Pricing the luck of stored matches, as a command does it."""

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
    from arena.cli.progress import bar
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
