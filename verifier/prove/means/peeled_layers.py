"""Second moments of deep networks, bounded layer by layer from the outside in.

    weights     E |A Y|**2 = rows s**2 E |Y|**2    for A of independent N(0, s**2) entries that are not in Y
    slopes      E |f(Z)|**2 <= k**2 E |Z|**2       where |f(z)| <= k |z|
    halves      E |f(Z)|**2 <= E |Z|**2/2          where f(z)**2 + f(-z)**2 <= z**2, for Z = A Y
    values      E |f(Z)|**2 <= c**2 size           where |f| <= c, or size/2 as for halves, with 1 for z**2

What is reached in a limit makes the bound tight: slopes where the input is small, as f(z)/z -> k for z -> 0;
halves where it is large, as f(z)/z -> step(z) for |z| -> oo; values where the entries of A are widely spread.
All functions here grow no faster than their argument, so that limit and mean may be exchanged.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness, weakest
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import FixedMatrix, Normal, Positive
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets, walk
from verifier.prove.forms.small_trees import number, product, size
from verifier.prove.means.correlated_products import HALF_LARGEST, HALF_SLOPE, LARGEST, ODD, SLOPE

Decide = Callable[[Claim, N.Relation], Finding]
SMALL, LARGE, SPREAD = "small", "large", "spread"
_ZERO_AT_ZERO = frozenset({"tanh", "erf", "atan", "abs", "gelu", "silu"})  # and nowhere else
_TWO, _HALF, _NEARLY = number(2), number(Fraction(1, 2)), number(Fraction(98, 100))


@dataclass(frozen=True)
class Bound:
    """E |F|**2 <= the product of the factors, with equality in the limits that are named."""

    factors: tuple[N.Node, ...]
    reached: frozenset[str]

    def times(self, *factors: N.Node, reached: frozenset[str] | None = None) -> "Bound":
        return Bound((*factors, *self.factors), self.reached if reached is None else self.reached & reached)


def examine_peeled(claim: Claim, fact: N.Relation, decide: Decide) -> Finding | None:
    """E |F|**2 <= R for a network F; None where the layers show nothing."""
    body = _network(fact)
    if body is None or claim.layers is not None or any(a.constraint is None for a in claim.assumptions):
        return None
    shown: Finding | None = None
    for bound in _bounds(claim, expand_lets(body)):
        value = product(bound.factors)
        below = decide(claim, N.Relation("<=", value, fact.right))
        if not below.proves:
            continue
        tight: Tightness | None = None
        grade = below.grade
        if bound.reached and decide(claim, N.Relation("==", value, fact.right)).proves:
            tight = Tightness(True, Fraction(0), Fraction(0), note=f"reached for {min(bound.reached)} scales")
        elif (apart := decide(claim, N.Relation("<=", value, product([_NEARLY, fact.right])))).proves:
            grade = weakest(grade, apart.grade)
            tight = Tightness(False, Fraction(2, 100), better=to_text(value), proved=True)
        shown = Finding("symbolic", "true", grade, "layer by layer", tightness=tight)
        if tight is not None:
            return shown
    return shown


def _network(fact: N.Relation) -> N.Node | None:
    match fact:
        case N.Relation("<=", N.Expectation(N.Power(N.Norm(body, "fro"), power), ()), _) if power == _TWO:
            return body
    return None


def _bounds(claim: Claim, node: N.Node) -> Iterator[Bound]:
    """Bounds of E |node|**2."""
    match node:
        case N.Transpose(arg) | N.Negate(arg):
            yield from _bounds(claim, arg)
        case N.MatMul(A, Y) if (law := _weights(claim, A, Y)) is not None:
            yield from _through(claim, A.shape.rows, law, Y)
        case N.MatMul(Y, A) if (law := _weights(claim, A, Y)) is not None:
            yield from _through(claim, A.shape.cols, law, Y)
        case N.Apply(function, (inner,)):
            yield from _activated(claim, function, inner)
        case _ if _is_free(claim, node):
            yield Bound((N.Power(N.Norm(node), _TWO),), frozenset({SMALL, LARGE}))
        case _:
            yield Bound((N.Expectation(N.Power(N.Norm(node), _TWO)),), frozenset())


def _through(claim: Claim, count: Dim, law: Normal, inner: N.Node) -> Iterator[Bound]:
    for bound in _bounds(claim, inner):
        yield bound.times(size(count), N.Power(law.std, _TWO))


def _activated(claim: Claim, function: str, inner: N.Node) -> Iterator[Bound]:
    law = _outer(claim, inner)
    if function in SLOPE:
        half = law is not None and function in HALF_SLOPE
        factor = _HALF if half else N.Power(SLOPE[function], _TWO)
        for bound in _bounds(claim, inner):
            yield bound.times(factor, reached=_limits(function, half))
    if function in LARGEST:
        half = law is not None and function in HALF_LARGEST
        signs = half or function in ("tanh", "erf")
        spread = law is not None and signs and _is_spread(claim, law, inner) and _moves(claim, inner)
        factor = _HALF if half else N.Power(LARGEST[function], _TWO)
        sizes = (size(inner.shape.rows), size(inner.shape.cols))
        yield Bound((factor, *sizes), frozenset({SPREAD} if spread else ()))


def _limits(function: str, half: bool) -> frozenset[str]:
    """Where E |f(Z)|**2 comes to what bounds it."""
    if function == "abs" or (function == "relu" and half):
        return frozenset({SMALL, LARGE, SPREAD})
    if function in ODD:
        return frozenset({SMALL})
    return frozenset({LARGE} if half else ())


# --- reading ----------------------------------------------------------------------------------


def _weights(claim: Claim, node: N.Node, beside: N.Node) -> Normal | None:
    """The law of centred weights with independent entries of one variance, that are not in what is beside."""
    node = node.arg if isinstance(node, N.Transpose) else node
    if not isinstance(node, N.Symbol) or node in walk(beside) or node.name not in claim.random:
        return None
    match claim.symbols[node.name].kind:
        case Normal(N.Number(Fraction(numerator=0)), std, None, None) as law if std.shape.is_scalar:
            return law
    return None


def _outer(claim: Claim, node: N.Node) -> Normal | None:
    """The law of A where the node is A @ Y or Y @ A."""
    match node:
        case N.Negate(arg):
            return _outer(claim, arg)
        case N.MatMul(left, right):
            return _weights(claim, left, right) or _weights(claim, right, left)
    return None


def _is_free(claim: Claim, node: N.Node) -> bool:
    """A fixed matrix of which nothing is assumed."""
    if not isinstance(node, N.Symbol) or any(node in walk(a.fact) for a in claim.assumptions):
        return False
    kind = claim.symbols[node.name].kind
    return isinstance(kind, FixedMatrix) and kind.family in ("matrix", "vector")


def _moves(claim: Claim, node: N.Node) -> bool:
    """Whether almost surely no column of the Y in A @ Y, no row of the Y in Y @ A, is 0 at some values of the
    free matrices. What relu clips may be 0 as a whole, ever less often for larger sizes."""
    match node:
        case N.Negate(arg):
            return _moves(claim, arg)
        case N.MatMul(A, Y) if _weights(claim, A, Y) is not None:
            match Y:
                case N.Apply("relu", (N.MatMul(B, inner),)) if _weights(claim, B, inner) is not None:
                    return _is_large(claim, Y.shape.rows) and _is_never_zero(claim, inner)
            return _is_never_zero(claim, Y)
        case N.MatMul(Y, A) if _weights(claim, A, Y) is not None:
            match Y:
                case N.Apply("relu", (N.MatMul(inner, B),)) if _weights(claim, B, inner) is not None:
                    return _is_large(claim, Y.shape.cols) and _is_never_zero(claim, inner)
            return _is_never_zero(claim, Y)
    return False


def _is_never_zero(claim: Claim, node: N.Node) -> bool:
    """Whether almost surely no entry is 0, where free matrices are all ones."""
    match node:
        case N.Transpose(arg) | N.Negate(arg):
            return _is_never_zero(claim, arg)
        case N.MatMul(A, Y) | N.MatMul(Y, A) if _weights(claim, A, Y) is not None:
            return _is_never_zero(claim, Y)
        case N.Apply(function, (arg,)):
            return function in _ZERO_AT_ZERO and _is_never_zero(claim, arg)
    return _is_free(claim, node)


def _is_large(claim: Claim, dim: Dim) -> bool:
    """Whether a size may be as large as one likes."""
    spoken = {x.name for a in claim.assumptions for x in walk(a.fact) if isinstance(x, N.Symbol)}
    return dim.constant is None and not dim.names & (spoken | claim.where.keys())


def _is_spread(claim: Claim, law: Normal, inner: N.Node) -> bool:
    """Whether the spread of A is a symbol of its own, which may be as large as one likes."""
    if not isinstance(law.std, N.Symbol) or any(law.std in walk(a.fact) for a in claim.assumptions):
        return False
    names = [x.name for x in walk(inner) if isinstance(x, N.Symbol | N.Member)]
    laws = [vars(claim.symbols[name].kind) for name in names if name in claim.random]
    uses = [v for found in laws for v in found.values() if isinstance(v, N.Node) and law.std in walk(v)]
    free = isinstance(claim.symbols[law.std.name].kind, Positive) and law.std not in walk(inner)
    return free and len(uses) == 1
