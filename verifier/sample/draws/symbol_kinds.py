"""Whether a value is one that its symbol may take."""

import torch
from torch import Tensor

from verifier.expr.symbols import (
    Dimension,
    FixedKind,
    FixedMatrix,
    IndexOf,
    Integer,
    Interval,
    Positive,
    Real,
)
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.unsupported import RefusedError

CLOSE = 1e-9


def belongs(kind: FixedKind, value: Tensor, scope: Scope) -> bool:
    """The value lies in the set that the declaration names, to rounding."""
    if not bool(torch.isfinite(value).all()):
        return False
    match kind:
        case Real():
            return True
        case Positive():
            return bool((value > 0).all())
        case Interval(low, high):
            return bool(
                (value >= evaluate(low, scope) - CLOSE).all() & (value <= evaluate(high, scope) + CLOSE).all()
            )
        case Dimension():
            return _whole(value) and bool((value >= 1).all())
        case Integer():
            return _whole(value)
        case IndexOf(size):
            return _whole(value) and 1 <= float(value) <= scope.world.size(size)
        case FixedMatrix(family):
            return _in_family(family, value)
    raise RefusedError(f"values of kind {type(kind).__name__}")


def _whole(value: Tensor) -> bool:
    return bool(((value - value.round()).abs() <= CLOSE).all())


def _in_family(family: str, value: Tensor) -> bool:
    match family:
        case "matrix" | "vector":
            return True
        case "simplex":
            return bool((value >= 0).all()) and abs(float(value.sum()) - 1) <= CLOSE
        case "stochastic":
            return bool((value >= 0).all()) and bool(((value.sum(dim=1) - 1).abs() <= CLOSE).all())
        case "symmetric":
            return _close(value, value.mT)
        case "psd":
            return _close(value, value.mT) and bool((torch.linalg.eigvalsh(value) >= -CLOSE).all())
        case "orthogonal":
            return _close(value @ value.mT, torch.eye(value.shape[0], dtype=value.dtype))
    raise RefusedError(f"values of the class {family}")


def _close(left: Tensor, right: Tensor) -> bool:
    return bool(((left - right).abs() <= CLOSE * (1 + left.abs().max())).all())
