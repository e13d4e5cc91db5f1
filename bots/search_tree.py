"""Monte Carlo tree search guided by an evaluator (PUCT), for games with chance and secrets.

Each playout walks down the tree from a full state that fits what the seat knows (information-set
Monte Carlo tree search: Cowling, Powley and Whitehouse, 2012), at every node to the action with
the best sum of value and bonus; the bonus is large for actions that look good at first sight and
were little tried (Rosin, 2011). The first node that is new ends it: the evaluator says what each
side can expect there, and every node on the way takes the news into its mean.

A node stands for what the seats to act have seen, not for a full state, so the actions that can be
played from it differ from playout to playout.

Where others are not simply opposed, it matters who they are: in half of the playouts they are
players who look no further than their own turn.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]

EXPLORATION: Final = 0.3
"""The weight of the bonus. Found by play, see docs/strength.md."""
MOST_NODES: Final = 50_000
"""Nodes that a tree holds at most: some 150 MB."""
GREEDY_SHARE: Final = 0.5
"""The share of the playouts in which the others are greedy, in games where that matters."""
NEVER: Final = -1e9
"""The value of an action that cannot be played."""


class Sight(NamedTuple):
    """What an evaluator says of a state in which a seat is to act."""

    side: int
    """The side of that seat."""
    values: Floats
    """Its expected result after each action, NEVER where the action is not legal."""
    priors: Floats
    """How promising each action looks, 0 … 1."""
    results: Sequence[float]
    """What each side can expect of the state."""
    likes: Floats | None = None
    """How a greedy player in that seat likes each action; None: it is not taken for one."""


class Domain(Protocol):
    """A game as the search sees it, one search at a time. An action is a whole turn, numbered."""

    def sampler(self, view: Any, seat: int, rng: Random) -> Callable[[], Any]:
        """Begin a search: gives states that fit what a seat knows, each equally likely."""

    def limit(self, state: Any, legal: Sequence[str]) -> None:
        """In this search the turn at the root begins with one of these, not all that is legal."""

    def look(self, state: Any) -> Sight:
        """What the evaluator says of a state in which a seat is to act."""

    def mask(self, state: Any) -> Floats:
        """0 for each action that the seat to act can play, NEVER for the others."""

    def play(self, state: Any, action: int, rng: Random) -> tuple[Any, Hashable]:
        """The state after an action and the chance that follows, and a name for what was seen.

        The name is the action itself where chance showed nothing.
        """

    def final(self, state: Any) -> Sequence[float] | None:
        """Each side's result, None while the game is on."""

    def names(self, state: Any, action: int) -> Sequence[str]:
        """The action as the protocol has it, for the seat to act."""

    def seen(self, action: int) -> str:
        """The action as every seat sees it."""

    def turns(self, state: Any) -> float:
        """How many turns the seat to act is likely to have in the match, this one included."""


class Node:
    """A place in the tree."""

    __slots__ = ("bonuses", "children", "likes", "priors", "side", "total", "values", "visits")

    def __init__(self, sight: Sight) -> None:
        self.side = sight.side
        self.values = sight.values
        """The mean result of each action; the evaluator's word counts as the first."""
        self.priors = sight.priors
        self.bonuses = sight.priors.copy()
        """priors / (1 + visits)"""
        self.likes = sight.likes
        self.visits: Floats = np.zeros(len(sight.values), np.float32)
        self.total = 1
        self.children: dict[Hashable, Node] = {}

    def select(self, mask: Floats, exploration: float, greedy: bool) -> int:
        """The action with the best sum of value and bonus, or the one a greedy player likes."""
        if greedy and self.likes is not None:
            return int((self.likes + mask).argmax())
        scores = self.bonuses * (exploration * sqrt(self.total))
        scores += self.values
        scores += mask
        return int(scores.argmax())

    def update(self, action: int, result: float) -> None:
        """Take the result of a playout into the mean."""
        visits = self.visits[action] + 1
        self.visits[action] = visits
        self.values[action] += (result - self.values[action]) / (visits + 1)
        self.bonuses[action] = self.priors[action] / (visits + 1)
        self.total += 1

    def best(self, mask: Floats) -> int:
        """The action that was tried most, of equals the one with the best value."""
        return int((self.visits + mask + self.values / 2).argmax())


class Tree:
    """A search from one place in a game."""

    def __init__(
        self,
        domain: Domain,
        states: Callable[[], Any],
        rng: Random,
        exploration: float = EXPLORATION,
    ) -> None:
        """`states` gives states that the root stands for, each equally likely."""
        self._domain = domain
        self._states = states
        self._rng = rng
        self._exploration = exploration
        self._size = 1
        self.state = states()
        """One of them."""
        self.root = Node(domain.look(self.state))

    def playout(self) -> None:
        """Learn from one walk."""
        domain, rng, state, node, path = self._domain, self._rng, self._states(), self.root, []
        greedy = rng.random() < GREEDY_SHARE
        while True:
            action = node.select(domain.mask(state), self._exploration, greedy)
            path.append((node, action))
            state, seen = domain.play(state, action, rng)
            results = domain.final(state)
            if results is not None:
                break
            child = node.children.get(seen)
            if child is None:
                results = self._grow(node, seen, state)
                break
            node = child
        for node, action in path:
            node.update(action, results[node.side])

    def best(self) -> int:
        """The action that the seat to act should play."""
        return self.root.best(self._domain.mask(self.state))

    def line(self) -> Iterator[int]:
        """The principal line: from the root on, the actions that were tried most.

        It ends where chance showed something.
        """
        node: Node | None = self.root
        while node is not None and node.total > 1:
            action = int(node.visits.argmax())
            yield action
            node = node.children.get(action)

    def _grow(self, parent: Node, seen: Hashable, state: Any) -> Sequence[float]:
        sight = self._domain.look(state)
        if self._size < MOST_NODES:
            parent.children[seen] = Node(sight)
            self._size += 1
        return sight.results
