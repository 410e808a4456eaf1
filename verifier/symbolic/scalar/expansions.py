"""An expression's expansion as one symbol grows without bound.

    f**e       = c**e L**(p e) (1 + u)**e                     where c L**p leads f = c L**p (1 + u)
    f**g       = exp(g log f)
    exp(a L + b + u) = exp(a)**L exp(b) (1 + u + u**2/2 + ...),  u of powers of 1/L
    log(c L**p r**L (1 + u)) = L log r + p log L + log c + u - u**2/2 + ...
    gamma(m L + a) ~ sqrt(2 pi) (m L)**(m L + a - 1/2) exp(-m L + sum of Bernoulli terms)  (Stirling)

What must not vanish for the leading terms to lead is kept as conditions.
"""

from dataclasses import dataclass

import sympy as sp

from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.scales import (
    ONE,
    ZERO,
    Comparison,
    Expansion,
    MoreTerms,
    Part,
    Scale,
    Series,
    add,
    composed,
    constant,
    multiply,
    power_of,
)
from verifier.symbolic.scalar.zero import one_rational

MAX_PRODUCTS = 8
ANALYTIC = (sp.sin, sp.cos, sp.tanh, sp.sinh, sp.cosh, sp.erf, sp.atan)
STEP = Scale(p=ONE)


