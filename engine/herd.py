"""Herd, a dice game for two on a hexagonal board (Mark Steere, 2022).

A turn is a roll, then removals of enemy stones (the low die), then placements of own stones (the
high die). A placed stone captures every enemy stone whose every neighbour is now an own stone, and
each capture earns one more placement. When the board is full, more stones win. Sets of stones are
integers, see `engine.herd_board`.
"""
# ruff: noqa: ARG002  # the interface hands over more than a game without secrets needs

import re
from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final

from msgspec import Struct

from engine.game import CHANCE, Effect, Game, IllegalAction, Outcome, Table
from engine.herd_board import Board, board_of
from engine.herd_features import features
from engine.herd_svg import draw_picture
from engine.herd_wire import SEAT_NAMES, STONES, HerdMove, HerdOptions, HerdRoll, HerdView
from engine.randomness import below
from engine.words import quoted

ROLLS: Final = {f"roll@{a},{b}": (a, b) for a in range(1, 7) for b in range(1, 7)}
"""The 36 outcomes of two dice, as rolled."""
ROLL_NAMES: Final = tuple(ROLLS)
ROLL_CHANCES: Final = tuple((name, 1 / len(ROLLS)) for name in ROLLS)

ACTION_FORM: Final = re.compile(r"(remove|place)@([A-Z][0-9]+)")


class HerdState(Struct, frozen=True):
    """Everything about a game. It is over when the dice are rolled and nothing is left to do."""

    size: int
    turn_limit: int
    turn: int
    """Counted over both seats from 1: seat 0 has the odd ones."""
    stones: tuple[int, int]
    """The cells that each seat holds, as bits of a `Board`."""
    dice: tuple[int, ...] = ()
    """This turn's dice in the order rolled, empty before the roll."""
    remove: int = 0
    """Enemy stones still to be removed this turn."""
    place: int = 0
    """Own stones still to be placed this turn."""


