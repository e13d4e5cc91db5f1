"""What states are worth: the interface, and the judge of each game."""

from collections.abc import Sequence
from typing import Any, Protocol

from engine.game import AnyGame


class Judge(Protocol):
    """What the states of one game are worth to a seat whose turn has just ended."""

    def worth(self, state: Any, seat: int) -> float:
        """In points: the lead, and what is to be expected of the next turn."""

    def share(self, state: Any, seat: int) -> float | None:
        """The seat's expected share of the win, 0 … 1; None: not known."""


class Lead:
    """A judge for any game: the lead as it stands."""

    def __init__(self, game: AnyGame, sides: Sequence[int]) -> None:
        self._game = game
        self._sides = sides

    def worth(self, state: Any, seat: int) -> float:
        """The lead in points."""
        return lead(self._game.scores(state), self._sides[seat])

    def share(self, state: Any, seat: int) -> float | None:
        """Not known."""


def lead(scores: Sequence[int], side: int) -> int:
    """The points of a side less those of the best other side."""
    return scores[side] - max(score for other, score in enumerate(scores) if other != side)


def judge_of(game: AnyGame, sides: Sequence[int]) -> Judge:
    """The judge of a game. What it needs is imported when the game is first played."""
    if game.name == "savanna-ten":
        from bots import judge_savanna_ten

        return judge_savanna_ten
    if game.name == "herd":
        from bots import judge_herd

        return judge_herd
    return Lead(game, sides)
