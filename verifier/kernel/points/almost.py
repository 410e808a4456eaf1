"""What is so of something drawn, almost surely."""

from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.functions import applied
from verifier.kernel.points.integrals import Point, entries_as_drawn
from verifier.kernel.points.majorants import Bounds
from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.polynomials import Composite, Scalar
from verifier.kernel.rejected import Rejected


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
    if dense and _vanishes_nowhere(scalar):
        return
    span = bounds.range(scalar)
    if not (span.low > 0 or span.high < 0):
        raise Rejected("no-mean", "something drawn that may be 0 where it must not be")


def _vanishes_nowhere(scalar: Scalar) -> bool:
    """A polynomial with a coefficient that is not 0, of what has a density, is 0 on a null set alone; so is
    the size or a power of one."""
    terms = poly.terms_of(scalar)
    if len(terms) == 1:
        ((monomial, value),) = terms.items()
        return _is_not_zero(value) and all(_is_nowhere_zero(factor) for factor, _ in monomial)
    plain = not any(isinstance(factor, Composite) for monomial in terms for factor, _ in monomial)
    return plain and any(_is_not_zero(value) for value in terms.values())


def _is_nowhere_zero(factor: poly.Factor) -> bool:
    if not isinstance(factor, Composite):
        return True
    return factor.name == "exp" or (factor.name in ("abs", "power") and _vanishes_nowhere(factor.args[0]))


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
