"""Scalars: polynomials over Q in named generators, modulo relations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import cast

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz_mpoly_ctx, fmpz_mpoly_vec

Coefficient = fmpq_mpoly
Scalar = fmpq_mpoly | Fraction | int

# A relation such as n*inv_n - 1 needs a handful of steps; a system that needs more than this is
# not a set of definitions of generators, and completing it could take for ever.
_BASIS_LIMITS = (200, 100, 10_000)  # polynomials, terms of one, bits of a coefficient


@dataclass(frozen=True, eq=False)
class Ring:
    """Q[names] modulo `basis`, a Groebner basis in degree-reverse-lexicographic order."""

    names: tuple[str, ...]
    basis: tuple[Coefficient, ...] = ()
    context: fmpq_mpoly_ctx = field(init=False)
    one: Coefficient = field(init=False)
    _lowest: int = field(init=False)  # the least degree of what can be reduced

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise ValueError(f"a generator is named twice: {self.names}")
        context = fmpq_mpoly_ctx.get(self.names, Ordering.degrevlex)
        object.__setattr__(self, "context", context)
        object.__setattr__(self, "one", context.constant(1))
        object.__setattr__(self, "_lowest", min((p.total_degree() for p in self.basis), default=0))

    def __getitem__(self, name: str) -> Coefficient:
        return self.context.gen(self.names.index(name))

    def __call__(self, value: Scalar) -> Coefficient:
        """The element of this ring that a number, or one of its elements, stands for."""
        if isinstance(value, fmpq_mpoly):
            if value.context() is not self.context:
                raise ValueError(f"{value} belongs to another ring")
            return self.reduce(value)
        if isinstance(value, int):
            return self.one if value == 1 else self.context.constant(value)
        return self.context.constant(fmpq(value.numerator, value.denominator))

    def modulo(self, *relations: Coefficient) -> Ring:
        """The same generators with each relation == 0, besides those that already hold."""
        integer = fmpz_mpoly_ctx.get(self.names, Ordering.degrevlex)
        cleared = [integer.from_dict(_cleared(p)) for p in (*self.basis, *relations) if not p.is_zero()]
        if not cleared:
            return self
        # The stub of flint does not know that limits make it answer with a pair.
        answer: object = fmpz_mpoly_vec(cleared, integer).buchberger_naive(_BASIS_LIMITS)
        found, complete = cast(tuple[fmpz_mpoly_vec, bool], answer)
        if not complete:
            raise ValueError("these relations are too entangled to complete")
        basis = tuple(
            self.context.from_dict({m: int(c) for m, c in p.to_dict().items()}) for p in found.autoreduction()
        )
        if any(p.is_constant() for p in basis):
            raise ValueError("these relations contradict each other")
        return Ring(self.names, basis)

    def reduce(self, value: Coefficient) -> Coefficient:
        """The normal form: equal elements have equal ones."""
        if not self.basis or value.total_degree() < self._lowest:
            return value  # in this order a leading monomial has its relation's degree
        if len(self.basis) < 2:  # one division is final: a remainder holds no leading monomial
            return value % self.basis[0]
        before = None
        while value != before:
            before = value
            for relation in self.basis:
                value = value % relation
        return value

    def times(self, first: Coefficient, second: Coefficient) -> Coefficient:
        """The product. Most factors that a join contributes are `one` itself."""
        if first is self.one:
            return second
        return first if second is self.one else first * second

    def sum(self, values: Iterable[Coefficient]) -> Coefficient:
        total = self.context.constant(0)
        for value in values:
            total = total + value
        return total


def _cleared(value: Coefficient) -> dict[tuple[int, ...], int]:
    """The integer multiple of a polynomial, without denominators, by exponents."""
    terms = value.to_dict()
    scale = lcm(*(int(c.q) for c in terms.values()))
    return {exponents: int((c * scale).p) for exponents, c in terms.items()}


def to_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
