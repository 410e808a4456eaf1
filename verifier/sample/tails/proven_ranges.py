"""Between which numbers a quantity lies for every draw: bounded quantities have proven intervals."""

import math
from dataclasses import dataclass, replace

import torch

from verifier.expr import nodes as N
from verifier.facts.values import Values
from verifier.sample.compile.outer_intervals import Box, Outer, WideError
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.scene import Scene
from verifier.sample.tails.norm_quotients import quotient_bound
from verifier.sample.unsupported import RefusedError, UndefinedError

UNIT = ("sigmoid", "Phi")
SYMMETRIC = ("tanh", "erf", "sin", "cos")


@dataclass(frozen=True)
class Ranges(Outer):
    """Interval arithmetic in which the random symbols `over` take every value of their support."""

    scene: Scene | None = None
    over: frozenset[str] = frozenset()

    def known(self, node: N.Node, scope: Scope) -> Box | None:
        if not sources.random_names(node, scope.world) & self.over:
            return self.exact(node, scope)
        shape = scope.world.shape(node.shape)
        match node:
            case N.Symbol(name) | N.Member(name) if name in self.over:
                assert self.scene is not None
                bounds = self.scene.laws[name].bounded
                if bounds is None:
                    raise RefusedError("a bound on a random symbol")
                return _filled(shape, *bounds)
            case N.Norm(N.RowWise("rmsnorm" | "layernorm", arg), "fro"):
                return _filled(shape, 0.0, math.sqrt(scope.world.size(arg.shape.size)))
            case N.Indicator() | N.RowWise("softmax"):
                return _filled(shape, 0.0, 1.0)
            case N.RowWise("rmsnorm" | "layernorm"):
                return _filled(shape, -math.sqrt(shape[1]), math.sqrt(shape[1]))
            case N.Apply(function) if function in UNIT:
                return _filled(shape, 0.0, 1.0)
            case N.Apply(function) if function in SYMMETRIC:
                return _filled(shape, -1.0, 1.0)
            case N.Divide() if (most := quotient_bound(node, self.over, scope)) is not None:
                known = Values.of(scope.world.symbols)(node)
                return _filled(shape, 0.0 if known.is_nonnegative else -most, most)
        return None


def _filled(shape: tuple[int, int], low: float, high: float) -> Box:
    return Box(torch.full(shape, low, dtype=torch.float64), torch.full(shape, high, dtype=torch.float64))


def bounds_of(node: N.Node, scene: Scene, over: frozenset[str]) -> tuple[float, float] | None:
    """low <= every entry <= high on every draw; None where no such bound is found."""
    if any(name.startswith(sources.LAYER) for name in over):
        return None
    double = scene.on_cpu()
    scope = replace(double, laws={}).bind({}) if not double.late else None
    if scope is None:
        return None
    try:
        box = Ranges({}, 1e-12, double, over).value(node, scope)
    except (RefusedError, UndefinedError, WideError):
        return None
    low, high = float(box.low.min()), float(box.high.max())
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None
