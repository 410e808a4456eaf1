"""Claims that a mean square over many layers is small, refuted on a ray that the layers keep.

    limit(a E(q(after(X, L))) + b, L, oo) == c,  <= c,  < c,         and the same at every depth L

for a quadratic q. Sizes are the smallest at which a layer can keep a ray and do something on it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flint import arb, ctx, fmpq
from sympy.polys.polyerrors import BasePolynomialError

from verifier.claim.model import Claim, Layers
from verifier.evidence import Counterexample, Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, IndexOf, Integer, Interval, Positive, Real
from verifier.expr.walk import substitute, walk
from verifier.rigorous.closed import ONE, ZERO, Exact, enclose, is_zero, sign
from verifier.rigorous.context import Context
from verifier.rigorous.evaluate import Evaluator
from verifier.rigorous.recheck import admissible, as_float, exact_text
from verifier.rigorous.refusals import Refusal, Unsupported
from verifier.rigorous.terms import Linear, Product, Variable
from verifier.symbolic.clock import Clock
from verifier.symbolic.critical.bound import Bound, bound, explained
from verifier.symbolic.critical.rays import SIZE, Rows, monomial, on_ray, ray
from verifier.symbolic.trees import number

_BITS = 128
_LARGEST = 2**16
_DEPTHS = (1, 8, 64)
_MOST_ENTRIES = 6
_MEAN = "_mean_square"
_SHARP = frozenset({"exp", "tanh", "sigmoid"})
REASON = "on a ray of states that the layers keep, the mean square stays above a positive bound"
_NUMBERS = (Dimension, IndexOf, Integer, Real, Positive, Interval)
Numbers = dict[str, object]


@dataclass(frozen=True)
class Asked:
    """The side that speaks of the state, what it should not be above, and the depth if it is bound."""

    body: N.Node
    right: N.Node
    depth: N.Symbol
    is_limit: bool
    is_right: bool  # as written, it is the right side that speaks of the state


def examine_rays(claim: Claim, fact: N.Relation | N.Within, seconds: float) -> Finding | None:
    """A refutation by the package's theorem; None where it says nothing."""
    layers = claim.layers
    asked = _asked(fact) if layers is not None else None
    if layers is None or asked is None or not _applies(claim, layers, asked):
        return None
    clock, before = Clock(seconds), ctx.prec
    ctx.prec = _BITS
    try:
        for numbers in _places(claim, layers, asked):
            found = None if clock.left < 0 else _at(claim, layers, asked, numbers)
            if found is not None:
                return found
    finally:
        ctx.prec = before
    return None


def _asked(fact: N.Relation | N.Within) -> Asked | None:
    match fact:
        case N.Relation(_, left, right) if not left.shape.is_scalar or not right.shape.is_scalar:
            return None
        case N.Relation("==" | "<=" | "<", left, right) if _depths(left):
            body, limit, is_right = left, right, False
        case N.Relation("==" | ">=" | ">", left, right) if _depths(right):
            body, limit, is_right = right, left, True
        case _:
            return None
    match body:
        case N.Limit(inside, variable, N.Infinity()) if _depths(inside) == {variable}:
            return Asked(inside, limit, variable, True, is_right)
    depths = _depths(body)
    depth = next(iter(depths))
    if len(depths) != 1 or not isinstance(depth, N.Symbol):
        return None
    return Asked(body, limit, depth, False, is_right)


def _depths(node: N.Node) -> set[N.Node]:
    return {part.depth for part in walk(node) if isinstance(part, N.After)}


def _applies(claim: Claim, layers: Layers, asked: Asked) -> bool:
    """Whether the states are those of a chain that starts anywhere, with steps drawn as declared."""
    match claim.symbols[layers.state.name].kind:
        case FixedMatrix("matrix" | "vector") | Real():
            pass
        case _:
            return False
    sharp = any(
        (isinstance(x, N.RowWise) and x.function == "softmax")
        or (isinstance(x, N.Apply) and x.function in _SHARP)
        for x in walk(layers.next)
    )
    drawn = claim.random | {symbol.name for symbol in layers.symbols}
    for assumption in claim.assumptions:
        names = {x.name for x in walk(assumption.fact) if isinstance(x, N.Symbol | N.Member)}
        given = assumption.substitution
        if assumption.independence is not None or (assumption.constraint is not None and names & drawn):
            return False
        if given is not None and given[0].name == layers.state.name:
            return False
        if asked.is_limit and asked.depth.name in names:
            return False
    return sharp and asked.depth.name not in claim.where


def _places(claim: Claim, layers: Layers, asked: Asked) -> Iterator[Numbers]:
    """Small sizes, and plain values of the other numbers, that the claim may allow."""
    given = {a.substitution[0].name for a in claim.assumptions if a.substitution} | claim.where.keys()
    bound = {asked.depth.name, layers.depth.name} if asked.is_limit else {asked.depth.name}
    free = [
        symbol
        for name, symbol in claim.symbols.items()
        if name not in given | bound and symbol.copies is None and isinstance(symbol.kind, _NUMBERS)
    ]
    scalars = [s.name for s in free if not isinstance(s.kind, Dimension) and s.name != layers.state.name]
    shape = layers.state.shape
    sizes = [
        {s.name: k if s.name in names else 1 for s in free if isinstance(s.kind, Dimension)}
        for names, k in ((shape.rows.names, 2), (shape.cols.names, 2), ((), 1), (shape.rows.names, 3))
    ]
    depths = [{}] if asked.is_limit else [{asked.depth.name: depth} for depth in _DEPTHS]
    values = [dict.fromkeys(scalars, value) for value in ((1, 2) if scalars else (1,))]
    seen: list[Numbers] = []
    for parts in product(sizes, values, depths):
        numbers: Numbers = {name: value for part in parts for name, value in part.items()}
        if numbers not in seen and admissible(claim, numbers).outcome != "false":
            seen.append(numbers)
            yield numbers


