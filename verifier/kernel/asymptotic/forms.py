"""Terms as coefficients times scales, leading terms, and limits.

A form c*s stands for c*s*(1 + o(1)) where it is not exact: inverses, roots and powers (1 + a/n)**n are known
by their leading terms alone. So forms that cancel say nothing, and are never used as if they did.
"""

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from verifier.kernel.asymptotic.denominators import over, power_of, times_over
from verifier.kernel.asymptotic.far_out import leading_form, rewritten
from verifier.kernel.asymptotic.motion import Motion, dependence
from verifier.kernel.asymptotic.numbers import sign_of_number
from verifier.kernel.asymptotic.scale import Order, Scale, Sign, order, sign_of
from verifier.kernel.normal.algebra import MINUS_ONE
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Net,
    Poly,
    Root,
    constant,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

MOST_CLEARED = 16


@dataclass(frozen=True)
class Form:
    """coefficient*scale, up to a factor that tends to 1."""

    coefficient: Poly
    scale: Scale

    def times(self, other: "Form", algebra: ZeroTest) -> "Form":
        return Form(algebra.times(self.coefficient, other.coefficient), self.scale.times(other.scale))


@dataclass
class Asymptotics:
    """Normal forms under an algebra, as the symbols of a motion grow."""

    algebra: ZeroTest
    motion: Motion
    encloses: bool = False  # whether enclosures may tell the sign of a number

    # Terms

    def forms(self, poly: Poly) -> list[Form]:
        """The terms of a polynomial."""
        return [self._of_term(powers, factor) for powers, factor in poly.terms.items()]

    def groups(self, poly: Poly) -> list[Form]:
        """The terms, those of one scale together."""
        found: list[Form] = []
        for form in self.forms(poly):
            for at, other in enumerate(found):
                if form.scale.over(other.scale).is_unit:
                    found[at] = Form(total((other.coefficient, form.coefficient)), other.scale)
                    break
            else:
                found.append(form)
        return found

    def moves(self, atom: Atom) -> bool:
        """Whether an atom depends on what grows or moves, the ranges of its indices included."""
        found, ranges = dependence(self.algebra.context, atom), self.algebra.ranges
        limits = (ranges[name] for name in found & ranges.keys())
        names = found.union(*(low.names | high.names for low, high in limits))
        return bool(names & self.motion.names)

    def _of_term(self, powers: Monomial, factor: fmpq) -> Form:
        still = Poly({tuple(item for item in powers if not self.moves(item[0])): factor})
        found = Form(still, Scale())
        joined, left = self._joined([item for item in powers if self.moves(item[0])])
        for atom, power in left:
            if (atom, power) in joined:
                found = found.times(joined[atom, power], self.algebra)
            else:
                self.algebra.budget.spend()
                found = found.times(self._of_atom(atom, power), self.algebra)
        return found

    def _joined(
        self, powers: list[tuple[Atom, Exponent]]
    ) -> tuple[dict[tuple[Atom, Exponent], Form], list[tuple[Atom, Exponent]]]:
        """a**m/b**m is one power where a/b tends to 1: what becomes of it, by the first of its factors."""
        found: dict[tuple[Atom, Exponent], Form] = {}
        left = [*powers]
        for atom, power in powers:
            if not isinstance(atom, Function) or atom.name != "power" or (atom, power) not in left:
                continue
            base, exponent = atom.args
            own = [
                (a, p)
                for a, p in left
                if isinstance(a, Function) and a.name == "power" and a.args[1] == exponent
            ]
            if len(own) == 1 or not any(map(self.moves, base.atoms())):
                continue
            whole = UNIT
            for part, times in own:
                ratio = Fraction(times) / Fraction(power)
                if isinstance(part, Function) and ratio.denominator == 1:
                    whole = self.algebra.times(whole, self.algebra.power(part.args[0], int(ratio)))
                else:
                    break
            else:
                if (form := self._of_base_near_one(whole, exponent, Fraction(power))) is not None:
                    found[atom, power] = form
                    left = [item for item in left if item not in own or item == (atom, power)]
        return found, left

    def _of_atom(self, atom: Atom, power: Exponent) -> Form:
        times = Fraction(power)
        match atom:
            case Entry(name, ()) if name in self.motion.growing:
                return Form(UNIT, Scale(powers={name: constant(times)}))
            case Function("log", (arg,)) if (grown := self._grown(arg, 1)) is not None:
                return Form(UNIT, Scale(logs={grown: times}))
            case Function("log", (arg,)):
                found = self._of_logarithm(arg, times)
            case Function("exp", (arg,)):
                found = self._of_exponential(arg, times)
            case Function("power", (base, exponent)):
                found = self._of_power(base, exponent, times)
            case Inverse(base) | Root(base):
                found = self.raised(base, -times if isinstance(atom, Inverse) else times)
            case Function("Phi" | "sigmoid" | "softplus" | "tanh" | "erf" | "atan" as name, (arg,)):
                found = leading_form(self, name, arg, times)
            case _:
                found = None
        return found or Form(UNIT, Scale(others={atom: times}))

    def _grown(self, poly: Poly, power: Exponent) -> str | None:
        """The name of n, if a polynomial is n**power."""
        for name in self.motion.growing:
            if poly == of_atom(Entry(name), power):
                return name
        return None

    def _of_logarithm(self, arg: Poly, times: Fraction) -> Form | None:
        """log(c*n**p) is p*log(n), log(c*exp(r*n**k)) is r*n**k, log(1 + u) is u where u tends to 0, up to a
        factor that tends to 1."""
        less = total((arg, constant(-1)))
        with suppress(Rejected):
            if not self.limit(less).terms:
                top, bottom = (self.raised(part, times) for part in self.quotient(less))
                if top is not None and bottom is not None and times.denominator == 1:
                    below = self.algebra.power(bottom.coefficient, -1)
                    return Form(self.algebra.times(top.coefficient, below), top.scale.over(bottom.scale))
        try:
            lead, sign = self.leading(arg)
        except Rejected:
            return None
        scale = lead.scale
        names = {name for name, _ in scale.rates} | scale.powers.keys() | scale.logs.keys()
        if sign != ">" or times.denominator != 1 or scale.bases or scale.others or len(names) != 1:
            return None
        (name,) = names
        if scale.rates:
            level = max(k for _, k in scale.rates)
            factor, found = scale.rates[name, level], Scale(powers={name: constant(level * times)})
        else:
            factor, found = scale.powers.get(name, NOTHING), Scale(logs={name: times})
        if sign_of(self.algebra, factor) not in ("<", ">"):
            return None
        return Form(self.algebra.power(factor, int(times)), found)

    def _of_exponential(self, arg: Poly, times: Fraction) -> Form | None:
        """exp(c*n**k), of which the argument is one monomial."""
        ((powers, factor),) = arg.terms.items()
        moved = [(atom, power) for atom, power in powers if self.moves(atom)]
        match moved:
            case [(Entry(name, ()), k)] if name in self.motion.growing:
                still = Poly({tuple(item for item in powers if item not in moved): factor})
                rate = scaled(still, fmpq(times.numerator, times.denominator))
                return Form(UNIT, Scale(rates={(name, Fraction(k)): rate}) if k > 0 else Scale())
        return None

    def _of_power(self, base: Poly, exponent: Poly, times: Fraction) -> Form | None:
        """b**(n**k), n**p, or a power whose base tends to 1."""
        moved = [atom for atom in exponent.atoms() if self.moves(atom)]
        if not any(map(self.moves, base.atoms())):
            ((powers, factor),) = exponent.terms.items()
            match powers:
                case ((Entry(name, ()), k),) if name in self.motion.growing and factor == 1 and k > 0:
                    level = name, Fraction(k)
                    if self.algebra.is_positive(base):
                        return Form(UNIT, Scale(bases={level: {base: times}}))
                    if base.constant is None:  # with a sign of its own, or 0
                        side = Function("power", (MINUS_ONE, exponent))
                        bases = {base: times}
                        if not self.algebra.is_nonnegative_poly(base):
                            bases = {self.algebra.power(base, 2): times / 2}
                        return Form(UNIT, Scale(bases={level: bases}, others={side: Fraction(1)}))
            return None
        if not moved:
            return self._of_still_power(base, scaled(exponent, fmpq(times.numerator, times.denominator)))
        return self._of_base_near_one(base, exponent, times)

    def _of_still_power(self, base: Poly, exponent: Poly) -> Form | None:
        """A power of what has a positive leading term that is a power of growing symbols."""
        try:
            lead, sign = self.leading(base)
        except Rejected:
            return None
        scale = lead.scale
        if sign != ">" or scale.rates or scale.bases or scale.logs or scale.others:
            return None
        part = UNIT if lead.coefficient == UNIT else self.algebra.symbolic_power(lead.coefficient, exponent)
        powers = {name: self.algebra.times(power, exponent) for name, power in scale.powers.items()}
        return Form(part, Scale(powers=powers))

    def _of_base_near_one(self, base: Poly, exponent: Poly, times: Fraction) -> Form | None:
        """(1 + u)**m where u tends to 0: it tends to exp(c) where m*u tends to c, and is exp(m*u - c/2) up to
        a factor that tends to 1 where m*u**2 tends to c and m*u**3 to 0."""
        try:
            less = total((base, constant(-1)))
            if self.limit(less).terms:
                return None
            rate = self.algebra.times(exponent, less)
            with suppress(Rejected):
                return self.raised(self.algebra.function("exp", (self.limit(rate),)), times)
            second = self.algebra.times(rate, less)
            if self.limit(self.algebra.times(second, less)).terms:
                return None
            rate = total((rate, scaled(self.limit(second), fmpq(-1, 2))))
            return self.raised(self.algebra.function("exp", (rate,)), times)
        except Rejected:
            return None

    def raised(self, base: Poly, power: Fraction) -> Form | None:
        """A power of what has a leading term."""
        try:
            lead, sign = self.leading(base)
        except Rejected:
            return None
        if power.denominator == 1:
            part = self.algebra.power(lead.coefficient, int(power))
        elif sign == ">":
            part = self.algebra.root(lead.coefficient, power)
        else:
            return None
        return Form(part, Scale().times(lead.scale, power))

    # Leading terms

    def order(self, form: Form, other: Form) -> Order:
        """How the quotient of two scales behaves."""
        return order(self.algebra, form.scale.over(other.scale))

    def grows(self, form: Form) -> bool:
        """Whether a term grows beyond all bounds."""
        return self.order(Form(UNIT, Scale()), form) == "vanishes"

    def leading(self, poly: Poly) -> tuple[Form, Sign]:
        """The group of terms beside which all others vanish, and its sign, if that is known; it is not 0."""
        groups = self.groups(poly)
        for lead in groups:
            sign = sign_of(self.algebra, lead.coefficient)
            if sign is None and self.encloses:
                sign = sign_of_number(lead.coefficient)
            known = sign in ("<", ">") or self._is_divided_by(lead.coefficient)
            if not known or not all(map(self.algebra.is_positive_atom, lead.scale.others)):
                continue
            if all(self.order(group, lead) == "vanishes" for group in groups if group is not lead):
                return lead, sign
        raise Rejected("condition", "no term leads, or it may be 0")

    def _is_divided_by(self, poly: Poly) -> bool:
        """Whether it is not 0 since the author's own text divides by its factors."""
        return bool(self.algebra.nonzero) and self.algebra.is_not_zero(poly)

    def vanishes(self, top: Poly, lead: Form) -> bool:
        """Whether every term of a polynomial vanishes beside the leading term of another."""
        return all(self.order(form, lead) == "vanishes" for form in self.forms(top))

    # Limits

    def quotient(self, poly: Poly) -> tuple[Poly, Poly]:
        """A numerator and a denominator, neither with an inverse of what moves."""
        top, bottom = self.cleared(poly, UNIT)
        return top, bottom

    def summed(self, poly: Poly) -> Poly:
        """Geometric sums by their closed forms, where the ratio is not 1 once the symbols are large, or where
        a multiple of the ratio less 1 stands before the sum."""
        parts = []
        for powers, factor in poly.terms.items():
            found = Poly({tuple(item for item in powers if not isinstance(item[0], Net)): factor})
            for atom, power in powers:
                if isinstance(atom, Net):
                    found = self._with_sum(found, atom, power)
            parts.append(found)
        return total(parts)

    def _with_sum(self, before: Poly, net: Net, power: Exponent) -> Poly:
        if power == 1 and self.moves(net) and (geometric := self.algebra.geometric(net)) is not None:
            ratio, first, beyond = geometric
            less = total((ratio, constant(-1)))
            ends = total((beyond, scaled(first, fmpq(-1))))
            if (rest := over(before, less)) is not None:
                return self.algebra.times(rest, ends)
            with suppress(Rejected):
                self.leading(less)
                return self.algebra.product(before, ends, self.algebra.inverse(less))
        return self.algebra.times(before, of_atom(net, power))

    def cleared(self, *polys: Poly) -> tuple[Poly, ...]:
        """All of them times the same denominators, which are not 0 where the author's text has a value."""
        polys = tuple(self.summed(rewritten(self, poly)) for poly in polys)
        for _ in range(MOST_CLEARED):
            inverses = {a for p in polys for a in p.atoms() if isinstance(a, Inverse)}
            if not inverses:
                return polys
            first = min(inverses, key=lambda each: each.key)
            most = max(power_of(first, powers) for poly in polys for powers in poly.terms)
            polys = tuple(times_over(self.algebra, poly, first, most) for poly in polys)
        raise Rejected("too-large", "too many denominators")

    def limit(self, poly: Poly) -> Poly:
        """The number that a polynomial tends to; rejects what is not known to tend to one."""
        top, bottom = self.quotient(poly)
        lead, _ = self.leading(bottom)
        parts = []
        for form in self.forms(top):
            match self.order(form, lead):
                case "vanishes":
                    continue
                case "equal":
                    parts.append(form.coefficient)
                case _:
                    raise Rejected("condition", "a term that is not known to tend to a number")
        return self.algebra.times(total(parts), self.algebra.inverse(lead.coefficient)) if parts else NOTHING
