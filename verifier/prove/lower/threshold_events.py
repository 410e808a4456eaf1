"""Events of normal and uniform variables as steps: indicator(u > c) = step(u - c), where u is not constant.

    indicator(abs(u) <= c)    = 1 - step(u - c) - step(-u - c)       for c >= 0
    indicator(u in [a, b])    = 1 - step(a - u) - step(u - b)        for a <= b
    indicator(u == c)         = 0
    indicator(exp(u) <= c)    = indicator(u <= log(c))               for c > 0

up to events of probability zero. A step has no value at 0, so the variance must be positive for every value
of the symbols: at x = 0 the chance of w.x > 0 is 0 and not 1/2.
"""

from collections.abc import Callable
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.symbols import Normal, Uniform
from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.integrate.held_factors import Integrator
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import flatten
from verifier.prove.networks.network_tensors import Flat

Lower = Callable[[N.Node], Sum]
_REFUSED = "the chance of an event of variables that are discrete, or may be constant"


def event(integrator: Integrator, fact: N.Relation | N.Within, lower: Lower) -> Sum:
    """The indicator of the fact, inside an expectation."""
    space = integrator.space

    def step(value: Sum) -> Sum:
        require_spread(integrator, value, positive_parts(space, lower))
        return space.function("relu_slope", value)

    def outside(value: Sum, low: Sum, high: Sum) -> Sum:
        width = high - low
        if not is_constant(width) or not space.is_nonnegative(constant(width)):
            raise Refusal("which end of a range is the larger one")
        return step(low - value) + step(value - high)

    match fact:
        case N.Within(arg, low, high):
            return space.scalar(1) - outside(lower(arg), lower(low), lower(high))
        case N.Relation(op, N.Apply("abs", (arg,)), right) if op != "==":
            edge = lower(right)
            beyond = outside(lower(arg), edge * -1, edge)
            return beyond if op in (">", ">=") else space.scalar(1) - beyond
        case N.Relation(op, N.Apply("exp", (arg,)), right) if op != "==" and _is_positive_scalar(
            space, lower(right)
        ):
            return event(integrator, N.Relation(op, arg, N.Apply("log", (right,))), lower)
        case N.Relation(op, left, right):
            gap = lower(left) - lower(right)
            above = step(gap if op in (">", ">=", "==") else gap * -1)
            return above if op != "==" else space.scalar(0)
    raise Refusal(_REFUSED)


def _is_positive_scalar(space: Workspace, value: Sum) -> bool:
    return is_constant(value) and space.is_positive(constant(value))


def require_spread(integrator: Integrator, value: Sum, positive: frozenset[Flat]) -> None:
    """A linear form of normal or uniform entries whose variance is positive whatever the symbols are: each of
    its values has probability zero; else a refusal."""
    space = integrator.space
    random = space.depends(value) & space.claim.random
    if not random or not all(isinstance(space.claim.symbols[x].kind, Normal | Uniform) for x in random):
        raise Refusal(_REFUSED)
    hidden = any(x in space.opaque and space.opaque[x].depends & random for x in value.tensors())
    degrees = [sum(name in random for name, _ in flatten(monomial)) for monomial in value.terms]
    if hidden or max(degrees) > 1:
        raise Refusal(_REFUSED)
    mean = integrator.integrated(value, set(random))
    variance = integrator.integrated(value * value, set(random)) - mean * mean
    if not _is_positive(space, variance, positive):
        raise Refusal(_REFUSED)


def _is_positive(space: Workspace, value: Sum, positive: frozenset[Flat]) -> bool:
    """Squares with positive weights, of which one cannot vanish."""
    for monomial, weight in value.terms.items():
        if not space.is_nonnegative(weight) or not all(
            p % 2 == 0 or is_square(space, c) for c, p in monomial
        ):
            return False
    return any(
        space.is_positive(weight) and all(c in positive for c, _ in monomial)
        for monomial, weight in value.terms.items()
    )


def positive_parts(space: Workspace, lower: Lower) -> frozenset[Flat]:
    """Squares of norms that an assumption says are positive."""
    found: set[Flat] = set()
    for fact in space.claim.constraints:
        match fact:
            case N.Relation("==" | ">=" | ">" as op, N.Norm(arg, "fro") as norm, N.Number(value)) if (
                value > 0 or (value == 0 and op == ">")
            ) and isinstance(arg, N.Symbol):
                square = lower(N.Power(norm, N.Number(Fraction(2))))
                if len(square.terms) == 1:
                    found |= {component for component, _ in next(iter(square.terms))}
    return frozenset(found)