class Herd(Game[HerdOptions, HerdState, HerdView]):
    """The rules of Herd."""

    name: ClassVar[str] = "herd"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Herd"
    credit: ClassVar[str] = "Mark Steere, 2022"
    about: ClassVar[str] = (
        "Roll two dice. Take off as many enemy stones as the lower shows, then place as many "
        "of your own as the higher (in the very first turn: the lower). Enemy stones with your "
        "stones on every side are captured, and you place one more for each. Most stones win "
        "when the board is full."
    )
    players: ClassVar[range] = range(2, 3)

    options_type = HerdOptions
    state_type = HerdState
    view_type = HerdView
    event_types = (HerdMove, HerdRoll)

    def sides(self, table: Table[HerdOptions]) -> tuple[int, int]:
        """Each seat is a side."""
        return (0, 1)

    def initial(self, table: Table[HerdOptions]) -> HerdState:
        """The empty board, before the first roll."""
        return HerdState(table.options.size, table.options.turn_limit, turn=1, stones=(0, 0))

    def to_act(self, state: HerdState) -> int | None:
        """CHANCE before the roll, then the seat whose turn it is; None when the game is over."""
        if not state.dice:
            return CHANCE
        return _mover(state) if state.remove or state.place else None

    def turn(self, state: HerdState) -> int:
        """The turn in progress, counted over both seats."""
        return state.turn

    def legal(self, state: HerdState) -> Sequence[str]:
        """Removals while stones are to be removed, else placements; in cell order."""
        own, enemy = _own_and_enemy(state)
        if state.remove:
            return board_of(state.size).removals_of(enemy)
        if state.place:
            board = board_of(state.size)
            return board.placements_on(_open_cells(board, own, enemy))
        return ()

    def apply(self, state: HerdState, action: str) -> HerdState:
        """The state after a roll, a removal or a placement.

        Raises:
            IllegalAction: with a code of `not-due`, `over`, `malformed`, `no-such-cell`,
                `remove-first`, `not-enemy`, `none-to-remove`, `taken`, `forbidden`.
        """
        if not state.dice:
            return _roll(state, action)
        if state.remove:
            return _remove(state, action)
        if state.place:
            return _place(state, action)
        raise IllegalAction("over", f"{quoted(action)}: the game is over")

    def outcome(self, state: HerdState) -> Outcome | None:
        """More stones win; equal counts share the first place."""
        if self.to_act(state) is not None:
            return None
        black, white = counts = self.scores(state)
        full = black + white == len(board_of(state.size).cells)
        ranks = (1 + (black < white), 1 + (white < black))
        return Outcome(ranks, counts, "finished" if full else "limit")

    def scores(self, state: HerdState) -> tuple[int, int]:
        """The stones on the board per seat."""
        black, white = state.stones
        return (black.bit_count(), white.bit_count())

    def chance(self, state: HerdState, deal: str) -> str:
        """The roll of this turn, whatever was played before it."""
        return ROLL_NAMES[below(len(ROLL_NAMES), deal, "roll", state.turn)]

    def chances(self, state: HerdState) -> Sequence[tuple[str, float]]:
        """The 36 ordered pairs of two dice, equally likely."""
        return ROLL_CHANCES

    def view(self, state: HerdState, seat: int | None) -> HerdView:
        """The whole state: Herd has no secrets."""
        return HerdView(
            state.turn,
            state.size,
            state.turn_limit,
            board_of(state.size).owners(*state.stones),
            self.scores(state),
            state.dice,
            state.remove,
            state.place,
        )

    def redact(
        self, before: HerdState, action: str, after: HerdState, seat: int | None
    ) -> HerdMove | HerdRoll:
        """The event, the same for everybody."""
        if not before.dice:
            return HerdRoll(_mover(before), ROLLS[action])
        return HerdMove(_mover(before), action, _captured(before, after))

    def sample(
        self, table: Table[HerdOptions], view: HerdView, seat: int, rng: Random
    ) -> HerdState:
        """The one state that the view shows."""
        cells = board_of(view.size).cells
        black, white = (
            sum(cells[name].bit for name, owner in view.board.items() if owner == side)
            for side in (0, 1)
        )
        return HerdState(
            view.size,
            view.turn_limit,
            view.turn,
            (black, white),
            view.dice,
            view.remove,
            view.place,
        )

    def actions(self, table: Table[HerdOptions]) -> Sequence[str]:
        """Every removal, then every placement, in cell order."""
        board = board_of(table.options.size)
        return [*board.removals, *board.placements]

    def features(self, table: Table[HerdOptions], view: HerdView, seat: int) -> Sequence[float]:
        """Both seats' stones, and what is to be done."""
        return features(view, seat)

    def effects(self, before: HerdState, action: str, after: HerdState) -> Sequence[Effect]:
        """The dice of a roll, or the cells that a placement captured."""
        if not before.dice:
            first, second = ROLLS[action]
            return (Effect(f"rolled {first} and {second}"),)
        captured = _captured(before, after)
        return (Effect("captured", captured),) if captured else ()

    def text(self, table: Table[HerdOptions], view: HerdView) -> str:
        """The turn, the hexagon with the name of each row's first and last cell, the counts."""
        counts = (
            f"{name} {stone}: {count}"
            for name, stone, count in zip(SEAT_NAMES, STONES, view.counts, strict=True)
        )
        return "\n".join((_turn_line(view), "", *_hexagon(view), "", "   ".join(counts)))

    def svg(self, table: Table[HerdOptions], view: HerdView, effects: Sequence[Effect] = ()) -> str:
        """The hexagon with its stones and captures, the counts, the dice, what is left to do."""
        return draw_picture(view, effects)


def _mover(state: HerdState) -> int:
    """The seat whose turn it is."""
    return (state.turn - 1) % 2


def _own_and_enemy(state: HerdState) -> tuple[int, int]:
    black, white = state.stones
    return (white, black) if _mover(state) else (black, white)


def _open_cells(board: Board, own: int, enemy: int) -> int:
    """The cells that may be filled: empty, with a neighbour that is no enemy stone."""
    return board.full & ~(own | enemy | board.surrounded(enemy))


def _roll(state: HerdState, action: str) -> HerdState:
    """The turn begins: never without something to do.

    Where there is no stone to remove no cell is forbidden, and the board is not full.
    """
    dice = ROLLS.get(action)
    if dice is None:
        raise IllegalAction("not-due", f"{quoted(action)}: the dice are to be rolled")
    _, enemy = _own_and_enemy(state)
    return HerdState(
        state.size,
        state.turn_limit,
        state.turn,
        state.stones,
        dice,
        remove=min(*dice, enemy.bit_count()),
        place=min(dice) if state.turn == 1 else max(dice),
    )


