"""How steep a quantity can be in the draws: Gaussians of bounded slope have a bounded variance.

For f with |f(z) - f(z')| <= L |z - z'| and z a standard Gaussian vector, Poincare's inequality says

    Var f <= E |grad f|^2 <= L^2,    and for f = g^2    Var f <= E |2 g grad g|^2 <= 4 L^2 E f.

An independent entry that is uniform with variance 1 has the constant 12/pi^2 in place of 1.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch

from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.scene import Scene
from verifier.sample.draws.static_integers import count, terms, try_integer
from verifier.sample.unsupported import RefusedError, UndefinedError

ROUNDING = 1 + 1e-9
MAX_TERMS = 500
POINCARE = {"gaussian": 1.0, "uniform": math.sqrt(12) / math.pi}
# The largest slope of each function, rounded up.
SLOPES: Mapping[str, float] = {
    "relu": 1.0,
    "abs": 1.0,
    "sin": 1.0,
    "cos": 1.0,
    "atan": 1.0,
    "tanh": 1.0,
    "softplus": 1.0,
    "sigmoid": 0.25,
    "erf": 2 / math.sqrt(math.pi),
    "Phi": 1 / math.sqrt(2 * math.pi),
    "phi": 0.242,  # 1/sqrt(2 pi e)
    "gelu": 1.13,
    "silu": 1.1,
}


class SteepError(Exception):
    """No bound on the slope is known."""


def slope_of(node: N.Node, scene: Scene, over: frozenset[str]) -> float | None:
    """L with |f(z) - f(z')| <= L |z - z'| for every entry f of the node; None where none is found."""
    return _found(lambda reader, scope: reader.slope(node, scope), scene, over)


def square_slope_of(node: N.Node, scene: Scene, over: frozenset[str]) -> float | None:
    """L^2 where every entry of the node is a square g^2 (or a sum of such) with g of slope L."""
    return _found(lambda reader, scope: reader.square(node, scope), scene, over)


def _found(read: Callable[["Slopes", Scope], float], scene: Scene, over: frozenset[str]) -> float | None:
    if scene.late or any(name.startswith(sources.LAYER) for name in over):
        return None
    double = scene.on_cpu()
    scope = replace(double, laws={}).bind({})
    try:
        found = ROUNDING * read(Slopes(double, over), scope)
    except (SteepError, RefusedError, UndefinedError):
        return None
    return found if math.isfinite(found) else None


@dataclass(frozen=True)
class Slopes:
    """Slopes of matrices in the Frobenius norm, with respect to the standard variables behind the draws."""

    scene: Scene
    over: frozenset[str]

    def is_fixed(self, node: N.Node) -> bool:
        return not sources.random_names(node, self.scene.world) & self.over

    def slope(self, node: N.Node, scope: Scope) -> float:
        if self.is_fixed(node):
            return 0.0
        match node:
            case N.Symbol(name) | N.Member(name):
                return self._symbol(name)
            case N.Let(name, body):
                return self.slope(scope.world.assumed.get(name, body), scope)
            case N.Add(left, right) | N.Subtract(left, right):
                return self._spread(left, node, scope) + self._spread(right, node, scope)
            case N.Multiply(left, right):
                fixed, moving = (left, right) if self.is_fixed(left) else (right, left)
                return self._times(self._fixed(fixed, scope), moving, node, scope)
            case N.Divide(left, right):
                return self._times(1 / self._fixed(right, scope), left, node, scope)
            case N.MatMul(left, right):
                fixed, moving = (left, right) if self.is_fixed(left) else (right, left)
                return float(torch.linalg.matrix_norm(self._fixed(fixed, scope), 2)) * self.slope(
                    moving, scope
                )
            case N.Inner(left, right):
                fixed, moving = (left, right) if self.is_fixed(left) else (right, left)
                return float(self._fixed(fixed, scope).norm()) * self.slope(moving, scope)
            case N.Apply("min" | "max", (left, right)):
                return self._spread(left, node, scope) + self._spread(right, node, scope)
            case N.Apply(function, (arg,)) if function in SLOPES:
                return SLOPES[function] * self.slope(arg, scope)
            case N.RowWise("softmax", arg):  # diag(a) - a a^T is at most 1/2
                return self.slope(arg, scope) / 2
            case N.Sum(body, ranges, conditions):
                if count(ranges, scope) > MAX_TERMS:
                    raise SteepError
                return sum(self.slope(body, inner) for inner in terms(ranges, conditions, scope))
            case N.Trace(arg):
                return math.sqrt(scope.world.size(arg.shape.rows)) * self.slope(arg, scope)
            case N.Norm(arg, "1"):
                return math.sqrt(scope.world.size(arg.shape.size)) * self.slope(arg, scope)
            case N.Norm(arg) | N.Negate(arg) | N.Transpose(arg) | N.VecR(arg):
                return self.slope(arg, scope)
            case N.DiagMatrix(arg) | N.DiagPart(arg) | N.Entry(arg) | N.Row(arg):
                return self.slope(arg, scope)
        raise SteepError

    def square(self, node: N.Node, scope: Scope) -> float:
        """The squared slope of g, node = g^2; of several such, g^2 + h^2 = |(g, h)|^2."""
        match node:
            case N.Let(name, body):
                return self.square(scope.world.assumed.get(name, body), scope)
            case N.Power(base, exponent) if try_integer(exponent, scope) == 2:
                return self.slope(base, scope) ** 2
            case N.Inner(left, right) if left == right:
                return self.slope(left, scope) ** 2
            case N.Add(left, right):
                return self.square(left, scope) + self.square(right, scope)
            case N.Multiply(left, right):
                fixed, moving = (left, right) if self.is_fixed(left) else (right, left)
                return self._factor(fixed, scope) * self.square(moving, scope)
            case N.Divide(left, right):
                return self.square(left, scope) / self._factor(right, scope)
            case N.Sum(body, ranges, conditions):
                if count(ranges, scope) > MAX_TERMS:
                    raise SteepError
                return sum(self.square(body, inner) for inner in terms(ranges, conditions, scope))
        raise SteepError

    def _symbol(self, name: str) -> float:
        law = self.scene.laws.get(name)
        if law is None or law.base not in POINCARE or (law.mix is not None and law.base != "gaussian"):
            raise SteepError
        mixed = 1.0 if law.mix is None else float(torch.linalg.matrix_norm(law.mix, 2))
        return POINCARE[law.base] * float(law.scale.abs().max()) * mixed

    def _fixed(self, node: N.Node, scope: Scope) -> torch.Tensor:
        if not self.is_fixed(node):
            raise SteepError
        return evaluate(node, scope)

    def _factor(self, node: N.Node, scope: Scope) -> float:
        value = self._fixed(node, scope)
        if value.numel() != 1 or float(value) <= 0:
            raise SteepError
        return float(value)

    def _spread(self, arg: N.Node, node: N.Node, scope: Scope) -> float:
        """A scalar that meets a matrix stands in all of its entries."""
        copies = scope.world.size(node.shape.size) / max(scope.world.size(arg.shape.size), 1)
        return math.sqrt(copies) * self.slope(arg, scope)

    def _times(self, factor: torch.Tensor, moving: N.Node, node: N.Node, scope: Scope) -> float:
        return float(factor.abs().max()) * self._spread(moving, node, scope)
