"""Draws of masks: zeros and ones with the stated chance; no tail bound is claimed for sums of rare ones."""

import numpy as np
import torch

from verifier.sample.draws.law_samplers import Law
from verifier.sample.tails.tail_weights import hypercontractive

torch.set_num_threads(1)


def test_draws() -> None:
    zero, one = torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, 1, dtype=torch.float64)
    law = Law("mask", (2, 3), zero, one, chance=0.25)
    drawn = law.draw(np.random.default_rng(0), 4000)
    assert set(drawn.unique().tolist()) == {0.0, 1.0}
    assert abs(float(drawn.mean()) - 0.25) < 5 * np.sqrt(0.25 * 0.75 / drawn.numel())
    assert law.bounded == (0.0, 1.0)


def test_no_constant_serves_rare_masks() -> None:
    """E f**4/(E f**2)**2 = 1/p for f = x: unbounded as p falls."""
    assert hypercontractive({"B": 1}, {"B": "mask"}) is None
    assert hypercontractive({"B": 1}, {"B": "sign"}) == 3.0
