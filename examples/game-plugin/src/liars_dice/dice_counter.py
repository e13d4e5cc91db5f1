"""A bot that counts: `python -m liars_dice.dice_counter`.

It knows its own dice and takes the others for random. It challenges where the bid is more likely
a lie than its own best bid would be.
"""

from math import comb
from typing import Any

from protocol.bot import Answer, run
from protocol.messages import Act, Start


def decide(act: Act, start: Start) -> Answer:
    """The action that is most likely to turn out right."""
    likely = {action: _likely(action, act, start) for action in act.legal or ()}
    best = max(likely, key=lambda action: likely[action])  # of equals the lowest bid
    return Answer([best], note=f"{likely[best]:.0%} sure")


def _likely(action: str, act: Act, start: Start) -> float:
    """How likely a bid is true, or a challenge right."""
    state, wild_ones = act.state, start.options["wild_ones"]
    if action == "challenge":
        bid = state["bid"]
        return 1 - _holds(bid["quantity"], bid["face"], state, wild_ones=wild_ones)
    cell = action.removeprefix("bid@")
    return _holds(ord(cell[0]) - ord("A") + 1, int(cell[1]), state, wild_ones=wild_ones)


def _holds(quantity: int, face: int, state: dict[str, Any], *, wild_ones: bool) -> float:
    """The chance that there are so many, with the others' dice random."""
    wild = {face, 1} if wild_ones else {face}
    own = sum(die in wild for die in state["own"])
    return at_least(quantity - own, sum(state["dice"]) - len(state["own"]), len(wild) / 6)


def at_least(wanted: int, dice: int, share: float) -> float:
    """The chance of at least so many among dice that each count with a probability."""
    chances = (
        comb(dice, count) * share**count * (1 - share) ** (dice - count)
        for count in range(max(wanted, 0), dice + 1)
    )
    return sum(chances)


if __name__ == "__main__":
    run(decide, name="dice-counter", version="1.0", games=["liars-dice"])
