"""`arena match --watch`: playing again whenever the sources change."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

NOTICE_MS: Final = 300
"""How long changes are collected, since an editor writes several files."""
POLL_MS: Final = 500
"""How long the watcher may take to hear that it is to end."""
_OUTPUTS: Final = (Path("/dev/stdout"), Path("/dev/stderr"))
"""They may be sent to files in the folder."""


async def play_again_on_change(
    folder: Path, play: Callable[[], Awaitable[None]], written: Iterable[Path]
) -> NoReturn:
    """Play, and play anew at every change below the folder, also while a match goes on.

    What keeps a match from being played is told, and mended by the next change.

    Args:
        folder: what is watched.
        play: plays a match.
        written: the files that it writes: that these change means nothing.
    """
    import trio

    async with aclosing(_changes(folder, written)) as changes:
        while True:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_play, play, folder)
                changed = await anext(changes)
                nursery.cancel_scope.cancel()
            typer.echo(f"\n{datetime.now():%H:%M:%S} changed: {changed}", err=True)


async def _play(play: Callable[[], Awaitable[None]], folder: Path) -> None:
    from arena.cli.errors import explained

    try:
        await play()
    except Exception as error:
        _, sentence = explained(error)
        typer.echo(sentence, err=True)
    typer.echo(f"watching {folder}; Ctrl-C ends", err=True)


async def _changes(folder: Path, written: Iterable[Path]) -> "AsyncGenerator[str, None]":
    """The names of the files that others changed, again and again."""
    from watchfiles import DefaultFilter, awatch

    root = folder.resolve()
    others = DefaultFilter(ignore_paths=[path.resolve() for path in (*written, *_OUTPUTS)])
    watching = awatch(root, watch_filter=others, debounce=NOTICE_MS, rust_timeout=POLL_MS)
    async with aclosing(watching) as batches:
        async for batch in batches:
            paths = {Path(path) for _, path in batch}
            there = {path for path in paths if path.exists()}  # an editor's own files are gone
            yield ", ".join(sorted(str(path.relative_to(root)) for path in there or paths))
