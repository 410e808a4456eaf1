"""The side of a claim that speaks of the state x V, as a function of E x**2."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from verifier.claim.model import Claim, Layers
from verifier.exact.numbers.constants import ONE, ZERO, Exact, enclose, is_zero, sign
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Linear, Product, Variable
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.expr.walk import substitute, walk
from verifier.prove.forms.small_trees import number
from verifier.prove.rays.layer_on_ray import LOOKING, SIZE, Rows, monomial, on_ray

MEAN = "_mean_square"


def depths(node: N.Node) -> set[N.Node]:
    """The depths of the states in the tree."""
    return {part.depth for part in walk(node) if isinstance(part, N.After)}


@dataclass(frozen=True)
class Side:
    """factor * (E x**2)**power + offset, which grows with E x**2."""

    factor: Exact
    power: fmpq
    offset: Exact

    def at(self, square: arb) -> arb:
        return enclose(self.factor) * square ** arb(self.power) + enclose(self.offset)


def by_mean_square(
    claim: Claim, layers: Layers, body: N.Node, numbers: Mapping[str, object], direction: Rows
) -> N.Node | None:
    """The side that speaks of the state with q(V) E x**2 in place of E q(x V); None if q(V) is 0."""
    env = Evaluator(Context.of(claim), {**numbers, layers.state.name: on_ray(direction)})
    values: dict[N.Node, N.Node] = {}
    for part in walk(body):
        match part:
            case N.Expectation(inside, ()) if depths(inside) and inside.shape.is_scalar:
                quadratic = _quadratic(env.scalar(_at_state(inside, layers)))
                values[part] = N.Multiply(number(quadratic), N.Symbol(MEAN))
    found = substitute(body, values)
    if any(isinstance(part, LOOKING) for part in walk(found)):
        raise Unsupported("a mean that something else than arithmetic looks at")
    return found if N.Symbol(MEAN) in walk(found) else None


def _at_state(node: N.Node, layers: Layers) -> N.Node:
    states = [x for x in walk(node) if isinstance(x, N.After)]
    beside = list(walk(substitute(node, dict.fromkeys(states, N.Zeros(layers.state.shape)))))
    if layers.state in beside or any(isinstance(part, LOOKING) for part in beside):
        raise Unsupported("a mean that is not of a function of the state alone")
    return substitute(node, dict.fromkeys(states, layers.state))


def _quadratic(value: object) -> Fraction:
    """q(V), where the value is q(V) x**2."""
    if isinstance(value, fmpq) and is_zero(value):
        return Fraction(0)
    found = monomial(value)
    if found.powers != {SIZE.name: 2} or not isinstance(found.coefficient, fmpq):
        raise Unsupported("a mean that is not of a quadratic in the state")
    return Fraction(int(found.coefficient.p), int(found.coefficient.q))


def side(value: object) -> Side | None:
    """A value as a function of the mean square, where it grows with it."""
    offset: Exact = ZERO
    factor: Exact = ONE
    term = value
    if isinstance(value, Linear) and len(value.parts) == 1:
        offset, (term, factor) = value.constant, value.parts[0]
    match term:
        case Variable(name) if name == MEAN and sign(factor) > 0:
            return Side(factor, ONE, offset)
        case Product(((Variable(name), power),)) if name == MEAN and sign(factor) > 0 and power > 0:
            return Side(factor, power, offset)
    return None
