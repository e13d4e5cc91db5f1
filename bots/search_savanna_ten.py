"""Savanna Ten as the tree search sees it.

An action is a face and a cell: 6 · 20 of them. Laying a Lion uses up the tile that is missed
least. What the others see of an action is all that tells nodes apart, so the search never uses
what a seat cannot know.
"""

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from bots.search_savanna_ten_greedy import GreedyPlayer
from bots.search_tree import NEVER, Floats, Sight
from engine.evaluation.results import expected_results, final_results
from engine.evaluation.savanna_ten import SavannaEvaluator
from engine.evaluation.savanna_ten_patterns import FACES
from engine.evaluation.savanna_ten_stages import Weights
from engine.game import CHANCE, Table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_lines import CELLS, TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import (
    FREE,
    HANDS,
    HIDDEN,
    KIND_BITS,
    SEAT_BITS,
    counts,
    pack,
)
from engine.savanna_ten_wire import SavannaOptions, SavannaView

TEMPERATURE: Final = 0.1
"""An action that looks worse by this much of a win gets e times less of the bonus."""

GAME: Final = SavannaTen()

TAKEN: Final = bytes(not free for free in FREE)
"""Translates a board to 1 where a tile lies, 0 where a cell is free."""

MASKS: Final = {
    hand: np.repeat(
        np.array([0 if tile in tiles else NEVER for tile in TILES] + [0], np.float32), len(CELLS)
    )
    for hand, tiles in HANDS.items()
}
"""By packed hand: 0 for the actions whose face it can show, NEVER for the others."""

NAMES: Final = tuple(
    tuple(f"{word}@{cell}" for word in (*TILES, f"{spare}/lion") for cell in CELLS)
    for spare in TILES
)
"""By kind of tile that is laid as a Lion: the name of each action."""

SEEN_NAMES: Final = tuple(f"{face}@{cell}" for face in (*TILES, "lion") for cell in CELLS)
"""The name of each action as every seat sees it."""


