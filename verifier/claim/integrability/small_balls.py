"""How rarely something random is close to 0: P(|f| <= e) is about e**order.

1/|f|**p has a mean if p < order, and none if p >= order and the chance is no smaller than that. A normal
number has order 1, the length of a vector of n of them n; what is 0 with a positive chance has order 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from verifier.expr import nodes as N
from verifier.expr.affine import over, plus, times
from verifier.expr.dims import Dim
from verifier.expr.symbols import Bernoulli, Declared, Normal, Uniform
from verifier.facts.spans import Span

_ZERO, _ONE, _TWO = (N.Number(Fraction(k)) for k in range(3))


class Scene(Protocol):
    """What is random, and what is known of signs."""

    @property
    def declared(self) -> Mapping[str, Declared]: ...

    @property
    def values(self) -> Mapping[str, N.Node]: ...

    def span(self, node: N.Node) -> Span: ...

    def random(self, node: N.Node) -> frozenset[str]: ...


@dataclass(frozen=True)
class Vanishing:
    """`order`: the chance is at most C e**order, for an order that is a number or made of sizes. `exact`: it
    is at least c e**order too. `flat`: there is a bounded density. `dense`: it is positive everywhere."""

    order: N.Node
    exact: bool
    flat: bool = False
    dense: bool = False


def vanishing(scene: Scene, node: N.Node) -> Vanishing | None:
    """How rarely it is close to 0; None where that is not seen."""
    if not scene.random(node):
        return None
    match node:
        case N.Let(name, body):
            return vanishing(scene, scene.values.get(name, body))
        case N.Transpose(arg) | N.Negate(arg) | N.Apply("abs" | "tanh" | "erf" | "atan", (arg,)):
            return _shallow(vanishing(scene, arg), kept=isinstance(node, N.Transpose | N.Negate))
        case N.Apply("sqrt", (arg,)):
            return _raised(vanishing(scene, arg), Fraction(1, 2))
        case N.Apply("relu", (arg,)):
            found = vanishing(scene, arg)
            return Vanishing(_ZERO, True) if found is not None and found.dense else None
        case N.Power(base, N.Number(k)) if k > 0:
            return _raised(vanishing(scene, base), k)
        case N.Symbol(name) | N.Member(name) | N.Entry(N.Symbol(name) | N.Member(name), _, _):
            return _drawn(scene, name) if name not in scene.values else None
        case N.Norm(N.Symbol(name) | N.Member(name) as arg, "fro"):
            return _length(scene, name, arg, _ONE)
        case N.Inner(N.Symbol(name) as left, right) if left == right:
            return _length(scene, name, left, _TWO)
        case N.Add(left, right) | N.Subtract(left, right):
            return _sum(scene, left, right)
        case N.Multiply(left, right):
            return _product(scene, left, right)
        case N.Divide(left, right) if not scene.random(right):
            return vanishing(scene, left)
        case N.Inner(left, right) | N.MatMul(left, right) if node.shape.is_scalar:
            return _projected(scene, left, right)
    return None


def _drawn(scene: Scene, name: str) -> Vanishing | None:
    match scene.declared[name].kind:
        case Normal(_, std, None, None) if scene.span(std).is_positive:
            return Vanishing(_ONE, True, flat=True, dense=True)
        case Uniform(N.Number(low), N.Number(high)) if low < high:
            return Vanishing(_ONE, low <= 0 <= high, flat=True)
        case Uniform():
            return Vanishing(_ONE, False, flat=True)
        case Bernoulli(N.Number(chance)) if chance < 1:
            return Vanishing(_ZERO, True)
    return None


def _length(scene: Scene, name: str, arg: N.Node, divided: N.Number) -> Vanishing | None:
    alone = _drawn(scene, name) if name not in scene.values else None
    if alone is None or not alone.dense:
        return None
    return Vanishing(over(count(arg.shape.size), divided), True)


def count(size: Dim) -> N.Node:
    """A number of entries as a tree."""
    total: N.Node = _ZERO
    for monomial, factor in size.terms:
        product: N.Node = N.Number(Fraction(factor))
        for name, power in monomial:
            symbol = N.Symbol(name)
            product = times(product, symbol if power == 1 else N.Power(symbol, N.Number(Fraction(power))))
        total = plus(total, product)
    return total


def _shallow(found: Vanishing | None, kept: bool) -> Vanishing | None:
    return found if kept or found is None else Vanishing(found.order, found.exact)


def _scaled(found: Vanishing | None, nonzero: bool) -> Vanishing | None:
    """Times something fixed: where that is 0, there is no density any more."""
    return found if nonzero or found is None else Vanishing(found.order, found.exact)


def _raised(found: Vanishing | None, k: Fraction) -> Vanishing | None:
    """|f|**k <= e where |f| <= e**(1/k)"""
    return None if found is None else Vanishing(over(found.order, N.Number(k)), found.exact)


def _sum(scene: Scene, left: N.Node, right: N.Node) -> Vanishing | None:
    """A number with a bounded density, and whatever is independent of it."""
    if scene.random(left) & scene.random(right):
        return None
    found = [one for one in (vanishing(scene, left), vanishing(scene, right)) if one is not None and one.flat]
    return next((one for one in found if one.dense), replace(found[0], exact=False) if found else None)


def _product(scene: Scene, left: N.Node, right: N.Node) -> Vanishing | None:
    """Of two that are independent, the one that is small more often."""
    if not scene.random(left) or not scene.random(right):
        fixed, drawn = (left, right) if not scene.random(left) else (right, left)
        return _scaled(vanishing(scene, drawn), scene.span(fixed).is_nonzero or isinstance(fixed, N.Number))
    if scene.random(left) & scene.random(right):
        return None
    first, second = vanishing(scene, left), vanishing(scene, right)
    if first is None or second is None:
        return None
    match first.order, second.order:
        case N.Number(a), N.Number(b):
            least = first if a <= b else second
            return Vanishing(least.order, least.exact)
    return None


def _projected(scene: Scene, left: N.Node, right: N.Node) -> Vanishing | None:
    """A fixed vector times a normal one."""
    fixed, drawn = (left, right) if not scene.random(left) else (right, left)
    match drawn:
        case N.Symbol(name) | N.Transpose(N.Symbol(name)) if not scene.random(fixed):
            return _scaled(_drawn(scene, name), False) if name not in scene.values else None
    return None
