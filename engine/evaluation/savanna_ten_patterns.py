"""The patterns of an incomplete line of Savanna Ten, numbered, and what a tile makes of them.

A line is seen in the *frame* of the side to move: that side is 0, the next one 1, and so on. Then
what a line is worth does not depend on who is who, and there are few patterns: 314 between two
sides, 2,306 among four. The number after the last one stands for every complete line.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.savanna_ten_lines import (
    COMPLETE,
    LINE_BITS,
    LINES,
    ONE_TILE,
    SHARES,
    SIDE_BITS,
    TILES,
    in_line,
    judge,
)

FACES: Final = len(TILES) + 1
"""What a placed tile can show: an animal, in tile order, or the Lion."""
LION: Final = FACES - 1
LINE: Final = (1 << LINE_BITS) - 1
"""The bits of one packed line."""
SHIFTS: Final = tuple(line * LINE_BITS for line in range(len(LINES)))


class Patterns:
    """The patterns among a number of sides."""

    def __init__(self, sides: int) -> None:
        self.sides = sides
        lines = reachable_lines(sides)
        self.complete = len(lines)
        """The number of every complete line."""
        self.frames = [
            {_turned(line, sides, sides - side): number for number, line in enumerate(lines)}
            for side in range(sides)
        ]
        """Per side to move: the number of each incomplete packed line, as it lies."""
        self.turned: NDArray[np.int64] = np.array(
            [*(self.frames[0][_turned(line, sides, 1)] for line in lines), self.complete]
        )
        """The number of the same line once the next side is to move. Shape (patterns + 1,)."""
        shape = (len(lines) + 1, FACES)
        self.after: NDArray[np.int64] = np.full(shape, self.complete)
        """The number once the side to move has laid a face. Shape (patterns + 1, FACES)."""
        self.points: NDArray[np.float32] = np.zeros((*shape, sides), np.float32)
        """What that scores to each side. Shape (patterns + 1, FACES, sides)."""
        for number, line in enumerate(lines):
            for face, tile in enumerate(faces_of(0)):
                self._lay(number, face, line + tile)

    def numbers(self, lines: int, side: int) -> list[int]:
        """The number of each of the 20 packed lines in the frame of a side."""
        frame, complete = self.frames[side], self.complete
        return [frame.get(lines >> shift & LINE, complete) for shift in SHIFTS]

    def _lay(self, number: int, face: int, line: int) -> None:
        if line & COMPLETE:
            self.points[number, face] = judge(line & SHARES, 0)[: self.sides]
        else:
            self.after[number, face] = self.frames[0][line]


@cache
def patterns_of(sides: int) -> Patterns:
    """The patterns among a number of sides, made once."""
    return Patterns(sides)


def faces_of(side: int) -> Sequence[int]:
    """What each face adds to a packed line."""
    return [
        *(in_line(tile, side, lion=False) for tile in TILES),
        in_line(TILES[0], side, lion=True),
    ]


def reachable_lines(sides: int) -> Sequence[int]:
    """Every incomplete packed line that faces can make, sorted."""
    faces = [face for side in range(sides) for face in faces_of(side)]
    lines = {0, ONE_TILE}  # the empty lines of 4 and of 3 cells
    latest = lines
    while latest:
        latest = {line + face for line in latest for face in faces} - lines
        latest = {line for line in latest if not line & COMPLETE}
        lines = lines | latest
    return sorted(lines)


def _turned(line: int, sides: int, turns: int) -> int:
    """The line with every side renumbered: side `turns` becomes side 0."""
    width, low = sides * SIDE_BITS, turns % sides * SIDE_BITS
    shares = line & SHARES
    turned = (shares >> low | shares << width - low) & (1 << width) - 1
    return line - shares + turned