def _remove(state: HerdState, action: str) -> HerdState:
    board = board_of(state.size)
    own, enemy = _own_and_enemy(state)
    cell = board.removals.get(action)
    if cell is None or not cell.bit & enemy:
        raise _refusal(state, action)
    return _moved(state, own, enemy ^ cell.bit, state.remove - 1, state.place)


def _place(state: HerdState, action: str) -> HerdState:
    board = board_of(state.size)
    own, enemy = _own_and_enemy(state)
    cell = board.placements.get(action)
    if cell is None or cell.bit & (own | enemy) or not cell.around & ~enemy:
        raise _refusal(state, action)
    own |= cell.bit
    captured = board.surrounded(own) & enemy
    return _moved(state, own, enemy ^ captured, 0, state.place - 1 + captured.bit_count())


def _moved(state: HerdState, own: int, enemy: int, remove: int, place: int) -> HerdState:
    """The state with the mover's and the enemy's stones as they are now.

    The turn goes on, or it is over and the next begins, or the game is over: the board is full,
    or this was the last turn.
    """
    board = board_of(state.size)
    stones = (enemy, own) if _mover(state) else (own, enemy)
    full = own | enemy == board.full
    if remove or (place and not full and _open_cells(board, own, enemy)):
        return HerdState(
            state.size, state.turn_limit, state.turn, stones, state.dice, remove, place
        )
    if full or state.turn == state.turn_limit:
        return HerdState(state.size, state.turn_limit, state.turn, stones, state.dice)
    return HerdState(state.size, state.turn_limit, state.turn + 1, stones)


def _captured(before: HerdState, after: HerdState) -> tuple[str, ...]:
    """The cells that a placement captured; nothing where it was a removal."""
    if before.remove:
        return ()
    enemy = 1 - _mover(before)
    lost = before.stones[enemy] ^ after.stones[enemy]
    return board_of(before.size).names(lost) if lost else ()


def _refusal(state: HerdState, action: str) -> IllegalAction:
    """Why an action of the mover is not legal."""
    form = ACTION_FORM.fullmatch(action)
    if form is None:
        code, why = "malformed", "not of the form remove@C3 or place@C3"
    else:
        code, why = _broken_rule(state, *form.groups())
    return IllegalAction(code, f"{quoted(action)}: {why}")


def _broken_rule(state: HerdState, verb: str, name: str) -> tuple[str, str]:
    """The code and the words for the first thing that forbids an action."""
    board = board_of(state.size)
    if name not in board.cells:
        return "no-such-cell", f"a board of size {state.size} has no such cell"
    if state.remove:
        if verb == "place":
            return "remove-first", f"first remove {state.remove} more of the enemy's stones"
        return "not-enemy", f"no enemy stone is on {name}"
    if verb == "remove":
        return "none-to-remove", "no more stones are removed this turn"
    if board.cells[name].bit & (state.stones[0] | state.stones[1]):
        return "taken", f"a stone is on {name}"
    return "forbidden", f"every cell next to {name} holds an enemy stone"


def _turn_line(view: HerdView) -> str:
    """`turn 2: White O rolled 2 and 5; 2 to remove, 5 to place`."""
    mover = (view.turn - 1) % 2
    line = f"turn {view.turn}: {SEAT_NAMES[mover]} {STONES[mover]}"
    if not view.dice:
        return f"{line} is to roll"
    tasks = [f"{view.remove} to remove"] if view.remove else []
    tasks += [f"{view.place} to place"] if view.place else []
    left = ", ".join(tasks) or "the game is over"
    return f"{line} rolled {view.dice[0]} and {view.dice[1]}; {left}"


def _hexagon(view: HerdView) -> Sequence[str]:
    """A line per row, neighbours side by side or half a step below."""
    board = board_of(view.size)
    lines = []
    for row in board.rows():
        drawn = " ".join(STONES[view.board[name]] if name in view.board else "." for name in row)
        indent = " " * (2 * view.size - 1 - len(row))
        lines.append(f"{indent}{row[0]:>3} {drawn} {row[-1]}")
    return lines
