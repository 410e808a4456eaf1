"""E of functions that see one entry each, of a tensor whose entries are independent and not normal.

    f(c x + d),   x uniform on [a, b], a fair sign, or 1 with chance p and else 0.

Functions of one entry are multiplied, different entries are independent; what is left are integrals of
u**k exp(r u), over all of the values of u = c x + d or those of one sign:

    int_A^B u**k du         = (B**(k+1) - A**(k+1))/(k + 1)
    int_A^B u**k exp(r u) du = [exp(r u) sum_{j<=k} (-1)**(k-j) k!/j! u**j/r**(k-j+1)]_A^B

Where the sign of an end is not known, or a step stands at a value that is taken, nothing is said.
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import factorial

import sympy as sp

from verifier.expr import nodes as N
from verifier.expr import symbols as S
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.workspace import constant, is_constant
from verifier.prove.integrate.activation_moments import real, tidy
from verifier.prove.integrate.activations import Atom, Term, expanded
from verifier.prove.integrate.held_factors import Named
from verifier.prove.integrate.integrate_activations import Activations, Product, Variable
from verifier.prove.integrate.sympy_to_sums import lowered
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Label

LOW, HIGH, CHANCE = (sp.Symbol(name, real=True) for name in ("low", "high", "chance"))
_PLAIN = Atom("id", Fraction(1), 1)


def is_alone(kind: S.Kind) -> bool:
    """Laws of independent entries that have their moments here."""
    return isinstance(kind, S.Uniform | S.Rademacher | S.Bernoulli)


class Alone(Activations):
    """E over one such tensor, every other tensor held."""

    def _product(self, factors: list[Named]) -> Product:
        """Entries beside functions are functions too: Stein's identity is one of normal variables."""
        found = super()._product(factors)
        plain = tuple(Variable(entry, (_PLAIN,)) for entry in found.bare)
        return replace(found, variables=(*found.variables, *plain), bare=())

    def _moment(self, product: Product, block: list[int], orders: tuple[int, ...]) -> Sum:
        if len(block) > 1 or any(orders):
            raise Refusal("the expectation of functions of different multiples of an entry")
        variable = product.variables[block[0]]
        slope, shift = self._line(variable.form)
        terms = _terms(variable.atoms)
        match self._kind():
            case S.Uniform(low, high):
                ends = [self._scalar(end) * slope + shift for end in (low, high)]
                return self._over_range(terms, *(ends if self.space.is_positive(slope) else ends[::-1]))
            case S.Rademacher():
                values = [(slope + shift, sp.Rational(1, 2)), (shift - slope, sp.Rational(1, 2))]
                return self._over_values(terms, values, {})
            case S.Bernoulli(chance):
                values = [(slope + shift, CHANCE), (shift, 1 - CHANCE)]
                return self._over_values(terms, values, {CHANCE: self.space.scalar(self._scalar(chance))})
        raise Refusal("the law of an entry that stands in a function")

    def _kind(self) -> S.Kind:
        (name,) = self.among
        return self.space.claim.symbols[name].kind

    def _scalar(self, node: N.Node) -> Coefficient:
        assert self.integrator.lower is not None
        value = self.integrator.lower(node).value
        if not is_constant(value):
            raise Refusal("a law whose parameters are not plain scalars")
        return constant(value)

    def _line(self, form: Sum) -> tuple[Coefficient, Coefficient]:
        """(c, d) of c x + d, for an entry x and scalars c != 0 and d."""
        slope, shift = self.space.ring(0), self.space.ring(0)
        for monomial, coefficient in form.terms.items():
            factors = flatten(monomial)
            if not factors:
                shift = coefficient
            elif slope.is_zero() and len(factors) == 1 and self._is_entry(*factors[0]):
                slope = coefficient
            else:
                raise Refusal("the expectation of a function of several entries that are not normal")
        if not self.space.is_positive(slope) and not self.space.is_positive(-slope):
            raise Refusal("the sign of what an entry is multiplied with")
        return slope, shift

    def _is_entry(self, name: str, labels: tuple[Label, ...]) -> bool:
        return name in self.among and not any(isinstance(x, int) for x in labels)

    # --- integrals ------------------------------------------------------------------------------

    def _over_range(self, terms: Iterable[Term], low: Coefficient, high: Coefficient) -> Sum:
        """int_low^high of the terms, divided by high - low"""
        if not self.space.is_positive(high - low):
            raise Refusal("the width of a range")
        total = sp.Add(*(self._integral(term, low, high) for term in terms))
        return lowered(self.space, tidy(real(total / (HIGH - LOW))), self._named(low, high))

    def _named(self, low: Coefficient, high: Coefficient) -> dict[sp.Symbol, Sum]:
        return {LOW: self.space.scalar(low), HIGH: self.space.scalar(high)}

    def _integral(self, term: Term, low: Coefficient, high: Coefficient) -> sp.Expr:
        ends = (LOW, HIGH)
        if term.side:
            above, below = self.space.is_nonnegative(low), self.space.is_nonnegative(-high)
            if (above and term.side < 0) or (below and term.side > 0):
                return sp.Integer(0)
            if not above and not below:
                if not (self.space.is_nonnegative(-low) and self.space.is_nonnegative(high)):
                    raise Refusal("the sign of an end of a range")
                ends = (sp.Integer(0), HIGH) if term.side > 0 else (LOW, sp.Integer(0))
        return term.coefficient * (_primitive(term, ends[1]) - _primitive(term, ends[0]))

    def _over_values(
        self,
        terms: list[Term],
        values: list[tuple[Coefficient, sp.Expr]],
        known: dict[sp.Symbol, Sum],
    ) -> Sum:
        """sum of chance * f(value)"""
        total, places = sp.Integer(0), dict(known)
        for k, (value, chance) in enumerate(values):
            at = sp.Symbol(f"value{k}", real=True)
            places[at] = self.space.scalar(value)
            total += chance * sp.Add(*(self._at(term, value, at) for term in terms))
        return lowered(self.space, tidy(real(sp.expand(total))), places)

    def _at(self, term: Term, value: Coefficient, at: sp.Symbol) -> sp.Expr:
        if term.side:
            sign = self._sign(value)
            if sign * term.side < 0 or (sign == 0 and term.power):
                return sp.Integer(0)
            if sign == 0:
                raise Refusal("a step at a value that is taken")
        return term.coefficient * at**term.power * sp.exp(term.tilt * at)

    def _sign(self, value: Coefficient) -> int:
        if value.is_zero():
            return 0
        for sign in (1, -1):
            if self.space.is_positive(value * sign):
                return sign
        raise Refusal("the sign of a value")


def _terms(atoms: tuple[Atom, ...]) -> list[Term]:
    """The product of the atoms as sums of u**k exp(r u) step(+-u)."""
    plain = sum(atom.power for atom in atoms if atom.function == "id")
    terms = [
        replace(term, power=term.power + plain)
        for term in expanded(tuple(atom for atom in atoms if atom.function != "id"))
    ]
    if any(term.blurred or term.dense for term in terms):
        raise Refusal("the integral of a normal density over a range")
    return terms


def _primitive(term: Term, at: sp.Expr) -> sp.Expr:
    """The integral of u**k exp(r u) up to a constant, at a point."""
    k, rate = term.power, term.tilt
    if rate == 0:
        return at ** (k + 1) / (k + 1)
    parts = (
        sp.Integer(-1) ** (k - j) * sp.Rational(factorial(k), factorial(j)) * at**j / rate ** (k - j + 1)
        for j in range(k + 1)
    )
    return sp.exp(rate * at) * sp.Add(*parts)
