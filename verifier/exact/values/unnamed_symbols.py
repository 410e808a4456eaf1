"""What a point leaves unsaid: symbols that the claim does not speak of must have values as well.

`i != h` for two indices up to n says that n >= 2, and a symbol of interval(a, b) that a <= b. So a point is
allowed only if the symbols that it leaves out can be chosen: here a few simple values of each are offered.
"""

from collections.abc import Iterator, Set
from fractions import Fraction
from itertools import islice, product
from typing import Any

from verifier.claim.model import Claim
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.point_context import Point
from verifier.exact.values.point_environment import Environment
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.walk import walk

MOST_COMPANIES = 64
MOST_INDICES = 6
_LAWS = n.Expectation | n.Variance | n.Covariance
_SCALES = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1, 10))


def absent(claim: Claim, point: Point) -> list[str]:
    """The symbols without a value that a condition or a declaration ties to what the point says."""
    known = point.keys() | claim.where.keys()
    found: dict[str, None] = {}
    for fact in claim.constraints:
        parts = list(walk(fact))
        names = {part.name for part in parts if isinstance(part, n.Symbol | n.Member)}
        if names & point.keys() or not names <= claim.symbols.keys() - known:
            continue  # it is evaluated at the point itself, or speaks of what a layer draws
        if any(isinstance(part, _LAWS) for part in parts) or not _grounded(claim, names, point, known):
            continue
        found |= dict.fromkeys(name for name in claim.symbols if name in names)
    for name, declared in claim.symbols.items():
        if name not in known and _is_open_interval(declared.kind) and ties(declared) & point.keys():
            found[name] = None
    return list(found)


def _grounded(claim: Claim, names: Set[str], point: Point, known: Set[str]) -> bool:
    """Whether the point bears on these symbols, by all their sizes and ends."""
    tied = set[str]().union(*(ties(claim.symbols[name]) for name in names))
    return bool(tied & point.keys()) and tied <= known


def ties(declared: kinds.Declared) -> set[str]:
    """The names in the shape of a symbol, and in the ends of its interval."""
    found = set(declared.shape.rows.names | declared.shape.cols.names)
    match declared.kind:
        case kinds.IndexOf(size):
            found |= size.names
        case kinds.Interval(low, high):
            found |= {x.name for end in (low, high) for x in walk(end) if isinstance(x, n.Symbol)}
    return found if declared.copies is None else found | declared.copies.names


def _is_open_interval(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.Interval) and any(
        isinstance(x, n.Symbol) for end in (kind.low, kind.high) for x in walk(end)
    )


def companies(claim: Claim, names: list[str], env: Environment) -> Iterator[dict[str, Any]]:
    """Simple values for these symbols."""
    try:
        offers = [list(simple_values(claim.symbols[name], env)) for name in names]
    except Refusal:
        return
    for values in islice(product(*offers), MOST_COMPANIES):
        yield dict(zip(names, values, strict=True))


def simple_values(declared: kinds.Declared, env: Environment) -> Iterator[Any]:
    """A few values for a symbol, where its sizes have some; whether they are of its kind is not asked."""
    if declared.copies is None:
        yield from _single(declared, env)
    else:
        count = env.dim(declared.copies)
        yield from ([value] * count for value in _single(declared, env))


def _single(declared: kinds.Declared, env: Environment) -> Iterator[Any]:
    match declared.kind:
        case kinds.IndexOf(size):
            yield from range(1, min(env.dim(size), MOST_INDICES) + 1)
        case kinds.Interval(low, high):
            ends = [end for end in (low, high) if not any(isinstance(x, n.Infinity) for x in walk(end))]
            yield from (env.scalar(end) for end in ends)
            yield from (0, 1)
        case _ if declared.shape.is_scalar and not isinstance(declared.kind, kinds.FixedMatrix):
            yield from (1, 0, -1, 2, Fraction(1, 2))
        case _:
            yield from _matrices(env.dim(declared.shape.rows), env.dim(declared.shape.cols))


def _matrices(rows: int, cols: int) -> Iterator[list[list[Fraction]]]:
    """One entry, the diagonal, all entries alike, rows and columns that sum to 1: times some numbers."""
    one, none = Fraction(1), Fraction(0)
    shapes = [
        [[one if i == j == 0 else none for j in range(cols)] for i in range(rows)],
        [[one if i == j else none for j in range(cols)] for i in range(rows)],
        [[one] * cols for _ in range(rows)],
        [[one / cols] * cols for _ in range(rows)],
        [[one / rows] * cols for _ in range(rows)],
        [[one if j == 0 else none for j in range(cols)] for _ in range(rows)],
    ]
    yield from shapes
    yield [[none] * cols for _ in range(rows)]
    for scale in _SCALES[1:]:
        yield from ([[scale * x for x in row] for row in shape] for shape in shapes[:3])
