"""A bot that plays what was learned: `python -m bots.policy --policy policy.npz`.

A policy is a function from an observation of `engine.encoding`, the same that `arena.pettingzoo`
trains with, to the number of an action:

- `module:function`, or `file.py:function`; without a name the function is called `policy`;
- `file.npz`, the layers of a network: `weights_0`, `bias_0`, `weights_1`, … of shapes (inputs,
  outputs) and (outputs,), and between them `activation`: `relu`, unless it says `tanh`. The legal
  action of the highest output is played.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Final, TypeAlias
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.encoding import Encoding, EncodingError, Observation
from engine.game import Table
from engine.registry import game as game_named
from protocol.bot import Decide, run
from protocol.messages import Act, Start

Policy: TypeAlias = Callable[[Observation], int]

ACTIVATIONS: Final[Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]]] = {
    "relu": lambda numbers: np.maximum(numbers, 0),
    "tanh": np.tanh,
}


class PolicyError(ValueError):
    """A policy that cannot be played; one sentence."""


class Network:
    """A feed-forward network, read from its layers."""

    def __init__(
        self, layers: Sequence[tuple[NDArray[Any], NDArray[Any]]], activation: str
    ) -> None:
        self._layers = layers
        self._activation = ACTIVATIONS[activation]

    @classmethod
    def read(cls, path: Path) -> "Network":
        """The network of an npz file.

        Raises:
            PolicyError: the file has no layers, or layers that do not fit each other.
            OSError: it cannot be read.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = dict(file)
        except (ValueError, EOFError, BadZipFile, AttributeError):
            raise PolicyError(f"{path} is not a file of numpy.savez") from None
        numbers = takewhile(lambda n: f"weights_{n}" in arrays, count())
        names = [(f"weights_{n}", f"bias_{n}") for n in numbers] or [("weights_0", "bias_0")]
        for name in (name for pair in names for name in pair if name not in arrays):
            raise PolicyError(f"{path} has no {name}")
        layers = [(arrays[weights], arrays[bias]) for weights, bias in names]
        activation = str(arrays.get("activation", "relu"))
        if activation not in ACTIVATIONS:
            raise PolicyError(f"{path}: activation is relu or tanh, not {activation}")
        return cls(layers, activation)

    def __call__(self, observation: Observation) -> int:
        """The legal action of the highest output.

        Raises:
            PolicyError: the observation or the actions are not as many as the network has.
        """
        numbers, mask = observation["observation"], observation["action_mask"]
        try:
            for place, (weights, bias) in enumerate(self._layers):
                numbers = (self._activation(numbers) if place else numbers) @ weights + bias
            return int(np.where(mask == 1, numbers, -np.inf).argmax())
        except ValueError:
            shapes = " and ".join(str(weights.shape) for weights, _ in self._layers)
            raise PolicyError(
                f"the network of {shapes} is not for {len(observation['observation'])} numbers and"
                f" {len(mask)} actions; was it trained at another table?"
            ) from None


def load(words: str) -> Policy:
    """The policy that the words name.

    Raises:
        PolicyError: there is none.
        OSError: its file cannot be read.
    """
    place, _, name = words.partition(":")
    if place.endswith(".npz"):
        return Network.read(Path(place))
    name = name or "policy"
    module = _module_in(Path(place)) if place.endswith(".py") else import_module(place)
    policy = getattr(module, name, None)
    if not callable(policy):
        raise PolicyError(f"{place} has no function {name}")
    return policy  # type: ignore[no-any-return]  # what it takes and gives only a call can tell


def _module_in(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # so that its classes can be pickled, as those of a module
    spec.loader.exec_module(module)
    return module


def deciding(policy: Policy) -> Decide:
    """A bot's function that asks a policy."""

    def decide(act: Act, start: Start) -> list[str]:
        encoding = _encoding(start.game, start.players, msgspec.json.encode(start.options))
        view = msgspec.convert(act.state, game_named(start.game).view_type)
        legal = act.legal or ()
        return [encoding.action(int(policy(encoding.observe(view, act.seat, legal))), legal)]

    return decide


@cache
def _encoding(name: str, players: int, options: bytes) -> Encoding:
    game = game_named(name)
    return Encoding(game, Table(msgspec.json.decode(options, type=game.options_type), players))


def main() -> None:
    """Play the policy of the command line."""
    parser = argparse.ArgumentParser(prog="policy", description="A bot that plays a policy.")
    parser.add_argument("--policy", required=True, metavar="FILE.npz|FILE.py:NAME|MODULE:NAME")
    words = parser.parse_args().policy
    try:
        run(deciding(load(words)), name="policy", version="1.0")
    except (EncodingError, PolicyError, ImportError, OSError) as error:
        sys.exit(f"policy {words}: {error}")


if __name__ == "__main__":
    main()
