"""Any registered game as a PettingZoo environment, in this process: for programs that learn.

```python
from arena.pettingzoo import env

world = env("herd", options={"size": 3})
world.reset(seed=1)
for agent in world.agent_iter():
    observation, reward, termination, truncation, info = world.last()
    over = termination or truncation
    world.step(None if over else world.action_space(agent).sample(observation["action_mask"]))
```

Needs the extra `pettingzoo`. See `engine.encoding` for what the numbers are.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv  # type: ignore[import-untyped]  # it has no py.typed
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]  # as above
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"arena.pettingzoo needs {error.name}: pip install 'savanna-arena[pettingzoo]'"
    ) from None

from engine import registry
from engine.encoding import Encoding, Observation
from engine.game import CHANCE, AnyGame, Outcome
from engine.options import make_table


def env(
    game: str | AnyGame,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """A game with PettingZoo's usual wrappers: an illegal action ends it and costs its agent 1.

    Args:
        game: its name, as in `arena games`, or the game itself.
        players: how many seats; the fewest that the options allow unless given.
        options: of the game; what is absent has its default.
        render_mode: `ansi` for text from `render`, `human` to print it.

    Raises:
        UnknownGame: there is no such game.
        TableError: it has no such options, or is not for so many.
    """
    table = GameEnv(game, players=players, options=options, render_mode=render_mode)
    guarded = wrappers.TerminateIllegalWrapper(table, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class GameEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # untyped, as above
    """The game itself. An agent `player_0` is a seat; chance plays by itself, from the seed.

    Rewards come with the end: 1 for the win and −1 for the loss of a game of two, and among more
    the mean over the opponents; a shared rank counts 0. `infos` hold the `scores` per side then.
    """

    def __init__(
        self,
        game: str | AnyGame,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set the table; `env` says what the arguments are."""
        super().__init__()
        self.game: Final[AnyGame] = registry.game(game) if isinstance(game, str) else game
        self.table: Final = make_table(self.game, players, options or {})
        self.encoding: Final = Encoding(self.game, self.table)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.game.name.replace('-', '_')}_v{self.game.version}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self._seats: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random, _ = seeding.np_random()

    # What agents see and do

    def observation_space(self, agent: str) -> spaces.Dict:
        """A view and a mask of the legal actions."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of actions."""
        return self._actions[agent]

    @cached_property
    def _observations(self) -> Mapping[str, spaces.Dict]:
        # A space for each agent: each is seeded by itself.
        return {agent: self._observation_space() for agent in self.possible_agents}

    @cached_property
    def _actions(self) -> Mapping[str, spaces.Discrete]:
        size = self.encoding.size
        return {agent: spaces.Discrete(size) for agent in self.possible_agents}

    def _observation_space(self) -> spaces.Dict:
        encoding, whole = self.encoding, self.encoding.dtype == np.uint8
        low, high = (0, 255) if whole else (-np.inf, np.inf)
        return spaces.Dict(
            {
                "observation": spaces.Box(low, high, (encoding.length,), encoding.dtype),
                "action_mask": spaces.Box(0, 1, (encoding.size,), np.int8),
            }
        )

    def observe(self, agent: str) -> Observation:
        """What the agent sees of the state, and which of its actions are legal."""
        seat = self._seats[agent]
        legal = self.game.legal(self.position) if self._to_act == seat else ()
        return self.encoding.observe(self.game.view(self.position, seat), seat, legal)

    # The game

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # PettingZoo's; the table's are set
    ) -> None:
        """Deal anew; the same seed gives the same deal, and the same ones after it."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._deal = self._random.bytes(16).hex()
        self.position = self.game.initial(self.table)
        """The game's own state; it holds every secret."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._play_chance()
        self.agent_selection = self.agents[self._to_act or 0]

    def step(self, action: int | None) -> None:
        """Play an action for the agent that is to act.

        Raises:
            EncodingError: the number stands for no legal action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        legal = self.game.legal(self.position)
        assert action is not None
        name = self.encoding.action(int(action), legal)
        self.position = self.game.apply(self.position, name)
        self._play_chance()
        self._go_on(agent)
        if self.render_mode == "human":
            self.render()

    def _play_chance(self) -> None:
        while (seat := self.game.to_act(self.position)) == CHANCE:
            outcome = self.game.chance(self.position, self._deal)
            self.position = self.game.apply(self.position, outcome)
        self._to_act = seat

    def _go_on(self, agent: str) -> None:
        """Ask the next agent, or give everybody their reward."""
        outcome = self.game.outcome(self.position)
        if outcome is None:
            assert self._to_act is not None
            self.agent_selection = self.possible_agents[self._to_act]
        else:
            self.rewards = dict(zip(self.agents, self._rewards(outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"scores": outcome.scores} for agent in self.agents}
            self.agent_selection = self.agents[(self._seats[agent] + 1) % len(self.agents)]
        self._accumulate_rewards()

    def _rewards(self, outcome: Outcome) -> list[float]:
        """Per seat: the opponents beaten less those that won, as a share of all opponents."""
        ranked = list(zip(self.game.sides(self.table), outcome.ranks, strict=True))
        rewards = []
        for side, rank in ranked:
            others = [other for of, other in ranked if of != side]
            rewards.append(sum((o > rank) - (o < rank) for o in others) / max(len(others), 1))
        return rewards

    # For people

    def render(self) -> str | None:
        """The public view as text: given with `ansi`, printed with `human`."""
        if self.render_mode is None:
            return None
        text = self.game.text(self.table, self.game.view(self.position, None))
        if self.render_mode == "human":
            print(text, flush=True)  # noqa: T201  # what PettingZoo calls human rendering
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
