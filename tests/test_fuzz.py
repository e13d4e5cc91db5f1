"""Noise: small counts of what benchmarks/fuzz.py runs by the million."""

import os
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee import procfs
from engine.registry import game
from tests.fuzzing import codec_verdict, matches, mutated, seat_verdicts
from tests.toy_game import ToyGame

pytestmark = pytest.mark.usefixtures("never_void")


@given(st.binary(max_size=200).map(lambda line: line.replace(b"\n", b" ")))
def test_the_codec_takes_any_bytes(line: bytes) -> None:
    assert codec_verdict(line) in ("valid", "refused")


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_the_codec_takes_any_value_in_any_field(value: object) -> None:
    for field in ("type", "id", "actions", "note", "value", "protocol", "name", "games", "x"):
        message = {"type": "action", "id": 1, "actions": ["one"]} | {field: value}
        assert codec_verdict(msgspec.json.encode(message)) in ("valid", "refused")


def test_the_codec_takes_lines_that_are_nearly_right() -> None:
    rng = Random(7)
    verdicts = {codec_verdict(mutated(rng)) for _ in range(5000)}
    assert verdicts == {"valid", "refused"}


async def test_a_live_seat_takes_noise() -> None:
    rng = Random(7)
    await seat_verdicts(rng, 20)
    before = procfs.private_bytes(os.getpid())
    verdicts = await seat_verdicts(rng, 300)
    assert {"ok", "protocol", "overlong"} <= verdicts.keys()
    assert verdicts.keys() <= {"ok", "protocol", "overlong", "crash", "timeout"}
    assert procfs.private_bytes(os.getpid()) - before < 4 << 20


@pytest.mark.parametrize("name", ["toy", "savanna-ten", "herd"])
async def test_whole_matches_of_random_answers_end(name: str) -> None:
    chosen = ToyGame() if name == "toy" else game(name)
    codes = await matches(Random(7), chosen, 12 if name != "herd" else 4)
    assert codes.keys() <= {"ok", "illegal", "protocol"}
