"""What is so of something drawn, almost surely."""

from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.functions import applied
from verifier.kernel.points.integrals import Point, entries_as_drawn
from verifier.kernel.points.majorants import Bounds
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.polynomials import Composite, Entry, Monomial, Scalar
from verifier.kernel.rejected import Rejected

ZERO_AT_ZERO = frozenset({"abs", "power", "tanh", "erf", "atan", "asin"})


def _bounds(point: Point, scalar: Scalar) -> tuple[Bounds, bool]:
    """Bounds of the entries, and whether they have a density together."""
    entries = poly.entries_of(scalar)
    bounds, normal, uniform = entries_as_drawn(point, entries)
    return bounds, normal + uniform == len(entries)


def require_nonzero(point: Point, scalar: Scalar) -> None:
    """Rejects what may be 0: a number, or with a chance what is drawn."""
    if not isinstance(scalar, poly.Poly):
        v.inverse(scalar)
        return
    bounds, dense = _bounds(point, scalar)
    if not _is_off(bounds, scalar, dense):
        raise Rejected("no-mean", "something drawn that may be 0 where it must not be")


def _is_off(bounds: Bounds, scalar: Scalar, dense: bool) -> bool:
    """Whether a scalar is almost surely not 0: by its range, or because entries with a density make it so."""
    return (dense and _vanishes_nowhere(bounds, scalar)) or _has_a_sign(bounds, scalar)


def _has_a_sign(bounds: Bounds, scalar: Scalar) -> bool:
    span = bounds.range(scalar)
    return bool(span.low > 0 or span.high < 0) or bounds.is_positive(scalar)


def _vanishes_nowhere(bounds: Bounds, scalar: Scalar) -> bool:
    """A polynomial in what has a density, given all that its coefficients depend on, is 0 on a null set alone
    where some coefficient is almost surely not 0; a product where no factor is 0; so is the size, a power or
    a function that is 0 at 0 alone."""
    terms = poly.terms_of(scalar)
    if len(terms) == 1:
        ((monomial, value),) = terms.items()
        return _is_not_zero(value) and all(_is_nowhere_zero(bounds, factor) for factor, _ in monomial)
    factors = {factor for monomial in terms for factor, _ in monomial}
    inside = frozenset[Entry]().union(*(each.entries for each in factors if isinstance(each, Composite)))
    found: dict[Monomial, dict[Monomial, v.Value]] = {}
    for monomial, value in terms.items():
        plain = tuple((f, k) for f, k in monomial if not isinstance(f, Composite) and f not in inside)
        rest = tuple(item for item in monomial if item not in plain)
        found.setdefault(plain, {})[rest] = value
    return found.keys() != {()} and any(_coefficient(bounds, poly.made(part)) for part in found.values())


def _coefficient(bounds: Bounds, scalar: Scalar) -> bool:
    return _is_off(bounds, scalar, True) if isinstance(scalar, poly.Poly) else _is_not_zero(scalar)


def _is_nowhere_zero(bounds: Bounds, factor: poly.Factor) -> bool:
    if not isinstance(factor, Composite):
        return True
    if factor.name in ZERO_AT_ZERO and isinstance(factor.args[0], poly.Poly):
        return _is_off(bounds, factor.args[0], True)
    return factor.name == "exp" or _has_a_sign(bounds, poly.drawn(factor))


def _is_not_zero(value: v.Value) -> bool:
    try:
        return v.sign_of(value) != 0
    except Undecided:
        return False


def require_power(point: Point, base: Scalar, exponent: v.Value) -> None:
    """Rejects base ** exponent where it may have no value."""
    if not isinstance(base, poly.Poly):
        v.power(base, exponent)
        return
    if v.whole(exponent) is None and not _bounds(point, base)[0].range(base).low >= 0:
        raise Rejected("no-mean", "a root of something drawn that may be negative")
    if v.sign_of(exponent) < 0:
        require_nonzero(point, base)


def require_value(point: Point, function: str, args: tuple[Scalar, ...]) -> None:
    """Rejects f(x) where it may have no value."""
    if not any(isinstance(arg, poly.Poly) for arg in args):
        applied(function, args)
        return
    span = _bounds(point, args[0])[0].range(args[0])
    match function:
        case "log" if span.low >= 0:
            require_nonzero(point, args[0])
            return
        case "asin" | "acos" if span.low >= -1 and span.high <= 1:
            return
    raise Rejected("no-mean", f"{function} of something drawn, which may have no value")
