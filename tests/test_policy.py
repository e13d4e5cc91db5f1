"""A learned policy as a bot: the numbers it is given and gives are those it was trained with."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.pettingzoo import GameEnv
from bots.policy import Network, PolicyError, deciding, load
from engine.encoding import EncodingError, Observation
from protocol.messages import Act, Start, StartTime
from tests.arena_cli import Arena

FIRST = "def policy(observation):\n    return observation['action_mask'].argmax()\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(path: Path, *shapes: tuple[int, int], **extra: Any) -> Path:
    """A network whose every number is its place."""
    layers: dict[str, Any] = {}
    for place, shape in enumerate(shapes):
        layers[f"weights_{place}"] = np.arange(shape[0] * shape[1]).reshape(shape) % 7 - 3
        layers[f"bias_{place}"] = np.arange(shape[1]) % 5
    np.savez(path, **(layers | extra))
    return path


def seen(numbers: list[float], mask: list[int]) -> Observation:
    return {"observation": np.array(numbers), "action_mask": np.array(mask, dtype=np.int8)}


def test_a_policy_sees_in_a_match_what_it_saw_in_training(here: Path) -> None:
    world = GameEnv("savanna-ten", players=3, options={"mouse": "add"})
    world.reset(seed=4)
    heard: list[Any] = []

    def policy(observation: Any) -> int:
        heard.append(observation)
        return int(observation["action_mask"].argmax())

    decide = deciding(policy)
    start = Start("m1", "savanna-ten", 1, {"mouse": "add"}, 3, 0, 7, StartTime(1000, 5000))
    for number in range(9):
        seat = world.possible_agents.index(world.agent_selection)
        view = world.game.view(world.position, seat)
        legal = world.game.legal(world.position)
        act = Act("m1", number, seat, json.loads(_json(view)), [], legal)
        trained = world.observe(world.agent_selection)
        decided = decide(act, start)
        assert all(np.array_equal(trained[key], heard[-1][key]) for key in trained)
        assert decided == [legal[0]]
        world.step(int(trained["action_mask"].argmax()))


def _json(view: Any) -> bytes:
    import msgspec

    return msgspec.json.encode(view)


def test_a_network_is_its_layers(here: Path) -> None:
    path = here / "net.npz"
    first, second = np.array([[1.0, -2.0]]), np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    np.savez(path, weights_0=first, bias_0=np.zeros(2), weights_1=second, bias_1=np.zeros(3))
    network = Network.read(path)
    assert network(seen([1], [1, 1, 1])) == 2  # relu: (1, 0) gives (1, 0, 2)
    assert network(seen([1], [1, 1, 0])) == 0, "the best that is legal"
    assert network(seen([-1], [1, 1, 1])) == 1  # (0, 2) gives (0, 6, 0)


def test_between_its_layers_is_relu_unless_it_says_tanh(here: Path) -> None:
    layers: dict[str, Any] = {
        "weights_0": np.array([[1.0, 4.0]]),
        "bias_0": np.zeros(2),
        "weights_1": np.array([[1.0, 0.0], [0.0, 0.5]]),
        "bias_1": np.zeros(2),
    }
    np.savez(here / "relu.npz", **layers)
    np.savez(here / "tanh.npz", **layers, activation="tanh")
    assert Network.read(here / "relu.npz")(seen([1], [1, 1])) == 1
    assert Network.read(here / "tanh.npz")(seen([1], [1, 1])) == 0


def test_a_function_of_a_file_or_a_module(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "learned.py").write_text(FIRST + "\nlast = lambda o: 7\n")
    assert load("learned.py")(seen([0], [0, 1])) == 1
    assert load("./learned.py:last")(seen([0], [0, 1])) == 7
    monkeypatch.syspath_prepend(here)
    assert load("learned:last")(seen([0], [0, 1])) == 7


@pytest.mark.parametrize(
    ("words", "error", "sentence"),
    [
        ("learned.py:best", PolicyError, "learned.py has no function best"),
        ("no_module", ModuleNotFoundError, "No module named 'no_module'"),
        ("gone.npz", FileNotFoundError, "gone.npz"),
        ("text.npz", PolicyError, "text.npz is not a file of numpy.savez"),
        ("empty.npz", PolicyError, "empty.npz has no weights_0"),
        ("half.npz", PolicyError, "half.npz has no bias_1"),
        ("odd.npz", PolicyError, "odd.npz: activation is relu or tanh, not sin"),
    ],
)
def test_what_is_no_policy(here: Path, words: str, error: type[Exception], sentence: str) -> None:
    (here / "learned.py").write_text(FIRST)
    (here / "text.npz").write_text("weights")
    np.savez(here / "empty.npz", other=np.zeros(1))
    save(here / "half.npz", (2, 2), weights_1=np.zeros((2, 2)))
    save(here / "odd.npz", (2, 2), activation="sin")
    with pytest.raises(error, match=sentence):
        load(words)


def test_a_network_of_another_table_is_told(here: Path) -> None:
    network = Network.read(save(here / "net.npz", (2, 3), (3, 4)))
    sentence = (
        r"the network of \(2, 3\) and \(3, 4\) is not for 3 numbers and 4 actions; was it trained"
        " at another table"
    )
    with pytest.raises(PolicyError, match=sentence):
        network(seen([1, 2, 3], [1, 1, 1, 1]))


def test_an_action_that_is_not_legal_is_told() -> None:
    world = GameEnv("herd", options={"size": 2})
    world.reset(seed=1)
    legal = world.game.legal(world.position)
    view = json.loads(_json(world.game.view(world.position, 0)))
    start = Start("m1", "herd", 1, {"size": 2}, 2, 0, 7, StartTime(1000, 5000))
    with pytest.raises(EncodingError, match="0 is remove@A2, which is not legal"):
        deciding(lambda _: 0)(Act("m1", 1, 0, view, [], legal), start)


def test_it_plays_a_match(arena: Arena) -> None:
    world = GameEnv("herd", options={"size": 2})
    save(arena.folder / "net.npz", (world.encoding.length, 8), (8, world.encoding.size))
    words = ("--option", "size=2", "--isolation", "none", "--json")
    done = arena("match", "herd", "policy --policy ./net.npz", "random", *words)
    assert done.status == 0, done.err
    record = done.json()
    assert record["faults"] == []
    assert record["bots"][0]["name"] == "policy"


def test_a_folder_with_bot_toml_is_a_bot_too(arena: Arena) -> None:
    folder = arena.folder / "learner"
    folder.mkdir()
    (folder / "learned.py").write_text(FIRST)
    (folder / "bot.toml").write_text(
        'name = "learner"\n'
        'command = ["python3", "-m", "bots.policy", "--policy", "learned.py"]\n'
        'games = ["herd"]\n'
    )
    words = ("--option", "size=2", "--isolation", "none", "--json")
    done = arena("match", "herd", "./learner", "random", *words)
    assert done.status == 0, done.err
    assert done.json()["faults"] == []


def test_what_is_wrong_is_the_last_line_of_its_log(here: Path) -> None:
    command = [sys.executable, "-m", "bots.policy", "--policy", "gone.npz"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=here)
    assert run.returncode == 1
    assert run.stderr == ("policy gone.npz: [Errno 2] No such file or directory: 'gone.npz'\n")
