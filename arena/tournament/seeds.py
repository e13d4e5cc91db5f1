"""All chance of a run follows from one seed text, each kind in a hash domain of its own.

A hash is BLAKE2b, personalised with the name of its domain, of the parts as a JSON array. So
nothing that a bot is told (its own seed) helps it to another value (a deal), and the same run
is the same everywhere. Only `random_seed` is not pure.
"""

import secrets
import struct
from collections.abc import Sequence
from hashlib import blake2b, shake_128
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.store.model import Run, Slot


def random_seed() -> str:
    """A seed nobody can guess: 128 random bits in hex. The only impure function here."""
    return secrets.token_hex(16)


def run_id(run: Run) -> str:
    """The id that follows from what identifies a run: 12 hex digits.

    The run's `id`, `words`, `created` and `sides` (which follow from the game) do not enter.
    """
    options = sorted(run.options.items())
    identity = (run.game, run.version, options, run.seats, run.format, run.clocks, run.seed)
    return _hash("run", *identity).hex()[:12]


def deal(seed: str, group: Sequence[str], number: int) -> str:
    """The deal that a group (in any order) plays as its number-th: 128 bits in hex."""
    return _hash("deal", seed, sorted(group), number).hex()


def order(seed: str, group: Sequence[str], number: int) -> tuple[str, ...]:
    """The group in the order that the rotations of this deal shift: permuted by deal."""
    names = sorted(group)
    return tuple(sorted(names, key=lambda name: _hash("order", seed, names, number, name)))


def draws(seed: str, number: int, bots: int) -> tuple[int, ...]:
    """A number per bot, 0 … 2³² − 1, that decides between equals for a sample's number-th deal."""
    text = msgspec.json.encode(("sample", seed, number))
    return struct.unpack(f">{bots}I", shake_128(text).digest(4 * bots))


def match_seed(seed: str, slot: Slot) -> str:
    """The seed of a match, for its stand-ins: 128 bits in hex."""
    return _hash("match", seed, *astuple(slot)).hex()


def bot_seeds(seed: str, slot: Slot, seats: int) -> tuple[int, ...]:
    """The seed that each seat is told, 0 … 2³¹ − 1."""
    hashes = (_hash("bot", seed, *astuple(slot), seat) for seat in range(seats))
    return tuple(int.from_bytes(value[:4], "big") >> 1 for value in hashes)


def match_id(run: str, slot: Slot, digests: Sequence[str]) -> str:
    """The name of a match, unique in the world: run, deal, rotation and 64 bits of a hash.

    Ids of a run sort nearly in the order of play, which keeps the store's index cheap to grow.

    Args:
        run: the run's id.
        slot: its place in the run.
        digests: what the group's programs are, in the group's order: a bot that is replaced
            plays matches with new ids.
    """
    tail = _hash("id", run, *astuple(slot), list(digests)).hex()[:16]
    return f"{run}-{slot.deal:06}-{slot.rotation}-{tail}"


def _hash(domain: str, *parts: Any) -> bytes:
    """128 bits that follow from the domain and the parts."""
    text = msgspec.json.encode(parts)
    return blake2b(text, digest_size=16, person=domain.encode()).digest()
