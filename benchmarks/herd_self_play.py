"""Many games of Herd at once, for `benchmarks.fit_herd`: boards side by side in arrays.

All games go on turn by turn. In each turn a beam of beginnings is kept for every game, as in
`bots.search_herd_turns`; what is judged best is played. Boards are those of
`engine.evaluation.herd_cells`, a column for each.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.evaluation.herd import SURE
from engine.evaluation.herd_cells import (
    ENEMY_STONE,
    IS_CAUGHT,
    IS_ENEMY,
    IS_FREE,
    IS_OPEN,
    IS_OWN,
    IS_PREY,
    OWN_STONE,
    Array,
    Flags,
    Grid,
    Ints,
)
from engine.evaluation.herd_network import PLACING, REMOVING, ROLLING, Floats, Network, Step

TRIED = 2
"""For each place in the beam so many actions of each beginning are tried."""


class Columns(Struct, frozen=True):
    """Beginnings of turns, some for each game."""

    boards: Array
    """In the frame of the mover. Shape (all places, columns)."""
    game: Ints
    """The number of the game, ascending. Shape (columns,), as all that follow."""
    remove: Ints
    place: Ints
    over: Flags
    """The turn has ended."""
    odds: Floats
    """The mover's log-odds."""
    parent: Ints
    """The column of the step before from which it came."""

    def only(self, chosen: Ints | Flags) -> "Columns":
        """Some of the columns."""
        return Columns(
            self.boards[:, chosen], *(getattr(self, name)[chosen] for name in _PER_COLUMN)
        )


_PER_COLUMN = Columns.__struct_fields__[1:]


