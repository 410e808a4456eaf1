"""Differences of logarithms: (u - v)/u <= log(u) - log(v) <= (u - v)/v."""

from collections.abc import Callable, Iterator
from itertools import permutations

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import children, free_indices
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules.convexity import CURVES, line
from verifier.proofs.linear import at_most, below, ends, follows
from verifier.proofs.surface import parts, replaced

Prove = Callable[[Context, Relation], Proof | None]
MOST = 4


def logarithms(context: Context, fact: Relation, prove: Prove) -> Iterator[Proof]:
    """One logarithm is written by another, and by what their difference is at least or at most."""
    small, large, strict = ends(Proof("", Holds(fact)))
    for one, other in permutations(_logarithms(small, large), 2):
        for bound in _bounds(one, other):
            low, high, _ = ends(bound)
            new = low if high == one else high
            if not follows(context, bound):
                continue
            for moves_large in (True, False):
                moved = replaced(large if moves_large else small, one, new)
                pair = (moved, large) if moves_large else (small, moved)
                step = Proof("monotone", at_most(*pair), (bound,))
                if moved in (small, large) or not follows(context, step):
                    continue
                inner = (small, moved) if moves_large else (moved, large)
                if (rest := prove(context, below(*inner, strict))) is not None:
                    yield Proof("chain", Holds(fact), (rest, step) if moves_large else (step, rest))


def _logarithms(*sides: N.Node) -> list[N.Apply]:
    found = dict.fromkeys(part for side in sides for part in parts(side))
    logs = [part for part in found if isinstance(part, N.Apply) and part.function == "log"]
    return [part for part in logs if part.shape.is_scalar and not free_indices(part)][:MOST]


def _bounds(one: N.Apply, other: N.Apply) -> Iterator[Proof]:
    """By tangents: f(u) <= f(v) + f'(v)*(u - v), and f(v) <= f(u) + f'(u)*(v - u)."""
    (curve,) = (item for item in CURVES if item.value(one.args[0]) == one)
    u, v = one.args[0], other.args[0]
    yield Proof("tangent", at_most(one, line(curve, u, v)))
    least = N.Subtract(other, N.Multiply(curve.slope(u), N.Subtract(v, u)))
    yield Proof("combine", at_most(least, one), (Proof("tangent", at_most(other, line(curve, v, u))),))


def rising(context: Context, fact: Relation) -> Iterator[Proof]:
    """sqrt(u) <= sqrt(v) for u <= v."""
    roots = [part for side in (fact.left, fact.right) for part in parts(side) if _is_root(part)]
    for one, other in permutations(list(dict.fromkeys(roots))[:MOST], 2):
        less = Proof("sign", at_most(children(one)[0], children(other)[0]))
        step = Proof("monotone", at_most(one, other), (less,))
        if follows(context, less) and follows(context, step):
            yield step


def _is_root(part: N.Node) -> bool:
    return isinstance(part, N.Apply) and part.function == "sqrt" and not free_indices(part)


def raised(context: Context, fact: Relation, prove: Prove) -> Iterator[Proof]:
    """x <= log(u) where exp(x) <= u, and log(u) <= x where u <= exp(x)."""
    small, large, strict = ends(Proof("", Holds(fact)))
    for side, other, above in ((large, small, True), (small, large, False)):
        match side:
            case N.Apply("log", (u,)) if not strict and u.shape.is_scalar:
                power = N.Apply("exp", (other,))
                inner = (power, u) if above else (u, power)
                if (known := prove(context, below(*inner))) is not None:
                    low, high = (N.Apply("log", (part,)) for part in inner)
                    logs = Proof("monotone", at_most(low, high), (known,))
                    yield Proof("combine", Holds(fact), (logs,))