class SavannaDomain:
    """The game on one table."""

    actions = FACES * len(CELLS)
    """How many actions are numbered."""

    def __init__(self, table: Table[SavannaOptions], weights: Weights | None = None) -> None:
        self.table = table
        self._evaluator = SavannaEvaluator(table, weights)
        self._sides = self._evaluator.sides
        self._limits: _Limits | None = None
        self._own_side: int | None = None
        self._greedy: GreedyPlayer | None = None

    def sampler(self, view: SavannaView, seat: int, rng: Random) -> Callable[[], SavannaState]:
        """Gives states that fit a seat's view."""
        self._limits = None
        self._own_side = self._sides[seat]
        sides = max(self._sides) + 1
        self._greedy = GreedyPlayer(sides, rng.getrandbits(32)) if sides > 2 else None
        return Deals(self.table, view, seat, rng).deal

    def limit(self, state: SavannaState, legal: Sequence[str]) -> None:
        """Only these placements; where its Lions are all of one tile, that is the one laid."""
        lions = {
            TILES.index(tile) for tile in TILES if any(n.startswith(f"{tile}/") for n in legal)
        }
        spare = self._evaluator.spare_tile(state)
        laid = spare if spare in lions else min(lions, default=spare)
        mask = [0 if name in legal else NEVER for name in NAMES[laid]]
        self._limits = _Limits(state.step.turn, laid, np.array(mask, np.float32))

    def look(self, state: SavannaState) -> Sight:
        """The evaluator's view of every placement, and of the best one in hand.

        Among more than two sides also what a greedy player in another seat would like.
        """
        side = self._sides[state.step.seat]
        leads = self._evaluator.leads(state).reshape(-1, self.actions)
        values = results_of(leads)
        taken = np.frombuffer(state.board.translate(TAKEN) * FACES, np.bool_)
        values[taken] = NEVER
        best = int((values + self.mask(state)).argmax())
        priors = values - values[best]
        priors *= 1 / TEMPERATURE
        np.exp(priors, out=priors)
        np.minimum(priors, 1, out=priors)
        in_frame = expected_results([0, *(-leads[:, best]).tolist()], 0.5)
        results = in_frame[-side:] + in_frame[:-side]
        likes = None
        if self._greedy is not None and side != self._own_side:
            likes = self._greedy.likes(state, side)
            likes[taken] = NEVER
        return Sight(side, values, priors, results, likes)

    def mask(self, state: SavannaState) -> Floats:
        """The faces that the seat to act can show."""
        mask = MASKS[state.hand(state.step.seat)]
        if self._limits is not None and self._limits.turn == state.step.turn:
            return np.minimum(mask, self._limits.mask)
        return mask

    def play(self, state: SavannaState, action: int, rng: Random) -> tuple[SavannaState, Hashable]:
        """Place a tile, and draw one at random."""
        state = GAME.apply(state, self._name(state, action))
        while state.step.to_act == CHANCE:
            state = GAME.apply(state, drawn(state, rng))
        return state, action

    def final(self, state: SavannaState) -> Sequence[float] | None:
        """Each side's result when the board is full."""
        outcome = GAME.outcome(state)
        return None if outcome is None else final_results(outcome, self._sides)

    def names(self, state: SavannaState, action: int) -> Sequence[str]:
        """The placement as the protocol has it, for the seat to act."""
        return (self._name(state, action),)

    def seen(self, action: int) -> str:
        """The action as every seat sees it."""
        return SEEN_NAMES[action]

    def turns(self, state: SavannaState) -> float:
        """As many as the seat has tiles to place."""
        left = 1 + len(CELLS) - state.step.turn
        return -(-left // self.table.players)

    def _name(self, state: SavannaState, action: int) -> str:
        if self._limits is not None and self._limits.turn == state.step.turn:
            return NAMES[self._limits.laid][action]
        return NAMES[self._evaluator.spare_tile(state)][action]


class _Limits(NamedTuple):
    """What may be played in one turn only."""

    turn: int
    laid: int
    """The kind of tile that Lions use up."""
    mask: Floats
    """0 for the actions that may be played, NEVER for the others."""


class Deals:
    """The states that fit a seat's view, each deal of the tiles it cannot see equally likely.

    The tiles under Lions stay as they were first dealt: no rule looks at them again.
    """

    def __init__(
        self, table: Table[SavannaOptions], view: SavannaView, seat: int, rng: Random
    ) -> None:
        self._rng = rng
        self._state = GAME.sample(table, view, seat, rng)
        self._own_hand = self._state.hand(seat) << seat * SEAT_BITS
        self._own_pile = self._state.pile(seat) << seat * SEAT_BITS
        self._others = [
            _Unseen(self._state, other) for other in range(table.players) if other != seat
        ]

    def deal(self) -> SavannaState:
        """One of the states."""
        hands, piles = self._own_hand, self._own_pile
        for other in self._others:
            dealt = self._rng.sample(other.tiles, other.lions + other.hand)
            hands += sum(dealt[other.lions :])
            piles += other.total - sum(dealt)
        return replace(self._state, hands=hands, piles=piles)


class _Unseen:
    """The tiles of a seat that others cannot see: under its Lions, in its hand and its pile."""

    def __init__(self, state: SavannaState, seat: int) -> None:
        under = pack(tile for byte in state.board if (tile := HIDDEN[seat][byte]) is not UNSET)
        unseen = counts(under + state.hand(seat) + state.pile(seat))
        self.tiles = [
            1 << seat * SEAT_BITS + kind * KIND_BITS
            for kind, count in enumerate(unseen)
            for _ in range(count)
        ]
        """Each one packed."""
        self.total = sum(self.tiles)
        self.lions = sum(counts(under))
        self.hand = state.step.hands[seat]


def drawn(state: SavannaState, rng: Random) -> str:
    """A draw from the pile that is next, each tile equally likely."""
    left = rng.random()
    for name, chance in GAME.chances(state):
        left -= chance
        if left < 0:
            return name
    return name


def results_of(leads: Floats) -> Floats:
    """The expected result of a side, from half its lead over each other in units of the spread."""
    results: Floats = np.add.reduce(np.tanh(leads), axis=0)
    results *= 0.5 / len(leads)
    results += 0.5
    return results
