"""limit(expr, x, target), symbolic and then checked by numbers.

SymPy's limits are wrong now and then (oscillation, hidden signs of parameters), so a limit is
believed only if values of the expression, in 60 digits and at growing arguments, approach it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import mpmath
import sympy as sp

from verifier.symbolic.scalar.domain import Span, symbol
from verifier.symbolic.scalar.quotients import one_fraction
from verifier.symbolic.scalar.refuse import Clock, Refused
from verifier.symbolic.scalar.signs import sign
from verifier.symbolic.scalar.zero import generic_branch

DIGITS = 60
SIZES = tuple(10**k for k in (3, 6, 9, 12))
PARAMETERS = (
    Fraction(1, 3),
    Fraction(3, 7),
    Fraction(5, 3),
    Fraction(-2, 5),
    Fraction(7, 2),
    Fraction(-4, 3),
)


@dataclass(frozen=True)
class Limits:
    """Limits over one domain; `notes` keeps what was taken and how it was checked."""

    spans: Mapping[str, Span]
    clock: Clock
    notes: list[str] = field(default_factory=list)

    def take(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr:
        """The limit, or Refused."""
        body = generic_branch(body)
        if variable not in body.free_symbols:
            return body
        with self.clock.guard(0.5):
            body = one_fraction(body, variable)
            value = self._by_exponentials(body, variable, target)
            value = compositional_limit(body, variable, target) if value is None else value
            checks = self._check(body, variable, target, value)
        words = f"the limit of {body} as {variable} -> {target} is {value}"
        self.notes.append(f"{words}; numbers agree at {checks} choices of the rest")
        return value

    def _by_exponentials(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr | None:
        """A rational function of r**L alone, r fixed: r**L -> oo where r > 1 and -> 0 where 0 < r < 1."""
        if target != sp.oo:
            return None
        bases = {
            p.base for p in body.atoms(sp.Pow) if p.exp == variable and variable not in p.base.free_symbols
        }
        if len(bases) != 1:
            return None
        base, power = bases.pop(), sp.Dummy("z", positive=True)
        inside = body.subs(base**variable, power)
        if variable in inside.free_symbols or not inside.is_rational_function(power):
            return None
        if sign(base - 1, self.spans) == "positive":
            return leading_quotient(inside, power)
        if sign(1 - base, self.spans) == "positive" and sign(base, self.spans) == "positive":
            return leading_quotient(inside.subs(power, 1 / power), power)
        return None

    def _check(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr, value: sp.Expr) -> int:
        """At several values of the parameters the expression must come close to the limit."""
        checks = 0
        for at in parameter_points(body.free_symbols | value.free_symbols - {variable}, self.spans, 4):
            at = {name: v for name, v in at.items() if name != variable}
            self.clock.check()
            outcome = approaches(body.subs(at), variable, target, value.subs(at))
            if outcome is False:
                raise Refused("a limit that SymPy and numbers do not agree on")
            checks += outcome is True
        if not checks:
            raise Refused("a limit that numbers do not confirm")
        return checks


def leading_quotient(expr: sp.Expr, power: sp.Symbol) -> sp.Expr | None:
    """lim P(z)/Q(z) as z -> oo: the quotient of the leading coefficients, or 0."""
    above, below = (sp.Poly(part, power) for part in sp.fraction(sp.cancel(sp.together(expr))))
    if above.degree() > below.degree():
        return None
    return above.coeff_monomial(power ** below.degree()) / below.LC()


def compositional_limit(body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr:
    """Limits of the parts where they are finite: sums, products, powers and continuous functions.

    lim (f + g) = lim f + lim g and so on; whatever is not finite is asked of SymPy as a whole."""
    if variable not in body.free_symbols:
        return body
    if target == sp.oo and body.is_rational_function(variable):
        found = leading_quotient(body, variable)
        if found is not None:
            return found
    continuous = isinstance(body, sp.Add | sp.Mul | sp.exp | sp.erf | sp.tanh | sp.sin | sp.cos | sp.Abs)
    if isinstance(body, sp.Pow) and variable not in body.exp.free_symbols:
        inner = compositional_limit(body.base, variable, target)
        if not _infinite(inner) and (inner.is_nonzero or body.exp.is_positive):
            return inner**body.exp
    elif isinstance(body, sp.Pow):
        found = _euler(body, variable, target)
        if found is not None:
            return found
    elif continuous:
        try:
            parts = [compositional_limit(arg, variable, target) for arg in body.args]
        except Refused:
            parts = [sp.oo]
        if not any(map(_infinite, parts)):
            return body.func(*parts)
    return symbolic_limit(body, variable, target)


def _euler(body: sp.Pow, variable: sp.Symbol, target: sp.Expr) -> sp.Expr | None:
    """(1 + u)**v -> exp(c) where u -> 0 and u*v -> c."""
    excess = sp.cancel(body.base - 1)
    if not excess.is_rational_function(variable) or not body.exp.is_rational_function(variable):
        return None
    if compositional_limit(excess, variable, target) != 0:
        return None
    rate = compositional_limit(sp.cancel(excess * body.exp), variable, target)
    return None if _infinite(rate) else sp.exp(rate)


def _infinite(value: sp.Expr) -> bool:
    return bool(value.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.AccumBounds))


def symbolic_limit(body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr:
    """SymPy's limit along reals, from the right at a finite target, with what it cannot do refused."""
    # A dummy that is real and large, not an integer: factorials and powers are continued as gamma.
    large = sp.Dummy("x", positive=True)
    grown = body.subs(variable, large)
    try:
        value = sp.limit(
            sp.powsimp(grown.rewrite(sp.gamma) if grown.has(sp.binomial) else grown), large, target
        )
    except (NotImplementedError, ValueError, TypeError, RecursionError, AttributeError, KeyError) as error:
        raise Refused("a limit that SymPy does not know") from error
    unknown = value.has(sp.Limit, sp.AccumBounds, sp.nan, sp.zoo, sp.Order) or large in value.free_symbols
    if unknown or value.has(sp.I):
        raise Refused("a limit that SymPy does not know")
    return value


