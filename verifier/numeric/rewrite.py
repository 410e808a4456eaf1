"""Rewritings that sampling needs: D under E, sums of expectations written out, E taken off."""

from fractions import Fraction
from functools import reduce
from itertools import islice

from verifier.expr import nodes as N
from verifier.expr.walk import rebuild, substitute
from verifier.numeric import sources
from verifier.numeric.integers import terms
from verifier.numeric.refuse import RefusedError
from verifier.numeric.scope import Scope, World

MAX_LEAVES = 64
EXPECTED = (N.Expectation, N.Variance, N.Covariance)
LINEAR_ONE = (N.Negate, N.Transpose, N.Trace, N.VecR, N.DiagPart, N.DiagMatrix, N.Entry, N.Row, N.Sum)
LINEAR_TWO = (N.Multiply, N.MatMul, N.Inner, N.Kron)


def inward(fact: N.Relation | N.Within) -> N.Relation | N.Within:
    """D(E(f), x) as E(D(f, x))."""

    def change(node: N.Node) -> N.Node:
        if isinstance(node, N.Derivative):
            of = node.of
            while isinstance(of, N.Let):
                of = of.body
            if isinstance(of, N.Expectation):
                return N.Expectation(change(N.Derivative(of.body, node.by)), of.given)
        return rebuild(node, change)

    return rebuild(fact, change)


def written_out(node: N.Node, scope: Scope) -> N.Node:
    """Sums and products over expectations, term by term, so that each has an estimate of its own."""
    if isinstance(node, EXPECTED) or not has_expectation(node):
        return node
    if isinstance(node, N.Sum | N.Product):
        if sum(1 for _ in islice(terms(node.ranges, node.conditions, scope), MAX_LEAVES + 1)) > MAX_LEAVES:
            raise RefusedError(f"a sum over more than {MAX_LEAVES} expectations")
        parts = [
            written_out(
                substitute(
                    node.body,
                    {N.Index(name): N.Number(Fraction(value)) for name, value in inner.indices.items()},
                ),
                scope,
            )
            for inner in terms(node.ranges, node.conditions, scope)
        ]
        combine = N.Add if isinstance(node, N.Sum) else N.Multiply
        empty = N.Zeros(node.shape) if isinstance(node, N.Sum) else N.Ones(node.shape)
        return reduce(combine, parts[1:], parts[0]) if parts else empty
    return rebuild(node, lambda child: written_out(child, scope))


def has_expectation(part: N.Node | N.Fact) -> bool:
    return any(isinstance(node, EXPECTED) for node in sources.nodes(part))


def unwrapped(fact: N.Relation | N.Within, world: World) -> N.Relation | None:
    """E(f) == E(g) + c as f == g + c: what is equal on every draw is equal in the mean.

    None unless both sides are linear in their expectations and nothing random stands outside one.
    """
    if not isinstance(fact, N.Relation) or fact.op != "==":
        return None
    left, right = _linear(fact.left, world), _linear(fact.right, world)
    return None if left is None or right is None else N.Relation("==", left, right)


def _linear(node: N.Node, world: World) -> N.Node | None:
    if isinstance(node, N.Expectation):
        return None if has_expectation(node.body) or node.given else node.body
    if not has_expectation(node):
        return None if sources.random_names(node, world) else node
    if isinstance(node, N.Let):
        return None if node.name in world.assumed else _linear(node.body, world)
    if isinstance(node, N.Add | N.Subtract):
        return _both(node, world)
    if isinstance(node, LINEAR_TWO) and not (has_expectation(node.left) and has_expectation(node.right)):
        return _both(node, world)
    if isinstance(node, N.Divide) and not has_expectation(node.right):
        return _both(node, world)
    return _both(node, world) if isinstance(node, LINEAR_ONE) else None


def _both(node: N.Node, world: World) -> N.Node | None:
    parts = {id(child): _linear(child, world) for child in sources.children(node)}
    if any(part is None for part in parts.values()):
        return None
    return rebuild(node, lambda child: parts[id(child)] or child)
