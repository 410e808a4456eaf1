"""Patterns of a family belong to it."""

import pytest

from verifier.prove.blocks.block_numbers import FLOATS
from verifier.prove.blocks.block_patterns import patterns
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/families
symbols: {n: dimension, S: "%s(n)"}
claims:
  c: {says: "S == S"}
"""


@pytest.mark.parametrize("family", ["symmetric", "psd"])
@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (1, 4)])
def test_symmetric_families_have_symmetric_patterns(family: str, sizes: tuple[int, int]) -> None:
    (claim,) = load_text(SPEC % family, "families.yaml").claims
    for pattern in patterns(claim.symbols["S"], True, moving=True):
        made = pattern.build(FLOATS, sizes, sizes)
        assert made is None or made.value == made.transposed.value, pattern.words
