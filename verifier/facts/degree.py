"""The degree of a tree as a polynomial in some symbols: a fold into the degrees of its monomials.

in g:  x.T @ g  has degree 1,  1 + norm(g)**2  degrees from 0 to 2,  exp(g)  is no polynomial
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.facts.fold import KINDS, At, Domain, case, fold


@dataclass(frozen=True)
class Degree:
    """Of every monomial, from `least` to `most`; where they are equal, the polynomial is homogeneous."""

    least: int
    most: int

    def __add__(self, other: "Degree") -> "Degree":
        """Of a product."""
        return Degree(self.least + other.least, self.most + other.most)

    def join(self, other: "Degree") -> "Degree":
        """Of a sum."""
        return Degree(min(self.least, other.least), max(self.most, other.most))


Found = Degree | None  # None: no polynomial, or not seen to be one
CONSTANT, LINEAR = Degree(0, 0), Degree(1, 1)
_SYMBOLS: Any = (N.Symbol, N.Member)
_SUMS: Any = (N.Add, N.Subtract)
_PRODUCTS: Any = (N.Multiply, N.MatMul, N.Inner, N.Kron)
_LINEAR: Any = (N.Negate, N.Transpose, N.Trace, N.VecR, N.DiagMatrix, N.DiagPart)
_PLACED: Any = (N.Entry, N.Row, N.Sum, N.BlockDiag)
_OWN: Any = (*_SYMBOLS, *_SUMS, *_PRODUCTS, *_LINEAR, *_PLACED, N.Let, N.Divide, N.Power, N.After)


@dataclass(frozen=True)
class Degrees(Domain[Found]):
    """Degrees in the symbols of these names together."""

    names: Set[str]

    @case(*_SYMBOLS)
    def _symbol(self, node: N.Symbol | N.Member, at: At[Found]) -> Found:
        return LINEAR if node.name in self.names else CONSTANT

    @case(N.Let)
    def _let(self, node: N.Let, at: At[Found]) -> Found:
        return at(node.body)

    @case(*_SUMS)
    def _sum(self, node: N.Add | N.Subtract, at: At[Found]) -> Found:
        left, right = at(node.left), at(node.right)
        return None if left is None or right is None else left.join(right)

    @case(*_PRODUCTS)
    def _product(self, node: N.Multiply | N.MatMul | N.Inner | N.Kron, at: At[Found]) -> Found:
        left, right = at(node.left), at(node.right)
        return None if left is None or right is None else left + right

    @case(N.Divide)
    def _quotient(self, node: N.Divide, at: At[Found]) -> Found:
        return at(node.left) if at(node.right) == CONSTANT else None

    @case(N.Power)
    def _power(self, node: N.Power, at: At[Found]) -> Found:
        match node:
            case N.Power(N.Norm(inner, "fro") | inner, N.Number(k)) if k.denominator == 1 and k >= 0:
                base = at(inner) if inner is node.base or k % 2 == 0 else at(node.base)
                return None if base is None else Degree(base.least * int(k), base.most * int(k))
        return self._other(node, at)

    @case(*_LINEAR)
    def _linear(self, node: N.Negate | N.Transpose | N.Trace | N.VecR, at: At[Found]) -> Found:
        return at(node.arg)

    @case(*_PLACED)
    def _placed(self, node: N.Entry | N.Row | N.Sum | N.BlockDiag, at: At[Found]) -> Found:
        """Of what stands at an index; the index and its range are the same for all values."""
        arg = node.body if isinstance(node, N.Sum | N.BlockDiag) else node.arg
        still = all(at(child) == CONSTANT for child in children(node) if child is not arg)
        return at(arg) if still else None

    @case(N.After)
    def _after(self, node: N.After, at: At[Found]) -> Found:
        """What layers make of it is not read."""
        return None

    @case(*(KINDS - set(_OWN)))
    def _other(self, node: N.Node, at: At[Found]) -> Found:
        """Functions, means, limits: constant where their parts are."""
        return CONSTANT if all(at(child) == CONSTANT for child in children(node)) else None


def degree(node: N.Node, names: Set[str]) -> Found:
    """In these symbols together."""
    return fold(node, Degrees(names))


def is_linear(node: N.Node, names: Set[str]) -> bool:
    """Whether it is linear in these symbols, without a constant term."""
    return degree(node, names) == LINEAR
