"""Whether D(E(f), t) is E(D(f, t)).

The slope of f must have an integrable bound close to each t, and f must be the integral of its slope: what
jumps is not. indicator(g <= t) has the slope 0 wherever it has one, and P(g <= t) does not; so has the slope
of relu, and the quotient x/abs(x).
"""

from collections.abc import Iterator

from verifier.claim.integrability.tree_growth import Scene
from verifier.claim.undefined import Stated
from verifier.expr import nodes as N
from verifier.expr.walk import children, distinct

_KINKS = ("abs", "relu", "min", "max")


def exchanges(stated: Stated, body: N.Node, by: N.Node) -> bool:
    """Whether the mean of the body may be differentiated inside, by a symbol, an entry or a `let` name."""
    if not _moves(stated, body, by):
        return True
    if any(_jumps(part) for part in distinct(body)):
        return False
    return Scene(stated).size(N.Derivative(body, by)).both.is_tame


def bodies(node: N.Node) -> Iterator[N.Node]:
    """What the means in a tree are means of; where a mean is differentiated already, the slope."""
    match node:
        case N.Expectation(body) | N.Variance(body):
            yield body
        case N.Covariance(left, right):
            yield from (left, right)
        case N.Derivative(of, by):
            yield from (N.Derivative(body, by) for body in bodies(of))
            return
    for child in children(node):
        yield from bodies(child)


def _jumps(node: N.Node) -> bool:
    match node:
        case N.Indicator() | N.Limit() | N.Extreme():
            return True
        case N.Derivative(of, _):
            return any(_bends(part) for part in distinct(of))
    return False


def _bends(node: N.Node) -> bool:
    return isinstance(node, N.Norm | N.Indicator) or (isinstance(node, N.Apply) and node.function in _KINKS)


def _moves(stated: Stated, body: N.Node, by: N.Node) -> bool:
    """Whether the body, or the law of something in it, speaks of what is varied."""
    layers = stated.layers
    drawn = {**stated.symbols, **{x.name: x for x in (layers.symbols if layers else ())}}
    varied = _names(by) if not isinstance(by, N.Let) else {by.name}
    todo, seen = [body, *([layers.next] if layers else [])], set[str]()
    while todo:
        new = _names(todo.pop()) - seen
        seen |= new
        for name in new & drawn.keys():
            todo += [part for part in vars(drawn[name].kind).values() if isinstance(part, N.Node)]
        for assumption in stated.assumptions:
            given = assumption.assumed_value or assumption.substitution
            if given is not None and given[0].name in new:
                todo.append(given[1])
    return bool(seen & varied)


def _names(node: N.Node) -> set[str]:
    return {part.name for part in distinct(node) if isinstance(part, N.Symbol | N.Member | N.Let)}
