"""Savanna Ten, a game of hidden tiles for two to four (Kenichi Kabuki, Game NOWA, 2024).

A turn places a tile, animal or Lion up, and draws the next. A line of tiles is judged when it is
complete: exactly ten is the active side's, else the highest or the lowest share scores. Tiles and
lines are packed into integers, see `engine.savanna_ten_tables` and `engine.savanna_ten_lines`.
"""

from collections.abc import Sequence
from itertools import compress
from operator import add, itemgetter
from random import Random
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from engine.game import CHANCE, Effect, Game, Outcome, Table, TableError
from engine.randomness import shuffled
from engine.savanna_ten_course import COURSES, VARIANTS, Step, variant_of
from engine.savanna_ten_features import features
from engine.savanna_ten_lines import (
    CELLS,
    COMPLETED,
    EMPTY_LINES,
    LINE_BITS,
    LINES,
    SHARES,
    judge,
    line_total,
)
from engine.savanna_ten_refusals import refusal
from engine.savanna_ten_sampling import sample_state
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_svg import draw_picture
from engine.savanna_ten_tables import (
    ALL_HIDDEN,
    FREE,
    HAND_ACTIONS,
    HANDS,
    HIDDEN,
    PLACED,
    ROWS_PER_HAND,
    SEEN,
    UNSEEN_DRAWS,
    draw_chances,
    pile_of,
)
from engine.savanna_ten_text import draw_view
from engine.savanna_ten_wire import (
    Board,
    DrawEvent,
    Hidden,
    PlacementEvent,
    SavannaOptions,
    SavannaView,
)


