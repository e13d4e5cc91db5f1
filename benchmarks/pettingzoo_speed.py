"""Steps per second of CPU time: our games as PettingZoo environments beside its classic ones.

    python benchmarks/pettingzoo_speed.py [--seconds 5]

Random legal actions, observations taken as a learner takes them, whole games. A classic game whose
own requirements are missing is named and left out; `pip install 'pettingzoo[classic]'` brings them.
"""

import argparse
import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from arena.pettingzoo import env
from engine.registry import games

CLASSIC = (
    "tictactoe_v3",
    "connect_four_v3",
    "leduc_holdem_v4",
    "texas_holdem_v4",
    "go_v5",
    "chess_v6",
)
OURS: dict[str, dict[str, Any]] = {
    "savanna-ten": {},
    "herd": {},
    "liars-dice": {},
}


def worlds() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Each environment's name and its maker."""
    for name, words in OURS.items():
        if name in games():
            yield name, lambda name=name, words=words: env(name, **words)  # type: ignore[misc]  # ours
        else:
            print(f"{name} is not installed")
    for name in CLASSIC:
        try:
            yield name, importlib.import_module(f"pettingzoo.classic.{name}").env
        except (ImportError, AttributeError, TypeError) as error:
            print(f"{name} is left out: {error}")


def speed(make: Callable[[], Any], seconds: float) -> float:
    """Steps per second of CPU time, dead steps not counted."""
    world, steps = make(), 0
    world.reset(seed=1)
    spaces = {agent: world.action_space(agent) for agent in world.possible_agents}
    for agent, space in spaces.items():
        space.seed(world.possible_agents.index(agent))
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        world.reset()
        for agent in world.agent_iter():
            observation, _, termination, truncation, _ = world.last()
            over = termination or truncation
            steps += not over
            world.step(None if over else spaces[agent].sample(observation["action_mask"]))
    return steps / spent


def main() -> None:
    """Print a line per environment."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5)
    seconds = parser.parse_args().seconds
    for name, make in worlds():
        print(f"{name:<18} {speed(make, seconds):>9,.0f} steps/s", flush=True)


if __name__ == "__main__":
    main()
