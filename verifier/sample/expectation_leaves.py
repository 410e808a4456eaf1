"""Which expectations a relation contains, and over what each is taken."""

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.sample.compile.jacobian_probes import squared_jacobian
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.unsupported import RefusedError

Expected = N.Expectation | N.Variance | N.Covariance


@dataclass(frozen=True)
class Leaf:
    """E, Var or Cov of `bodies` over the random symbols `over`, given the `let` names `held`."""

    node: Expected
    bodies: tuple[N.Node, ...]
    over: frozenset[str]
    held: frozenset[str] = frozenset()

    @property
    def paired(self) -> bool:
        """Var and Cov come from pairs of independent draws: E (f - f')(g - g')/2."""
        return not isinstance(self.node, N.Expectation)


def leaf_of(node: Expected, world: World) -> Leaf:
    match node:
        case N.Expectation(body, given):
            fixed, held = _given(given)
            reached = sources.random_names(body, world, held)
            for let in (item for item in given if isinstance(item, N.Let)):
                if sources.random_names(let, world) & reached:
                    raise RefusedError(f"an expectation given {let.name}, which does not determine the rest")
            return Leaf(node, (body,), reached - fixed, held)
        case N.Variance(body):
            return Leaf(node, (body,), sources.random_names(body, world))
        case N.Covariance(left, right):
            both = sources.random_names(left, world) | sources.random_names(right, world)
            return Leaf(node, (left, right), both)


def _given(given: tuple[N.Node, ...]) -> tuple[frozenset[str], frozenset[str]]:
    fixed, held = set(), set()
    for item in given:
        match item:
            case N.Symbol(name):
                fixed.add(name)
            case N.Let(name):
                held.add(name)
            case _:
                raise RefusedError("an expectation given what is neither a symbol nor a let name")
    return frozenset(fixed), frozenset(held)


def leaves_of(part: N.Node | N.Fact, world: World) -> dict[int, Leaf]:
    """The outermost expectations, by the node's identity."""
    found: dict[int, Leaf] = {}

    def visit(node: N.Node | N.Fact) -> None:
        if isinstance(node, Expected):
            found[id(node)] = leaf_of(node, world)
            return
        if isinstance(node, N.Let) and node.name in world.assumed:
            visit(world.assumed[node.name])
            return
        for child in sources.children(node):
            visit(child)

    visit(part)
    return found


def linear_jacobians(node: N.Node, world: World) -> Iterator[N.Power]:
    """Each norm(D(Y, X))**2 in which the quantity is linear, so that a probe leaves its mean alone."""
    if squared_jacobian(node) is not None:
        assert isinstance(node, N.Power)
        yield node
        return
    match node:
        case N.Add(left, right) | N.Subtract(left, right):
            yield from linear_jacobians(left, world)
            yield from linear_jacobians(right, world)
        case N.Multiply(left, right):
            # Two factors might share a probe, through a `let` name, and then be correlated.
            first, second = list(linear_jacobians(left, world)), list(linear_jacobians(right, world))
            yield from () if first and second else (*first, *second)
        case N.Divide(arg) | N.Negate(arg) | N.Sum(arg):
            yield from linear_jacobians(arg, world)
        case N.Let(name, body) if name not in world.assumed:
            yield from linear_jacobians(body, world)


def large_jacobians(body: N.Node, world: World, exact: int) -> Iterator[N.Power]:
    """Those with more than `exact` rows and columns: too large to form for every draw."""
    for node in linear_jacobians(body, world):
        derivative = squared_jacobian(node)
        assert derivative is not None
        if min(world.size(side.shape.size) for side in (derivative.of, derivative.by)) > exact:
            yield node
