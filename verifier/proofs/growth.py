"""Proofs of growth and of limits: by terms, by bounds of means, by textbooks, by explicit constants."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Interval, Real
from verifier.expr.walk import distinct, substitute
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.opaque import tidied
from verifier.kernel.proof import Proof
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.growth import growth_of_moment, stated_growth
from verifier.kernel.rules.norms import root_of, square_of
from verifier.proofs.climb import Climb
from verifier.proofs.comparisons import compared
from verifier.proofs.linear import ZERO, at_most, ends, follows, given
from verifier.proofs.order import FEW, at_once, first_accepted

DEEPEST = 3  # bounds of bounds
MOST_TRIED = 40
CONSTANTS = tuple(map(Fraction, (1, 100)))


def growing(context: Context, fact: Relation) -> Iterator[Proof]:
    """Candidates for a growth that holds, the cheapest first."""
    if not isinstance(fact.right, N.Growth):
        return
    kind, left, body = stated_growth(fact)
    if kind == "O":
        yield from _upper(context, fact, DEEPEST)
        yield from _by_comparison(context, fact, upwards=True)
        yield from _by_textbook(context, fact, upwards=True)
    else:
        yield Proof("monomials", Holds(fact))
    if kind == "Omega":
        yield from _by_comparison(context, fact, upwards=False)
        yield from _by_textbook(context, fact, upwards=False)
        yield from _by_moments(context, fact, left, body)
    if kind != "Theta":
        yield from _by_constants(context, fact, kind, left, body)
    if kind == "Theta":
        halves = [Relation("<=", left, N.Growth("O", body)), Relation(">=", left, N.Growth("Omega", body))]
        found = [
            next((p for p in growing(context, half) if _is_accepted(context, p)), None) for half in halves
        ]
        premises = tuple(proof for proof in found if proof is not None)
        if len(premises) == len(halves):
            yield Proof("both", Holds(fact), premises)


def _by_moments(context: Context, fact: Relation, left: N.Node, body: N.Node) -> Iterator[Proof]:
    """A mean is no smaller than the root of that of the square, if the fourth moment is as it should be."""
    if isinstance(left, N.Expectation) and not isinstance(left.body, N.Power):
        wanted = [growth_of_moment(left.body, body, power, kind) for power, kind in ((2, "Omega"), (4, "O"))]
        premises = tuple(Proof("monomials", Holds(each)) for each in wanted)
        if all(
            _is_accepted(context, proof) for proof in premises
        ):  # the fourth moment last: it has many terms
            yield Proof("moments", Holds(fact), premises)


def comparisons(context: Context, fact: Relation) -> Iterator[tuple[Proof, Relation]]:
    """How a mean grows as the root of the mean of the square does, and what is then to be refuted of that."""
    kind, left, body = stated_growth(fact)
    for bound in _above(context, left):
        _, root, _ = ends(bound)
        sign = Proof("sign", at_most(ZERO, left))
        last = Proof("monomials", Holds(Relation("<=", root, N.Growth("O", root))))
        above = Proof("bounds", Holds(Relation("<=", left, N.Growth("O", root))), (bound, sign, last))
        if kind != "O" and _is_accepted(context, above):
            yield above, Relation(">=", root, N.Growth("Omega", body))
        if kind != "Omega":
            stated = Relation(">=", left, N.Growth("Omega", root))
            for below in _by_moments(context, stated, left, root):
                yield below, Relation("<=", root, N.Growth("O", body))


def _by_comparison(context: Context, fact: Relation, upwards: bool) -> Iterator[Proof]:
    """With bounds in the place of sums."""
    sign = _never_negative(context, fact.left) if upwards else None
    for moved, bound in compared(context, fact.left, upwards) if sign or not upwards else ():
        sides = (fact.left, moved) if upwards else (moved, fact.left)
        bound = replace(bound, conclusion=at_most(*sides))
        last = Proof("monomials", Holds(Relation(fact.op, moved, fact.right)))
        yield Proof("bounds", Holds(fact), (bound, last) if sign is None else (bound, sign, last))


def _by_textbook(context: Context, fact: Relation, upwards: bool) -> Iterator[Proof]:
    """A larger tree that grows so, or a smaller one, by the inequalities of the textbooks."""
    sign = _never_negative(context, fact.left) if upwards else None
    if upwards and sign is None:
        return
    assumed = [proof for proof in given(context, fact) if proof.rule == "assumption"]
    start, body = unfolded(context, fact.left), unfolded(context, stated_growth(fact)[2])
    for moved, path in Climb(context, start, body, assumed, upwards).reached(MOST_TRIED):
        if path is not None:
            if upwards and (simple := tidied(context, moved)) != moved:
                link = Proof("sign", at_most(moved, simple))
                moved, path = simple, Proof("chain", at_most(start, simple), (path, link))
            ends = (fact.left, moved) if upwards else (moved, fact.left)
            bound = replace(path, conclusion=at_most(*ends))
            last = Proof("monomials", Holds(Relation(fact.op, moved, fact.right)))
            yield Proof("bounds", Holds(fact), (bound, last) if sign is None else (bound, sign, last))


def _never_negative(context: Context, node: N.Node) -> Proof | None:
    candidates = (Proof("sign", at_most(ZERO, node)), *at_once(context, Relation("<=", ZERO, node), FEW))
    return next((proof for proof in candidates if _is_accepted(context, proof)), None)


def _by_constants(context: Context, fact: Relation, kind: str, left: N.Node, body: N.Node) -> Iterator[Proof]:
    """At most a number times the other side, or at least one, at all values."""
    for number in CONSTANTS:
        if kind == "Omega":
            bound = N.Multiply(N.Number(1 / number), body)
            wanted = [Relation("<=", bound, left)]
        else:
            bound = N.Multiply(N.Number(number), body)
            below = ZERO if follows(context, Proof("sign", at_most(ZERO, left))) else N.Negate(left)
            wanted = [Relation("<=", left, bound), Relation("<=", below, left if below == ZERO else bound)]
        found = [first_accepted(context, relation) for relation in wanted]
        premises = tuple(proof for proof in found if proof is not None)
        if len(premises) == len(wanted):
            last = Proof("monomials", Holds(Relation(fact.op, bound, fact.right)))
            yield Proof("bounds", Holds(fact), (*premises, last))
            return


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
        _, middle, _ = ends(bound)
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


def _is_accepted(context: Context, proof: Proof) -> bool:
    return all(follows(context, part) for part in proof.walk())


def limits(context: Context, fact: Relation) -> Iterator[Proof]:
    """A limit, by the leading terms of its normal form; where these may be 0, in cases. A sum without end."""
    if isinstance(fact.left, N.Sum):
        yield Proof("series", Holds(fact))
        yield Proof("tends", Holds(fact))
    if any(isinstance(side, N.Limit) for side in map(_unnamed, (fact.left, fact.right))):
        yield Proof("tends", Holds(fact))
        for name in sorted(context.symbols):
            if isinstance(context.symbols[name].kind, Real | Interval):
                yield Proof("tends", Holds(fact), (), {"case": name})


def squeezes(context: Context, fact: Relation) -> Iterator[Proof]:
    """What is never negative, and has bounds that tend to 0."""
    match fact:
        case Relation("==", N.Limit(e, variable, N.Infinity() as target), end) if end == ZERO:
            pass
        case _:
            return
    if (sign := _never_negative(context, e)) is None:
        return
    for moved, path in Climb(context, unfolded(context, e), ZERO, [], True).reached(MOST_TRIED):
        if path is not None:
            last = Proof("tends", Holds(Relation("==", N.Limit(moved, variable, target), ZERO)))
            if follows(context, last):
                bound = replace(path, conclusion=at_most(e, moved))
                yield Proof("squeezed", Holds(fact), (sign, bound, last))


def _unnamed(node: N.Node) -> N.Node:
    return _unnamed(node.body) if isinstance(node, N.Let) else node
