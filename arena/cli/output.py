"""How data is shown: tables for people, JSON for programs."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 200
"""Columns of a table that goes into a file or a pipe."""


def console() -> "Console":
    """What tables are shown_lines on; colour only on a terminal, and NO_COLOR is obeyed."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else WIDE, highlight=False)


def print_json(data: Any) -> None:
    """Data on stdout, one JSON document."""
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A plain table on stdout."""
    console().print(plain_table(columns, rows))


def plain_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> "Table":
    """A table without a frame; a column whose name begins with > is aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        right = column.startswith(">")
        table.add_column(
            column.removeprefix(">"), justify="right" if right else "left", no_wrap=right
        )
    for row in rows:
        table.add_row(*(Text(shown(str(cell))) for cell in row))
    return table


def shown(text: str) -> str:
    """Text of unknown origin for a terminal: what could steer it is escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown_lines(text: str) -> str:
    """As `shown`, for text of several lines."""
    return "\n".join(map(shown, text.split("\n")))
