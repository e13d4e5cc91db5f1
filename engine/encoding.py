"""Actions and views as numbers, for programs that learn: the same in training and in a match.

An action is its place in the game's list of all actions, or, where the game gives none, its place
among the legal ones. A view is the game's features, or, where it gives none, the bytes of its JSON.
`arena.pettingzoo` trains with this, and `bots.policy` plays with it.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.game import AnyGame, AnyTable
from engine.words import quoted

MOST_LEGAL: Final = 512
"""Legal actions at a time that can be told apart in a game without a list of all actions."""
MOST_BYTES: Final = 4096
"""Bytes of a view's JSON in a game without features."""

Observation: TypeAlias = dict[str, NDArray[Any]]
"""`observation`: a view, `float32` features or `uint8` JSON; `action_mask`: `int8`, 1 is legal."""


class EncodingError(ValueError):
    """Something that has no number here; says what, and what would give it one."""


class Encoding:
    """How the actions and views of one table are written as numbers."""

    def __init__(self, game: AnyGame, table: AnyTable) -> None:
        self._game: Final = game
        self._table: Final = table
        names = game.actions(table)
        self.actions: Final = None if names is None else tuple(names)
        """The action of each number; None: the number is a place among the legal actions."""
        self._numbers: Final = {name: number for number, name in enumerate(self.actions or ())}
        self.size: Final = len(self._numbers) or MOST_LEGAL
        """How many numbers of actions there are."""
        empty = self.view(game.view(game.initial(table), 0), 0)
        self.length: Final = len(empty)
        """How many numbers a view is."""
        self.dtype: Final = empty.dtype
        """Of a view: `float32` for features, `uint8` for the bytes of JSON."""

    def observe(self, view: Any, seat: int, legal: Sequence[str]) -> Observation:
        """What a seat sees and may do.

        Args:
            view: the seat's own, of the game's view type.
            seat: whose it is.
            legal: its legal actions, as the game orders them; empty where it is not to act.

        Raises:
            EncodingError: there are more actions or bytes than numbers.
        """
        return {"observation": self.view(view, seat), "action_mask": self.mask(legal)}

    def view(self, view: Any, seat: int) -> NDArray[Any]:
        """A seat's view, of shape (length,).

        Raises:
            EncodingError: it has no features, and its JSON is too long.
        """
        features = self._game.features(self._table, view, seat)
        if features is not None:
            return np.array(features, dtype=np.float32)
        written = bytes([seat]) + msgspec.json.encode(view)
        if len(written) > MOST_BYTES:
            raise EncodingError(
                f"a view of {self._game.name} is {len(written) - 1} bytes of JSON, more than the"
                f" {MOST_BYTES - 1} that fit; let the game give `features`"
            )
        return np.frombuffer(written.ljust(MOST_BYTES, b"\0"), dtype=np.uint8)

    def mask(self, legal: Sequence[str]) -> NDArray[np.int8]:
        """A 1 for the number of each legal action, of shape (size,).

        Raises:
            EncodingError: there are more legal actions than numbers, or one without a number.
        """
        mask = np.zeros(self.size, dtype=np.int8)
        if self.actions is None:
            self._check_room(legal)
            mask[: len(legal)] = 1
            return mask
        try:
            mask[[self._numbers[action] for action in legal]] = 1
        except KeyError as error:
            raise EncodingError(
                f"{self._game.name} lets play {quoted(error.args[0])}, but does not list it in"
                " `actions`"
            ) from None
        return mask

    def action(self, number: int, legal: Sequence[str]) -> str:
        """The action of a number.

        Raises:
            EncodingError: it stands for no action that is legal.
        """
        names = legal if self.actions is None else self.actions
        if not 0 <= number < len(names):
            raise EncodingError(f"{number} is the number of no action; there are {len(names)}")
        action = names[number]
        if action not in legal:
            raise EncodingError(f"{number} is {action}, which is not legal; see the action mask")
        return action

    def _check_room(self, legal: Sequence[str]) -> None:
        if len(legal) > self.size:
            raise EncodingError(
                f"{self._game.name} has {len(legal)} legal actions, more than the {self.size}"
                " numbers there are; let the game give `actions`"
            )