class Player:
    """Plays turns of many games at once."""

    def __init__(
        self, network: Network, grid: Grid, width: int, noise: float, rng: np.random.Generator
    ) -> None:
        self._network = network
        self._grid = grid
        self._width = width
        self._noise = noise
        self._rng = rng
        self._hash = rng.integers(-(2**55), 2**55, grid.all_places)

    def turn(self, boards: Array, remove: Ints, place: Ints) -> Iterator[Columns]:
        """What was passed through in the turn that is played: a column a game and step.

        The first is what is given here, the last is where the turn ends.
        """
        games = np.arange(len(remove))
        beam = Columns(
            boards,
            games,
            remove,
            place,
            np.zeros(len(games), np.bool_),
            np.zeros(len(games), np.float32),
            games,
        )
        steps = [beam]
        while not beam.over.all():
            beam = self._next(beam)
            steps.append(beam)
        order = np.lexsort((-beam.odds, beam.game))
        chosen = order[np.unique(beam.game[order], return_index=True)[1]]
        played = []
        for step in reversed(steps):
            played.append(step.only(chosen))
            chosen = step.parent[chosen]
        return reversed(played)

    def _next(self, beam: Columns) -> Columns:
        """The beam after one more action; what is over stays as it is."""
        place, column, odds = self._tried(beam)
        column = np.concatenate([column, beam.over.nonzero()[0]])
        place = np.concatenate([place, np.full(len(column) - len(place), -1)])
        odds = np.concatenate([odds, beam.odds[beam.over]])
        kept = self._distinct(beam, place, column, odds)
        place, column, odds = place[kept], column[kept], odds[kept]
        after = replace(beam.only(column), odds=odds, parent=column)
        going = np.flatnonzero(place >= 0)
        moved = self._moved(after.only(going), place[going])
        after.boards[:, going] = moved.boards
        for name in ("remove", "place", "over"):
            getattr(after, name)[going] = getattr(moved, name)
        return after

    def _distinct(self, beam: Columns, place: Ints, column: Ints, odds: Floats) -> Ints:
        """The best candidates of each game, each outcome once."""
        game = beam.game[column]
        stone = np.where(beam.remove[column] > 0, -ENEMY_STONE, OWN_STONE) * (place >= 0)
        outcome = (self._hash @ beam.boards)[column] + stone * self._hash[place]
        order = np.lexsort((-odds, game))
        _, first = np.unique(outcome[order] * 31 + game[order], return_index=True)
        order = order[np.sort(first)]
        starts = np.searchsorted(game[order], game[order])
        kept: Ints = order[np.arange(len(order)) - starts < self._width]
        return kept

    def _tried(self, beam: Columns) -> tuple[Ints, Ints, Floats]:
        """The best actions of each beginning: places of the wide board, columns, log-odds."""
        found = []
        network, removing = self._network, beam.remove > 0
        last_removal, last = removing & (beam.remove == 1), ~removing & (beam.place == 1)
        for step, chosen in (
            (network.removal, removing & ~last_removal),
            (network.last_removal, last_removal),
            (network.placement, ~removing & ~last),
            (network.last_placement, last),
        ):
            columns = np.flatnonzero(chosen & ~beam.over)
            if len(columns):
                odds = self._odds(step, beam.only(columns))
                best = min(TRIED * self._width, len(odds))
                rows = np.argpartition(-odds, best - 1, axis=0)[:best]
                values = np.take_along_axis(odds, rows, axis=0)
                legal = values > -np.inf
                found.append(
                    (
                        rows[legal] + self._grid.line,
                        np.broadcast_to(columns, rows.shape)[legal],
                        values[legal],
                    )
                )
        place, column, values = map(np.concatenate, zip(*found, strict=True))
        return place, column, values

    def _odds(self, step: Step, at: Columns) -> Floats:
        """The log-odds after an action on each place, with noise; −∞ where it is not legal."""
        kinds = self._grid.kinds(at.boards)
        free = np.add.reduce(IS_FREE.take(kinds))
        removing = at.remove[0] > 0
        empty = free + 1 if removing else free - 1
        passes = step.sign < 0
        stages = self._network.stages(
            step.phase,
            empty,
            at.remove - 1 if removing else at.remove,
            0 * at.place if passes else at.place - (not removing),
        )
        odds = self._network.odds_after(step, kinds, stages)
        if removing:
            legal = IS_ENEMY.take(kinds)
        else:
            legal = IS_OPEN.take(kinds)
            self._capture(at, kinds, legal, odds)
        if self._noise:
            odds += self._rng.gumbel(scale=self._noise, size=odds.shape)
        return np.where(legal, odds, -np.inf)

    def _capture(self, at: Columns, kinds: Ints, legal: Flags, odds: Floats) -> None:
        """Correct the odds of actions that capture, or leave nothing to do."""
        prey = IS_PREY.take(kinds).astype(np.int8)
        special = legal & (self._grid.around(self._grid.bordered(prey)) > 0)
        special |= legal & (np.add.reduce(legal) == 1)
        rows, columns = special.nonzero()
        if len(rows):
            moved = self._moved(at.only(columns), rows + self._grid.line)
            odds[rows, columns] = self.odds(moved)

    def _moved(self, at: Columns, place: Ints) -> Columns:
        """The columns after a removal or a placement on each."""
        columns = np.arange(len(place))
        removing = at.remove > 0
        boards = at.boards
        boards[place, columns] = np.where(removing, 0, OWN_STONE)
        caught = IS_CAUGHT.take(self._grid.kinds(boards)) & ~removing
        boards[self._grid.line : -self._grid.line][caught] = 0
        remove = at.remove - removing
        left = at.place + np.where(removing, 0, np.add.reduce(caught) - 1)
        kinds = self._grid.kinds(boards)
        over = (remove == 0) & ((left == 0) | ~IS_OPEN.take(kinds).any(axis=0))
        return replace(at, boards=boards, remove=remove, place=left, over=over)

    def odds(self, at: Columns) -> Floats:
        """The mover's log-odds."""
        kinds = self._grid.kinds(at.boards)
        empty = np.add.reduce(IS_FREE.take(kinds))
        odds = np.zeros(len(empty), np.float32)
        for phase, chosen in (
            (REMOVING, ~at.over & (at.remove > 0)),
            (PLACING, ~at.over & (at.remove == 0)),
        ):
            stages = self._network.stages(phase, empty[chosen], at.remove[chosen], at.place[chosen])
            odds[chosen] = self._network.odds(phase, kinds[:, chosen], stages)
        swapped = self._grid.kinds(swapped_sides(at.boards[:, at.over]))
        stages = self._network.stages(ROLLING, empty[at.over], 0, 0)
        odds[at.over] = -self._network.odds(ROLLING, swapped, stages)
        full = empty == 0
        odds[full] = SURE * np.sign(leads(kinds[:, full]))
        return odds


def leads(kinds: Ints) -> Ints:
    """How many more stones the mover has. Shape (columns,)."""
    lead: Ints = np.add.reduce(IS_OWN.take(kinds).astype(int) - IS_ENEMY.take(kinds))
    return lead


def swapped_sides(boards: Array) -> Array:
    """The boards as the other side sees them."""
    return np.where(boards == OWN_STONE, ENEMY_STONE, (boards == ENEMY_STONE) * OWN_STONE).astype(
        boards.dtype
    )