def _at(claim: Claim, layers: Layers, asked: Asked, numbers: Numbers) -> Finding | None:
    """A counterexample at these sizes."""
    try:
        sizes = Evaluator(Context.of(claim), numbers)
        rows, cols = sizes.dim(layers.state.shape.rows), sizes.dim(layers.state.shape.cols)
        if rows * cols > _MOST_ENTRIES:
            return None
        for direction in _directions(rows, cols):
            body = _by_mean_square(claim, layers, asked, numbers, direction)
            kept = None if body is None else ray(claim, layers, numbers, direction)
            known = None if kept is None else bound(claim, layers, numbers, kept)
            if body is not None and known is not None:
                return _broken(claim, layers, asked, numbers, body, known)
    except (Refusal, BasePolynomialError):
        return None
    return None


def _directions(rows: int, cols: int) -> Iterator[Rows]:
    """Entries that cancel, equal ones, a single one."""
    count = rows * cols
    cancel, equal, single = (1, -1, *[0] * (count - 2)), (1,) * count, (1, *[0] * (count - 1))
    for flat in dict.fromkeys((cancel[:count], equal, single)):
        yield tuple(flat[i * cols : (i + 1) * cols] for i in range(rows))


# --- both sides -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """factor * (E x**2)**power + offset, which grows with E x**2."""

    factor: Exact
    power: fmpq
    offset: Exact

    def at(self, square: arb) -> arb:
        return enclose(self.factor) * square ** arb(self.power) + enclose(self.offset)


def _by_mean_square(
    claim: Claim, layers: Layers, asked: Asked, numbers: Numbers, direction: Rows
) -> N.Node | None:
    """The side that speaks of the state with q(V) E x**2 in place of E q(x V); None if q(V) is 0."""
    env = Evaluator(Context.of(claim), {**numbers, layers.state.name: on_ray(direction)})
    values: dict[N.Node, N.Node] = {}
    for part in walk(asked.body):
        match part:
            case N.Expectation(inside, ()) if _depths(inside) and inside.shape.is_scalar:
                quadratic = _quadratic(env.scalar(_at_state(inside, layers)))
                values[part] = N.Multiply(number(quadratic), N.Symbol(_MEAN))
    found = substitute(asked.body, values)
    return None if _depths(found) or not any(x == N.Symbol(_MEAN) for x in walk(found)) else found


def _at_state(node: N.Node, layers: Layers) -> N.Node:
    states = [x for x in walk(node) if isinstance(x, N.After)]
    if layers.state in walk(substitute(node, dict.fromkeys(states, N.Zeros(layers.state.shape)))):
        raise Unsupported("a mean that speaks of the input beside a state")
    return substitute(node, dict.fromkeys(states, layers.state))


def _quadratic(value: object) -> Fraction:
    """q(V), where the value is q(V) x**2."""
    if isinstance(value, fmpq) and is_zero(value):
        return Fraction(0)
    found = monomial(value)
    if found.powers != {SIZE.name: 2} or not isinstance(found.coefficient, fmpq):
        raise Unsupported("a mean that is not of a quadratic in the state")
    return Fraction(int(found.coefficient.p), int(found.coefficient.q))


def _side(value: object) -> Side | None:
    """A value as a function of the mean square, where it grows with it."""
    offset, term, factor = ZERO, value, ONE
    if isinstance(value, Linear) and len(value.parts) == 1:
        offset, (term, factor) = value.constant, value.parts[0]
    match term:
        case Variable(name) if name == _MEAN and sign(factor) > 0:
            return Side(factor, ONE, offset)
        case Product(((Variable(name), power),)) if name == _MEAN and sign(factor) > 0 and power > 0:
            return Side(factor, power, offset)
    return None


def _broken(
    claim: Claim, layers: Layers, asked: Asked, numbers: Numbers, body: N.Node, known: Bound
) -> Finding | None:
    """The smallest power of 2 for which the side that speaks of the state is too large at every depth."""
    size = 1
    while size <= _LARGEST:
        least = known.at(size)
        point = {**numbers, layers.state.name: _state(layers, known.ray.direction, size)}
        if least > 0 and admissible(claim, point).outcome == "true":
            env = Evaluator(Context.of(claim), {**point, _MEAN: Variable(_MEAN, positive=True)})
            side, right = _side(env.scalar(body)), env.scalar(asked.right)
            low = None if side is None else int(side.at(least).lower().floor().unique_fmpz())
            if low is not None and enclose(right) < low:
                sides = (None, as_float(right)), (f"at least {low}", exact_text(right))
                if asked.is_right:
                    sides = sides[0][::-1], sides[1][::-1]
                example = Counterexample(point, *sides[0], *sides[1])
                lines = explained(known, size)
                return Finding(
                    "symbolic", "false", "certified", REASON, counterexample=example, derivation=lines
                )
        size *= 2
    return None


def _state(layers: Layers, direction: Rows, size: int) -> object:
    rows = [[v * size for v in row] for row in direction]
    return rows[0][0] if layers.state.shape.is_scalar else rows
