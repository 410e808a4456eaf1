"""Outer expressions around estimated expectations: intervals in, intervals out.

Only what stands around an expectation comes here (roots, ratios, sums of them); parts without one
are evaluated and widened by rounding.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.compile import torch_functions as functions
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.pairing_sums import Arithmetic, elementary, hafnian
from verifier.sample.compile.structured_matrices import broadcast, norm
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.static_integers import integer, position, terms, try_integer
from verifier.sample.unsupported import RefusedError, UndefinedError

EXPECTED = (N.Expectation, N.Variance, N.Covariance)
INCREASING = {"exp", "tanh", "atan", "sigmoid", "relu", "softplus", "erf", "Phi", "min", "max"}


@dataclass(frozen=True)
class Box:
    """low <= value <= high, entry by entry."""

    low: Tensor
    high: Tensor

    @property
    def middle(self) -> Tensor:
        return (self.low + self.high) / 2

    @property
    def radius(self) -> Tensor:
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Outer:
    """Evaluates what stands around the leaves."""

    boxes: Mapping[int, Box]
    rounding: float = 1e-12

    def known(self, node: N.Node, scope: Scope) -> Box | None:
        """What needs no arithmetic: an estimated leaf, or a part without any."""
        if id(node) in self.boxes:
            return self.boxes[id(node)]
        if any(isinstance(part, EXPECTED) for part in sources.nodes(node)):
            return None
        return self.exact(node, scope)

    def value(self, node: N.Node, scope: Scope) -> Box:
        known = self.known(node, scope)
        if known is not None:
            return known
        match node:
            case N.Let(name, body):
                return self.value(scope.world.assumed.get(name, body), scope)
            case N.Add(left, right):
                a, b = self.value(left, scope), self.value(right, scope)
                return Box(a.low + b.low, a.high + b.high)
            case N.Subtract(left, right):
                a, b = self.value(left, scope), self.value(right, scope)
                return Box(a.low - b.high, a.high - b.low)
            case N.Negate(arg):
                inner = self.value(arg, scope)
                return Box(-inner.high, -inner.low)
            case N.Multiply(left, right):
                return _corners(torch.mul, self.value(left, scope), self.value(right, scope))
            case N.Divide(left, right):
                bottom = self.value(right, scope)
                if bool(((bottom.low <= 0) & (bottom.high >= 0)).any()):
                    raise WideError
                return _corners(torch.div, self.value(left, scope), bottom)
            case N.Power(base, exponent):
                return self._power(self.value(base, scope), exponent, scope)
            case N.Apply(function, args):
                return self._apply(function, [self.value(arg, scope) for arg in args])
            case N.Sum(body, ranges, conditions):
                parts = [self.value(body, inner) for inner in terms(ranges, conditions, scope)]
                zero = torch.zeros(scope.world.shape(body.shape), dtype=scope.world.dtype)
                return Box(sum((p.low for p in parts), zero), sum((p.high for p in parts), zero))
            case N.Hafnian() | N.SubsetSum():
                return self._combined(node, scope)
        return self._linear(node, scope)

    def exact(self, node: N.Node, scope: Scope) -> Box:
        """A part without expectation, widened by the rounding of the largest number met on the way."""
        trace: list[Tensor] = []
        value = evaluate(node, replace(scope, trace=trace, memo={}))
        met = max((float(size) for size in trace if bool(torch.isfinite(size))), default=0.0)
        return Box(value - self.rounding * met, value + self.rounding * met)

    def _combined(self, node: N.Hafnian | N.SubsetSum, scope: Scope) -> Box:
        """Sums of products over pairings or subsets, each product by its corners."""

        def point(value: float) -> Box:
            return Box(scope.world.number(value), scope.world.number(value))

        def add(a: Box, b: Box) -> Box:
            return Box(a.low + b.low, a.high + b.high)

        numbers = Arithmetic(point(0.0), point(1.0), add, lambda a, b: _corners(torch.mul, a, b))
        match node:
            case N.Hafnian(arg):
                whole = self.value(arg, scope)
                return hafnian(
                    len(whole.low),
                    lambda i, j: _each(whole, lambda x: x[i : i + 1, j : j + 1]),
                    numbers,
                )
            case N.SubsetSum(body, index_range, order):
                parts = [self.value(body, inner) for inner in terms((index_range,), (), scope)]
                return elementary(parts, integer(order, scope), numbers)

    def _linear(self, node: N.Node, scope: Scope) -> Box:
        match node:
            case N.MatMul(left, right):
                return _product(torch.matmul, self.value(left, scope), self.value(right, scope))
            case N.Inner(left, right):
                terms_box = _corners(torch.mul, self.value(left, scope), self.value(right, scope))
                return _each(terms_box, lambda x: x.sum().reshape(1, 1))
            case N.Transpose(arg):
                return _each(self.value(arg, scope), lambda x: x.mT)
            case N.Trace(arg):
                return _each(self.value(arg, scope), lambda x: torch.diagonal(x).sum().reshape(1, 1))
            case N.DiagPart(arg):
                return _each(self.value(arg, scope), lambda x: torch.diagonal(x).reshape(-1, 1))
            case N.DiagMatrix(arg):
                return _each(self.value(arg, scope), lambda x: torch.diag(x.reshape(-1)))
            case N.VecR(arg):
                return _each(self.value(arg, scope), lambda x: x.reshape(-1, 1))
            case N.Entry(arg, row, col):
                i, j = position(row, arg.shape.rows, scope), position(col, arg.shape.cols, scope)
                return _each(self.value(arg, scope), lambda x: x[i : i + 1, j : j + 1])
            case N.Row(arg, row):
                i = position(row, arg.shape.rows, scope)
                return _each(self.value(arg, scope), lambda x: x[i : i + 1, :])
            case N.Norm(arg, "fro"):
                square = _even(self.value(arg, scope), 2)
                return _each(square, lambda x: x.sum().clamp(min=0).sqrt().reshape(1, 1))
            case N.Norm(arg, "2"):
                # | |A + R| - |A| | <= |R|, and the spectral norm is at most the Frobenius norm.
                inner = self.value(arg, scope)
                size, slack = norm(inner.middle, "2"), norm(inner.radius, "fro")
                return Box((size - slack).clamp(min=0), size + slack)
            case N.Norm(arg, "1" | "oo" as kind):
                sizes = self._apply("abs", [self.value(arg, scope)])
                return _each(sizes, lambda x: norm(x, kind))
        raise RefusedError(f"an interval for {type(node).__name__} around an expectation")

    def _power(self, base: Box, exponent: N.Node, scope: Scope) -> Box:
        whole = try_integer(exponent, scope)
        if whole is None:
            return _raised(base, self.value(exponent, scope))
        if whole < 0:
            if bool(((base.low <= 0) & (base.high >= 0)).any()):
                raise WideError
            one = torch.ones_like(base.low)
            return _corners(torch.div, Box(one, one), self._whole(base, -whole))
        return self._whole(base, whole)

    def _whole(self, base: Box, power: int) -> Box:
        return _even(base, power) if power % 2 == 0 else Box(base.low**power, base.high**power)

    def _apply(self, function: str, args: list[Box]) -> Box:
        if function in INCREASING:
            table: Callable[..., Tensor] = (
                functions.UNARY[function] if len(args) == 1 else functions.BINARY[function]
            )
            lows, highs = broadcast(*(arg.low for arg in args)), broadcast(*(arg.high for arg in args))
            return Box(table(*lows), table(*highs))
        (arg,) = args
        match function:
            case "sqrt" | "log":
                # The true value lies in the domain, or the claim says nothing here.
                if bool((arg.high < 0).any()):
                    raise UndefinedError(f"{function} of a negative number")
                table = functions.UNARY[function]
                return Box(table(arg.low.clamp(min=0)), table(arg.high))
            case "abs":
                low = torch.where(
                    (arg.low <= 0) & (arg.high >= 0), 0.0, torch.minimum(arg.low.abs(), arg.high.abs())
                )
                return Box(low, torch.maximum(arg.low.abs(), arg.high.abs()))
        raise RefusedError(f"an interval for {function} around an expectation")


class WideError(Exception):
    """The interval of a divisor contains 0: more draws are needed."""


def _each(box: Box, change: Callable[[Tensor], Tensor]) -> Box:
    return Box(change(box.low), change(box.high))


def _corners(operation: Callable[[Tensor, Tensor], Tensor], left: Box, right: Box) -> Box:
    """The extremes of a function monotone in each argument lie at the corners."""
    found = [operation(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    stacked = torch.stack(broadcast(*found))
    return Box(stacked.amin(dim=0), stacked.amax(dim=0))


def _product(operation: Callable[[Tensor, Tensor], Tensor], left: Box, right: Box) -> Box:
    """A bilinear map: |a b - a0 b0| <= |a0| rb + ra |b0| + ra rb."""
    centre = operation(left.middle, right.middle)
    radius = (
        operation(left.middle.abs(), right.radius)
        + operation(left.radius, right.middle.abs())
        + operation(left.radius, right.radius)
    )
    return Box(centre - radius, centre + radius)


def _even(base: Box, power: int) -> Box:
    low, high = base.low.abs(), base.high.abs()
    straddles = (base.low <= 0) & (base.high >= 0)
    least = torch.where(straddles, torch.zeros_like(low), torch.minimum(low, high))
    return Box(least**power, torch.maximum(low, high) ** power)


def _raised(base: Box, power: Box) -> Box:
    """x^y over a box: monotone in x and in y where x >= 0, so the ends are at corners.

    Where x may be negative it is defined at whole y only, with signs that no corner shows.
    """
    if bool((base.low < 0).any()):
        if bool((torch.ceil(power.low) <= torch.floor(power.high)).any()):
            raise RefusedError("an interval for a whole power of what may be negative")
        if bool((base.high < 0).any()):
            raise UndefinedError("a root of a negative number")
    return _corners(torch.pow, Box(base.low.clamp(min=0), base.high), power)
