"""Random symbols as polynomials in basic variables, and what is known of these.

A basic variable is (symbol, copy, ...): a standard normal one, a fair sign, a 0 or 1, or uniform on [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, Literal, Protocol

from numpy.polynomial.legendre import leggauss

from tests.mutants.functions import root
from tests.mutants.matrices import Matrix, at, cholesky
from tests.mutants.polynomials import Coefficient, Poly, Undefined, Unsupported, mp, real
from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.dims import Dim

Number = Poly.constant
Basic = Literal["normal", "sign", "coin", "uniform"]


class Values(Protocol):
    """What gives expressions their values."""

    @property
    def claim(self) -> Claim: ...
    @property
    def outcome(self) -> Mapping[Hashable, Any]: ...
    def value(self, node: n.Node) -> Matrix: ...
    def number(self, node: n.Node) -> Coefficient: ...
    def dim(self, size: Dim) -> int: ...


def declared_of(claim: Claim, name: str) -> kinds.Declared | None:
    inner = claim.layers.symbols if claim.layers is not None else ()
    return claim.symbols.get(name) or next((symbol for symbol in inner if symbol.name == name), None)


def drawn(where: Values, declared: kinds.Declared, copy: int) -> Matrix:
    """mean + std * z, entry by entry. Where a law has only its moments stated, a normal one has them."""
    rows, cols = where.dim(declared.shape.rows), where.dim(declared.shape.cols)

    def z(i: int, j: int) -> Poly:
        key = (declared.name, copy, i, j)
        return Number(where.outcome[key]) if key in where.outcome else Poly.variable(key)

    def shifted(mean: n.Node | None, scale: Coefficient, z: list[list[Poly]]) -> Matrix:
        middle = where.value(mean) if mean is not None else [[Poly({})]]
        return [[at(middle, i, j) + Number(scale) * z[i][j] for j in range(cols)] for i in range(rows)]

    plain = [[z(i, j) for j in range(cols)] for i in range(rows)]
    match declared.kind:
        case kinds.Normal(mean, std, None, None):
            return shifted(mean, where.number(std), plain)
        case kinds.Normal(mean, std, row_corr, None) if row_corr is not None:
            rho = where.number(row_corr)
            return shifted(mean, where.number(std), _mixed(_equal(rho, rows), plain))
        case kinds.Normal(mean, _, None, cov) if cov is not None:
            return shifted(mean, Fraction(1), _mixed([[x.value for x in r] for r in where.value(cov)], plain))
        case kinds.Rademacher() | kinds.Bernoulli():
            return plain
        case kinds.Uniform(low, high):
            return shifted(low, where.number(n.Subtract(high, low)), plain)
        case kinds.Iid(mean, var):
            return shifted(mean, root(where.number(var)) if var is not None else Fraction(1), plain)
        case kinds.AnyLaw(mean):
            return shifted(mean, Fraction(1), plain)
    raise Unsupported(f"draws of {declared.name}")


def _equal(rho: Coefficient, size: int) -> list[list[Coefficient]]:
    return [[Fraction(1) if i == j else rho for j in range(size)] for i in range(size)]


def _mixed(covariance: list[list[Coefficient]], z: list[list[Poly]]) -> list[list[Poly]]:
    """L z with L L' the covariance of the rows."""
    factor = cholesky(covariance)
    total = [[Poly({}) for _ in z[0]] for _ in z]
    for i, row in enumerate(factor):
        for k in range(i + 1):
            total[i] = [x + Number(row[k]) * y for x, y in zip(total[i], z[k], strict=True)]
    return total


def basic(claim: Claim, name: Hashable) -> Basic | None:
    """What a variable is; None for a direction of differentiation."""
    if not isinstance(name, tuple) or name[0] == "d":
        return None
    declared = declared_of(claim, name[0])
    match declared.kind if declared is not None else None:
        case kinds.Normal() | kinds.Iid() | kinds.AnyLaw():
            return "normal"
        case kinds.Rademacher():
            return "sign"
        case kinds.Bernoulli():
            return "coin"
        case kinds.Uniform():
            return "uniform"
    raise Unsupported("a variable without a law")


def chance_of(where: Values, name: Any) -> Coefficient:
    declared = declared_of(where.claim, name[0])
    assert declared is not None
    assert isinstance(declared.kind, kinds.Bernoulli)
    return where.number(declared.kind.chance)


def moment(where: Values, name: Hashable, power: int) -> Coefficient | None:
    """E(z**power) of a basic variable."""
    match basic(where.claim, name):
        case "normal":
            return Fraction(0 if power % 2 else math.prod(range(1, power, 2)))
        case "sign":
            return Fraction(1 - power % 2)
        case "coin":
            return chance_of(where, name)
        case "uniform":
            return Fraction(1, power + 1)
        case None:
            return None


def squares(claim: Claim, name: Hashable) -> int | None:
    """x**2 == x**k for what takes two values only."""
    return {"sign": 0, "coin": 1}.get(basic(claim, name) or "")


def some_value(claim: Claim, name: Hashable, random: Random) -> Fraction:
    """A value that the variable may take."""
    match basic(claim, name):
        case "sign":
            return Fraction(random.choice((-1, 1)))
        case "coin":
            return Fraction(random.choice((0, 1)))
        case "uniform":
            return Fraction(random.randint(0, 4), 4)
    return Fraction(random.randint(-8, 8), 4)


class Drawn(dict[Hashable, Fraction]):
    """Values of random variables that no expectation integrates out, chosen when they are asked for."""

    def __init__(self, claim: Claim, random: Random) -> None:
        self.claim, self.random = claim, random

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: Hashable) -> Fraction:
        return self.setdefault(key, some_value(self.claim, key, self.random))


@dataclass(frozen=True)
class Only(Mapping[Hashable, Coefficient]):
    """Of some values those of the named symbols."""

    of: Mapping[Hashable, Coefficient]
    names: frozenset[str]

    def __contains__(self, key: Any) -> bool:
        return key[0] in self.names and key in self.of

    def __getitem__(self, key: Any) -> Coefficient:
        return self.of[key]

    def __iter__(self) -> Iterator[Hashable]:
        return (key for key in self.of if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def weighted(where: Values, name: Hashable, nodes: int) -> list[tuple[Coefficient, Any]]:
    """Values with weights: all of them for what takes two, else nodes of Gauss and Legendre, for a normal
    variable as many on each side of 0."""
    match basic(where.claim, name):
        case "sign":
            return [(Fraction(-1), mp.mpf(0.5)), (Fraction(1), mp.mpf(0.5))]
        case "coin":
            p = real(chance_of(where, name))
            return [(Fraction(0), 1 - p), (Fraction(1), p)]
        case "uniform":
            return [((1 + x) / 2, w / 2) for x, w in legendre(nodes)]
        case "normal":
            ends = [(4 * (x - 1), 4 * w) for x, w in legendre(nodes)]
            half = [(x, w * mp.npdf(x)) for x, w in ends]
            return [*half, *((-x, w) for x, w in half)]
    raise Undefined("nothing to integrate over")


@cache
def legendre(count: int) -> list[tuple[Any, Any]]:
    """Nodes and weights on [-1, 1]."""
    return [(mp.mpf(x), mp.mpf(w)) for x, w in zip(*leggauss(count), strict=True)]
