"""Terms multiplied out, with logarithms of products taken apart: x*log(x*y) is x*log(x) + x*log(y)."""

from typing import Any

from flint import fmpq

from verifier.exact.enclosures.term_calculus import Values, fold, variables
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import ONE, ZERO, is_zero, sign
from verifier.exact.numbers.scalar_terms import (
    Call,
    Linear,
    Product,
    Term,
    Variable,
    is_nonnegative,
    is_positive,
    linear,
)

MAX_PARTS = 40
MAX_EXPONENT = 4


def normal(term: Any, leaves: dict[str, Any] | None = None) -> Any:
    """The term in normal form, with some of its variables replaced."""
    if not isinstance(term, Term):
        return term
    names: dict[str, Any] = {variable.name: variable for variable in variables(term)}
    return fold(term, {**names, **(leaves or {})}, _Normal())


def parts_of(term: Any) -> tuple[Any, tuple[tuple[Any, Any], ...]]:
    """constant + sum of coefficient * term."""
    if isinstance(term, Linear):
        return term.constant, term.parts
    return (ZERO, ((term, ONE),)) if isinstance(term, Term) else (term, ())


def factors_of(term: Any) -> tuple[tuple[Any, fmpq], ...]:
    """The factors of a product; anything else is one factor."""
    return term.factors if isinstance(term, Product) else ((term, ONE),)


class _Normal(Values):
    """The algebra of `Values`, distributing products over sums and logarithms over products."""

    def multiply(self, left: Any, right: Any) -> Any:
        (a, first), (b, second) = parts_of(left), parts_of(right)
        if len(first) + len(second) < 2 or (len(first) + 1) * (len(second) + 1) > MAX_PARTS:
            return left * right
        groups: list[Any] = [(a * b, ())]
        groups += [parts_of(x * (c * b)) for x, c in first] + [parts_of(y * (a * d)) for y, d in second]
        groups += [parts_of(x * y * (c * d)) for x, c in first for y, d in second]
        return linear(groups)

    def power(self, base: Any, exponent: fmpq) -> Any:
        if isinstance(base, Linear) and exponent.q == 1 and 2 <= exponent <= MAX_EXPONENT:
            result = base
            for _ in range(int(exponent.p) - 1):
                result = self.multiply(result, base)
            return result
        if isinstance(base, Call) and base.function == "abs" and exponent.q == 1 and exponent.p % 2 == 0:
            return self.power(base.args[0], exponent)
        content, rest = _content(base)
        return ar.power(content, exponent) * ar.power(rest, exponent)

    def apply(self, name: str, x: Any) -> Any:
        if not isinstance(x, Term):
            return super().apply(name, x)
        match name:
            case "log":
                return _log(x)
            case "exp":
                return _exp(x)
            case "abs":
                return _abs(x)
        return super().apply(name, x)


def _content(term: Any) -> tuple[Any, Any]:
    """Of a sum: the powers of positive variables and the leading size that all parts share, and the rest."""
    if not isinstance(term, Linear):
        return ONE, term
    shared: Any = ONE
    if is_zero(term.constant):
        exponents = [{b: e for b, e in factors_of(part) if is_positive(b)} for part, _ in term.parts]
        for base in exponents[0]:
            least = min(found.get(base, ZERO) for found in exponents)
            if isinstance(base, Variable) and all(base in found for found in exponents):
                shared = shared * ar.power(base, least)
    lead = term.parts[0][1]
    size = abs(lead) if isinstance(lead, fmpq) else ONE
    shared = shared * size
    return shared, linear(
        parts_of(part * coefficient * ar.inverse(shared)) for part, coefficient in _all(term)
    )


def _all(term: Linear) -> list[tuple[Any, Any]]:
    return [*term.parts, *([] if is_zero(term.constant) else [(term.constant, ONE)])]


def _log(x: Any) -> Any:
    """log(c * f**a * g**b) = log c + a log f + b log g for f, g > 0; log(exp(f)) = f."""
    constant, parts = parts_of(x)
    if not isinstance(x, Term) or (isinstance(x, Call) and x.function == "exp"):
        return x.args[0] if isinstance(x, Call) else ar.apply("log", x)
    if is_zero(constant) and len(parts) == 1:
        ((body, coefficient),) = parts
        factors = factors_of(body)
        if (
            sign(coefficient) <= 0
            or not all(is_positive(base) for base, _ in factors)
            or factors == ((x, ONE),)
        ):
            return ar.apply("log", x)
        total = ar.apply("log", coefficient)
        for base, exponent in factors:
            total = total + exponent * _log(base)
        return total
    content, rest = _content(x)
    return ar.apply("log", x) if content == ONE else _log(content) + ar.apply("log", rest)


def _exp(x: Any) -> Any:
    """exp(c + a log f + rest) = e**c f**a exp(rest), for rational a."""
    constant, parts = parts_of(x)
    result: Any = ar.apply("exp", constant)
    rest: Any = ZERO
    for part, coefficient in parts:
        match part:
            case Call("log", (arg,)) if isinstance(coefficient, fmpq):
                result = result * ar.power(arg, coefficient)
            case _:
                rest = rest + part * coefficient
    return result * ar.apply("exp", rest) if isinstance(rest, Term) else result


def _abs(x: Any) -> Any:
    """|c f g**k| = |c| |f| |g|**k, |f| = f for f > 0, and one form for x and -x."""
    constant, parts = parts_of(x)
    if is_zero(constant) and len(parts) == 1:
        ((body, coefficient),) = parts
        total: Any = ar.apply("abs", coefficient)
        for base, exponent in factors_of(body):
            total = total * ar.power(_size(base) if exponent.p % 2 else base, exponent)
        return total
    content, rest = _content(x)
    lead = parts_of(rest)[1][0][1]
    return content * _size(-rest if isinstance(lead, fmpq) and lead < 0 else rest)


def _size(base: Any) -> Any:
    return base if is_nonnegative(base) else ar.apply("abs", base)
