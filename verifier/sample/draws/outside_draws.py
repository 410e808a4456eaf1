"""Draws of random symbols that stand outside an expectation: not typical ones alone, for they range over
all that their law allows."""

from dataclasses import replace
from math import isfinite, log2

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr.sizes import float_or_inf
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.devices import sent
from verifier.sample.draws.law_samplers import Law
from verifier.sample.draws.scene import Scene
from verifier.sample.draws.streams import Stream

SCALES = (1.0, 1.0, 8.0, 1 / 16, 1.0, 64.0)
TYPICAL = 2  # the first draws are as the law has them
FAR = 11  # the draw that reaches as far as the numbers in the claim
MOST = 1e9


def draw_simple(
    scene: Scene, names: frozenset[str], stream: Stream, count: int, reach: float = 0.0
) -> dict[str, Tensor]:
    """Draws in which a kink or a jump far out, or at an end of the support, is met.

    Where the law allows any value they are rounded to quarters and some are scaled up or down, one of them
    to about `reach`; a bounded law has its ends among them, and a rare 1 of a mask is as likely as a 0.
    """
    drawn = scene.draw(names, stream, 0, count)
    for name, value in drawn.items():
        law = scene.laws[name]
        if law.base == "gaussian":
            drawn[name] = _spread(law, value, reach)
        elif law.base == "mask":
            if 0 < law.chance < 1:
                fair = replace(law, chance=0.5).draw(stream.generator(scene.world.place(name), 1), count)
                drawn[name] = _with_ends(law, torch.cat([value[:TYPICAL], fair.to(value)[TYPICAL:]]))
        else:
            drawn[name] = _with_ends(law, value)
    return drawn


def _spread(law: Law, value: Tensor, reach: float) -> Tensor:
    """Scaled about the mean, which keeps every correlation. Where all is possible, about 0, and rounded: to
    numbers of about 1, however small or large those of the law are."""
    factors = [SCALES[k % len(SCALES)] for k in range(len(value))]
    typical = float((law.mean.abs() + law.scale.abs()).max())
    if len(factors) > FAR and typical > 0:
        factors[FAR] = max(SCALES[-1], min(reach, MOST) / (1.0 if law.full_support else typical))
    scale = torch.tensor(factors, dtype=torch.float64).reshape(-1, *(1,) * (value.dim() - 1))
    scale = sent(scale, str(value.device), value.dtype)
    if law.full_support and typical > 0:
        unit = 2.0 ** round(log2(typical))
        plain = torch.round(4 / unit * value) / 4 * scale
        return torch.cat([unit * plain[:TYPICAL], plain[TYPICAL:]])
    mean = sent(law.mean, str(value.device), value.dtype)
    return mean + (value - mean) * scale


def _with_ends(law: Law, value: Tensor) -> Tensor:
    """All entries at the upper end, then all at the lower."""
    if law.bounded is None or len(value) < TYPICAL + 2:
        return value
    low, high = (torch.full_like(value[:1], end) for end in law.bounded)
    return torch.cat([value[:TYPICAL], high, low, value[TYPICAL + 2 :]])


def reach_of(fact: N.Fact) -> float:
    """Twice the largest number that the claim names: what turns there is seen beyond it."""
    named = [abs(float_or_inf(node.value)) for node in sources.nodes(fact) if isinstance(node, N.Number)]
    return 2 * max(filter(isfinite, named), default=0.0)
