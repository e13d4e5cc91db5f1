"""Savanna Ten, one turn ahead: what each next seat can show, and its best place for it.

Nobody sees another's hand, but everybody knows which of its tiles have not been seen, and so how
likely it holds each. A seat shows the face that does most for it among those it holds; a Lion it
can always show. So its answer to a board is one of six, each with its chance.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import compress
from math import comb, exp, sqrt
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from bots import judge_savanna_ten
from engine.game import CHANCE, Table
from engine.savanna_ten import SavannaTen
from engine.savanna_ten_course import VARIANTS
from engine.savanna_ten_lines import (
    CELLS,
    LINE_BITS,
    LINES,
    ONE_TILE,
    SHARES,
    TILES,
    in_line,
    judge,
)
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import FREE, PLACED, SEAT, SEAT_BITS, counts, pack
from engine.savanna_ten_wire import Face, SavannaOptions, Tile

GAME: Final = SavannaTen()

CANDIDATES: Final = 24
"""Turns that are looked at in a game for two."""
UNLIKELY: Final = 0.02
"""Lines of answers that are less likely than this are passed over, all but the likeliest one."""
HOPE: Final = 0.9
"""How much the points of the seat's next turn count: less than points that are made."""
LION: Final = 0.01
"""What a Lion on the board costs: it can only matter on equal scores."""

FACES: Final[Sequence[Face]] = (*TILES, "lion")
LINE: Final = 8 * ONE_TILE - 1
"""The bits of one packed line."""


Aim: TypeAlias = Callable[[SavannaState, int], float]
"""How good a state is in the eyes of a seat that has just placed a tile."""


class SavannaForesight:
    """What lookahead knows of Savanna Ten."""

    def __init__(self, table: Table[SavannaOptions]) -> None:
        self.candidates = CANDIDATES // (table.players - 1)
        self._sides = GAME.sides(table)

    def first_sight(self, state: SavannaState, seat: int) -> float:
        """The judge's word."""
        return judge_savanna_ten.worth(state, seat)

    def outlook(self, state: SavannaState, seat: int) -> float:
        """The mean over the likely answers of the other seats."""
        chances = chances_to_show(state, seat)
        aim = self._aim(seat, chances)
        states = list(self._until_next(state, seat, aim, 1.0))
        total = sum(chance for _, chance in states)
        return sum(self._share(after, seat, chances) * chance for after, chance in states) / total

    def _aim(self, seat: int, chances: Sequence[float]) -> Aim:
        """What the others play for.

        Of two sides the other one's best is the worst for us. Of more each is taken to play for
        itself, as the judge sees it.
        """
        if len(set(self._sides)) > 2:
            return judge_savanna_ten.worth
        own = self._sides[seat]

        def aim(state: SavannaState, other: int) -> float:
            share = self._share(state, seat, chances)
            return share if self._sides[other] == own else -share

        return aim

    def _until_next(
        self, state: SavannaState, seat: int, aim: Aim, chance: float
    ) -> Iterator[tuple[SavannaState, float]]:
        """The states in which a seat is to move again or the game is over, and how likely."""
        while state.step.to_act == CHANCE:
            state = GAME.apply(state, GAME.chances(state)[0][0])
        if state.step.to_act in {seat, None}:
            yield state, chance
            return
        likely_answers = list(answers(state, aim))
        likeliest = max(likely for _, likely in likely_answers)
        for after, likely in likely_answers:
            if likely == likeliest or chance * likely >= UNLIKELY:
                yield from self._until_next(after, seat, aim, chance * likely)

    def _share(self, state: SavannaState, seat: int, chances: Sequence[float]) -> float:
        """The seat's expected share of the win when it is to move, or the game is over.

        The mean over the other sides of the chance to leave each behind; the curve is the
        judge's.
        """
        side = self._sides[seat]
        own = state.scores[side] - LION * state.lions[side]
        if state.step.to_act is not None:
            own += HOPE * hope(state, side, chances)
        steepness = 1 / sqrt(state.board.count(0) + 0.5)
        leads = [
            own - score + LION * lions
            for other, (score, lions) in enumerate(zip(state.scores, state.lions, strict=True))
            if other != side
        ]
        return sum(1 / (1 + exp(-steepness * lead)) for lead in leads) / len(leads)


