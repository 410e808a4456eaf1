"""Growth of what oscillates: (2 + sin(n))*n has the order n, (1 + (-1)**n)*n and n**(1 + sin(n)) have not.

A power of a negative number has two phases, n = 2m and n = 2m + 1, and an order holds iff it holds in both.
A sine of n lies between -1 and 1, and everything made of it between two expressions that do not oscillate: an
order that both have holds. The sines of whole numbers are dense in [-1, 1], so an order that fails while
the sine stays in a smaller interval fails infinitely often.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from verifier.evidence import Counterexample, Finding, Tightness
from verifier.prove.growth.dominance import Leads, explicit, leads
from verifier.prove.growth.running_ratios import LADDER, REASONS, Kind
from verifier.prove.limits.expansions import Expander
from verifier.prove.limits.leading_terms import ORDERS
from verifier.prove.limits.limit_values import tends
from verifier.prove.limits.scale_sums import Comparison
from verifier.prove.scalars.invariant_points import allowed
from verifier.prove.scalars.many_digits import evaluate
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading

Ends = tuple[sp.Expr, sp.Expr]
WHOLE: Ends = (sp.Integer(-1), sp.Integer(1))
INSIDE: tuple[Ends, ...] = tuple(
    (sp.Rational(low, 8), sp.Rational(low + 1, 8)) for low in (4, -5, 6, -7, 0, 2, -3)
)
NEAR = 60  # how far from a size one whose sine is wanted is looked for


def decide(reading: Reading, kind: Kind, variable: sp.Symbol) -> Finding | None:
    """The answer for sides that oscillate; None for others."""
    sides = explicit(reading.left)[0], explicit(reading.right)[0]
    if any(_is_sign(power, variable) for side in sides for power in side.atoms(sp.Pow)):
        return _in_phases(reading, kind, variable, sides)
    waves = {w for side in sides for w in side.atoms(sp.sin, sp.cos) if _is_dense(w.args[0], variable)}
    if len(waves) != 1:
        return None
    return _Between(reading, kind, variable, sides, waves.pop()).judged()


def _compared(
    reading: Reading, left: sp.Expr, right: sp.Expr, variable: sp.Symbol, kind: Kind = "Theta"
) -> Leads:
    """Leading terms that lead at every value of the other symbols."""
    found = leads(left, right, variable, reading.translator.spans, kind=kind)
    if found.conditions:
        raise Refused("an oscillating order with special cases")
    return found


# --- powers of negative numbers --------------------------------------------------------------------------


def _is_sign(power: sp.Pow, variable: sp.Symbol) -> bool:
    """A power of a negative number, at whole exponents."""
    negative = power.base.is_number and power.base.is_negative
    return bool(negative and variable.is_integer and variable in power.exp.free_symbols)


def _in_phases(reading: Reading, kind: Kind, variable: sp.Symbol, sides: Ends) -> Finding | None:
    """n even and n odd, each by itself."""
    orders = []
    for phase in (2 * variable, 2 * variable + 1):
        left, right = (sp.expand_power_exp(side.subs(variable, phase)) for side in sides)
        if any(_is_sign(p, variable) for side in (left, right) for p in side.atoms(sp.Pow)) or right == 0:
            return None
        found = _compared(reading, left, right, variable, kind)
        wanted = {1: sp.oo, 0: found.ratio, -1: sp.Integer(0)}[found.order]
        at = next(allowed(reading, (variable,)), None)
        if at is None or not tends(left / right, variable, wanted, at.values):
            return None
        if found.breaks(kind):
            sizes = [int(phase.subs(variable, size)) for size in LADDER]
            return _fails(reading, variable, sizes, f"{found.words}, where {variable} is {phase}")
        orders.append(found.order)
    tight = None if kind == "Theta" else Tightness(0 in orders, proved=True)
    return reading.finding("true", "proved", reason=REASONS[kind], tightness=tight)


def _fails(reading: Reading, variable: sp.Symbol, sizes: list[int], reason: str) -> Finding | None:
    at = next(allowed(reading, (variable,)), None)
    if at is None:
        return None
    ratio = at.of(reading.left / reading.right)
    numbers = [evaluate(ratio.subs(variable, size)) for size in sizes]
    shown = {**at.shown(frozenset([variable.name])), variable.name: sizes}
    ratios = tuple(None if number is None else float(number) for number in numbers)
    example = Counterexample(shown, None, None, ratios=ratios)
    return reading.finding("false", "proved", reason=reason, counterexample=example)


# --- sines ------------------------------------------------------------------------------------------


def _is_dense(argument: sp.Expr, variable: sp.Symbol) -> bool:
    """a*n + b with rational a != 0: modulo 2 pi the values at whole n are dense, as pi is irrational."""
    if not argument.is_polynomial(variable) or sp.degree(argument, variable) != 1:
        return False
    slope, start = sp.Poly(argument, variable).all_coeffs()
    return bool(slope.is_Rational and start.is_number)


@dataclass(frozen=True)
class _Between:
    """Both sides between expressions without the wave, while it stays between two numbers."""

    reading: Reading
    kind: Kind
    variable: sp.Symbol
    sides: Ends
    wave: sp.Expr

    def judged(self) -> Finding | None:
        left, right = (self.ends(side, WHOLE) for side in self.sides)
        if self.direction(right[0]) <= 0:
            return None
        above = [self._order(end, right[0]) for end in left]
        below = self._order(min(left, key=self._magnitude), right[1]) if self._keeps_sign(left) else -1
        if self.kind == "Omega" and self.direction(left[0]) <= 0:
            return self._refuted()
        if (self.kind == "Omega" or max(above) <= 0) and (self.kind == "O" or below >= 0):
            return self.reading.finding(
                "true", "proved", reason=REASONS[self.kind], tightness=self._tightness(max(above), below)
            )
        return self._refuted()

    def _tightness(self, above: int, below: int) -> Tightness | None:
        if self.kind == "Theta":
            return None
        if (above if self.kind == "O" else -below) < 0:
            return Tightness(False, proved=True)
        for low, high in self._inside():
            order = self._order(low[0], high[1]) if self.kind == "O" else -self._order(low[1], high[0])
            if self._keeps_sign(low) and order >= 0:
                return Tightness(True)
        return None

    def _inside(self) -> Iterator[tuple[Ends, Ends]]:
        """Both sides while the wave stays inside a small interval, which it enters again and again."""
        for part in INSIDE:
            left, right = (self.ends(side, part) for side in self.sides)
            if self.direction(right[0]) > 0:
                yield left, right

    def _refuted(self) -> Finding | None:
        for part in INSIDE:
            left, right = (self.ends(side, part) for side in self.sides)
            if self.direction(right[0]) <= 0 or not self._keeps_sign(left):
                continue
            small, large = sorted(left, key=self._magnitude)
            # The ratio grows where its least value does, and vanishes where its largest does.
            order = max(self._order(small, right[1]), 0) or min(self._order(large, right[0]), 0)
            found = Leads(order, sp.Integer(1), sp.Integer(1), (), self.direction(left[1]))
            if found.breaks(self.kind):
                words = f"{found.words}, where {self.wave} is between {part[0]} and {part[1]}"
                return _fails(self.reading, self.variable, list(self._sizes(part)), words)
        return None

    def _sizes(self, part: Ends) -> Iterator[int]:
        for size in LADDER:
            for near in range(size, size + NEAR):
                value = evaluate(self.wave, {self.variable: sp.Integer(near)})
                if value is not None and part[0] <= Fraction(float(value)) <= part[1]:
                    yield near
                    break

    def _order(self, over: sp.Expr, under: sp.Expr) -> int:
        if over == 0:
            return -1
        return _compared(self.reading, over, under, self.variable).order

    def _keeps_sign(self, ends: Ends) -> bool:
        return self.direction(ends[0]) > 0 or self.direction(ends[1]) < 0

    def _magnitude(self, end: sp.Expr) -> "_Larger":
        return _Larger(self, end)

    def direction(self, expr: sp.Expr) -> int:
        """The sign of an expression without the wave once the variable is large."""
        if expr == 0:
            return 0
        comparison = Comparison(self.reading.translator.spans)
        expander = Expander(self.variable, comparison, max(ORDERS))
        part, _ = expander.leading(expander.of(expr))
        found = comparison.direction(part.series[0])
        if comparison.conditions or comparison.sign(part.scale.r) != "positive":
            raise Refused("the sign of what oscillates")
        return found

    # --- what lies between what ---------------------------------------------------------------------

    def ends(self, expr: sp.Expr, part: Ends) -> Ends:
        """low <= expr <= high while the wave is in `part`, for large values of the variable."""
        if not expr.has(self.wave):
            return expr, expr
        match expr:
            case sp.Add():
                pairs = [self.ends(term, part) for term in expr.args]
                return sp.Add(*(low for low, _ in pairs)), sp.Add(*(high for _, high in pairs))
            case sp.Mul():
                return self._product(expr, part)
            case sp.exp() | sp.log():
                low, high = self.ends(expr.args[0], part)
                return expr.func(low), expr.func(high)
            case sp.Pow(base=base, exp=exponent) if not exponent.has(self.wave):
                return self._power(self.ends(base, part), exponent)
            case sp.Pow(base=base, exp=exponent) if not base.has(self.wave):
                if self.direction(sp.log(base)) <= 0:
                    raise Refused("a power of what does not grow, with an exponent that oscillates")
                low, high = self.ends(exponent, part)
                return base**low, base**high
        if expr == self.wave:
            return part
        raise Refused("the growth of such an oscillation")

    def _product(self, expr: sp.Expr, part: Ends) -> Ends:
        """A factor of one sign times others that are never negative, or times a single one."""
        still = sp.Mul(*(f for f in expr.args if not f.has(self.wave)))
        pairs = [self.ends(f, part) for f in expr.args if f.has(self.wave)]
        if len(pairs) > 1 and any(self.direction(low) < 0 for low, _ in pairs):
            raise Refused("a product of oscillations whose signs change")
        low, high = (sp.Mul(still, *(pair[k] for pair in pairs)) for k in (0, 1))
        return (low, high) if self.direction(still) > 0 else (high, low)

    def _power(self, base: Ends, exponent: sp.Expr) -> Ends:
        low, high = base
        if self.direction(low) > 0:
            ends = low**exponent, high**exponent
            return ends if exponent.is_positive else ends[::-1]
        if not (exponent.is_Integer and exponent > 0):
            raise Refused("a power of what changes its sign")
        if exponent.is_odd:
            return low**exponent, high**exponent
        return sp.Integer(0), max((low, high), key=self._magnitude) ** exponent


@dataclass(frozen=True)
class _Larger:
    """Expressions ordered by their size for large values of the variable."""

    between: _Between
    expr: sp.Expr

    def __lt__(self, other: "_Larger") -> bool:
        return self.between.direction(other.expr**2 - self.expr**2) > 0
