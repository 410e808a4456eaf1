"""Whether two formulas, or two statements, have the same value: both, at a few points chosen at random.

`False` is said where they differ at a point and nothing that is not worked out can be the reason; `True`
where they agree at every point, also if functions with kinks are taken for any function; `None` for all
else. What is proved of a claim never rests on this: it tells whether a paper and a claim say the same.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from verifier.expr import nodes as N
from verifier.expr.scope import Scope
from verifier.expr.tex.matrices import Matrix
from verifier.expr.tex.point import INFINITY, NoValue, Point
from verifier.expr.tex.worked_out import head_of, is_opaque
from verifier.expr.walk import children, distinct, walk

POINTS = 8
ENOUGH = 4
FEW = 2
TOLERANCE = 1e-9
OF_DERIVATIVES = 1e-7
NOTHING = 1e-13
LARGE = 1e6
LARGEST = 10_000
HIGH = 12
_MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}
_MEANS = (N.Expectation, N.Variance, N.Covariance)

Positive = frozenset[str]
NOBODY: Positive = frozenset()


def equal(left: N.Node, right: N.Node, scope: Scope, positive: Positive = NOBODY) -> bool | None:
    """Whether two expressions have the same value; `positive` are symbols of which something is assumed."""
    found = _agree([(left, right)], scope, positive)
    if found is False and not _comparable((left,), (right,), scope):
        return None
    return found


def equivalent(left: N.Fact, right: N.Fact, scope: Scope, positive: Positive = NOBODY) -> bool | None:
    """Whether two statements are the same relation between the same values. `None` also where one may be the
    other with terms moved or factors divided out."""
    match left, right:
        case N.Within(), N.Within():
            pairs = [(left.arg, right.arg), (left.low, right.low), (left.high, right.high)]
            return _both(pairs, scope, positive)
        case N.Relation(), N.Relation():
            return _relations(_oriented(left), _oriented(right), scope, positive)
        case (N.Within(), N.Relation()) | (N.Relation(), N.Within()):
            return False
    return None


def _both(pairs: Sequence[tuple[N.Node, N.Node]], scope: Scope, positive: Positive) -> bool | None:
    found = _agree(pairs, scope, positive)
    if found is False:
        first, second = (tuple(pair[at] for pair in pairs) for at in (0, 1))
        return False if _comparable(first, second, scope) else None
    return found


def _relations(left: N.Relation, right: N.Relation, scope: Scope, positive: Positive) -> bool | None:
    if left.op != right.op:
        # Another relation between whatever: but f <= 0 may be -f >= 0, which is seen by its values.
        return False
    found = _both([(left.left, right.left), (left.right, right.right)], scope, positive)
    if found is not True and left.op == "==":
        turned = _both([(left.left, right.right), (left.right, right.left)], scope, positive)
        found = True if turned else None if turned is None else found
    if found is False and _is_rearranged(left, right, scope, positive):
        return None
    return found


def _oriented(fact: N.Relation) -> N.Relation:
    """With the smaller side on the left; `== O(f)` is `<= O(f)`."""
    op, low, high = fact.op, fact.left, fact.right
    if op == "==" and isinstance(high, N.Growth) and high.kind in ("O", "Omega"):
        op = "<=" if high.kind == "O" else ">="
    return N.Relation(op, low, high) if op in ("==", "<=", "<") else N.Relation(_MIRRORED[op], high, low)  # type: ignore[arg-type]


def _agree(pairs: Sequence[tuple[N.Node, N.Node]], scope: Scope, positive: Positive) -> bool | None:
    """Whether the two of every pair have the same values at every point: first where what is assumed is met,
    as far as that is known; then at points of any sign, functions with kinks taken for any function."""
    nodes = [node for pair in pairs for node in pair]
    tolerance = _tolerance(nodes)
    for smooth in (False, True):
        count = 0
        for values in _values(nodes, scope, NOBODY if smooth else positive, smooth):
            count += all(_is_moderate(entry) for part in values for row in part for entry in row)
            if any(_differ(a, b, tolerance) for a, b in zip(values[::2], values[1::2], strict=True)):
                return None if smooth else False
        if count < (FEW if smooth else ENOUGH):
            return None
    return None if any(_hides(part) for node in nodes for part in distinct(node)) else True


def _is_moderate(entry: float) -> bool:
    """A very large entry may hide a part that is added to it."""
    return abs(entry) <= LARGE or abs(entry) == INFINITY


def _hides(node: N.Node) -> bool:
    """Numbers beside which others are not seen, and powers that are almost 0."""
    match node:
        case N.Number(value):
            return value != 0 and not 1 / LARGEST <= abs(value) <= LARGEST
        case N.Power(_, N.Number(value)):
            return abs(value) > HIGH
    return False


def _is_rearranged(left: N.Relation, right: N.Relation, scope: Scope, positive: Positive) -> bool:
    """Whether one is the other with terms moved, or with both sides multiplied by the same."""
    nodes = [left.left, left.right, right.left, right.right]
    tolerance = _tolerance(nodes) * 10
    is_equation = left.op == "=="
    factors: list[float] = []  # from the one gap between the sides to the other
    scaled, count = True, 0
    for low, high, other_low, other_high in _values(nodes, scope, positive, False):
        count += 1
        ones, others = _rows(low, high), _rows(other_low, other_high)
        if not ones or len(ones) != len(others):
            return False
        for (a, b), (c, d) in zip(ones, others, strict=True):
            factors += _ratios([(_gap(a, b, tolerance), _gap(c, d, tolerance))])
            sides = _ratios([(a, c), (b, d)])
            scaled = scaled and len(sides) == 2 and _alike(sides, tolerance) and (is_equation or sides[0] > 0)
    shifted = _alike(factors, tolerance) and (is_equation or factors[0] > 0)
    return count >= ENOUGH and (shifted or scaled)


def _gap(a: float, b: float, tolerance: float) -> float:
    """The difference of two sides; 0 where it is no more than rounding."""
    return a - b if abs(a - b) > tolerance * max(abs(a), abs(b)) else 0.0


def _ratios(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """By what the first of each is multiplied to be the second; 0 where that cannot be."""
    return [second / first if first else 0.0 for first, second in pairs if first or second]


def _alike(factors: Sequence[float], tolerance: float) -> bool:
    first = factors[0] if factors else 0.0
    return first != 0 and all(abs(factor - first) <= tolerance * abs(first) for factor in factors)


def _rows(low: Matrix, high: Matrix) -> list[tuple[float, float]]:
    """The two sides entry by entry; none where their shapes differ."""
    ones, others = ([entry for row in part for entry in row] for part in (low, high))
    size = max(len(ones), len(others))
    ones, others = (part * size if len(part) == 1 else part for part in (ones, others))
    return list(zip(ones, others, strict=False)) if len(ones) == len(others) else []


def _values(
    nodes: Iterable[N.Node], scope: Scope, positive: Positive, smooth: bool
) -> Iterator[tuple[Matrix, ...]]:
    """The values of all of them at points where they have some; always the same points."""
    nodes = tuple(nodes)
    for seed in range(1, POINTS + 1):
        point = Point(scope, seed, positive, smooth)
        try:
            values = tuple(point.value(node, {}) for node in nodes)
        except (ArithmeticError, ValueError, IndexError):
            continue
        except (NoValue, KeyError, RecursionError):
            return
        if all(math.isfinite(entry) for part in values for row in part for entry in row):
            yield values


def _differ(left: Matrix, right: Matrix, tolerance: float) -> bool:
    if (len(left), len(left[0])) != (len(right), len(right[0])):
        return True
    pairs = zip((x for row in left for x in row), (y for row in right for y in row), strict=True)
    least = NOTHING * (tolerance / TOLERANCE)
    return any(abs(a - b) > max(least, tolerance * max(abs(a), abs(b))) for a, b in pairs)


def _tolerance(nodes: Iterable[N.Node]) -> float:
    derived = any(isinstance(part, N.Derivative) for node in nodes for part in distinct(node))
    return OF_DERIVATIVES if derived else TOLERANCE


def _comparable(left: Sequence[N.Node], right: Sequence[N.Node], scope: Scope) -> bool:
    """Whether different values mean different formulas: what is not worked out stands in both as often, and
    where only one of them has means, it is not that the other has them worked out."""
    if _heads(left) != _heads(right):
        return False
    if _has_means(left) == _has_means(right):
        return True
    return _is_random(left, scope) != _is_random(right, scope)


def _heads(nodes: Sequence[N.Node]) -> Counter[str]:
    return Counter(head_of(part) for node in nodes for part in walk(node) if is_opaque(part))


def _has_means(nodes: Sequence[N.Node]) -> bool:
    return any(isinstance(part, _MEANS) for node in nodes for part in distinct(node))


def _is_random(nodes: Sequence[N.Node], scope: Scope) -> bool:
    """Whether something random stands outside of every mean."""
    return any(_outside(node, scope) for node in nodes)


def _outside(node: N.Node, scope: Scope) -> bool:
    if isinstance(node, _MEANS):
        return False
    if isinstance(node, N.Symbol | N.Member):
        declared = scope.symbols.get(node.name) or scope.layered.get(node.name)
        return declared is not None and declared.is_random
    return any(_outside(part, scope) for part in children(node))
