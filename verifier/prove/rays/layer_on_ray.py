"""What a layer does on a ray of states: it multiplies them by drawn entries and functions of an exponential.

The layer is evaluated at X = x V with the entries that it draws as variables. All exponentials in the
result must be powers of one, y = exp(t) with t = c x**k times drawn entries; then every entry is a rational
function of y, x and what is drawn, and that next = r x V is an identity between polynomials.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd, lcm

import sympy as sp
from flint import fmpq

from verifier.claim.model import Claim, Layers
from verifier.exact.numbers.constants import ONE, Exact, is_zero, sign
from verifier.exact.numbers.operations import divide
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Call, Linear, Product, Term, Variable, is_positive
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.expr.walk import walk

SIZE = Variable("x")
Y = sp.Symbol("y", positive=True)
Rows = tuple[tuple[int, ...], ...]
# How many times the argument of the call stands in the exponent of its rational form.
_EXPONENTIAL = {"exp": 1, "sigmoid": 1, "tanh": 2}
LOOKING = (N.Expectation, N.Variance, N.Covariance, N.Derivative, N.Extreme, N.Limit, N.After, N.Member)


@dataclass(frozen=True)
class Monomial:
    """coefficient * product of variables, by name, with positive integer powers."""

    coefficient: Exact
    powers: Mapping[str, int]


@dataclass(frozen=True)
class Ray:
    """x V is mapped to r x V: r is a sum of products of drawn entries, each times a polynomial in y = exp(t),
    over one more such polynomial. No entry is both in a product and in t."""

    direction: Rows
    terms: tuple[tuple[Mapping[str, int], sp.Poly], ...]
    bottom: sp.Poly
    exponent: Monomial
    owners: Mapping[str, str]  # the symbol to which an entry belongs

    @property
    def degree(self) -> int:
        """k, the power of x in t."""
        return self.exponent.powers.get(SIZE.name, 0)

    @property
    def drawn(self) -> dict[str, int]:
        """The drawn entries in t."""
        return {name: k for name, k in self.exponent.powers.items() if name != SIZE.name}


def on_ray(direction: Rows) -> list[list[object]]:
    """x V as a value of the state."""
    return [[SIZE * fmpq(v) if v else fmpq(0) for v in row] for row in direction]


def ray(claim: Claim, layers: Layers, numbers: Mapping[str, object], direction: Rows) -> Ray | None:
    """The layer on this ray, at these sizes; None where it leaves it or does something else there."""
    if any(isinstance(part, LOOKING) for part in walk(layers.next)):
        raise Unsupported("layers that average, differentiate or draw families")
    sizes = Evaluator(Context.of(claim), numbers)
    point, owners = {**numbers, layers.state.name: on_ray(direction)}, dict[str, str]()
    for symbol in layers.symbols:
        rows, cols = sizes.dim(symbol.shape.rows), sizes.dim(symbol.shape.cols)
        named = [[f"{symbol.name}[{i + 1}, {j + 1}]" for j in range(cols)] for i in range(rows)]
        owners |= {entry: symbol.name for row in named for entry in row}
        point[symbol.name] = [[Variable(entry) for entry in row] for row in named]
    entries = [v for row in Evaluator(Context.of(claim), point).value(layers.next) for v in row]
    found = _unit([entry for entry in entries if isinstance(entry, Term)])
    if found is None:
        return None
    unit, exponent = found
    values = [_rational(entry, unit) for entry in entries]
    factor = _multiple(values, [v for row in direction for v in row])
    split = None if factor is None else _split(factor, list(owners))
    if split is None or any(powers.keys() & exponent.powers.keys() for powers, _ in split[0]):
        return None
    return Ray(direction, *split, exponent, owners)


def _multiple(values: list[sp.Expr], direction: list[int]) -> sp.Expr | None:
    """r where the values are r x V."""
    at = next(i for i, v in enumerate(direction) if v)
    first = sp.cancel(values[at] / direction[at])
    if first == 0 or any(
        sp.cancel(value - v * first) != 0 for value, v in zip(values, direction, strict=True)
    ):
        return None
    return sp.cancel(first / sp.Symbol(SIZE.name))


Terms = tuple[tuple[dict[str, int], sp.Poly], ...]


def _split(factor: sp.Expr, drawn: list[str]) -> tuple[Terms, sp.Poly] | None:
    """Products of drawn entries with polynomials in y, over one polynomial in y."""
    above, below = sp.fraction(factor)
    generators = [sp.Symbol(name) for name in (SIZE.name, *drawn)]
    if below.free_symbols & set(generators):
        return None
    found = []
    for (size, *powers), coefficient in sp.Poly(above, *generators).terms():
        if size:
            return None
        weight = {name: int(k) for name, k in zip(drawn, powers, strict=True) if k}
        found.append((weight, sp.Poly(coefficient, Y)))
    return tuple(found), sp.Poly(below, Y)


# --- exponentials -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unit:
    """y = exp(t): the multiples of t in the exponents, by what the functions are called with."""

    multiples: Mapping[Term, int]


def _unit(entries: list[Term]) -> tuple[Unit, Monomial] | None:
    """The exponential of which all others are powers; None if there are several."""
    calls = list(dict.fromkeys(call for entry in entries for call in _calls(entry)))
    if not calls:
        return Unit({}), Monomial(ONE, {})
    first, ratios = monomial(calls[0].args[0]), dict[Term, fmpq]()
    for call in calls:
        inside = monomial(call.args[0])
        ratio = divide(inside.coefficient, first.coefficient)
        if inside.powers != first.powers or not isinstance(ratio, fmpq):
            return None
        ratios[call] = ratio * _EXPONENTIAL[call.function]
    below = lcm(*(int(q.q) for q in ratios.values()))
    above = gcd(*(int(q.p) * (below // int(q.q)) for q in ratios.values()))
    step = fmpq(above, below) * sign(first.coefficient)  # so that t has a positive coefficient
    multiples = {call: int((q / step).p) for call, q in ratios.items()}
    coefficient = first.coefficient * step
    return Unit(multiples), Monomial(coefficient, first.powers)


def _calls(term: Term) -> Iterator[Call]:
    match term:
        case Variable():
            return
        case Linear(_, parts):
            for part, _ in parts:
                yield from _calls(part)
        case Product(factors):
            for base, _ in factors:
                yield from _calls(base)
        case Call(function, _) if function in _EXPONENTIAL:
            yield term
        case _:
            raise Unsupported("a function that is not rational in an exponential")


def monomial(value: object) -> Monomial:
    """A coefficient times integer powers of variables; Unsupported for anything else."""
    match value:
        case Variable(name):
            return Monomial(ONE, {name: 1})
        case Product(factors):
            powers: dict[str, int] = {}
            for base, exponent in factors:
                if not isinstance(base, Variable) or exponent.q != 1 or exponent < 1:
                    break
                powers[base.name] = int(exponent.p)
            else:
                return Monomial(ONE, powers)
        case Linear(constant, ((part, coefficient),)) if is_zero(constant):
            return Monomial(coefficient, monomial(part).powers)
    raise Unsupported("a single product of variables")


def _rational(value: object, unit: Unit) -> sp.Expr:
    """The value as a rational function; divisions are by what is positive at every draw."""
    match value:
        case fmpq():
            return sp.Rational(int(value.p), int(value.q))
        case Variable(name):
            return sp.Symbol(name)
        case Linear(constant, parts):
            return sp.Add(
                _rational(constant, unit), *(_rational(c, unit) * _rational(t, unit) for t, c in parts)
            )
        case Product(factors):
            if all(e.q == 1 and (e > 0 or is_positive(base)) for base, e in factors):
                return sp.Mul(*(_rational(base, unit) ** int(e.p) for base, e in factors))
        case Call(function, _):
            power = Y ** unit.multiples[value]
            match function:
                case "exp":
                    return power
                case "sigmoid":
                    return power / (1 + power)
                case "tanh":
                    return (power - 1) / (power + 1)
    raise Unsupported("a rational function of one exponential")