class SavannaTen(Game[SavannaOptions, SavannaState, SavannaView]):
    """The rules of Savanna Ten."""

    name: ClassVar[str] = "savanna-ten"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Savanna Ten"
    credit: ClassVar[str] = "Kenichi Kabuki (Game NOWA), 2024"
    about: ClassVar[str] = (
        "Place a tile of your hand on an empty space, its animal or its Lion up. Every line "
        "that it fills is judged by the sum of its tiles: under 10, whoever has the highest "
        "share takes 2 points; over 10, whoever has the lowest share takes 1; exactly 10, you "
        "take 3. Monkey 1, zebra 2, giraffe 3, Lion 4, elephant 5. Most points win when the "
        "board is full."
    )
    players: ClassVar[range] = range(2, 5)

    options_type = SavannaOptions
    state_type = SavannaState
    view_type = SavannaView
    event_types = (PlacementEvent, DrawEvent)

    def check(self, table: Table[SavannaOptions]) -> None:
        """Raise TableError where teams are asked for and there are not 4 players."""
        if table.options.teams and table.players != 4:
            raise TableError(
                f"option teams of {self.name} needs 4 players, not {table.players};"
                " ask for 4, or leave teams false"
            )

    def sides(self, table: Table[SavannaOptions]) -> tuple[int, ...]:
        """Each seat is a side, or in team play seats 0 and 2 are side 0, seats 1 and 3 side 1."""
        return variant_of(table).sides

    def initial(self, table: Table[SavannaOptions]) -> SavannaState:
        """The empty board, before the first hands are drawn."""
        variant = variant_of(table)
        return SavannaState(
            variant=variant.key,
            played=0,
            board=bytes(len(CELLS)),
            lines=EMPTY_LINES,
            scores=variant.scores,
            lions=(0,) * len(variant.scores),
            hands=0,
            piles=variant.piles,
        )

    def to_act(self, state: SavannaState) -> int | None:
        """CHANCE where a tile is to be drawn, the seat that is to place one, or None."""
        return COURSES[state.variant][state.played].to_act

    def turn(self, state: SavannaState) -> int:
        """1 + tiles placed: a draw belongs to the turn that comes after it."""
        return COURSES[state.variant][state.played].turn

    def legal(self, state: SavannaState) -> Sequence[str]:
        """By tile, animal side before Lion side, then by cell."""
        seat = COURSES[state.variant][state.played].to_act
        if seat is None or seat == CHANCE:
            return ()
        free = state.board.translate(FREE)
        return list(compress(HAND_ACTIONS[state.hand(seat)], free * ROWS_PER_HAND))

    def apply(self, state: SavannaState, action: str) -> SavannaState:
        """The state after a draw or a placement.

        Raises:
            IllegalAction: with a code of `over`, `not-due`, `not-in-pile`, `malformed`,
                `no-such-tile`, `no-such-cell`, `closed`, `taken`, `not-in-hand`.
        """
        step = COURSES[state.variant][state.played]
        if step.to_act == CHANCE:
            return _draw(state, step, action)
        return _place(state, step, action)

    def outcome(self, state: SavannaState) -> Outcome | None:
        """The higher score wins; on equal scores, fewer Lions; else the rank is shared."""
        if state.step.to_act is not None:
            return None
        standing = [(-score, lions) for score, lions in zip(state.scores, state.lions, strict=True)]
        ranks = [1 + sum(other < own for other in standing) for own in standing]
        sides = self.sides(state.table)
        return Outcome(tuple(ranks[side] for side in sides), state.scores, "finished")

    def scores(self, state: SavannaState) -> tuple[int, ...]:
        """The points per side so far."""
        return state.scores

    def chance(self, state: SavannaState, deal: str) -> str:
        """The next tile of the seat's pile, whose order follows from the deal and the seat."""
        step = COURSES[state.variant][state.played]
        pile = shuffled(VARIANTS[state.variant].tiles, deal, "pile", step.seat)
        return f"draw@{step.seat}:{pile[step.drawn]}"

    def chances(self, state: SavannaState) -> Sequence[tuple[str, float]]:
        """Every tile that the seat's pile still holds is equally likely."""
        step = COURSES[state.variant][state.played]
        return draw_chances(step.seat, state.pile(step.seat)) if step.to_act == CHANCE else ()

    def view(self, state: SavannaState, seat: int | None) -> SavannaView:
        """The board as it lies, all counts, and the seat's own hand, Lions and pile."""
        step = COURSES[state.variant][state.played]
        by_cell = itemgetter(*state.board)
        return SavannaView(
            turn=step.turn,
            board=Board(*by_cell(PLACED)),
            scores=state.scores,
            lions=state.lions,
            hand=UNSET if seat is None else HANDS[state.hand(seat)],
            hidden=UNSET if seat is None else Hidden(*by_cell(HIDDEN[seat])),
            pile=UNSET if seat is None else pile_of(state.pile(seat)),
            hands=step.hands,
            piles=step.piles,
        )

    def open_view(self, state: SavannaState) -> SavannaView:
        """A spectator's view, with every hand and the tile under every Lion."""
        return replace(
            self.view(state, None),
            open_hands=tuple(HANDS[state.hand(seat)] for seat in range(state.table.players)),
            open_hidden=Hidden(*itemgetter(*state.board)(ALL_HIDDEN)),
        )

    def redact(
        self, before: SavannaState, action: str, after: SavannaState, seat: int | None
    ) -> PlacementEvent | DrawEvent:
        """A placement with the scores after it, or a draw; others see no hidden tile."""
        step = COURSES[before.variant][before.played]
        own = seat == step.seat
        if step.to_act == CHANCE:
            return step.draws[action].event if own else UNSEEN_DRAWS[step.seat]
        return PlacementEvent(step.seat, action if own else SEEN[action], after.scores)

    def sample(
        self, table: Table[SavannaOptions], view: SavannaView, seat: int, rng: Random
    ) -> SavannaState:
        """A state that fits the view; all deals of the tiles not seen are equally likely."""
        return sample_state(table, view, seat, rng)

    def actions(self, table: Table[SavannaOptions]) -> Sequence[str]:
        """Every placement of a tile of the sets, in the order of `legal`."""
        tiles = dict.fromkeys(variant_of(table).tiles)
        words = [word for tile in tiles for word in (tile, f"{tile}/lion")]
        return [f"{word}@{cell}" for word in words for cell in CELLS]

    def features(
        self, table: Table[SavannaOptions], view: SavannaView, seat: int
    ) -> Sequence[float]:
        """The board, the tiles known, the standing."""
        return features(table, view, seat)

    def effects(self, before: SavannaState, action: str, after: SavannaState) -> Sequence[Effect]:
        """The lines that a placement completed."""
        placement = before.step.placements.get(action)
        if placement is None:
            return ()
        return [
            _judged(LINES[shift // LINE_BITS], after.lines >> shift & SHARES, placement.side)
            for shift in COMPLETED[after.lines & placement.complete]
        ]

    def text(self, table: Table[SavannaOptions], view: SavannaView) -> str:
        """The board with the influence of each tile, the standing, and the tiles known."""
        return draw_view(table, view)

    def svg(
        self, table: Table[SavannaOptions], view: SavannaView, effects: Sequence[Effect] = ()
    ) -> str:
        """The board, the lines judged by the effects, the standing, and the tiles known."""
        return draw_picture(table, view, effects)


def _draw(state: SavannaState, step: Step, action: str) -> SavannaState:
    draw = step.draws.get(action)
    if draw is None or not state.piles & draw.kind:
        raise refusal(state, action)
    return SavannaState(
        state.variant,
        state.played + 1,
        state.board,
        state.lines,
        state.scores,
        state.lions,
        state.hands + draw.tile,
        state.piles - draw.tile,
    )


def _place(state: SavannaState, step: Step, action: str) -> SavannaState:
    placement = step.placements.get(action)
    if placement is None:
        raise refusal(state, action)
    cell, byte, kind, tile, in_lines, complete, side, lion = placement
    board, scores, lions = state.board, state.scores, state.lions
    if board[cell] or not state.hands & kind:
        raise refusal(state, action)
    lines = state.lines + in_lines
    for shift in COMPLETED[lines & complete]:
        scores = tuple(map(add, scores, judge(lines >> shift & SHARES, side)))
    if lion:
        lions = (*lions[:side], lions[side] + 1, *lions[side + 1 :])
    return SavannaState(
        state.variant,
        state.played + 1,
        board[:cell] + byte + board[cell + 1 :],
        lines,
        scores,
        lions,
        state.hands - tile,
        state.piles,
    )


def _judged(cells: Sequence[int], line: int, active: int) -> Effect:
    return Effect(
        f"line of {line_total(line)}",
        tuple(CELLS[cell] for cell in cells),
        {side: points for side, points in enumerate(judge(line, active)) if points},
    )
