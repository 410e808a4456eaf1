"""The same draws always: one stream per point, symbol and unit of draws. Names are in none of them.

A unit is the smallest run of draws that has a stream of its own. Its length depends on how large one
draw is and on nothing else, so any number of workers and any chunk size see the same numbers.
"""

import hashlib
from dataclasses import dataclass

import numpy as np

MAX_UNIT = 1024
UNIT_ELEMENTS = 2**20


@dataclass(frozen=True)
class Stream:
    """Where the draws at one point come from."""

    seed: int
    point: str
    purpose: str = "estimate"

    def generator(self, symbol: str, unit: int) -> np.random.Generator:
        """The generator of one symbol (by its place) in one unit: a counter under a key of all the rest."""
        text = "\x00".join((str(self.seed), self.point, self.purpose, symbol))
        key = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key, spawn_key=(unit,))))


def unit_length(elements: int) -> int:
    """Draws per unit: a power of two, fewer where one draw has many entries."""
    length = MAX_UNIT
    while length > 1 and length * elements > UNIT_ELEMENTS:
        length //= 2
    return length
