"""Norms of Jacobians along a chain of names.

    D(f, w) = D(f, y) D(y, x) ... D(z, w)      if w enters f through y alone, y through x alone, and so on
    norm(D(f, w)) <= norm(D(f, y)) norm(D(y, x)) ... norm(D(z, w))

Factors that stand on both sides of a bound, all of them norms, are left out.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared
from verifier.expr.walk import rebuild
from verifier.prove.rules.magnitude_forms import contains, depends

MOST_LINKS = 4
Factors = Counter[N.Node]


def is_chain(small: N.Node, large: N.Node, symbols: Mapping[str, Declared]) -> bool:
    """Whether small <= large is the chain rule, up to common factors that are not negative."""
    left, right = _factors(small), _factors(large)
    if left is None or right is None:
        return False
    shared = left & right
    left, right = left - shared, right - shared
    powers = set(left.values()) | set(right.values())
    if len(left) != 1 or len(powers) != 1 or not 1 <= len(right) <= MOST_LINKS:
        return False
    (whole,) = left
    return any(_links(whole, path, symbols) for path in permutations(right))


def _factors(node: N.Node) -> Factors | None:
    """Norms of Jacobians with their powers; None where something else is a factor."""
    match node:
        case N.Multiply(a, b):
            first, second = _factors(a), _factors(b)
            return None if first is None or second is None else first + second
        case N.Power(base, N.Number(k)) if k.denominator == 1 and k > 0:
            inner = _factors(base)
            return None if inner is None else Counter({part: power * int(k) for part, power in inner.items()})
        case N.Norm(N.Derivative() as derivative, "fro"):
            return Counter({derivative: 1})
        case N.Number(value) if value == Fraction(1):
            return Counter()
    return None


def _links(whole: N.Node, path: tuple[N.Node, ...], symbols: Mapping[str, Declared]) -> bool:
    """D(f, y), D(y, x), ..., D(z, w) for D(f, w), each name the only way to w."""
    assert isinstance(whole, N.Derivative)
    at = whole.of
    for link in path:
        assert isinstance(link, N.Derivative)
        if link.of != at:
            return False
        last = link is path[-1]
        if last != (link.by == whole.by) or (not last and not _is_only_way(at, link.by, whole.by, symbols)):
            return False
        at = link.by
    return True


def _is_only_way(node: N.Node, through: N.Node, target: N.Node, symbols: Mapping[str, Declared]) -> bool:
    """Whether the target, a symbol, stands in the node inside of the name `through` alone."""
    if not isinstance(through, N.Let) or not isinstance(target, N.Symbol | N.Member | N.Let):
        return False
    rest = _held(node, through)
    return not contains(rest, target) and not depends(rest, target, symbols)


def _held(node: N.Node, name: N.Node) -> N.Node:
    if node == name:
        return N.Zeros(node.shape)
    return rebuild(node, lambda child: _held(child, name))
