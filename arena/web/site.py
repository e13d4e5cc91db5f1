"""The pages that only read, as files to publish on any host."""

import shutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from arena.store.db import Store
from arena.store.model import Filter, MatchSummary
from arena.web import bots, leaderboard, matches, runs
from arena.web.links import FileLinks, file_name
from arena.web.pages import STATIC, render
from arena.web.replay_page import SCRIPTS, STYLES

ASSETS: Final = ("arena.js", "icon.svg", *STYLES, *SCRIPTS)
"""What the pages of a site load."""


class SiteError(Exception):
    """A site cannot be written; one sentence."""


class Written(Struct, frozen=True):
    """What a site consists of."""

    pages: int
    matches: int
    """Those that have a page."""


def write(
    store: Store,
    folder: Path,
    wanted: Filter,
    replays: int,
    report: Callable[[int], None] = lambda _: None,
) -> Written:
    """Write a site. Files of an older one with the same names are replaced, others stay.

    Args:
        store: of what.
        folder: where; it is made.
        wanted: which matches are published.
        replays: how many of the latest have a page.
        report: is told after each match how many there are.

    Raises:
        SiteError: the folder cannot be written.
        NotFound: the run of the filter is not there.
    """
    latest = list(islice(store.matches(wanted), replays))
    site = _Site(folder, frozenset(match.match for match in latest))
    try:
        site.copy_assets()
        for path, template, shown in _pages(store, wanted, latest):
            site.page(path, template, **shown)
        for number, match in enumerate(latest, 1):
            page = matches.match_of(store, match.match)
            site.page(f"matches/{file_name(match.match)}", "match.html", match=page)
            report(number)
    except OSError as error:
        reason = error.strerror or error
        raise SiteError(f"{error.filename or folder} cannot be written: {reason}") from None
    return Written(site.pages, len(latest))


def _pages(
    store: Store, wanted: Filter, latest: list[MatchSummary]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """All pages but those of matches: file, template, what it shows."""
    rated = bots.rated(store, wanted)
    boards = leaderboard.boards_of(store, (one.table for one in rated))
    choices = leaderboard.Choices((), (), (), ())
    yield "index.html", "leaderboard.html", {"boards": boards, "choices": choices, "words": {}}
    found = matches.Found(latest, 1, more=False)
    yield "matches.html", "matches.html", {"found": found, "choices": choices, "words": {}}
    shown = {run for board in boards for run in board.table.runs}
    summaries = [summary for summary in store.runs() if summary.run.id in shown]
    yield "runs.html", "runs.html", {"summaries": summaries[::-1]}
    for summary in summaries:
        run = summary.run.id
        yield f"runs/{file_name(run)}", "run.html", {"now": runs.run_now(store, run)}
    for name in sorted({row.name for one in rated for row in one.table.bots}):
        bot = bots.bot_of(store, name, rated, wanted)
        yield f"bots/{file_name(name)}", "bot.html", {"bot": bot}


class _Site:
    """The files."""

    def __init__(self, folder: Path, linked: frozenset[str]) -> None:
        self._folder = folder
        self._links = (FileLinks(0, linked), FileLinks(1, linked))
        self.pages = 0

    def copy_assets(self) -> None:
        """Make the folders, and put there what pages load."""
        for name in ("static", "bots", "matches", "runs"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        for name in ASSETS:
            shutil.copyfile(STATIC / name, self._folder / "static" / name)

    def page(self, path: str, template: str, **shown: Any) -> None:
        """Write a page."""
        links = self._links[path.count("/")]
        (self._folder / path).write_text(render(template, links, **shown), encoding="utf-8")
        self.pages += 1
