"""A program that says what actions are worth: `python -m bots.analyst --nodes 1000`.

It searches as `bots.search` does, which heeds `legal`: asked with one action in it, it says in
`value` what that one is worth. And it knows no clock: every question gets the same number of
playouts, so that answers can be compared. `arena analyse` asks it.
"""

import gc
from argparse import ArgumentParser
from typing import Final

from bots.search import GAMES, Search, Settings, number
from protocol.bot import run

NODES: Final = 1000
"""Playouts for a question, if not told otherwise."""


def main() -> None:
    """Answer as the command line says."""
    parser = ArgumentParser(prog="analyst", description="Says what actions are worth.")
    parser.add_argument(
        "--nodes",
        type=number(1, 10**9, int),
        default=NODES,
        help="playouts for a question (default %(default)s)",
    )
    bot = Search(Settings(nodes=parser.parse_args().nodes))
    run(bot.decide, name="analyst", version="1.0", games=GAMES)


if __name__ == "__main__":
    gc.disable()  # no cycles are made, and a collection takes longer than a playout
    main()
