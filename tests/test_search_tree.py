"""The tree search: it finds what is best, learns only from what it may know, and keeps its word."""

# ruff: noqa: ARG002  # a game's methods are given more than a maze needs

from collections.abc import Callable, Hashable, Sequence
from itertools import repeat
from random import Random
from typing import Any

import numpy as np
import pytest

from bots.search_tree import NEVER, Floats, Sight, Tree

Path = tuple[Hashable, ...]


class Maze:
    """A game of steps with known results: a state is the path that led to it."""

    def __init__(self, ends: dict[Path, Sequence[float]], sides: Sequence[int] = (0, 1)) -> None:
        self.ends = ends
        self.sides = sides
        self.looks: list[Path] = []

    def sampler(self, view: Any, seat: int, rng: Random) -> Callable[[], Path]:
        return repeat(()).__next__

    def look(self, state: Path) -> Sight:
        self.looks.append(state)
        side = self.sides[len(state) % len(self.sides)]
        return Sight(side, np.full(3, 0.5, np.float32), np.ones(3, np.float32), (0.5, 0.5))

    def mask(self, state: Path) -> Floats:
        values = [0 if self.leads_on((*state, action)) else NEVER for action in range(3)]
        return np.array(values, np.float32)

    def leads_on(self, path: Path) -> bool:
        return any(end[: len(path)] == path for end in self.ends)

    def play(self, state: Path, action: int, rng: Random) -> tuple[Path, Hashable]:
        return (*state, action), action

    def final(self, state: Path) -> Sequence[float] | None:
        return self.ends.get(state)

    def limit(self, state: Path, legal: Sequence[str]) -> None:
        pass

    def names(self, state: Path, action: int) -> Sequence[str]:
        return [self.seen(action)]

    def seen(self, action: int) -> str:
        return f"step@A{action}"

    def turns(self, state: Path) -> float:
        return 1


def searched(domain: Any, playouts: int = 300, states: Callable[[], Any] | None = None) -> Tree:
    tree = Tree(domain, states or domain.sampler(None, 0, Random(1)), Random(1))
    for _ in range(playouts):
        tree.playout()
    return tree


WIN, LOSS = (1.0, 0.0), (0.0, 1.0)
TRAP: dict[Path, Sequence[float]] = {
    (0, 0): WIN,
    (0, 1): LOSS,
    (1, 0): (0.6, 0.4),
    (1, 1): (0.7, 0.3),
}
"""The first step 0 can win, but the other side will not let it."""


def test_the_other_side_is_expected_to_play_for_itself() -> None:
    tree = searched(Maze(TRAP))
    assert tree.best() == 1
    assert float(tree.root.values[1]) == pytest.approx(0.6, abs=0.03)
    assert list(tree.line()) == [1, 0]


def test_a_side_with_two_turns_plans_both() -> None:
    assert searched(Maze(TRAP, sides=(0, 0))).best() == 0


class Greedy(Maze):
    """The other side likes step 1, which is worse for it."""

    def look(self, state: Path) -> Sight:
        likes = np.array([0, 1, 2], np.float32)
        return super().look(state)._replace(likes=likes if len(state) == 1 else None)


def test_in_half_of_the_playouts_the_others_play_what_a_greedy_player_likes() -> None:
    tree = searched(Greedy({(0, 0): (0.4, 0.6), (0, 1): WIN, (1, 0): (0.5, 0.5)}), playouts=1000)
    assert tree.best() == 0
    assert float(tree.root.values[0]) == pytest.approx((0.4 + 1) / 2, abs=0.04)


def test_a_playout_ends_at_the_first_new_place() -> None:
    domain = Maze({(a, b, c): WIN for a in range(3) for b in range(3) for c in range(3)})
    tree = searched(domain, playouts=3)
    assert domain.looks == [(), (0,), (1,), (2,)]
    assert tree.root.visits.tolist() == [1, 1, 1]


def test_an_action_that_cannot_be_played_is_never_tried() -> None:
    assert searched(Maze({(1,): LOSS, (2,): LOSS})).root.visits[0] == 0


class Coin(Maze):
    """A game in which chance shows a side of a coin after each step; heads wins."""

    def play(self, state: Path, action: int, rng: Random) -> tuple[Path, Hashable]:
        side = rng.choice("ht")
        return (*state, side), (action, side)

    def mask(self, state: Path) -> Floats:
        return np.array([0, NEVER, NEVER], np.float32)

    def final(self, state: Path) -> Sequence[float] | None:
        return None if len(state) < 2 else WIN if state[1] == "h" else LOSS


def test_chance_is_weighed_by_how_likely_it_is() -> None:
    tree = searched(Coin({}), playouts=1000)
    assert float(tree.root.values[0]) == pytest.approx(0.5, abs=0.04)
    assert sorted(map(str, tree.root.children)) == ["(0, 'h')", "(0, 't')"]


class Guess(Maze):
    """The result hangs on a secret of the state that no seat sees."""

    def look(self, state: Path) -> Sight:
        sight = super().look(state[1:])
        return sight._replace(side=0)

    def leads_on(self, path: Path) -> bool:
        return len(path) == 2 and path[1] in {0, 1}

    def final(self, state: Path) -> Sequence[float] | None:
        return None if len(state) == 1 else WIN if state[0] == state[1] else LOSS


def test_what_no_seat_sees_is_averaged_and_not_peeked_at() -> None:
    secret = Random(2)
    tree = searched(Guess({}), 2000, states=lambda: (int(secret.random() < 0.7),))
    assert tree.best() == 1
    assert float(tree.root.values[1]) == pytest.approx(0.7, abs=0.04)
