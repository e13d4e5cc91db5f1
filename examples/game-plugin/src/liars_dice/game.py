"""The rules of Liar's Dice.

Everybody rolls in secret. In turn each seat bids that there are at least so many dice of a face
among all, higher than the bid before it, in number or with as many of a higher face; or it
challenges that bid. Then all dice are shown: if there are as many, the challenger loses a die, else
the bidder does. Who lost begins the next round, or the next seat where that was its last die. The
last seat with dice wins.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random
from typing import ClassVar

from engine.game import CHANCE, Effect, Game, IllegalAction, Outcome, Table
from engine.randomness import below
from engine.words import quoted
from msgspec import UNSET, Struct
from msgspec.structs import replace

from liars_dice.bids import CHALLENGE, bids, counted, said
from liars_dice.drawing import draw
from liars_dice.wire import Bid, BidEvent, ChallengeEvent, Options, RollEvent, Showdown, View
from liars_dice.writing import write


class State(Struct, frozen=True):
    """Everything about a game."""

    wild_ones: bool
    left: tuple[int, ...]
    """How many dice each seat has."""
    mover: int
    """Whose turn it is, or will be when the dice are rolled."""
    turn: int = 1
    round: int = 1
    rolled: tuple[tuple[int, ...], ...] = ()
    """The dice of the seats that have rolled this round, in seat order."""
    bid: Bid | None = None
    last: Showdown | None = None
    out: tuple[int, ...] = ()
    """The seats without dice, in the order in which they lost the last."""


class LiarsDice(Game[Options, State, View]):
    """The game, as the arena asks for it."""

    name: ClassVar[str] = "liars-dice"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Liar's Dice"
    credit: ClassVar[str] = "tradition"
    about: ClassVar[str] = (
        "Everybody rolls in secret. Bid how many dice of a face there are among all, more than the"
        " last bid or as many of a higher face; or challenge that bid. Then all dice are shown:"
        " who was wrong loses one. Ones count as every face. The last one with dice wins."
    )
    players: ClassVar[range] = range(2, 5)

    options_type = Options
    state_type = State
    view_type = View
    event_types = (BidEvent, ChallengeEvent, RollEvent)

    def sides(self, table: Table[Options]) -> tuple[int, ...]:
        """Each seat is a side."""
        return tuple(range(table.players))

    def initial(self, table: Table[Options]) -> State:
        """All dice are in the cups, nobody has rolled."""
        return State(table.options.wild_ones, (table.options.dice,) * table.players, mover=0)

    def to_act(self, state: State) -> int | None:
        """CHANCE until everybody has rolled, then the seat to bid; None with one seat left."""
        if len(state.out) == len(state.left) - 1:
            return None
        return CHANCE if len(state.rolled) < len(state.left) else state.mover

    def turn(self, state: State) -> int:
        """Every bid and every challenge is a turn; a roll belongs to the one after it."""
        return state.turn

    def legal(self, state: State) -> Sequence[str]:
        """The higher bids, the lowest first, then the challenge."""
        if self.to_act(state) in (CHANCE, None):
            return ()
        every = list(bids(sum(state.left), wild_ones=state.wild_ones))
        if state.bid is None:
            return every
        return [*every[every.index(state.bid.action) + 1 :], CHALLENGE]

    def apply(self, state: State, action: str) -> State:
        """The state after a roll, a bid or a challenge.

        Raises:
            IllegalAction: with a code of `not-due`, `over`, `malformed`, `too-low`, `no-bid`.
        """
        match self.to_act(state):
            case None:
                raise IllegalAction("over", f"{quoted(action)}: the game is over")
            case -1:
                return _roll(state, action)
            case _:
                return _challenge(state) if action == CHALLENGE else _bid(state, action)

    def outcome(self, state: State) -> Outcome | None:
        """The last seat with dice wins; of the others, who lost them later ranks better."""
        if self.to_act(state) is not None:
            return None
        places = (len(state.left), *range(len(state.left) - 1, 0, -1))
        order = dict(zip(state.out, places, strict=False))
        ranks = tuple(order.get(seat, 1) for seat in range(len(state.left)))
        return Outcome(ranks, state.left, "finished")

    def scores(self, state: State) -> tuple[int, ...]:
        """The dice that each seat has left."""
        return state.left

    def chance(self, state: State, deal: str) -> str:
        """The roll of the next seat, whatever was bid before it."""
        seat = len(state.rolled)
        place = (state.round, seat)
        dice = (below(6, deal, "die", *place, number) + 1 for number in range(state.left[seat]))
        return _roll_name(seat, sorted(dice))

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        """Every roll of the next seat's dice; their order does not count."""
        if self.to_act(state) != CHANCE:
            return ()
        seat = len(state.rolled)
        return [(_roll_name(seat, dice), share) for dice, share in rolls(state.left[seat])]

    def view(self, state: State, seat: int | None) -> View:
        """What everybody sees, and the seat's own dice."""
        to_act = self.to_act(state)
        own: Sequence[int] = () if seat is None or seat >= len(state.rolled) else state.rolled[seat]
        return View(
            turn=state.turn,
            round=state.round,
            to_act=None if to_act == CHANCE else to_act,
            dice=state.left,
            out=state.out,
            seat=UNSET if seat is None else seat,
            own=UNSET if seat is None else tuple(own),
            bid=state.bid,
            last=state.last,
        )

    def open_view(self, state: State) -> View:
        """A spectator's view, with every die."""
        return replace(self.view(state, None), all_dice=state.rolled)

    def redact(
        self, before: State, action: str, after: State, seat: int | None
    ) -> BidEvent | ChallengeEvent | RollEvent:
        """A bid or a challenge as it is; a roll is seen by its own seat only."""
        if self.to_act(before) == CHANCE:
            roller = len(before.rolled)
            return RollEvent(roller, after.rolled[roller] if seat == roller else None)
        if action == CHALLENGE:
            assert after.last is not None
            return ChallengeEvent(before.mover, action, after.last)
        return BidEvent(before.mover, action)

    def sample(self, table: Table[Options], view: View, seat: int, rng: Random) -> State:
        """The others' dice are rolled anew: a bid proves nothing."""
        rolled = [tuple(sorted(rng.choices(range(1, 7), k=left))) for left in view.dice]
        rolled[seat] = view.own or ()
        return State(
            wild_ones=table.options.wild_ones,
            left=view.dice,
            mover=view.to_act or 0,
            turn=view.turn,
            round=view.round,
            rolled=tuple(rolled),
            bid=view.bid,
            last=view.last,
            out=view.out,
        )

    def actions(self, table: Table[Options]) -> Sequence[str]:
        """Every bid with all dice in play, and the challenge."""
        every = bids(table.options.dice * table.players, wild_ones=table.options.wild_ones)
        return [*every, CHALLENGE]

    def features(self, table: Table[Options], view: View, seat: int) -> Sequence[float]:
        """The own dice by face, the dice of each seat from the own one on, and the bid."""
        own, bid, most = view.own or (), view.bid, table.options.dice
        seats = [(seat + step) % table.players for step in range(table.players)]
        return [
            *(own.count(face) / most for face in range(1, 7)),
            *(view.dice[other] / most for other in seats),
            *(float(bid is not None and bid.seat == other) for other in seats),
            *(float(bid is not None and bid.face == face) for face in range(1, 7)),
            bid.quantity / sum(view.dice) if bid else 0.0,
        ]

    def effects(self, before: State, action: str, after: State) -> Sequence[Effect]:
        """The bid on its cell, or what the challenge brought to light."""
        if self.to_act(before) == CHANCE:
            return ()
        if action != CHALLENGE:
            assert after.bid is not None
            words = said(after.bid.quantity, after.bid.face)
            return (Effect(words, (action.removeprefix("bid@"),)),)
        assert after.last is not None
        last = after.last
        held = "it holds" if last.loser == last.challenger else "a lie"
        words = f"{said(last.bid.quantity, last.bid.face)}: there are {last.count}, {held}"
        return (Effect(words, (last.bid.action.removeprefix("bid@"),)),)

    def text(self, table: Table[Options], view: View) -> str:
        """Every seat's dice as far as they are known, the bid, and the bidding board."""
        return write(table, view)

    def svg(self, table: Table[Options], view: View, effects: Sequence[Effect] = ()) -> str:
        """The same as a picture; a click on the bidding board bids."""
        return draw(table, view, effects)


