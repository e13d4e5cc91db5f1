"""Why an action of Savanna Ten is refused, in one sentence for the bot's author."""

import re
from typing import Final

from engine.game import CHANCE, IllegalAction
from engine.savanna_ten_lines import CELLS, CLOSED, TILES
from engine.savanna_ten_state import SavannaState
from engine.savanna_ten_tables import HANDS
from engine.words import listed, quoted

PLACEMENT: Final = re.compile(r"(?P<tile>[a-z]+)(/lion)?@(?P<cell>[A-Z][0-9]+)")


def refusal(state: SavannaState, action: str) -> IllegalAction:
    """The error for an action that this state does not allow.

    Of what is secret it names only the hand of the seat to act.
    """
    if state.step.to_act is None:
        code, why = "over", f"{quoted(action)}: the game is over"
    elif state.step.to_act == CHANCE:
        code, why = _refused_draw(state, action)
    elif action.startswith("draw@"):
        code, why = "not-due", f"{quoted(action)}: a tile is to be placed now, not drawn"
    else:
        code, why = _refused_placement(state, action)
    return IllegalAction(code, why)


def _refused_draw(state: SavannaState, action: str) -> tuple[str, str]:
    seat = state.step.seat
    if action in state.step.draws:
        return "not-in-pile", f"{quoted(action)}: the pile of seat {seat} holds no such tile"
    return "not-due", f"{quoted(action)}: seat {seat} is to draw now"


def _refused_placement(state: SavannaState, action: str) -> tuple[str, str]:
    words = PLACEMENT.fullmatch(action)
    if not words:
        return "malformed", f"{quoted(action)} is not of the form zebra@D2 or zebra/lion@D2"
    tile, cell = words["tile"], words["cell"]
    hand = HANDS[state.hand(state.step.seat)]
    if tile not in TILES:
        return "no-such-tile", f"{quoted(action)}: name the tile, {hand[0]}@D2 or {hand[0]}/lion@D2"
    if cell in CLOSED:
        return "closed", f"{cell} is closed, no tile may lie there"
    if cell not in CELLS:
        return "no-such-cell", f"{quoted(action)}: the board goes from A1 to E5"
    if state.board[CELLS.index(cell)]:
        return "taken", f"{cell} is taken"
    return "not-in-hand", f"{quoted(action)}: the hand holds only {listed(dict.fromkeys(hand))}"