def parameter_points(
    symbols: set[sp.Basic], spans: Mapping[str, Span], count: int
) -> list[dict[sp.Symbol, sp.Rational]]:
    """A few generic values of the parameters, inside their spans; atoms are any real."""
    known = {symbol(name, span): span for name, span in spans.items()}
    found = []
    for shift in range(count):
        at = {}
        for k, free in enumerate(sorted(symbols, key=sp.default_sort_key)):
            value = generic(
                known.get(free, Span(low=Fraction(0) if free.is_nonnegative else None)), k + shift
            )
            at[free] = sp.Rational(value.numerator, value.denominator)
        found.append(at)
    return found


def generic(span: Span, k: int) -> Fraction:
    """The k-th value of a span, none of them special."""
    if span.integer:
        low = span.low if span.low is not None else Fraction(1)
        value = low + 1 + (3 * k) % 5
        return value if span.holds(value) else low
    raw = PARAMETERS[k % len(PARAMETERS)] + Fraction(k // len(PARAMETERS), 11)
    if span.low is not None and span.high is not None:
        share = Fraction(1 + (2 * k) % 7, 9)
        return span.low + (span.high - span.low) * share
    if span.low is not None:
        return span.low + abs(raw)
    if span.high is not None:
        return span.high - abs(raw)
    return raw


def approaches(body: sp.Expr, variable: sp.Symbol, target: sp.Expr, value: sp.Expr) -> bool | None:
    """Whether numbers tend to the value: the error shrinks towards 0. None: cannot be evaluated."""
    errors = []
    for size in SIZES:
        ends = {sp.oo: sp.Integer(size), -sp.oo: sp.Integer(-size)}
        argument = ends.get(target, target + sp.Rational(1, size))
        number = evaluate(body, {variable: argument})
        if number is None:
            return None
        error = _distance(number, value)
        if error is None:
            return None
        errors.append(error)
    *_, before, last = errors
    small = last < mpmath.mpf(10) ** -4 or (last < before / 10 and last < mpmath.mpf(10) ** -2)
    return bool(small)


def _distance(number: mpmath.mpf, value: sp.Expr) -> mpmath.mpf | None:
    if value in (sp.oo, -sp.oo):
        signed = number if value == sp.oo else -number
        return 1 / signed if signed > 0 else mpmath.mpf(10)
    limit = evaluate(value)
    return None if limit is None else abs(number - limit) / (1 + abs(limit))


def evaluate(expr: sp.Expr, at: Mapping[sp.Symbol, sp.Expr] | None = None) -> mpmath.mpf | None:
    """A number in 60 digits, or None where it is not real or cannot be computed.

    Values enter as floats of many digits: an exact (1 + 1/10**12)**(10**12) would never end."""
    floats = {name: sp.Float(value, 3 * DIGITS) for name, value in (at or {}).items()}
    try:
        value = sp.N(expr.xreplace(floats), DIGITS, maxn=2000)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError, NotImplementedError):
        return None
    if not value.is_Float and not value.is_Rational:
        return None
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(value._mpf_) if value.is_Float else mpmath.mpf(int(value.p)) / int(value.q)
