"""Herd, one turn ahead: every roll that can come, and a good answer to it."""

from typing import Final

from bots import judge_herd
from engine.game import Table
from engine.herd import Herd, HerdState
from engine.herd_board import board_of
from engine.herd_wire import HerdOptions

GAME: Final = Herd()

ROLLS: Final = tuple(
    (f"roll@{low},{high}", (1 if low == high else 2) / 36)
    for low in range(1, 7)
    for high in range(low, 7)
)
"""The rolls that differ, and how likely each is."""
WON: Final = 1000.0
"""What a win is worth at first sight: more than any stones."""
CELLS_LOOKED_AT: Final = 400
"""The larger the board, the longer an answer takes and the fewer turns are looked at."""


class HerdForesight:
    """What lookahead knows of Herd."""

    def __init__(self, table: Table[HerdOptions]) -> None:
        cells = len(board_of(table.options.size).cells)
        self.candidates = min(8, max(2, CELLS_LOOKED_AT // cells))

    def first_sight(self, state: HerdState, seat: int) -> float:
        """The judge's lead in stones, or that the game is won."""
        won = _won(state, seat)
        return judge_herd.worth(state, seat) if won is None else WON * won

    def outlook(self, state: HerdState, seat: int) -> float:
        """The mean over the rolls of what is left after a good answer to each."""
        won = _won(state, seat)
        if won is not None:
            return won
        return sum(
            chance * self._after_answer(GAME.apply(state, roll), seat) for roll, chance in ROLLS
        )

    def _after_answer(self, state: HerdState, seat: int) -> float:
        """The seat's share after the enemy's turn, each stone of it the best at first sight."""
        enemy, number = 1 - seat, state.turn
        while state.turn == number and GAME.to_act(state) == enemy:
            answers = (GAME.apply(state, action) for action in GAME.legal(state))
            state = max(answers, key=lambda answer: self.first_sight(answer, enemy))
        won = _won(state, seat)
        return 1 - judge_herd.share(state, enemy) if won is None else won


def _won(state: HerdState, seat: int) -> float | None:
    """Whether a seat has won: 1, 0, or a half for a tie; None while the game is on."""
    outcome = GAME.outcome(state)
    if outcome is None:
        return None
    return (1 + outcome.ranks[1 - seat] - outcome.ranks[seat]) / 2
