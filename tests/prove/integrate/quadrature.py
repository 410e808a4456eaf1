"""Expectations over normal variables by quadrature: the definition, in high precision."""

import math
from collections.abc import Callable
from itertools import pairwise

import mpmath as mp
import numpy as np

FUNCTIONS: dict[str, Callable[[mp.mpf], mp.mpf]] = {
    "relu": lambda x: x if x > 0 else mp.mpf(0),
    "relu_slope": lambda x: mp.mpf(x > 0),
    "abs": abs,
    "abs_slope": lambda x: mp.sign(x),
    "Phi": mp.ncdf,
    "phi": mp.npdf,
    "erf": mp.erf,
    "gelu": lambda x: x * mp.ncdf(x),
    "exp": mp.exp,
    "sin": mp.sin,
    "cos": mp.cos,
    "bell": lambda x: mp.exp(-x),  # of k u**2: the scale is the k
    "tanh": mp.tanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
}


def one(f: Callable[[mp.mpf], mp.mpf], variance: mp.mpf, mean: mp.mpf | int = 0) -> mp.mpf:
    """E f(u), u ~ N(mean, variance), cut where the kinks at 0 are."""
    spread = mp.sqrt(variance)
    cuts = sorted({mp.mpf(x) for x in (-14, -4, 0, 4, 14)} | {-mean / spread})
    return mp.quad(lambda z: f(mean + spread * z) * mp.npdf(z), cuts)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


def _panels(cut: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of a standard normal's integral, cut at one point."""
    ends = sorted({-9.0, -3.0, 3.0, 9.0, min(max(cut, -8.9), 8.9)})
    nodes, weights = [], []
    for low, high in pairwise(ends):
        z = (low + high) / 2 + (high - low) / 2 * _NODES
        nodes.append(z)
        weights.append(_WEIGHTS * (high - low) / 2 * np.exp(-z * z / 2) / np.sqrt(2 * np.pi))
    return np.concatenate(nodes), np.concatenate(weights)


def two(f: Callable[[float, float], float], first: float, second: float, tie: float) -> float:
    """E f(u, w) over a centred pair, w given u being normal: to about 12 digits, kinks at 0 allowed."""
    slope, left = tie / first, math.sqrt(second - tie**2 / first)
    total = 0.0
    for z, weight in zip(*_panels(0.0), strict=True):
        u = math.sqrt(first) * z
        inner = zip(*_panels(-slope * u / left), strict=True)
        total += weight * sum(w * f(u, slope * u + left * y) for y, w in inner)
    return total


FLOATS: dict[str, Callable[[float], float]] = {
    "relu": lambda x: max(x, 0.0),
    "relu_slope": lambda x: float(x > 0),
    "abs": abs,
    "erf": math.erf,
    "Phi": lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
    "phi": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    "gelu": lambda x: x * 0.5 * math.erfc(-x / math.sqrt(2)),
    "exp": math.exp,
    "sin": math.sin,
    "cos": math.cos,
}
