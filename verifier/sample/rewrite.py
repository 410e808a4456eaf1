"""Rewritings that sampling needs: D under E, sums of expectations written out, E taken off."""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from verifier.claim.integrability import exchanges
from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import rebuild, substitute
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.static_integers import terms
from verifier.sample.unsupported import RefusedError

MAX_LEAVES = 64
EXPECTED = (N.Expectation, N.Variance, N.Covariance)
LINEAR_ONE = (N.Negate, N.Transpose, N.Trace, N.VecR, N.DiagPart, N.DiagMatrix, N.Entry, N.Row, N.Sum)
LINEAR_TWO = (N.Multiply, N.MatMul, N.Inner, N.Kron)


def inward(fact: N.Relation | N.Within, claim: Claim) -> N.Relation | N.Within:
    """D(E(f), x) as E(D(f, x)), where x is no parameter of a law that E integrates over."""

    def change(node: N.Node) -> N.Node:
        if isinstance(node, N.Derivative) and has_expectation(node.of):
            moved = _slope(node.of, node.by, claim)
            if moved != node:
                return change(moved)
        return rebuild(node, change)

    return rebuild(fact, change)


def _slope(of: N.Node, by: N.Node, claim: Claim) -> N.Node:
    """D(of, by), with D on the parts of sums, products, quotients and roots of scalars."""

    def inner(node: N.Node) -> N.Node:
        return _slope(node, by, claim) if has_expectation(node) else N.Derivative(node, by)

    match of:
        case N.Let(name, body) if name not in World.of(claim, {}).assumed:
            return inner(body)
        case N.Expectation(body, given):
            _refuse_law_parameter(of, by, claim)
            if not exchanges(claim, body, by):
                raise RefusedError("a derivative of a mean of what jumps, or has no slope with a finite mean")
            return N.Expectation(N.Derivative(body, by), given)
        case N.Negate(arg):
            return N.Negate(inner(arg))
        case N.Add(left, right) | N.Subtract(left, right) if left.shape == right.shape:
            return type(of)(inner(left), inner(right))
    if not of.shape.is_scalar or not by.shape.is_scalar:
        return N.Derivative(of, by)
    match of:
        case N.Sum(body, ranges, conditions):
            return N.Sum(inner(body), ranges, conditions)
        case N.Multiply(left, right):
            return N.Add(N.Multiply(inner(left), right), N.Multiply(left, inner(right)))
        case N.Divide(left, right):
            above = N.Subtract(N.Multiply(inner(left), right), N.Multiply(left, inner(right)))
            return N.Divide(above, N.Multiply(right, right))
        case N.Power(base, N.Number(power)):
            raised = N.Multiply(N.Number(power), N.Power(base, N.Number(power - 1)))
            return N.Multiply(raised, inner(base))
        case N.Apply("sqrt", (arg,)):
            return N.Divide(inner(arg), N.Multiply(N.Number(Fraction(2)), of))
    return N.Derivative(of, by)


def _refuse_law_parameter(node: N.Expectation, by: N.Node, claim: Claim) -> None:
    """The draws themselves would depend on it."""
    world = World.of(claim, {})
    moved = sources.names(by, world)
    declared = {**claim.symbols, **({s.name: s for s in claim.layers.symbols} if claim.layers else {})}
    for label in sources.random_names(node, world):
        kind = declared[label.removeprefix(sources.LAYER)].kind
        parts = [part for part in vars(kind).values() if isinstance(part, N.Node)]
        if any(sources.names(part, world) & moved for part in parts):
            raise RefusedError("a derivative with respect to a parameter of a law")


@dataclass
class Written:
    """Sums and products of expectations in a form in which each expectation has one estimate.

    What is linear in its expectations is one expectation; what is not is written out term by term.
    """

    scope: Scope
    terms: int = 0

    def out(self, node: N.Node) -> N.Node:
        if isinstance(node, EXPECTED) or not has_expectation(node):
            return node
        bare = _linear(node, self.scope.world)
        if bare is not None:
            return N.Expectation(bare)
        if isinstance(node, N.Sum | N.Product):
            return self._each_term(node)
        return rebuild(node, self.out)

    def _each_term(self, node: N.Sum | N.Product) -> N.Node:
        parts = []
        for inner in terms(node.ranges, node.conditions, self.scope):
            self.terms += 1
            if self.terms > MAX_LEAVES:
                raise RefusedError(f"a sum over more than {MAX_LEAVES} expectations")
            values: dict[N.Node, N.Node] = {}
            for name, value in inner.indices.items():
                values[N.Index(name)] = N.Number(Fraction(value))
            parts.append(self.out(substitute(node.body, values)))
        combine = N.Add if isinstance(node, N.Sum) else N.Multiply
        empty = N.Zeros(node.shape) if isinstance(node, N.Sum) else N.Ones(node.shape)
        return reduce(combine, parts[1:], parts[0]) if parts else empty


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
