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

from verifier.claim.model import Assumption, Claim, Layers
from verifier.evidence import Counterexample, Finding
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import Variable
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.exact.values.recheck import admissible, as_float, exact_text
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, IndexOf, Integer, Interval, Positive, Real
from verifier.expr.walk import walk
from verifier.prove.rays.critical_rays import critical
from verifier.prove.rays.expanding import expanding
from verifier.prove.rays.kept_rays import Kept, least, whole_below
from verifier.prove.rays.layer_on_ray import Rows, ray
from verifier.prove.rays.state_side import MEAN, by_mean_square, depths, side
from verifier.prove.scalars.scalar_refusal import Clock, Refused

_BITS = 128
_LARGEST = 2**16
_DEPTHS = (1, 8, 64)
_FAR = 64  # a limit is not below what bounds all later states
_MOST_ENTRIES = 6
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
    is_strict: bool
    is_right: bool  # as written, it is the right side that speaks of the state


def examine_rays(claim: Claim, fact: N.Relation | N.Within, seconds: float) -> Finding | None:
    """A refutation by one of the package's theorems; None where they say nothing."""
    layers = claim.layers
    asked = _asked(fact) if layers is not None else None
    if layers is None or asked is None or not _applies(claim, layers, asked):
        return None
    before = ctx.prec
    ctx.prec = _BITS
    try:
        with Clock(seconds).guard():
            tried = (_at(claim, layers, asked, numbers) for numbers in _places(claim, layers, asked))
            return next((found for found in tried if found is not None), None)
    except Refused:
        return None
    finally:
        ctx.prec = before


def _asked(fact: N.Relation | N.Within) -> Asked | None:
    match fact:
        case N.Relation(_, left, right) if not left.shape.is_scalar or not right.shape.is_scalar:
            return None
        case N.Relation("==" | "<=" | "<", left, right) if depths(left):
            body, limit, is_right = left, right, False
        case N.Relation("==" | ">=" | ">", left, right) if depths(right):
            body, limit, is_right = right, left, True
        case _:
            return None
    if depths(limit) or isinstance(limit, N.Growth | N.Order):
        return None
    strict = fact.op in ("<", ">")
    match body:
        case N.Limit(inside, variable, N.Infinity()) if depths(inside) == {variable}:
            return Asked(inside, limit, variable, True, strict, is_right)
    found = depths(body)
    depth = next(iter(found))
    if len(found) != 1 or not isinstance(depth, N.Symbol):
        return None
    return Asked(body, limit, depth, False, strict, is_right)


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
    return (
        sharp
        and asked.depth.name not in claim.where
        and all(_is_plain(claim, layers, asked, a) for a in claim.assumptions)
    )


def _is_plain(claim: Claim, layers: Layers, asked: Asked, assumption: Assumption) -> bool:
    """A value inside the layer, or a condition on what does not move and is not drawn, or on the input."""
    named = {x.name for x in walk(assumption.fact) if isinstance(x, N.Symbol | N.Member | N.Let)}
    inside = {x.name for x in layers.symbols} | {x.name for x in layers.lets} | claim.random
    if assumption.independence is not None or (asked.is_limit and asked.depth.name in named):
        return False
    if assumption.substitution is not None:
        return layers.state.name not in named
    return assumption.constraint is None or not named & inside


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
    at = [{}] if asked.is_limit else [{asked.depth.name: depth} for depth in _DEPTHS]
    values = [dict.fromkeys(scalars, value) for value in ((1, 2) if scalars else (1,))]
    seen: list[Numbers] = []
    for parts in product(sizes, values, at):
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
    except Refusal:
        return None
    for direction in _directions(rows, cols):
        try:
            found = _along(claim, layers, asked, numbers, direction)
        except (Refusal, BasePolynomialError):
            continue
        if found is not None:
            return found
    return None


def _along(claim: Claim, layers: Layers, asked: Asked, numbers: Numbers, direction: Rows) -> Finding | None:
    """A counterexample on this ray."""
    body = by_mean_square(claim, layers, asked.body, numbers, direction)
    found = None if body is None else ray(claim, layers, numbers, direction)
    if body is None or found is None:
        return None
    # The simpler argument comes first.
    kept: Kept | None = expanding(claim, layers, numbers, found) or critical(claim, layers, numbers, found)
    return None if kept is None else _broken(claim, layers, asked, numbers, direction, body, kept)


def _directions(rows: int, cols: int) -> Iterator[Rows]:
    """Entries that cancel, equal ones, a single one."""
    count = rows * cols
    cancel, equal, single = (1, -1, *[0] * (count - 2)), (1,) * count, (1, *[0] * (count - 1))
    for flat in dict.fromkeys((cancel[:count], equal, single)):
        yield tuple(flat[i * cols : (i + 1) * cols] for i in range(rows))


def _broken(
    claim: Claim, layers: Layers, asked: Asked, numbers: Numbers, direction: Rows, body: N.Node, kept: Kept
) -> Finding | None:
    """The smallest power of 2 for which the side that speaks of the state is too large at every depth."""
    size, depth = 1, _FAR if asked.is_limit else int(str(numbers[asked.depth.name]))
    while size <= _LARGEST:
        square = least(kept, size, depth)
        point = {**numbers, layers.state.name: _state(layers, direction, size)}
        if square > 0 and admissible(claim, point).outcome == "true":
            env = Evaluator(Context.of(claim), {**point, MEAN: Variable(MEAN, positive=True)})
            known, right = side(env.scalar(body)), env.scalar(asked.right)
            low = None if known is None else _rounded(known.at(square))
            if low is not None and _is_below(asked, right, low):
                example = _example(asked, point, low, right)
                return Finding(
                    "symbolic",
                    "false",
                    "certified",
                    REASON,
                    counterexample=example,
                    derivation=kept.lines(size),
                )
        size *= 2
    return None


def _is_below(asked: Asked, right: Value, low: Fraction) -> bool:
    value, bound = enclose(right), arb(fmpq(low.numerator, low.denominator))
    return value <= bound if asked.is_strict else value < bound


def _rounded(value: arb) -> Fraction:
    """A short number that is surely not above."""
    return Fraction(whole_below(value)) if value > 1 else Fraction(whole_below(1000 * value), 1000)


def _example(asked: Asked, point: Numbers, low: Fraction, right: Value) -> Counterexample:
    shown = str(low) if low.denominator == 1 else f"{float(low):.3f}"
    low_text, number, exact = f"at least {shown}", as_float(right), exact_text(right)
    if asked.is_right:
        return Counterexample(point, number, None, exact, low_text)
    return Counterexample(point, None, number, low_text, exact)


def _state(layers: Layers, direction: Rows, size: int) -> object:
    rows = [[v * size for v in row] for row in direction]
    return rows[0][0] if layers.state.shape.is_scalar else rows
