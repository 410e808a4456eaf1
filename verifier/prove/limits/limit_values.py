"""limit(expr, x, target), symbolic and then checked by numbers.

Most limits are read off an expansion; what has none is asked of SymPy. SymPy's limits are wrong now and
then (oscillation, hidden signs of parameters), so every limit is believed only if values of the
expression, in 60 digits and at growing arguments, approach it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import mpmath
import sympy as sp

from verifier.prove.limits.leading_terms import Limit, leading_conditions, limit_at_infinity
from verifier.prove.limits.power_quotients import one_fraction
from verifier.prove.limits.scale_sums import MoreTerms, Undecided
from verifier.prove.scalars.assumed_gaps import Gap
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.identically_zero import generic_case
from verifier.prove.scalars.many_digits import COUNTS, DIGITS, STEPS, added_up, evaluate, parameter_points
from verifier.prove.scalars.scalar_refusal import Clock, NoLimit, Refused
from verifier.prove.scalars.symbol_ranges import Span
from verifier.prove.scalars.zeros import sign_changes

EXPONENTS, FAR_EXPONENTS, LARGE_EXPONENTS = (3, 6, 9, 12), (15, 30, 45, 60), (10, 100, 1000, 100000)
FACTORIALS = (sp.factorial, sp.gamma, sp.binomial, sp.harmonic)
SIZES = tuple(10**k for k in EXPONENTS)


@dataclass(frozen=True)
class Limits:
    """Limits over one domain. `notes` keeps what was taken and how it was checked, `conditions` what must
    not be 0 for them to be right; `guessed` ones are SymPy's, whose conditions nobody knows."""

    spans: Mapping[str, Span]
    clock: Clock
    gaps: tuple[Gap, ...] = ()
    notes: list[str] = field(default_factory=list)
    conditions: list[sp.Expr] = field(default_factory=list)
    guessed: list[sp.Expr] = field(default_factory=list)

    def take(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr:
        """The limit, or Refused; at a finite target, from both sides that the variable's span has."""
        if target == sp.oo and self._alternates(body, variable):
            turns = [body.subs(variable, 2 * variable + k) for k in (0, 1)]
            return self._common([self._one_sided(turn, variable, target) for turn in turns])
        if target in (sp.oo, -sp.oo) or variable not in body.free_symbols:
            return self._one_sided(body, variable, target)
        span = self.spans.get(variable.name, Span())
        values = []
        if span.high is None or target < span.high:
            values.append(self._one_sided(body, variable, target))
        if span.low is None or target > span.low:
            mirrored = body.subs(variable, 2 * target - variable)
            values.append(self._one_sided(mirrored, variable, target))
        if not values:
            raise Refused("a limit that is the same from both sides")
        return self._common(values)

    def _alternates(self, body: sp.Expr, variable: sp.Symbol) -> bool:
        """Whether (-1)**n is in it, for a whole number n."""
        powers = (p for p in body.atoms(sp.Pow) if p.base == -1 and variable in p.exp.free_symbols)
        return variable.is_integer is True and any(p.exp.is_integer for p in powers)

    def _common(self, values: list[sp.Expr]) -> sp.Expr:
        """What both ways lead to, from the two sides or along even and odd numbers."""
        first, *rest = values
        for value in rest:
            if value == first or sp.simplify(value - first) == 0:
                continue
            apart = sp.oo if _infinite(value) or _infinite(first) else sp.simplify(value - first)
            if apart == sp.oo or sign(apart, self.spans) in ("positive", "negative"):
                raise NoLimit(f"there is no limit: it would be both {first} and {value}")
            raise Refused("a limit that is the same from both sides")
        return first

    def _one_sided(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> sp.Expr:
        """The limit, from the right at a finite target."""
        body, conditions = generic_case(body)
        given = body
        if variable not in body.free_symbols:
            self._require(conditions, variable)
            return body
        with self.clock.guard(0.5):
            found = self._expanded(body, variable, target)
            if found is None:
                body = one_fraction(body, variable)
                value = compositional_limit(body, variable, target)
                self.guessed.append(body)
            else:
                value = found.value
                conditions = [*conditions, *found.conditions]
            self._require(conditions, variable)
            checks = self._check(given, variable, target, value)
        words = f"the limit of {given} as {variable} -> {target} is {value}"
        self.notes.append(f"{words}; numbers agree at {checks} choices of the rest")
        return value

    def _expanded(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr) -> Limit | None:
        """By the leading term; None where there is no expansion. Undecided where a sign is open that
        cases can decide."""
        if target != sp.oo:
            return None
        try:
            try:
                return limit_at_infinity(body, variable, self.spans, self.gaps)
            except MoreTerms:
                return limit_at_infinity(one_fraction(body, variable), variable, self.spans, self.gaps)
        except Undecided as open_sign:
            if sign_changes(open_sign.expr, self.spans, self.gaps) is not None:
                raise
            return None
        except Refused:
            return None

    def _require(self, conditions: Iterable[sp.Expr], variable: sp.Symbol) -> None:
        """Conditions on the other symbols, also those of limits inside that speak of the variable: they
        must hold for all large values of it, so their leading terms must not vanish."""
        inner = [c for c in self.conditions if variable in c.free_symbols]
        self.conditions[:] = [c for c in self.conditions if c not in inner]
        for condition in [*inner, *conditions]:
            if variable not in condition.free_symbols:
                self.conditions.append(condition)
                continue
            try:
                self.conditions.extend(leading_conditions(condition, variable, self.spans, self.gaps))
            except Refused:
                self.guessed.append(condition)

    def _check(self, body: sp.Expr, variable: sp.Symbol, target: sp.Expr, value: sp.Expr) -> int:
        """At several values of the parameters the expression must come close to the limit."""
        checks = 0
        chosen = self._points(body.free_symbols | value.free_symbols)
        for at in chosen:
            at = {name: v for name, v in at.items() if name != variable}
            self.clock.check()
            outcome = approaches(body, variable, target, value, at)
            if outcome is None and target == sp.oo:  # factorials of sizes that only small ones have
                outcome = tends(body, variable, value, at) or None
            if outcome is False:
                raise Refused("a limit that SymPy and numbers do not agree on")
            checks += outcome is True
        if not checks:
            raise Refused("a limit that numbers do not confirm")
        return checks

    def _points(self, symbols: set[sp.Basic]) -> list[dict[sp.Symbol, sp.Expr]]:
        """Values of the symbols, where there are some that keep the assumed inequalities."""
        spoken = symbols.union(*(gap.expr.free_symbols for gap in self.gaps))
        chosen = parameter_points(spoken, self.spans, 16 if self.gaps else 4)
        kept = [at for at in chosen if all(gap.expr.subs(at).is_positive for gap in self.gaps)]
        return (kept or chosen)[:4]


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


def approaches(
    body: sp.Expr,
    variable: sp.Symbol,
    target: sp.Expr,
    value: sp.Expr,
    at: Mapping[sp.Symbol, sp.Expr] | None = None,
) -> bool | None:
    """Whether numbers tend to the value: the error shrinks towards 0. None: cannot be evaluated.

    Logarithms are slow. Where the error shrinks all the time, far larger arguments are tried too, which
    by themselves would prove nothing: there (1 + 1/x)**x is 1 in floats."""
    limit = value if value in (sp.oo, -sp.oo) else evaluate(value, at)
    errors = None if limit is None else _errors(body, variable, target, limit, at or {}, _sizes(EXPONENTS))
    if errors is None:
        return None
    if body.has(sp.log) and not _is_small(errors) and all(b < a for a, b in pairwise(errors)):
        errors = _errors(body, variable, target, limit, at or {}, _sizes(LARGE_EXPONENTS)) or errors
    return _is_small(errors)


def tends(body: sp.Expr, variable: sp.Symbol, value: sp.Expr, at: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether numbers agree with a limit at infinity that an expansion has shown, at one of several ladders:
    slow powers and logarithms are near their limit only at sizes far beyond those of `approaches`."""
    limit = value if value in (sp.oo, -sp.oo) else evaluate(value, at)
    if limit is None:
        return False
    magnitude = limit if limit in (sp.oo, -sp.oo) else abs(limit)
    steep = body.has(*FACTORIALS) or any(variable in p.exp.free_symbols for p in body.atoms(sp.Pow, sp.exp))
    near = [_sizes(EXPONENTS)] if steep else [_sizes(k) for k in (EXPONENTS, FAR_EXPONENTS, LARGE_EXPONENTS)]
    if steep or body.has(sp.Sum, sp.Product):
        counts = COUNTS if body.has(sp.Sum, sp.Product) else STEPS
        near = [[sp.Integer(count) for count in counts], *(near if counts == STEPS else [])]
    for sizes in near:
        errors = _errors(sp.Abs(body), variable, sp.oo, magnitude, at, sizes)
        if errors is not None and (
            _is_small(errors) or _falls_slowly(errors) or _falls_as_log(errors, sizes)
        ):
            return True
    return False


def _falls_slowly(errors: list[mpmath.mpf]) -> bool:
    """As 1/log falls from 10**3 to 10**12, which is to a quarter."""
    falling = all(b < a for a, b in pairwise(errors))
    return bool(falling and errors[-1] < errors[0] / 2 and errors[-1] < mpmath.mpf("0.2"))


def _falls_as_log(errors: list[mpmath.mpf], sizes: list[sp.Expr]) -> bool:
    """At the few sizes of a sum: times log(size) the error does not grow as that of another limit would."""
    falling = all(b < a for a, b in pairwise(errors)) and sizes[-1] == COUNTS[-1]
    near, far = (
        error * mpmath.log(int(size)) for error, size in ((errors[0], sizes[0]), (errors[-1], sizes[-1]))
    )
    return bool(falling and far < 3 * near / 2)


def _errors(
    body: sp.Expr,
    variable: sp.Symbol,
    target: sp.Expr,
    limit: mpmath.mpf | sp.Expr,
    at: Mapping[sp.Symbol, sp.Expr],
    sizes: Iterable[sp.Expr],
) -> list[mpmath.mpf] | None:
    """How far from the limit the expression is, at arguments closer and closer to the target."""
    errors = []
    target = target.subs(at)  # a finite one may be another symbol
    for large in sizes:
        argument = {sp.oo: large, -sp.oo: -large}.get(target, target + 1 / large)
        # A small whole number stays exact: 1 - erf(24) is 0 to hundreds of digits.
        here = body.subs(variable, argument) if large.is_Integer and not body.has(sp.Sum) else body
        number = evaluate(added_up(here, {**at, variable: argument}), {**at, variable: argument})
        if number is None:
            return None
        errors.append(_distance(number, limit))
    return errors


def _sizes(exponents: Iterable[int]) -> list[sp.Expr]:
    return [sp.Float(f"1e{exponent}", 3 * DIGITS) for exponent in exponents]


def _is_small(errors: list[mpmath.mpf]) -> bool:
    *_, before, last = errors
    return bool(last < mpmath.mpf(10) ** -4 or (last < before / 10 and last < mpmath.mpf(10) ** -2))


def _distance(number: mpmath.mpf, limit: mpmath.mpf | sp.Expr) -> mpmath.mpf:
    if limit in (sp.oo, -sp.oo):
        signed = number if limit == sp.oo else -number
        return 1 / signed if signed > 0 else mpmath.mpf(10)
    return abs(number - limit) / (1 + abs(limit))
