"""E of a function of one normal variable, enclosed: arb's integration inside, a bound on the tails.

    E f(z) = int_{-R}^{R} f(z) phi(z) dz + tails,    |f(z)| <= C (1 + |z|)**k exp(A |z|)

The integrand is cut at the kinks of abs, relu and sign, so that every piece is analytic, and around the
steps of tanh, sigmoid, softplus and erf, so that steep ones stand in pieces of their own size.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from flint import acb, arb, ctx, fmpq

from verifier.exact.numbers.constants import Closed, enclose
from verifier.exact.numbers.refusals import Imprecise, Unsupported
from verifier.timer import held

MOST_BITS = 256
KINKED = frozenset({"abs", "relu", "sign"})
STEPS = frozenset({"tanh", "sigmoid", "softplus", "erf", "erfc"})
AROUND = (0, 1, 8, 64)  # where a step is cut, in units of its width
STEEP = 4  # steps that are wider than 1/STEEP need no cut
BOUNDED = frozenset({"tanh", "erf", "erfc", "sigmoid", "sin", "cos", "asin", "atan"})


@dataclass(frozen=True)
class Call:
    """function(argument) of the variable."""

    function: str
    argument: "Expression"


@dataclass(frozen=True)
class Product:
    """coefficient * z**power * prod of call**times"""

    coefficient: Any
    power: int
    calls: tuple[tuple[Call, int], ...] = ()


Expression = tuple[Product, ...]


def mean(integrand: Expression) -> arb:
    """E of the expression, z ~ N(0, 1)."""
    bits = min(ctx.prec, MOST_BITS)
    if any(not isinstance(c, fmpq | Closed | arb) for c in _coefficients(integrand)):
        raise Unsupported("an integral that depends on a variable")
    if any(isinstance(c, arb) for c in _coefficients(integrand)):
        return _at_bits(integrand, bits)
    return _known(integrand, bits)


@lru_cache(maxsize=4096)
def _known(integrand: Expression, bits: int) -> arb:
    return _at_bits(integrand, bits)


def _coefficients(expression: Expression) -> Iterator[Any]:
    for product in expression:
        yield product.coefficient
        for call, _ in product.calls:
            yield from _coefficients(call.argument)


def _at_bits(integrand: Expression, bits: int) -> arb:
    before = ctx.prec
    ctx.prec = bits + 32
    try:
        return _enclosed(integrand, bits)
    finally:
        ctx.prec = before


def _enclosed(integrand: Expression, bits: int) -> arb:
    growth = _growth(integrand)
    end, tail = growth.cut(arb(2) ** (-bits))
    kinks = _kinks(integrand)
    bends = [x for x in _bends(integrand) if -end < x < end and not any(x.overlaps(k) for k in kinks)]
    cuts = [-end, *sorted([*kinks, *bends], key=lambda x: float(x.mid())), end]
    if any(not a < b for a, b in pairwise(cuts)):
        raise Imprecise("the order of the kinks of an integrand")
    total = arb(0, tail.upper())
    for low, high in pairwise(cuts):
        found = _integral(integrand, low, high)
        if not found.is_finite():
            raise Imprecise("no finite enclosure of an integral")
        total += found / (2 * arb.pi()).sqrt()
    return total


def _integral(integrand: Expression, low: arb, high: arb) -> arb:
    """Of the integrand with the normal density's exponential, between two points of which none is a kink.

    The library loses what is raised by the function that it integrates, and goes on with whatever stood in
    the place of the value. So nothing is raised there: all is indeterminate from then on."""
    middle = arb(((low + high) / 2).mid())
    failures: list[BaseException] = []
    with held() as is_due:

        def piece(z: acb, analytic: bool) -> acb:
            if failures or is_due():
                return acb(arb.nan())
            try:
                return _value(integrand, z, middle, analytic) * (-(z * z) / 2).exp()
            except BaseException as failure:
                failures.append(failure)
                return acb(arb.nan())

        found = acb.integral(piece, acb(low), acb(high)).real
    if failures:
        raise failures[0]
    return found


def _value(expression: Expression, z: acb, inside: arb, analytic: bool) -> acb:
    """The expression at z, analytic on the piece that holds the point `inside`."""
    total = acb(0)
    for product in expression:
        term = acb(enclose(product.coefficient)) * z**product.power
        for call, times in product.calls:
            term *= _call(call, z, inside, analytic) ** times
        total += term
    return total


def _call(call: Call, z: acb, inside: arb, analytic: bool) -> acb:
    x = _value(call.argument, z, inside, analytic)
    match call.function:
        case "abs" | "relu" | "sign":
            side = _value(call.argument, acb(inside), inside, False).real
            if not (side > 0 or side < 0):
                raise Imprecise("the side of a kink")
            return {"abs": x if side > 0 else -x, "relu": x if side > 0 else acb(0)}.get(
                call.function, acb(1 if side > 0 else -1)
            )
        case "exp":
            return x.exp()
        case "sin":
            return x.sin()
        case "cos":
            return x.cos()
        case "tanh":
            return x.tanh()
        case "erf":
            return x.erf()
        case "erfc":
            return x.erfc()
        case "atan":
            return x.atan()
        case "sigmoid":
            return 1 / (1 + (-x).exp()) if _is_above(call, inside) else x.exp() / (1 + x.exp())
        case "softplus":  # softplus(x) = x + softplus(-x)
            above = _is_above(call, inside)
            small = (1 + (-x if above else x).exp()).log(analytic=analytic)
            return x + small if above else small
    raise Unsupported(f"the integral of {call.function}")


def _is_above(call: Call, inside: arb) -> bool:
    """Whether the argument is mostly positive on the piece: then its exponential is kept small."""
    return bool(_value(call.argument, acb(inside), inside, False).real > 0)


def _bends(expression: Expression) -> list[arb]:
    """Places around the steps of steep functions, as exact numbers, each once."""
    found: dict[str, arb] = {}
    for product in expression:
        for call, _ in product.calls:
            parts = {p.power: p.coefficient for p in call.argument if not p.calls}
            linear = len(parts) == len(call.argument) and parts.keys() <= {0, 1} and 1 in parts
            if call.function not in STEPS or not linear or not abs(slope := enclose(parts[1])) > STEEP:
                continue
            for k in AROUND:
                for side in (-k, k):
                    place = arb(((side - enclose(parts.get(0, arb(0)))) / slope).mid())
                    found.setdefault(place.str(20), place)
    return list(found.values())


def _kinks(expression: Expression) -> list[arb]:
    """Where the arguments of kinked functions vanish, each once."""
    found: dict[str, arb] = {}
    for product in expression:
        for call, _ in product.calls:
            for place in _kinks(call.argument):
                found.setdefault(place.str(30), place)
            if call.function in KINKED:
                for place in _zeros(call):
                    found.setdefault(place.str(30), place)
    return list(found.values())


def _zeros(call: Call) -> Iterator[arb]:
    """Where a + b z, or a + b exp(c + d z), is 0."""
    line = _line(call.argument)
    if line is not None and 1 in line:
        yield -line.get(0, arb(0)) / line[1]
        return
    rest = tuple(p for p in call.argument if not p.calls)
    match [p for p in call.argument if p.calls]:
        case [Product(b, 0, ((Call("exp", inner), 1),))]:
            below, above = _line(rest), _line(inner)
            if below is not None and 1 not in below and above is not None and 1 in above:
                ratio = -below.get(0, arb(0)) / enclose(b)
                if ratio > 0:
                    yield (ratio.log() - above.get(0, arb(0))) / above[1]
                elif not ratio <= 0:
                    raise Imprecise("the side of a kink")
                return
    raise Unsupported(f"the integral of {call.function} of a function that is not linear")


def _line(expression: Expression) -> dict[int, arb] | None:
    """The coefficients of a + b z by their powers."""
    parts = {p.power: enclose(p.coefficient) for p in expression if not p.calls}
    return parts if len(parts) == len(expression) and parts.keys() <= {0, 1} else None


# --- tails ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Growth:
    """|f(z)| <= scale * (1 + |z|)**power * exp(rate * |z|)"""

    scale: arb
    power: int
    rate: arb

    def __mul__(self, other: "Growth") -> "Growth":
        return Growth(self.scale * other.scale, self.power + other.power, self.rate + other.rate)

    def __add__(self, other: "Growth") -> "Growth":
        return Growth(self.scale + other.scale, max(self.power, other.power), self.rate.max(other.rate))

    def cut(self, small: arb) -> tuple[arb, arb]:
        """R and a bound on the integral over |z| > R:

        with h(z) = k log(1 + z) + A z - z**2/4 falling from R on,
        int_R^oo (1 + z)**k exp(A z) phi(z) dz <= exp(h(R)) (2/R) exp(-R**2/4)/sqrt(2 pi)
        """
        end = arb(8)
        for _ in range(64):
            falling = arb(self.power) / (1 + end) + self.rate - end / 2
            if falling < 0:
                height = self.power * (1 + end).log() + self.rate * end - end * end / 2
                tail = 2 * self.scale * height.exp() * (2 / end) / (2 * arb.pi()).sqrt()
                if tail < small * (1 + self.scale):
                    return end, tail
            end = end * arb("1.25")
        raise Unsupported("an integrand that grows too fast")


def _growth(expression: Expression) -> Growth:
    total = Growth(arb(0), 0, arb(0))
    for product in expression:
        term = Growth(abs(enclose(product.coefficient)), product.power, arb(0))
        for call, times in product.calls:
            for _ in range(times):
                term = term * _call_growth(call)
        total = total + term
    return total


def _call_growth(call: Call) -> Growth:
    if call.function == "sign" or call.function in BOUNDED:
        return Growth(arb(2), 0, arb(0))
    if call.function in ("abs", "relu", "softplus"):
        return _growth(call.argument) + Growth(arb(1), 0, arb(0))
    if call.function == "exp":
        return _exponential(call.argument)
    raise Unsupported(f"the growth of {call.function}")


def _exponential(argument: Expression) -> Growth:
    """exp(a + b z - c z**2) <= exp(|a|) exp(|b| |z|), c >= 0"""
    parts = {p.power: enclose(p.coefficient) for p in argument if not p.calls}
    if len(parts) < len(argument) or any(power > 2 for power in parts) or not parts.get(2, arb(0)) <= 0:
        raise Unsupported("the expectation of a large exponential")
    return Growth(abs(parts.get(0, arb(0))).exp(), 0, abs(parts.get(1, arb(0))))
