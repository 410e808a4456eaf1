"""Convex functions: they lie above their tangents, and below their means."""

from collections.abc import Callable
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_positive
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.norms import ONE, TWO, Pairs, root_of, square_of


def jensen(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\varphi \text{ convex}}{\Gamma \vdash \varphi(\mathrm{E} f) \le \mathrm{E}\, \varphi(f)}

    For squares, also of powers, the absolute value, exp, relu, softplus, log(1 + exp(x)), norms and their
    squares, and the inverse of what is positive; and the other way round for log and the root. No other
    independence may be assumed than what is declared.
    """
    if context.tied():
        raise Rejected("condition", "a mean under an independence that the laws do not have")
    match atom:
        case N.Expectation(N.Power(f, N.Number(value)), given) if value == 2:
            yield square_of(N.Expectation(f, given)), atom
            if isinstance(f, N.Norm):
                yield square_of(N.Norm(N.Expectation(f.arg, given), f.kind)), atom
        case N.Expectation(N.Power(f, N.Number(value)), given) if value.denominator == 1 and value % 2 == 0:
            if value > 2:
                yield square_of(N.Expectation(N.Power(f, N.Number(value / 2)), given)), atom
        case N.Expectation(N.Norm(f, kind), given):
            yield N.Norm(N.Expectation(f, given), kind), atom
        case N.Expectation(N.Apply("abs" | "exp" | "relu" | "softplus" as name, (f,)), given):
            yield N.Apply(name, (N.Expectation(f, given),)), atom
        case N.Expectation(N.Apply("log", (N.Add(one, N.Apply("exp", (f,)) as inside),)), given) if (
            one == ONE
        ):
            yield N.Apply("log", (N.Add(ONE, N.Apply("exp", (N.Expectation(f, given),))),)), atom
            yield atom, N.Apply("log", (N.Expectation(N.Add(ONE, inside), given),))
        case N.Expectation(N.Apply("log" | "sqrt" as name, (f,)), given):
            yield atom, N.Apply(name, (N.Expectation(f, given),))
        case N.Expectation(N.Divide(top, f), given) if top == ONE and is_positive(context, f):
            yield N.Divide(ONE, N.Expectation(f, given)), atom
    match atom:
        case N.Expectation(body, given):
            yield square_of(atom), N.Expectation(square_of(body), given)
            yield atom, root_of(N.Expectation(square_of(body), given))


@dataclass(frozen=True)
class Curve:
    """A function with its slope, as trees of what it is taken at."""

    value: Callable[[N.Node], N.Node]
    slope: Callable[[N.Node], N.Node]
    is_convex: bool = True
    on_positive: bool = False  # only there; what it is taken at need not be positive for a value elsewhere


def _applied(name: str) -> Callable[[N.Node], N.Node]:
    return lambda x: N.Apply(name, (x,))


CURVES = (
    Curve(_applied("exp"), _applied("exp")),
    Curve(_applied("softplus"), _applied("sigmoid")),
    Curve(_applied("log"), lambda a: N.Divide(ONE, a), is_convex=False),
    Curve(root_of, lambda a: N.Divide(ONE, N.Multiply(TWO, root_of(a))), is_convex=False),
    Curve(lambda x: N.Multiply(x, N.Apply("log", (x,))), lambda a: N.Add(N.Apply("log", (a,)), ONE)),
    Curve(lambda x: N.Divide(ONE, x), lambda a: N.Negate(N.Divide(ONE, square_of(a))), on_positive=True),
)


def line(curve: Curve, x: N.Node, a: N.Node) -> N.Node:
    """The tangent at a."""
    return N.Add(curve.value(a), N.Multiply(curve.slope(a), N.Subtract(x, a)))


def tangent(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\varphi \text{ convex}}{\Gamma \vdash \varphi(a) + \varphi'(a)\,(x - a) \le \varphi(x)}

    For exp, softplus and x*log(x), and for the inverse where both x and a are positive; the other way round
    for log and the root.
    """
    match atom:
        case N.Add(_, N.Multiply(_, N.Subtract(x, a))) if x.shape == a.shape == atom.shape:
            pass
        case _:
            return
    for curve in CURVES:
        if atom != line(curve, x, a):
            continue
        if not curve.on_positive or (is_positive(context, x) and is_positive(context, a)):
            yield (atom, curve.value(x)) if curve.is_convex else (curve.value(x), atom)