# Rolls


@cache
def rolls(dice: int) -> Sequence[tuple[tuple[int, ...], float]]:
    """Every roll in rising order, and how likely it is: the multinomial coefficient over 6ⁿ."""
    return [
        (roll, factorial(dice) / prod(map(factorial, Counter(roll).values())) / 6**dice)
        for roll in combinations_with_replacement(range(1, 7), dice)
    ]


@cache
def _rolls_by_name(seat: int, dice: int) -> Mapping[str, tuple[int, ...]]:
    return {_roll_name(seat, roll): roll for roll, _ in rolls(dice)}


def _roll_name(seat: int, dice: Sequence[int]) -> str:
    return f"roll@{seat}:{','.join(map(str, dice))}"


def _roll(state: State, action: str) -> State:
    seat = len(state.rolled)
    roll = _rolls_by_name(seat, state.left[seat]).get(action)
    if roll is None:
        raise IllegalAction("not-due", f"{quoted(action)}: seat {seat} is to roll")
    return replace(state, rolled=_with_the_out(state.left, (*state.rolled, roll)))


def _with_the_out(
    left: tuple[int, ...], rolled: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...]:
    """Seats without dice have nothing to roll."""
    while len(rolled) < len(left) and not left[len(rolled)]:
        rolled = (*rolled, ())
    return rolled


# Bids and challenges


def _bid(state: State, action: str) -> State:
    every = bids(sum(state.left), wild_ones=state.wild_ones)
    if action not in every:
        raise IllegalAction(
            "malformed",
            f"{quoted(action)}: a bid is one of {next(iter(every))} to {list(every)[-1]}, row A for"
            f" one die, its column the face; or {CHALLENGE}",
        )
    quantity, face = every[action]
    if state.bid is not None and (quantity, face) <= (state.bid.quantity, state.bid.face):
        raise IllegalAction("too-low", f"{action} is not higher than the bid {state.bid.action}")
    bid = Bid(state.mover, action, quantity, face)
    return replace(state, bid=bid, turn=state.turn + 1, mover=_after(state.left, state.mover))


def _challenge(state: State) -> State:
    """All dice are shown, one is lost, and the next round begins."""
    bid = state.bid
    if bid is None:
        raise IllegalAction("no-bid", "there is no bid to challenge yet")
    count = counted(state.rolled, bid.face, wild_ones=state.wild_ones)
    loser = state.mover if count >= bid.quantity else bid.seat
    left = tuple(dice - (seat == loser) for seat, dice in enumerate(state.left))
    return State(
        wild_ones=state.wild_ones,
        left=left,
        mover=loser if left[loser] else _after(left, loser),
        turn=state.turn + 1,
        round=state.round + 1,
        rolled=_with_the_out(left, ()),
        last=Showdown(state.mover, bid, state.rolled, count, loser),
        out=state.out if left[loser] else (*state.out, loser),
    )


def _after(left: Sequence[int], seat: int) -> int:
    """The next seat with dice."""
    seats = [(seat + step) % len(left) for step in range(1, len(left) + 1)]
    return next(other for other in seats if left[other])
