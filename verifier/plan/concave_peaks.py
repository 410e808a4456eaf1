"""The peak of a concave function: where the slope is 0, nothing is higher.

    sup(f, x) == f(x0)   if   D(D(f, x), x) <= 0 for every x   and   D(f, x) == 0 at x = x0

and mirrored for inf. f has to be smooth on the whole line: on two pieces there may be two peaks.
"""

from collections.abc import Callable, Iterator

from verifier.claim.model import Claim
from verifier.expr.affine import ONE, ZERO
from verifier.expr.nodes import (
    Add,
    Apply,
    Comparison,
    Derivative,
    Divide,
    Multiply,
    Negate,
    Node,
    Number,
    Power,
    Relation,
    Subtract,
    Symbol,
)
from verifier.expr.walk import walk

ENTIRE = ("exp", "sin", "cos", "tanh", "sigmoid", "softplus", "erf", "Phi", "phi", "silu", "gelu")
Says = Callable[[Relation], bool]


def is_concave(body: Node, over: Symbol, beyond: Comparison, says: Says) -> bool:
    """f bends down everywhere (up, for an inf)."""
    return says(Relation(beyond, Derivative(Derivative(body, over), over), ZERO))


def slope(body: Node, over: Symbol) -> Relation:
    return Relation("==", Derivative(body, over), ZERO)


def is_smooth(claim: Claim, node: Node, over: Symbol) -> bool:
    """Defined and smooth for every real value of the symbol, by the way it is written."""
    if over not in walk(node):
        return True
    known = claim.values.without((over.name,))
    match node:
        case Symbol():
            return True
        case Add(left, right) | Subtract(left, right) | Multiply(left, right):
            return is_smooth(claim, left, over) and is_smooth(claim, right, over)
        case Negate(arg):
            return is_smooth(claim, arg, over)
        case Divide(left, right):
            sure = over not in walk(right) or known(right).is_nonzero
            return sure and is_smooth(claim, left, over) and is_smooth(claim, right, over)
        case Power(base, Number(exponent)):
            whole = exponent.denominator == 1 and exponent > 0
            return (whole or known(base).is_positive) and is_smooth(claim, base, over)
        case Apply("log" | "sqrt", (arg,)):
            return known(arg).is_positive and is_smooth(claim, arg, over)
        case Apply(function, (arg,)):
            return function in ENTIRE and is_smooth(claim, arg, over)
    return False


def stationary_points(claim: Claim, parameters: tuple[str, ...], right: Node) -> Iterator[Node]:
    """log(a), -log(a), log(a) - log(b), log(a) - log(1 - a), where these have a value wherever the right side
    has one: values of the parameters without a peak are not to be passed over."""
    symbols = [Symbol(name) for name in parameters]
    logs = [Apply("log", (symbol,)) for symbol in symbols]
    found: list[Node] = [*logs, *map(Negate, logs)]
    found += [Subtract(one, Apply("log", (Subtract(ONE, s),))) for one, s in zip(logs, symbols, strict=True)]
    found += [Subtract(one, other) for one in logs for other in logs if one != other]
    stated = set(walk(right))
    for point in found:
        inside = [node for node in walk(point) if isinstance(node, Apply)]
        if all(claim.values(node.args[0]).is_positive or node in stated for node in inside):
            yield point
