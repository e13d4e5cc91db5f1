"""Any game as a PettingZoo environment: PettingZoo's own tests, and what they do not look at."""

import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]  # no py.typed

from arena.pettingzoo import GameEnv, env
from engine.encoding import EncodingError
from engine.game import CHANCE, AnyGame, Outcome, TableError
from engine.registry import UnknownGame
from tests.cards import Cards
from tests.toy_game import ToyGame

WORLDS: dict[str, Callable[[], Any]] = {
    "savanna-ten": lambda: env("savanna-ten"),
    "savanna-ten teams": lambda: env("savanna-ten", players=4, options={"teams": True}),
    "herd": lambda: env("herd", options={"size": 2}),
    "hidden cards": lambda: env(Cards(), players=3),
    "no list, no features": lambda: env(ToyGame(), players=3, options={"dice": True}),
}
worlds = pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)

EXPECTED_WARNINGS = (
    # A dictionary with the mask is what its own games give; it knows those by name only.
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
)


@worlds
def test_pettingzoos_api_test(world: Callable[[], Any]) -> None:
    with warnings.catch_warnings():
        for words in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", words)
        api_test(world(), num_cycles=60)


@worlds
def test_pettingzoos_seed_test(world: Callable[[], Any]) -> None:
    seed_test(world, num_cycles=60)


def play(world: Any, choose: Callable[[str, Any], int]) -> list[tuple[str, int | None]]:
    """One game to its end; what was played."""
    played = []
    for agent in world.agent_iter():
        observation, _, termination, truncation, _ = world.last()
        action = None if termination or truncation else choose(agent, observation)
        played.append((agent, action))
        world.step(action)
    return played


def first_legal(_: str, observation: Any) -> int:
    return int(observation["action_mask"].argmax())


@worlds
def test_only_the_agent_to_act_has_legal_actions(world: Callable[[], Any]) -> None:
    game = world()
    game.reset(seed=1)
    for agent in game.agent_iter():
        if game.terminations[agent]:
            break
        for other in game.agents:
            assert game.observe(other)["action_mask"].any() == (other == agent)
        game.step(first_legal(agent, game.observe(agent)))


def test_what_others_hold_is_in_no_observation() -> None:
    """Two positions that differ only in the other seat's tiles look the same."""
    from random import Random

    world = GameEnv("savanna-ten")
    world.reset(seed=5)
    game, rng = world.game, Random(1)
    for _ in range(6):
        seat = game.to_act(world.position)
        assert seat not in (None, CHANCE)
        agent, position = world.agent_selection, world.position
        seen = world.observe(agent)
        view = game.view(position, world.possible_agents.index(agent))
        hands = set()
        for _ in range(8):
            world.position = game.sample(world.table, view, world.possible_agents.index(agent), rng)
            hands.add(world.position.hands)
            again = world.observe(agent)
            assert all(np.array_equal(seen[key], again[key]) for key in seen)
        assert len(hands) > 1, "the samples differ in what is hidden"
        world.position = position
        world.step(first_legal(agent, seen))


@pytest.mark.parametrize(
    ("ranks", "sides", "rewards"),
    [
        ((1, 2), (0, 1), [1, -1]),
        ((1, 1), (0, 1), [0, 0]),
        ((2, 1, 3), (0, 1, 2), [0, 1, -1]),
        ((1, 2, 2, 4), (0, 1, 2, 3), [1, 0, 0, -1]),
        ((2, 1, 2, 1), (0, 1, 0, 1), [-1, 1, -1, 1]),
    ],
)
def test_rewards_are_of_the_ranks(
    ranks: tuple[int, ...],
    sides: Sequence[int],
    rewards: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ToyGame, "sides", lambda *_: sides)
    monkeypatch.setattr(ToyGame, "scores", lambda *_: (0,) * len(set(sides)))
    world = GameEnv(ToyGame(), players=len(sides), options={"turns": 1})
    world.reset(seed=1)
    monkeypatch.setattr(ToyGame, "outcome", lambda *_: Outcome(ranks, (3, 1), "finished"))
    world.step(0)
    assert list(world.rewards.values()) == rewards
    assert all(world.terminations.values())
    assert world.infos["player_0"] == {"scores": (3, 1)}


def deals(seed: int | None, world: Any) -> Any:
    world.reset(seed=seed)
    return world.unwrapped.position


def test_a_seed_gives_the_deal_and_those_after_it() -> None:
    one, other = env("savanna-ten"), env("savanna-ten")
    here = [deals(seed, one) for seed in (7, None, None)]
    there = [deals(seed, other) for seed in (7, None, None)]
    assert here == there
    assert len({position.hands for position in here}) > 1
    assert deals(8, one) != here[0]


def test_a_turn_may_take_several_steps() -> None:
    world = env("herd", options={"size": 2})
    world.reset(seed=3)
    movers = [agent for agent, action in play(world, first_legal) if action is not None]
    assert any(one == other for one, other in pairwise(movers))


def test_an_illegal_action_ends_the_game_and_costs_a_point() -> None:
    world = env("herd")
    world.reset(seed=1)
    agent = world.agent_selection
    world.step(0)  # there is no stone to remove
    assert world.terminations == {"player_0": True, "player_1": True}
    assert world._cumulative_rewards[agent] == -1


def test_without_the_wrappers_it_is_refused() -> None:
    world = GameEnv("herd")
    world.reset(seed=1)
    with pytest.raises(EncodingError, match="0 is remove@A5, which is not legal"):
        world.step(0)


def test_the_table_is_as_asked_for() -> None:
    world = env("savanna-ten", players=4, options={"mouse": "add"})
    assert world.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert str(world) == "savanna_ten_v1"
    assert world.action_space("player_0").n == 200


def test_options_may_need_more_players() -> None:
    assert len(env("savanna-ten", options={"teams": True}).possible_agents) == 4


@pytest.mark.parametrize(
    ("game", "words", "error", "sentence"),
    [
        ("chess", {}, UnknownGame, "there is no game 'chess'"),
        ("herd", {"players": 3}, TableError, "herd is for 2 players, not 3"),
        ("herd", {"players": 0}, TableError, "herd is for 2 players, not 0"),
        ("herd", {"options": {"size": 99}}, TableError, "option size of herd is a whole number"),
    ],
)
def test_what_cannot_be_played(
    game: str | AnyGame, words: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        env(game, **words)


def test_it_renders_the_public_view(capsys: pytest.CaptureFixture[str]) -> None:
    world = env("herd", options={"size": 2}, render_mode="ansi")
    world.reset(seed=1)
    assert world.render().startswith("turn 1: Black X rolled")
    world = env("herd", options={"size": 2}, render_mode="human")
    world.reset(seed=1)
    world.step(first_legal("", world.observe(world.agent_selection)))
    assert "Black X" in capsys.readouterr().out
    world = env("herd")
    world.reset(seed=1)
    assert world.unwrapped.render() is None


def test_a_missing_extra_is_told() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import arena.pettingzoo"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: arena.pettingzoo needs pettingzoo:"
        " pip install 'savanna-arena[pettingzoo]'"
    )
