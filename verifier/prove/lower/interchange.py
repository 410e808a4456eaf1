"""Derivatives of expressions with means, where an assumption gives values.

    D(E(f), t) = E(D(f, t))        for a fixed t,

and the derivative is taken before assumed values and substitutions enter: what is in closed form has them in
already, and may not be differentiated any more. So D is moved inwards, through the rules of calculus, until
it meets what has no mean inside.
"""

from collections.abc import Callable
from fractions import Fraction

from verifier.claim.integrability import bodies, exchanges
from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import distinct

Slope = Callable[[N.Node], N.Node | None]
_MEANS = (N.Expectation, N.Variance, N.Covariance)


def has_mean(node: N.Node) -> bool:
    """Whether there is a mean in the tree."""
    return any(isinstance(part, _MEANS) for part in distinct(node))


def is_touched(claim: Claim, of: N.Node, by: N.Node) -> bool:
    """Whether an assumption gives a value to something that moves with `by`, or that `by` moves with.

    A parameter of a law moves the law, and no value that is drawn."""
    found = (a.assumed_value or a.substitution for a in claim.assumptions)
    given = {pair[0].name: names_in(pair[0]) | names_in(pair[1]) for pair in found if pair is not None}
    varied, known = _varied(by), names_in(of) | names_in(by)
    known |= law_names(claim, known)
    while new := set(given) & known:
        inside = frozenset().union(*(given.pop(name) for name in new))
        if inside & varied:
            return True
        known |= inside
    return False


def law_names(claim: Claim, names: frozenset[str]) -> frozenset[str]:
    """The names that the laws of these symbols are written in, where they are random."""
    drawn = {**claim.symbols, **{x.name: x for x in (claim.layers.symbols if claim.layers else ())}}
    kinds = [drawn[name].kind for name in names if name in drawn and drawn[name].is_random]
    parts = [part for kind in kinds for part in vars(kind).values() if isinstance(part, N.Node)]
    return frozenset().union(*map(names_in, parts))


def names_in(node: N.Node) -> frozenset[str]:
    """The symbols and `let` names in a tree."""
    return frozenset(x.name for x in distinct(node) if isinstance(x, N.Symbol | N.Member | N.Let))


def _varied(by: N.Node) -> frozenset[str]:
    """The name that a derivative is taken by; what a `let` name is made of is held."""
    match by:
        case N.Let(name):
            return frozenset({name})
        case N.Entry(arg):
            return _varied(arg)
    return names_in(by)


def inward(claim: Claim, of: N.Node, by: N.Node) -> N.Node | None:
    """D(of, by) with no mean under a D; None where no rule takes it there."""
    if any(isinstance(part, N.After) for part in distinct(of)):
        return None
    if not all(exchanges(claim, body, by) for body in bodies(of)):
        return None  # the mean of a jump moves where the jump itself does not
    if names_in(by) & (claim.random | law_names(claim, names_in(of))):
        return None  # the law itself moves
    assumed = {found[0].name for a in claim.assumptions if (found := a.assumed_value) is not None}
    return _moved(of, by, frozenset(assumed))


def _moved(of: N.Node, by: N.Node, assumed: frozenset[str]) -> N.Node | None:
    if not has_mean(of):
        return N.Derivative(of, by)

    def inner(node: N.Node) -> N.Node | None:
        return _moved(node, by, assumed)

    match of:
        case N.Expectation(body, given) if not has_mean(body):
            return N.Expectation(N.Derivative(body, by), given)
        case N.Let(name, body) if name not in assumed and of != by:
            return inner(body)
        case N.Add(left, right) | N.Subtract(left, right) if left.shape == right.shape:
            slopes = inner(left), inner(right)
            if slopes[0] is None or slopes[1] is None:
                return None
            return type(of)(slopes[0], slopes[1])
        case N.Negate(arg):
            return None if (slope := inner(arg)) is None else N.Negate(slope)
    if not of.shape.is_scalar or not by.shape.is_scalar:
        return None
    match of:
        case N.Sum(body, ranges, conditions):
            return None if (slope := inner(body)) is None else N.Sum(slope, ranges, conditions)
        case N.Variance(body):
            return N.Multiply(_number(2), N.Covariance(body, N.Derivative(body, by)))
        case N.Covariance(left, right):
            first = N.Covariance(N.Derivative(left, by), right)
            return N.Add(first, N.Covariance(left, N.Derivative(right, by)))
    return _scalar(of, inner)


def _scalar(of: N.Node, inner: Slope) -> N.Node | None:
    """(f g)' = f' g + f g',  (f/g)' = f'/g - f g'/g**2,  (f**p)' = p f**(p - 1) f',  and the chain rule."""
    match of:
        case N.Multiply(left, right):
            a, b = inner(left), inner(right)
            if a is None or b is None:
                return None
            return N.Add(N.Multiply(a, right), N.Multiply(left, b))
        case N.Divide(left, right):
            a, b = inner(left), inner(right)
            if a is None or b is None:
                return None
            lost = N.Divide(N.Multiply(left, b), N.Power(right, _number(2)))
            return N.Subtract(N.Divide(a, right), lost)
        case N.Power(base, N.Number(p)) if (a := inner(base)) is not None:
            return N.Multiply(N.Multiply(_number(p), N.Power(base, _number(p - 1))), a)
        case N.Apply("sqrt", (arg,)) if (a := inner(arg)) is not None:
            return N.Divide(a, N.Multiply(_number(2), of))
        case N.Apply("exp", (arg,)) if (a := inner(arg)) is not None:
            return N.Multiply(of, a)
        case N.Apply("log", (arg,)) if (a := inner(arg)) is not None:
            return N.Divide(a, arg)
    return None


def _number(value: int | Fraction) -> N.Number:
    return N.Number(Fraction(value))
