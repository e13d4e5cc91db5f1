"""The luck of stored matches: computed once, on all cores, and kept in the store.

To price a match is to play it again with every outcome of every chance event: some hundredths of a
second, which nobody wants to wait for at every look at a leaderboard.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from math import nan
from multiprocessing import get_context
from typing import Final, TypeAlias

from arena.ratings.luck import evaluator_of, luck_of_match, priced
from arena.replay import Mismatch, Replay
from arena.store.db import Store
from arena.store.model import Pool
from engine import evaluation
from engine.game import TableError
from engine.guarded import GameFault
from engine.options import make_table
from engine.registry import UnknownGame, game
from protocol.record import decode_record, encode_record

AT_ONCE: Final = 50
"""Matches that are priced, and kept, together."""
FEW: Final = 200
"""So many are priced in this process: others would take longer to start."""

Luck: TypeAlias = Mapping[str, Sequence[float]]
"""By match what chance gave each side; nan where the match does not replay."""


def evaluator_digest(pool: Pool) -> str | None:
    """What names the evaluator of a pool's game; None: there is none, and luck has no price.

    It changes with anything that evaluators consist of.
    """
    try:
        rules = game(pool.game)
        table = make_table(rules, pool.seats, pool.options)
    except (UnknownGame, TableError, GameFault):
        return None
    if rules.version != pool.version or evaluator_of(rules, table) is None:
        return None
    return _evaluation_digest()


@cache
def _evaluation_digest() -> str:
    """Changes with any file of the package of evaluators."""
    digest = blake2b(digest_size=8)
    parts = (part for part in files(evaluation).iterdir() if part.is_file())
    for part in sorted(parts, key=lambda part: part.name):
        digest.update(part.read_bytes())
    return digest.hexdigest()


def price(store: Store, pool: Pool, evaluator: str, report: Callable[[int], None]) -> None:
    """Price the matches of a pool that are not priced yet, and keep what is done at once.

    Args:
        store: holds the matches.
        pool: which.
        evaluator: the digest of its evaluator.
        report: is told how many more are done.

    Raises:
        StoreError: the store cannot be written.
    """
    matches = store.unpriced(pool, evaluator)
    batches = (
        [encode_record(store.record(match)) for match in matches[at : at + AT_ONCE]]
        for at in range(0, len(matches), AT_ONCE)
    )
    for luck in map(luck_in, batches) if len(matches) <= FEW else _on_all_cores(batches):
        store.keep_luck(evaluator, luck)
        report(len(luck))


def luck_in(records: Iterable[bytes]) -> Luck:
    """The luck of matches of games that have an evaluator."""
    found: dict[str, Sequence[float]] = {}
    for record in map(decode_record, records):
        replay = Replay(record)
        sides, evaluator = max(replay.sides) + 1, evaluator_of(replay.game, replay.table)
        assert evaluator is not None
        try:
            found[record.match] = luck_of_match(priced(replay, evaluator), sides)
        except Mismatch:
            found[record.match] = [nan] * sides
    return found


def _on_all_cores(batches: Iterable[list[bytes]]) -> Iterator[Luck]:
    """The luck of each batch, in order; few are read ahead."""
    cores = len(os.sched_getaffinity(0))
    ahead: deque[Future[Luck]] = deque()
    ignoring = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process, which ends the others
    pool = ProcessPoolExecutor(cores, get_context("spawn"), signal.signal, ignoring)
    try:
        for batch in batches:
            ahead.append(pool.submit(luck_in, batch))
            if len(ahead) > 2 * cores:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
