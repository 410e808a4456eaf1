"""Differences of logarithms: 1 - v/u <= log(u) - log(v) <= u/v - 1."""

from collections.abc import Callable, Iterator
from itertools import permutations

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import free_indices
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.proofs.linear import ONE, at_most, below, ends, follows
from verifier.proofs.surface import parts, replaced

Prove = Callable[[Context, Relation], Proof | None]
MOST = 4


def logarithms(context: Context, fact: Relation, prove: Prove) -> Iterator[Proof]:
    """One logarithm is written by another, and by what their difference is at least or at most."""
    small, large, strict = ends(Proof("", Holds(fact)))
    for one, other in permutations(_logarithms(small, large), 2):
        for bound in _bounds(one.args[0], other.args[0]):
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


def _bounds(u: N.Node, v: N.Node) -> Iterator[Proof]:
    """log(v) + 1 - v/u <= log(u), and log(u) <= log(v) + u/v - 1."""
    ratio = N.Divide(u, v)
    log_u, log_v, log = (N.Apply("log", (arg,)) for arg in (u, v, ratio))
    least = at_most(N.Subtract(ONE, N.Divide(ONE, ratio)), log)
    low = N.Add(log_v, N.Subtract(ONE, N.Divide(v, u)))
    yield Proof("combine", at_most(low, log_u), (Proof("elementary", least),))
    most = at_most(log, N.Subtract(ratio, ONE))
    high = N.Add(log_v, N.Subtract(ratio, ONE))
    yield Proof("combine", at_most(log_u, high), (Proof("elementary", most),))