@dataclass(frozen=True)
class Expander:
    """Expansions in one variable, with `order` terms of each series."""

    variable: sp.Symbol
    comparison: Comparison
    order: int

    # --- what leads ------------------------------------------------------------------------------

    def stripped(self, expansion: Expansion) -> Expansion:
        """Without terms that are identically 0; a part with no other terms is only bounded."""
        parts, beyond = [], list(expansion.beyond)
        for part in expansion.parts:
            first = next((k for k, c in enumerate(part.series) if not is_zero(c)), None)
            if first is None:
                beyond.append(part.scale.lowered(len(part.series)))
            else:
                parts.append(Part(part.scale.lowered(first), part.series[first:]))
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
        for scale in expansion.beyond:
            if not self.comparison.larger(Scale(), scale):
                raise MoreTerms("a limit whose leading terms cancel")
        value = ZERO
        for part in expansion.parts:
            if part.scale.alike(Scale()) and part.scale.p == 0:
                value += part.series[0]
            elif self.comparison.larger(part.scale, Scale()):
                return self._infinite(expansion)
        return value

    def _infinite(self, expansion: Expansion) -> sp.Expr:
        part, _ = self.leading(expansion)
        coefficient = part.series[0]
        self.comparison.nonzero(coefficient)
        if self.comparison.sign(part.scale.r) != "positive":
            raise Refused("terms that grow with alternating signs")
        return sp.oo * self.comparison.direction(coefficient)

    # --- node by node ----------------------------------------------------------------------------

    def of(self, expr: sp.Expr) -> Expansion:
        if self.variable not in expr.free_symbols:
            return constant(expr, self.order)
        match expr:
            case sp.Symbol():
                return power_of(ONE, STEP, self.order)
            case sp.Add():
                total = Expansion()
                for term in expr.args:
                    total = add(total, self.of(term))
                return total
            case sp.Mul():
                total = constant(ONE, self.order)
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
                return self._gamma(expr.args[0] + 1)
            case sp.gamma():
                return self._gamma(expr.args[0])
            case sp.harmonic(args=(argument,)):
                return self._harmonic(argument)
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
                return power_of(base**start, Scale(r=base**step), self.order)
        if self.comparison.sign(base) != "positive":
            raise Refused("a power of what may be negative")
        return self.exp(multiply(constant(sp.log(base), self.order), self.of(exponent)))

    def power(self, base: Expansion, exponent: sp.Expr) -> Expansion:
        """(c S (1 + u))**e = c**e S**e (1 + u)**e; a small whole power multiplies out."""
        if exponent.is_Integer and 0 < exponent <= MAX_PRODUCTS:
            total = base
            for _ in range(int(exponent) - 1):
                total = multiply(total, base)
            return total
        part, others = self.leading(base)
        coefficient = part.series[0]
        self._may_be_raised(coefficient, exponent)
        self._may_be_raised(part.scale.r, exponent)
        self.comparison.nonzero(coefficient)
        scale = Scale(
            part.scale.s * exponent,
            part.scale.r**exponent,
            sp.expand(part.scale.p * exponent),
            self._whole(sp.Integer(part.scale.q) * exponent),
        )
        series = composed(lambda k: sp.ff(exponent, k) / sp.factorial(k), _relative(part))
        made = Part(scale, tuple(coefficient**exponent * c for c in series))
        return Expansion((made,), tuple(scale * other / part.scale for other in others))

    def _may_be_raised(self, value: sp.Expr, exponent: sp.Expr) -> None:
        if not exponent.is_Integer and self.comparison.sign(value) not in ("positive", "nonnegative"):
            raise Refused("a root of what may be negative")

    def _whole(self, exponent: sp.Expr) -> int:
        if not exponent.is_Integer:
            raise Refused("a root of a logarithm")
        return int(exponent)

    def log(self, inner: Expansion) -> Expansion:
        part, others = self.leading(inner)
        scale, coefficient = part.scale, part.series[0]
        if any(self.comparison.sign(c) not in ("positive", "nonnegative") for c in (coefficient, scale.r)):
            raise Refused("the logarithm of what may be negative")
        if scale.q:
            raise Refused("the logarithm of a logarithm")
        self.comparison.nonzero(coefficient)
        series = composed(lambda k: ZERO if k == 0 else sp.Integer(-1) ** (k + 1) / k, _relative(part))
        total = Expansion((Part(Scale(), series),), tuple(other / scale for other in others))
        total = add(total, constant(sp.log(coefficient), self.order))
        for value, grown in ((scale.s, Scale(p=ONE, q=1)), (sp.log(scale.r), STEP), (scale.p, Scale(q=1))):
            if value != 0:
                total = add(total, power_of(value, grown, self.order))
        return total

    def exp(self, inner: Expansion) -> Expansion:
        """exp of a L log L + b L + p log L + c + u, where u tends to 0."""
        inner = self.stripped(inner)
        scale, factor = Scale(), constant(ONE, self.order)
        small = list(inner.beyond)
        for part in inner.parts:
            if part.scale.alike(Scale()) and part.scale.p <= 1:
                scale, factor = self._raised(part, scale)
            elif part.scale.alike(Scale(q=1)) and part.scale.p <= 1:
                scale, rest = _logarithmic(part, scale)
                small += rest
            else:
                small.append(part.scale)
        for item in small:
            if not self.comparison.larger(Scale(), item):
                raise MoreTerms("an exponential whose exponent is not known well enough")
        (only,) = factor.parts
        made = Part(scale * only.scale, only.series)
        return Expansion((made,), tuple(made.scale * item for item in small))

    def _raised(self, part: Part, scale: Scale) -> tuple[Scale, Expansion]:
        """exp(b L + c + u) as exp(b)**L times exp(c) exp(u)."""
        lead = int(part.scale.p)
        at = {lead - k: c for k, c in enumerate(part.series)}
        lowest = min(at)
        if lowest > 0:
            raise MoreTerms("an exponential whose exponent is not known well enough")
        small = tuple(at.get(-k, ZERO) if k else ZERO for k in range(-lowest + 1))
        series = composed(lambda k: 1 / sp.factorial(k), small)
        known = tuple(sp.exp(at.get(0, ZERO)) * c for c in series)
        return Scale(scale.s, scale.r * sp.exp(at.get(1, ZERO)), scale.p, scale.q), Expansion(
            (Part(Scale(), known),)
        )

    def _gamma(self, argument: sp.Expr) -> Expansion:
        """Stirling's series of gamma(m L + a), m > 0."""
        grown = sp.expand(argument)
        if not grown.is_polynomial(self.variable) or sp.degree(grown, self.variable) != 1:
            raise Refused("the expansion of a factorial of this argument")
        m, a = sp.Poly(grown, self.variable).all_coeffs()
        if self.comparison.sign(m) != "positive":
            raise Refused("the expansion of a factorial of this argument")
        half = sp.Rational(1, 2)
        terms = (
            sp.Integer(-1) ** (k + 1) * sp.bernoulli(k + 1, a) / (k * (k + 1) * m**k)
            for k in range(1, self.order)
        )
        small: Series = (ZERO, *terms)
        series = composed(lambda k: 1 / sp.factorial(k), small)
        front = sp.sqrt(2 * sp.pi) * m ** (a - half)
        scale = Scale(s=m, r=m**m * sp.exp(-m), p=a - half)
        return Expansion((Part(scale, tuple(front * c for c in series)),))

    def _harmonic(self, argument: sp.Expr) -> Expansion:
        """1 + 1/2 + ... + 1/x = log x + gamma + 1/(2x) - sum of B_2k / (2k x**2k)."""
        inner, total = self.of(argument), self.log(self.of(argument))
        total = add(total, constant(sp.EulerGamma, self.order))
        for k in range(1, self.order):
            weight = sp.Rational(1, 2) if k == 1 else -sp.bernoulli(k) / k
            if weight != 0:
                power = self.power(inner, sp.Integer(-k))
                total = add(total, multiply(constant(weight, self.order), power))
        rest = self.power(inner, sp.Integer(-self.order))
        return Expansion(total.parts, (*total.beyond, *(part.scale for part in rest.parts)))

    def _absolute(self, argument: sp.Expr) -> Expansion:
        inner = self.of(argument)
        part, _ = self.leading(inner)
        if self.comparison.sign(part.scale.r) != "positive":
            raise Refused("the size of terms with alternating signs")
        if self.comparison.direction(part.series[0]) > 0:
            return inner
        return multiply(constant(sp.Integer(-1), self.order), inner)

    def _analytic(self, expr: sp.Expr) -> Expansion:
        """f(c + u) = f(c) + f'(c) u + ..., where the argument tends to c."""
        inner = self.stripped(self.of(expr.args[0]))
        if any(not part.scale.alike(Scale()) or part.scale.p > 0 for part in inner.parts):
            if isinstance(expr, sp.tanh | sp.sinh | sp.cosh):
                return self.of(expr.rewrite(sp.exp))
            if isinstance(expr, sp.erf):
                return self._saturated(inner)
            raise Refused(f"the expansion of {expr.func.__name__} at infinity")
        if any(not self.comparison.larger(Scale(), scale) for scale in inner.beyond):
            raise MoreTerms("an argument that is not known well enough")
        (part,) = inner.parts or (Part(Scale(), (ZERO,) * self.order),)
        shift = int(-part.scale.p)
        series = ((ZERO,) * shift + part.series)[: self.order]
        at, slope = series[0], sp.Dummy("x")
        small: Series = (ZERO, *series[1:])

        def coefficient(k: int) -> sp.Expr:
            return sp.diff(expr.func(slope), slope, k).subs(slope, at) / sp.factorial(k)

        return Expansion((Part(Scale(), composed(coefficient, small)),), inner.beyond)

    def _saturated(self, inner: Expansion) -> Expansion:
        """erf(f) = +-1 up to exp(-f**2), which is smaller than any power of L where f grows."""
        part, _ = self.leading(inner)
        if not self.comparison.larger(part.scale, Scale()) or part.scale.q:
            raise Refused("the expansion of erf of this argument")
        if self.comparison.sign(part.scale.r) != "positive":
            raise Refused("terms that grow with alternating signs")
        side = sp.Integer(self.comparison.direction(part.series[0]))
        return Expansion(constant(side, self.order).parts, (Scale(p=sp.Integer(-2 * self.order)),))


def _relative(part: Part) -> Series:
    """u in c (1 + u), without its zero constant term."""
    return (ZERO, *(c / part.series[0] for c in part.series[1:]))


def _logarithmic(part: Part, scale: Scale) -> tuple[Scale, list[Scale]]:
    """exp((a L + p + ...) log L) = L**(a L) L**p ...; the rest is of the scale log(L)/L."""
    lead = int(part.scale.p)
    at = {lead - k: c for k, c in enumerate(part.series)}
    s, p = at.get(1, ZERO), at.get(0, ZERO)
    made = Scale(scale.s + s, scale.r, sp.expand(scale.p + p), scale.q)
    rest = [Scale(p=sp.Integer(k), q=1) for k, c in at.items() if k < 0 and c != 0][:1]
    return made, rest or [Scale(p=sp.Integer(min(at) - 1), q=1)]


def is_zero(expr: sp.Expr) -> bool:
    """Whether a coefficient is identically 0."""
    if not expr.is_Add and not expr.is_Mul:
        return bool(expr == 0)
    if expr.is_positive or expr.is_negative:
        return False
    return bool(one_rational(expr) == 0)
