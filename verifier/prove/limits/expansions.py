"""An expression's expansion as one symbol grows without bound.

    f**e       = c**e L**(p e) (1 + u)**e                     where c L**p leads f = c L**p (1 + u)
    f**g       = exp(g log f)
    exp(a L + b + u) = exp(a)**L exp(b) (1 + u + u**2/2 + ...),  u of powers of 1/L
    log(c L**p r**L (1 + u)) = L log r + p log L + log c + u - u**2/2 + ...

What must not vanish for the leading terms to lead is kept as conditions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import sympy as sp

from verifier.prove.limits import euler_maclaurin as summation
from verifier.prove.limits import stirling
from verifier.prove.limits.scale_sums import (
    ONE,
    ZERO,
    Comparison,
    Expansion,
    MoreTerms,
    Part,
    Scale,
    add,
    composed,
    constant,
    multiply,
    power_of,
)
from verifier.prove.limits.series_exponentials import raised
from verifier.prove.scalars.identically_zero import one_rational
from verifier.prove.scalars.scalar_refusal import Refused

MAX_PRODUCTS = 8
ANALYTIC = (sp.sin, sp.cos, sp.tanh, sp.sinh, sp.cosh, sp.erf, sp.atan)
STEP = Scale(p=ONE)


@dataclass(frozen=True)
class Expander:
    """Expansions in one variable, with `order` terms of each series."""

    variable: sp.Symbol
    comparison: Comparison
    order: int

    def along(self, variable: sp.Symbol) -> "Expander":
        """Expansions in another variable."""
        return Expander(variable, self.comparison, self.order)

    # --- what leads ------------------------------------------------------------------------------

    def stripped(self, expansion: Expansion) -> Expansion:
        """Without terms that are identically 0; a part with no other terms is only bounded."""
        parts, beyond = [], list(expansion.beyond)
        for part in expansion.parts:
            first = next((k for k, c in enumerate(part.series) if not is_zero(c)), None)
            if first is not None:
                parts.append(Part(part.scale.lowered(first), part.series[first:], part.exact))
            elif not part.exact:
                beyond.append(part.scale.lowered(len(part.series)))
        return Expansion(tuple(parts), tuple(beyond))

    def leading(self, expansion: Expansion) -> tuple[Part, tuple[Scale, ...]]:
        """The part that outgrows all others, and the scales of the others."""
        expansion = self.stripped(expansion)
        if not expansion.parts:
            raise MoreTerms("a limit whose leading terms cancel")
        best, *rest = expansion.parts
        others = []
        for part in rest:
            if self.comparison.larger(part.scale, best.scale):
                best, part = part, best
            others.append(part.scale)
        for scale in expansion.beyond:
            if not self.comparison.larger(best.scale, scale):
                raise MoreTerms("a limit whose leading terms cancel")
        return best, (*others, *expansion.beyond)

    def limit(self, expansion: Expansion) -> sp.Expr:
        """The coefficient of the constant scale, if nothing is larger."""
        expansion = self.stripped(expansion)
        if not expansion.parts and not expansion.beyond:
            return ZERO
        if not all(self.comparison.larger(Scale(), scale) for scale in expansion.beyond):
            return self._infinite(expansion)
        value = ZERO
        for part in expansion.parts:
            if part.scale.alike(Scale()) and part.scale.p == 0:
                value += part.series[0]
            elif self.comparison.larger(part.scale, Scale()):
                return self._infinite(expansion)
        return value

    def _infinite(self, expansion: Expansion) -> sp.Expr:
        """Where what leads grows."""
        part, _ = self.leading(expansion)
        if not self.comparison.larger(part.scale, Scale()):
            raise MoreTerms("a limit whose leading terms cancel")
        coefficient = part.series[0]
        self.comparison.nonzero(coefficient)
        if self.comparison.sign(part.scale.r) != "positive":
            raise Refused("terms that grow with alternating signs")
        return sp.oo * self.comparison.direction(coefficient)

    # --- node by node ----------------------------------------------------------------------------

    def of(self, expr: sp.Expr) -> Expansion:
        if self.variable not in expr.free_symbols:
            return constant(expr)
        match expr:
            case sp.Symbol():
                return power_of(ONE, STEP)
            case sp.Add():
                total = Expansion()
                for term in expr.args:
                    total = add(total, self.of(term))
                return total
            case sp.Mul():
                total = constant(ONE)
                for factor in expr.args:
                    total = multiply(total, self.of(factor))
                return total
            case sp.exp():
                return self.exp(self.of(expr.args[0]))
            case sp.Pow(base=base, exp=exponent):
                return self._power(base, exponent)
            case sp.log():
                return self.log(self.of(expr.args[0]))
            case sp.factorial():
                return stirling.gamma(self, expr.args[0] + 1)
            case sp.gamma():
                return stirling.gamma(self, expr.args[0])
            case sp.harmonic(args=(argument,)):
                return stirling.harmonic(self, argument)
            case sp.harmonic(args=(argument, power)):
                step = sp.Dummy("k", integer=True)
                return summation.total(self, step**-power, step, ONE, argument)
            case sp.Sum() if len(expr.limits) == 1:
                return summation.total(self, expr.function, *expr.limits[0])
            case sp.RisingFactorial():
                return self.of(expr.rewrite(sp.gamma))
            case sp.binomial():
                top, bottom = expr.args
                return self.of(sp.gamma(top + 1) / (sp.gamma(bottom + 1) * sp.gamma(top - bottom + 1)))
            case sp.Abs():
                return self._absolute(expr.args[0])
        if isinstance(expr, ANALYTIC):
            return self._analytic(expr)
        raise Refused(f"the expansion of {expr.func.__name__}")

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> Expansion:
        if self.variable not in exponent.free_symbols:
            return self.power(self.of(base), exponent)
        if self.variable not in base.free_symbols:
            return self._exponential(base, exponent)
        return self.exp(multiply(self.of(exponent), self.log(self.of(base))))

    def _exponential(self, base: sp.Expr, exponent: sp.Expr) -> Expansion:
        """base**(m L + b) = (base**m)**L base**b, for a base of any sign where L and m are whole."""
        if exponent.is_polynomial(self.variable) and sp.degree(exponent, self.variable) == 1:
            step, start = sp.Poly(exponent, self.variable).all_coeffs()
            whole = bool(step.is_Integer and self.variable.is_integer)
            if base == 0 and step.is_positive:
                return Expansion()
            if whole or self.comparison.sign(base) == "positive":
                if start.is_negative or not start.is_Integer:
                    self.comparison.nonzero(base)
                return power_of(base**start, Scale(r=base**step))
        if self.comparison.sign(base) != "positive":
            raise Refused("a power of what may be negative")
        return self.exp(multiply(constant(sp.log(base)), self.of(exponent)))

    def power(self, base: Expansion, exponent: sp.Expr) -> Expansion:
        """(c S (1 + u))**e = c**e S**e (1 + u)**e; a small whole power multiplies out."""
        if exponent.is_Integer and 0 < exponent <= MAX_PRODUCTS:
            total = base
            for _ in range(int(exponent) - 1):
                total = multiply(total, base)
            return total
        part, _ = self.leading(base)
        coefficient = part.series[0]
        self._may_be_raised(coefficient, exponent)
        self._may_be_raised(part.scale.r, exponent)
        self.comparison.nonzero(coefficient)
        front = power_of(coefficient**exponent, part.scale.power(exponent))
        return multiply(front, self._around(base, part, lambda k: sp.ff(exponent, k) / sp.factorial(k)))

    def _around(self, base: Expansion, lead: Part, coefficients: Callable[[int], sp.Expr]) -> Expansion:
        """f(1 + u) of base = c S (1 + u), by the coefficients of f at 1.

        Other parts than the leading one enter where they are powers of L and log(L) over S, else bound it."""
        base = self.stripped(base)
        ratios = {part: part.scale / lead.scale for part in base.parts if part != lead}
        near = [part for part, ratio in ratios.items() if ratio.key is not None]
        far = tuple(ratio for ratio in ratios.values() if ratio.key is None)
        far += tuple(scale / lead.scale for scale in base.beyond)
        if not near:
            series = lead.series if _is_alone(lead) else lead.padded(self.order)
            made = composed(coefficients, (ZERO, *(c / series[0] for c in series[1:])))
            return Expansion((Part(Scale(), made, _is_alone(lead)),), far)
        inverse = power_of(1 / lead.series[0], lead.scale.power(-ONE))
        small = add(multiply(inverse, Expansion((lead, *near))), constant(-ONE))
        return self._composed(coefficients, Expansion(small.parts, (*small.beyond, *far)))

    def _composed(self, coefficients: Callable[[int], sp.Expr], small: Expansion) -> Expansion:
        """The sum of coefficients(k) u**k for a u that tends to 0."""
        small = self.stripped(small)
        total, power = constant(coefficients(0)), constant(ONE)
        for k in range(1, self.order):
            power = multiply(power, small)
            weight = coefficients(k)
            total = add(total, multiply(constant(weight), power)) if weight != 0 else total
        power = multiply(power, small)
        rest = (*(part.scale for part in power.parts), *power.beyond)
        return Expansion(total.parts, tuple(dict.fromkeys((*total.beyond, *rest))))

    def _may_be_raised(self, value: sp.Expr, exponent: sp.Expr) -> None:
        if not exponent.is_Integer and self.comparison.sign(value) not in ("positive", "nonnegative"):
            raise Refused("a root of what may be negative")

    def log(self, inner: Expansion) -> Expansion:
        part, _ = self.leading(inner)
        scale, coefficient = part.scale, part.series[0]
        if any(self.comparison.sign(c) not in ("positive", "nonnegative") for c in (coefficient, scale.r)):
            raise Refused("the logarithm of what may be negative")
        if scale.w != 0:
            raise Refused("the logarithm of the logarithm of a logarithm")
        self.comparison.nonzero(coefficient)
        total = self._around(inner, part, lambda k: ZERO if k == 0 else sp.Integer(-1) ** (k + 1) / k)
        total = add(total, constant(sp.log(coefficient)))
        for value, grown in (
            (scale.s, Scale(p=ONE, q=ONE)),
            (sp.log(scale.r), STEP),
            (scale.p, Scale(q=ONE)),
            (scale.q, Scale(w=ONE)),
            *((c, Scale(p=a, q=b)) for (a, b), c in scale.h),
        ):
            if value != 0:
                total = add(total, power_of(value, grown))
        return total

    def exp(self, inner: Expansion) -> Expansion:
        """exp(a L log L + b L + p log L + c + u + ...): what grows makes the scale, u tends to 0."""
        inner = self.stripped(inner)
        scale, factor = Scale(), constant(ONE)
        small = list(inner.beyond)
        for part in inner.parts:
            if part.scale.key is not None:
                made, near, rest = raised(part, self.order)
                scale, small = scale * made, [*small, *rest]
                factor = multiply(factor, Expansion((near,)))
            elif part.scale == Scale(w=ONE):  # exp(c log(log L)) = log(L)**c
                scale, small = scale * Scale(q=part.series[0]), [*small, part.scale.lowered(1)]
            else:
                small.append(part.scale)
        for item in small:
            if not self.comparison.larger(Scale(), item):
                raise MoreTerms("an exponential whose exponent is not known well enough")
        (only,) = factor.parts
        made_part = replace(only, scale=scale * only.scale)
        return Expansion((made_part,), tuple(made_part.scale * item for item in small))

    def _absolute(self, argument: sp.Expr) -> Expansion:
        inner = self.of(argument)
        part, _ = self.leading(inner)
        if self.comparison.sign(part.scale.r) != "positive":
            raise Refused("the size of terms with alternating signs")
        if self.comparison.direction(part.series[0]) > 0:
            return inner
        return multiply(constant(sp.Integer(-1)), inner)

    def _analytic(self, expr: sp.Expr) -> Expansion:
        """f(c + u) = f(c) + f'(c) u + ..., where the argument tends to c."""
        inner = self.stripped(self.of(expr.args[0]))
        if any(self._stays(part.scale) is None for part in inner.parts):
            if isinstance(expr, sp.tanh | sp.sinh | sp.cosh):
                return self.of(expr.rewrite(sp.exp))
            if isinstance(expr, sp.erf):
                return stirling.erf(self, inner)
            raise Refused(f"the expansion of {expr.func.__name__} at infinity")
        if any(not self.comparison.larger(Scale(), scale) for scale in inner.beyond):
            raise MoreTerms("an argument that is not known well enough")
        still = [part.series[0] for part in inner.parts if self._stays(part.scale)]
        at, slope = sp.Add(*still), sp.Dummy("x")

        def coefficient(k: int) -> sp.Expr:
            return sp.diff(expr.func(slope), slope, k).subs(slope, at) / sp.factorial(k)

        return self._composed(coefficient, add(inner, constant(-at)))

    def _stays(self, scale: Scale) -> bool | None:
        """Whether the scale is that of a constant (or smaller: False); None where it grows."""
        if scale == Scale():
            return True
        return False if self.comparison.larger(Scale(), scale) else None


def _is_alone(part: Part) -> bool:
    """A single term, of which powers and logarithms are exact."""
    return part.exact and len(part.series) == 1


def is_zero(expr: sp.Expr) -> bool:
    """Whether a coefficient is identically 0."""
    if not expr.is_Add and not expr.is_Mul:
        return bool(expr == 0)
    if expr.is_positive or expr.is_negative:
        return False
    return bool(one_rational(expr) == 0)