def answers(state: SavannaState, aim: Aim) -> Iterator[tuple[SavannaState, float]]:
    """The state after each face that the seat to act may show, and how likely that is.

    It shows the best for it that it holds, so it shows one only if it holds none that is better.
    """
    seat = state.step.seat
    unseen = unseen_tiles(state, seat)
    unseen_all, hand = sum(unseen.values()), state.step.hands[seat]
    others, holds_no_better = unseen_all, 1.0
    for _, face, after in sorted(best_places(state, unseen, aim), key=itemgetter(0), reverse=True):
        if face == "lion":
            yield after, holds_no_better
            return
        others -= unseen[face]
        holds_neither = comb(others, hand) / comb(unseen_all, hand)
        yield after, holds_no_better - holds_neither
        holds_no_better = holds_neither


def best_places(
    state: SavannaState, unseen: Mapping[Face, int], aim: Aim
) -> Iterator[tuple[float, Face, SavannaState]]:
    """For each face that the seat to act may hold: its best worth, and the state after it.

    Which tile lies under a Lion does not matter here: no rule looks at it again.
    """
    seat = state.step.seat
    cells = list(compress(CELLS, state.board.translate(FREE)))
    tiles = [tile for tile in TILES if unseen[tile]]
    faces: Sequence[Face] = [*tiles, "lion"]
    for face, tile in zip(faces, [*tiles, tiles[0]], strict=True):
        word = f"{tile}/lion" if face == "lion" else tile
        held = with_hand(state, seat, tile)
        after = [GAME.apply(held, f"{word}@{cell}") for cell in cells]
        worths = [aim(placed, seat) for placed in after]
        best = max(worths)
        yield best, face, after[worths.index(best)]


def with_hand(state: SavannaState, seat: int, tile: Tile) -> SavannaState:
    """The state if this tile was the seat's hand."""
    hands = state.hands & ~(SEAT << seat * SEAT_BITS) | pack([tile], seat)
    return replace(state, hands=hands)


def unseen_tiles(state: SavannaState, seat: int) -> Counter[Face]:
    """The tiles of a seat that others have not seen: in its hand, its pile, or under a Lion."""
    tiles: Counter[Face] = Counter(VARIANTS[state.variant].tiles)
    for byte in state.board:
        placed = PLACED[byte]
        if placed is not UNSET and placed.seat == seat and placed.side != "lion":
            tiles[placed.side] -= 1
    return tiles


def chances_to_show(state: SavannaState, seat: int) -> Sequence[float]:
    """For each face how likely the seat holds it in its next turn, by what it knows itself."""
    hand, pile = counts(state.hand(seat)), counts(state.pile(seat))
    left = sum(pile) or 1
    tiles = [1.0 if held else drawn / left for held, drawn in zip(hand, pile, strict=True)]
    return [*tiles, 1.0 if any(tiles) else 0.0]


def hope(state: SavannaState, side: int, chances: Sequence[float]) -> float:
    """The most points on the others that a side can hope for with its next tile."""
    gaps: dict[int, list[Sequence[float]]] = {}
    for number, cells in enumerate(LINES):
        line = state.lines >> number * LINE_BITS & LINE
        if line // ONE_TILE == 3:
            gap = next(cell for cell in cells if not state.board[cell])
            gaps.setdefault(gap, []).append(gains(line & SHARES, side, len(state.scores)))
    return max(
        (
            chance * sum(of_face)
            for lines in gaps.values()
            for chance, *of_face in zip(chances, *lines, strict=True)
        ),
        default=0.0,
    )


@cache
def gains(line: int, side: int, sides: int) -> Sequence[float]:
    """For each face what a side gains on the mean of the others by it in a line's last cell."""
    gained = []
    for face in FACES:
        lion = face == "lion"
        placed = in_line(TILES[0] if face == "lion" else face, side, lion=lion)
        points = judge(line + placed & SHARES, side)
        gained.append(points[side] - (sum(points) - points[side]) / (sides - 1))
    return gained
