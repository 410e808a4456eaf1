"""How a tree scales in some of its symbols: f(c*Z) = c**degree f(Z), so that Z may be taken on a sphere."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, final

from verifier.expr import nodes as n
from verifier.expr.walk import walk

Parity = Literal[1, -1, 0]  # f(-Z) = f(Z), f(-Z) = -f(Z), or neither is known


@final
@dataclass(frozen=True)
class Scaling:
    """f(c*Z) = c**degree f(Z) for c > 0, and what a change of sign does."""

    degree: Fraction
    parity: Parity = 1


FREE = Scaling(Fraction(0))


def scaling(node: n.Node, names: Container[str]) -> Scaling | None:
    """The scaling in these symbols together; None where it is not homogeneous, seen from its form."""
    if not any(isinstance(part, n.Symbol) and part.name in names for part in walk(node)):
        return FREE
    match node:
        case n.Symbol():
            return Scaling(Fraction(1), -1)
        case n.Let(_, body):
            return scaling(body, names)
        case n.Transpose(arg) | n.Negate(arg) | n.VecR(arg) | n.DiagMatrix(arg) | n.DiagPart(arg):
            return scaling(arg, names)
        case n.Trace(arg) | n.Row(arg, _) | n.Entry(arg, _, _) | n.Sum(arg, _, _):
            return scaling(arg, names)
        case n.Norm(arg, _) | n.Apply("abs", (arg,)):
            return _map(scaling(arg, names), lambda s: Scaling(s.degree, 1))
        case n.Multiply(left, right) | n.MatMul(left, right) | n.Inner(left, right) | n.Kron(left, right):
            return _both(scaling(left, names), scaling(right, names), 1)
        case n.Divide(left, right):
            return _both(scaling(left, names), scaling(right, names), -1)
        case n.Add(left, right) | n.Subtract(left, right):
            return _equal(scaling(left, names), scaling(right, names))
        case n.Apply("max" | "min", (left, right)):
            same = _equal(scaling(left, names), scaling(right, names))
            return _map(same, lambda s: Scaling(s.degree, 1 if s.parity == 1 else 0))
        case n.Apply("relu", (arg,)):
            return _map(scaling(arg, names), lambda s: Scaling(s.degree, 1 if s.parity == 1 else 0))
        case n.Apply("sqrt", (arg,)):
            return _map(scaling(arg, names), lambda s: _power(s, Fraction(1, 2)))
        case n.Power(base, n.Number(exponent)):
            return _map(scaling(base, names), lambda s: _power(s, exponent))
        case n.RowWise("rmsnorm" | "layernorm", arg):
            return _map(scaling(arg, names), lambda s: Scaling(Fraction(0), s.parity))
    return None


def _map(found: Scaling | None, change: Callable[[Scaling], Scaling]) -> Scaling | None:
    return None if found is None else change(found)


def _both(left: Scaling | None, right: Scaling | None, sign: int) -> Scaling | None:
    if left is None or right is None:
        return None
    parity: Parity = left.parity * right.parity  # type: ignore[assignment]
    return Scaling(left.degree + sign * right.degree, parity)


def _equal(left: Scaling | None, right: Scaling | None) -> Scaling | None:
    if left is None or right is None or left.degree != right.degree:
        return None
    return left if left.parity == right.parity else Scaling(left.degree, 0)


def _power(s: Scaling, exponent: Fraction) -> Scaling:
    if exponent.denominator != 1:
        return Scaling(s.degree * exponent, 1 if s.parity == 1 else 0)
    return Scaling(s.degree * exponent, 1 if exponent % 2 == 0 and s.parity else s.parity)
