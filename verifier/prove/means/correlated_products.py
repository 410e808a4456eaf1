"""Bounds on the mean of a product of two activations, whatever the correlation of their variables.

cauchy      |E f(A) g(B)| <= sqrt(E f(A)**2  E g(B)**2),   for matrices with inner products and norms
gebelein    |E f(u) g(v)| <= |corr(u, v)| sqrt(E f(u)**2  E g(v)**2)      for odd f, g and centred normal u, v
            |Cov(f(u), g(v))| <= |corr(u, v)| sqrt(Var f(u)  Var g(v))    for any f, g
majorants   |f(x)| <= c   and   |f(x)| <= k |x|
halves      E f(u)**2 <= E u**2/2  or  1/2     for f(u)**2 + f(-u)**2 <= u**2  or  1, u and -u of one law

The second is the series of Mehler without its constant term: its k-th term has the factor corr**k.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.prove.equal.index_factors import is_linear_form
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.small_trees import ONE, number, product
from verifier.prove.means.spread_points import broken, closeness

Judge = Callable[[Claim, N.Relation], Finding | None]
ODD = frozenset({"tanh", "erf", "sin", "atan"})
NONNEGATIVE = frozenset({"sigmoid", "softplus", "relu", "abs", "exp", "Phi", "phi"})
_STEEP = N.Divide(number(2), N.Apply("sqrt", (N.Pi(),)))
# c with |f| <= c, and k with |f(x)| <= k |x|
LARGEST: dict[str, N.Node] = dict.fromkeys(("tanh", "erf", "sin", "cos", "sigmoid", "Phi"), ONE)
SLOPE: dict[str, N.Node] = {"erf": _STEEP} | dict.fromkeys(
    ("tanh", "sin", "atan", "relu", "abs", "silu", "gelu"), ONE
)
# f(x)**2 + f(-x)**2 <= x**2, and f(x)**2 + f(-x)**2 <= 1
HALF_SLOPE, HALF_LARGEST = frozenset({"relu", "gelu", "silu"}), frozenset({"sigmoid", "Phi"})
_HALF = N.Divide(ONE, N.Apply("sqrt", (number(2),)))


@dataclass(frozen=True)
class Pair:
    """E of the inner product of f(a) and g(b), or their covariance; at_most: of its absolute value."""

    f: str
    a: N.Node
    g: str
    b: N.Node
    is_covariance: bool
    is_absolute: bool


def examine_correlated(
    claim: Claim, fact: N.Relation, clock: Clock, bound: Judge, decide: Judge, seed: int
) -> Finding | None:
    """`bound` judges bounds on means of one variable, `decide` closed forms; None where nothing is shown."""
    if fact.op not in ("<=", ">=") or claim.layers is not None:
        return None
    if any(a.constraint is None for a in claim.assumptions):
        return None
    pair = _pair(fact.left)
    if pair is None:
        return None
    refuted = broken(claim, fact, Clock(clock.left / 2), seed)
    words = None if refuted is not None else _shown(claim, fact, pair, bound, decide)
    if words is None:
        return refuted
    near = closeness(claim, fact, Clock(clock.left / 2), seed)
    return Finding("symbolic", "true", "certified", words, tightness=near)


def _shown(claim: Claim, fact: N.Relation, pair: Pair, bound: Judge, decide: Judge) -> str | None:
    if fact.op == ">=" and fact.right == number(0) and not pair.is_covariance:
        return "both functions are nowhere negative" if {pair.f, pair.g} <= NONNEGATIVE else None
    if fact.op == ">=" and pair.is_absolute:
        return None
    limit = fact.right if fact.op == "<=" else N.Negate(fact.right)

    def holds(value: N.Node, *judges: Judge) -> bool:
        asked = N.Relation("<=", value, limit)
        return any(_is_true(judge(claim, asked)) for judge in judges)

    for weight, words in _weights(claim, pair):
        if any(  # of covariances too: Var f <= E f**2
            holds(product([*weight, first, second]), decide)
            for first in _majorants(claim, pair.f, pair.a)
            for second in _majorants(claim, pair.g, pair.b)
        ):
            return words
        squares = [_square(pair, f, x) for f, x in ((pair.f, pair.a), (pair.g, pair.b))]
        if all(holds(product([*weight, square]), decide, bound) for square in dict.fromkeys(squares)):
            return words
    return None


def _is_true(found: Finding | None) -> bool:
    return found is not None and found.truth == "true" and found.grade in ("proved", "certified")


def _weights(claim: Claim, pair: Pair) -> Iterator[tuple[list[N.Node], str]]:
    yield [], "by the inequality of Cauchy and Schwarz"
    odd = pair.is_covariance or {pair.f, pair.g} <= ODD
    if odd and all(x.shape.is_scalar and is_linear_form(claim, x) for x in (pair.a, pair.b)):
        joint = N.Apply("abs", (N.Expectation(N.Multiply(pair.a, pair.b)),))
        sizes = [N.Apply("sqrt", (N.Expectation(N.Power(x, number(2))),)) for x in (pair.a, pair.b)]
        yield [N.Divide(N.Divide(joint, sizes[0]), sizes[1])], "by the inequality of Gebelein"


def _square(pair: Pair, function: str, argument: N.Node) -> N.Node:
    """E |f(A)|**2, or Var f(A)"""
    value = N.Apply(function, (argument,))
    if pair.is_covariance:
        return N.Variance(value)
    return N.Expectation(N.Power(value if value.shape.is_scalar else N.Norm(value), number(2)))


def _majorants(claim: Claim, function: str, argument: N.Node) -> Iterator[N.Node]:
    """Bounds of sqrt(E |f(A)|**2): c sqrt(size), k sqrt(E |A|**2)"""
    symmetric = is_linear_form(claim, argument)
    if function in LARGEST:
        size = ONE if argument.shape.is_scalar else N.Norm(N.Ones(argument.shape))
        half = symmetric and function in HALF_LARGEST
        yield product([_HALF if half else LARGEST[function], size])
    if function in SLOPE:
        inside = argument if argument.shape.is_scalar else N.Norm(argument)
        spread = N.Apply("sqrt", (N.Expectation(N.Power(inside, number(2))),))
        half = symmetric and function in HALF_SLOPE
        yield product([_HALF if half else SLOPE[function], spread])


# --- reading ----------------------------------------------------------------------------------


def _pair(node: N.Node) -> Pair | None:
    match node:
        case N.Let(_, body):
            return _pair(body)
        case N.Apply("abs", (inner,)):
            found = _pair(inner)
            return (
                None if found is None else Pair(found.f, found.a, found.g, found.b, found.is_covariance, True)
            )
        case N.Expectation(body, ()):
            return _factors(body, False)
        case N.Covariance(left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return _two(left, right, True)
    return None


def _factors(body: N.Node, is_covariance: bool) -> Pair | None:
    match body:
        case N.Let(_, inner):
            return _factors(inner, is_covariance)
        case N.Inner(left, right):
            return _two(left, right, is_covariance)
        case N.Multiply(left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return _two(left, right, is_covariance)
        case N.MatMul(N.Transpose(left), right) if body.shape.is_scalar:
            return _two(left, right, is_covariance)
    return None


def _two(left: N.Node, right: N.Node, is_covariance: bool) -> Pair | None:
    match _bare(left), _bare(right):
        case N.Apply(f, (a,)), N.Apply(g, (b,)):
            return Pair(f, a, g, b, is_covariance, False)
    return None


def _bare(node: N.Node) -> N.Node:
    return _bare(node.body) if isinstance(node, N.Let) else node
