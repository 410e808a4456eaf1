"""One line per function of the language, entry by entry or row by row."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

Function = Callable[[Tensor], Tensor]


def normal_cdf(x: Tensor) -> Tensor:
    """Phi(x) = erfc(-x / sqrt 2) / 2."""
    return torch.erfc(-x / math.sqrt(2)) / 2


def normal_density(x: Tensor) -> Tensor:
    """phi(x) = exp(-x**2 / 2) / sqrt(2 pi)."""
    return torch.exp(-x * x / 2) / math.sqrt(2 * math.pi)


UNARY: dict[str, Function] = {
    "sqrt": torch.sqrt,
    "exp": torch.exp,
    "log": torch.log,
    "sin": torch.sin,
    "cos": torch.cos,
    "asin": torch.asin,
    "acos": torch.acos,
    "atan": torch.atan,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "gelu": lambda x: x * normal_cdf(x),
    "silu": lambda x: x * torch.sigmoid(x),
    # torch's softplus is x beyond 20, which is wrong in the ninth digit.
    "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "abs": torch.abs,
    "erf": torch.erf,
    "Phi": normal_cdf,
    "phi": normal_density,
    "factorial": lambda x: torch.exp(torch.lgamma(x + 1)),
}

BINARY: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "min": torch.minimum,
    "max": torch.maximum,
    "binomial": lambda n, k: torch.exp(torch.lgamma(n + 1) - torch.lgamma(k + 1) - torch.lgamma(n - k + 1)),
}


def rms_norm(x: Tensor) -> Tensor:
    """Each row divided by the root of its mean square."""
    return x / torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True))


def layer_norm(x: Tensor) -> Tensor:
    """Each row centred, then as rms_norm: no epsilon, no gain."""
    return rms_norm(x - torch.mean(x, dim=-1, keepdim=True))


ROWWISE: dict[str, Function] = {
    "softmax": lambda x: torch.softmax(x, dim=-1),
    "rmsnorm": rms_norm,
    "layernorm": layer_norm,
}

INVERSE: dict[str, Function] = {
    "sqrt": torch.square,
    "exp": torch.log,
    "log": torch.exp,
    "tanh": torch.atanh,
    "sigmoid": torch.logit,
    "softplus": lambda y: torch.log(torch.expm1(y)),
    "erf": torch.erfinv,
}

INTEGER_UNARY: dict[str, Callable[[int], int]] = {
    "factorial": math.factorial,
    "factorial2": lambda n: math.prod(range(n, 0, -2)),
}
