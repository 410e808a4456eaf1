"""Proofs of growth and of limits: by terms, by bounds of means, by closed forms, by families of points."""

from collections.abc import Iterator

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import distinct, substitute
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules.growth import stated_growth
from verifier.kernel.rules.norms import root_of, square_of
from verifier.proofs.linear import ZERO, at_most, follows

DEEPEST = 3  # bounds of bounds


def growing(context: Context, fact: Relation) -> Iterator[Proof]:
    """Candidates for a growth that holds, the cheapest first."""
    if isinstance(fact.right, N.Growth):
        if stated_growth(fact)[0] == "O":
            yield from _upper(context, fact, DEEPEST)
        else:
            yield Proof("monomials", Holds(fact))


def _upper(context: Context, fact: Relation, depth: int) -> Iterator[Proof]:
    yield Proof("alike", Holds(fact))
    yield Proof("monomials", Holds(fact))
    yield from _by_bounds(context, fact, depth)


def _by_bounds(context: Context, fact: Relation, depth: int) -> Iterator[Proof]:
    """The left side is never negative and at most something whose terms show how it grows."""
    left = fact.left
    sign = Proof("sign", at_most(ZERO, left))
    if not depth or not follows(context, sign):
        return
    for bound in _above(context, left):
        _, middle = _ends(bound)
        last = Relation(fact.op, middle, fact.right)
        for proof in _upper(context, last, depth - 1):
            if _is_accepted(context, proof):
                yield Proof("bounds", Holds(fact), (bound, sign, proof))
                break


def _above(context: Context, node: N.Node) -> Iterator[Proof]:
    """Bounds of a mean by the mean of the square."""
    for part in distinct(node):
        if isinstance(part, N.Expectation):
            root = root_of(N.Expectation(square_of(part.body), part.given))
            step = Proof("jensen", at_most(part, root))
            moved = substitute(node, {part: root})
            yield step if part == node else Proof("monotone", at_most(node, moved), (step,))


def _ends(proof: Proof) -> tuple[N.Node, N.Node]:
    match proof.conclusion:
        case Holds(Relation("<=", low, high)):
            return low, high
    raise TypeError(proof.conclusion)


def _is_accepted(context: Context, proof: Proof) -> bool:
    return all(follows(context, part) for part in proof.walk())


def limits(fact: Relation) -> Iterator[Proof]:
    """A limit, by the leading terms of its normal form."""
    if any(isinstance(side, N.Limit) for side in (fact.left, fact.right)):
        yield Proof("tends", Holds(fact))
