"""Proofs of inequalities: by a sign, by a textbook's inequality, by a combination of what is known, and by
steps upwards from the smaller side."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation, Within
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.normal.opaque import is_below
from verifier.kernel.normal.sign import is_positive
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.inequalities import INSTANCES
from verifier.proofs.boxes import covers
from verifier.proofs.climb import Climb
from verifier.proofs.differences import logarithms, raised, rising
from verifier.proofs.everywhere import at_every_draw
from verifier.proofs.extremes import extremes
from verifier.proofs.grams import grams
from verifier.proofs.linear import (
    TWO,
    ZERO,
    Combination,
    at_most,
    below,
    ends,
    follows,
    given,
    products,
    scaled,
    signs,
    squares,
    textbook,
)
from verifier.proofs.quadratics import quadratics
from verifier.proofs.quotients import cleared
from verifier.proofs.size_by_size import inductions
from verifier.proofs.spreads import averages

FEW, MOST_AT_ONCE, MOST_EARLY, MOST_STATES, MOST_FACTORS = 6, 10, 16, 50, 4


def at_once(context: Context, fact: Relation, most: int) -> Iterator[Proof]:
    """Candidates that no normal form is written for; `most` trees are looked at from either side."""
    goal = Holds(fact)
    small, large, strict = ends(Proof("", goal))
    yield Proof("declared", goal)
    if is_below(context, unfolded(context, small), unfolded(context, large), strict):
        yield Proof("sign", goal)
    yield from (Proof(name, goal) for name in INSTANCES)
    for side, upwards in ((small, True), (large, False)) if not strict else ():
        for tree, path in _climb(context, fact, side, upwards).reached(most):
            if path is not None:
                yield from _by_parts(context, fact, tree, path, upwards)


def inequality(context: Context, fact: Relation) -> Iterator[Proof]:
    """Candidates, the cheapest first; each is for the kernel to judge."""
    yield Proof("sign", Holds(fact))
    yield from averages(context, fact)
    yield from at_once(context, fact, MOST_AT_ONCE)
    yield from inductions(context, fact, _at_a_step)
    yield from _without_induction(context, fact)


def _at_a_step(context: Context, fact: Relation) -> Proof | None:
    """Without an induction inside of another, and without a long search."""
    small, large, strict = ends(Proof("", Holds(fact)))
    candidates = chain(
        _polynomial(context, fact),
        _cleared(context, fact, small, large, strict),
        averages(context, fact),
        logarithms(context, fact, _by_arithmetic),
        at_once(context, fact, FEW),
        covers(context, fact),
        () if strict else _steps(fact, _climb(context, fact, small, True), FEW),
    )
    return next((proof for proof in candidates if _is_accepted(context, proof)), None)


def _without_induction(context: Context, fact: Relation) -> Iterator[Proof]:
    small, large, strict = ends(Proof("", Holds(fact)))
    climbs = [_climb(context, fact, side, side == small) for side in (small, large) if not strict]
    yield from extremes(context, fact, partial(first_accepted, context))
    for climb in climbs:
        yield from _steps(fact, climb, MOST_EARLY)
    yield from _polynomial(context, fact)
    yield from _cleared(context, fact, small, large, strict)
    if not strict:
        yield from _turned(fact, at_every_draw(context, small, large, _at_a_step))
    yield from logarithms(context, fact, _by_arithmetic)
    yield from raised(context, fact, _at_a_step)
    yield from covers(context, fact)
    for climb in climbs:
        yield from _steps(fact, climb, MOST_STATES)
    if not strict:
        yield from _by_squares(context, fact, small, large)


def _turned(fact: Relation, proofs: Iterator[Proof]) -> Iterator[Proof]:
    """Of the relation as it is written, the larger side first or last."""
    yield from (replace(proof, conclusion=Holds(fact)) for proof in proofs)


def both_ends(context: Context, fact: Within) -> Iterator[Proof]:
    """A range, by the first accepted proof for each of its ends."""
    wanted = []
    if fact.low != N.Negate(N.Infinity()):
        wanted.append(Relation("<=", fact.low, fact.arg))
    if fact.high != N.Infinity():
        wanted.append(Relation("<=", fact.arg, fact.high))
    found = [first_accepted(context, relation) for relation in wanted]
    premises = tuple(proof for proof in found if proof is not None)
    if len(premises) == len(wanted):
        yield Proof("within", Holds(fact), premises)


def first_accepted(context: Context, fact: Relation) -> Proof | None:
    return next((proof for proof in inequality(context, fact) if _is_accepted(context, proof)), None)


def first_at_once(context: Context, fact: Relation) -> Proof | None:
    """Without normal forms."""
    return next((proof for proof in at_once(context, fact, FEW) if _is_accepted(context, proof)), None)


def _is_accepted(context: Context, proof: Proof) -> bool:
    return all(follows(context, part) for part in proof.walk())


def _combinations(context: Context, fact: Relation, expands: bool) -> Iterator[Proof]:
    """Of more and more that is known."""
    search = Combination(context, fact, expands)
    known = list(given(context, fact))
    spoken = (part for proof in known if proof.rule == "assumption" for part in ends(proof)[:2])
    plain = [*known, *textbook(context, (fact.left, fact.right, *spoken)), *rising(context, fact)]
    steps = [known, plain]
    if not expands:
        made, simple = (list(squares(context, fact, degree)) for degree in (search.degree, 2))
        signed = list(signs(context, fact))
        equations = list(scaled(context, fact, known))
        pairs = list(products(context, known, simple))
        steps += [
            [*known, *signed, *made, *equations],
            [*known, *signed, *simple, *pairs],
            [*plain, *products(context, signed[:MOST_FACTORS], plain)],
        ]
        if search.degree > 2 and len(known) <= MOST_FACTORS:
            triples = products(context, known, list(products(context, known, [])))
            steps.append([*known, *simple, *pairs, *triples])
    for more in steps:
        if (proof := search.of(more)) is not None:
            yield proof


def _climb(context: Context, fact: Relation, side: N.Node, upwards: bool) -> Climb:
    other = fact.right if side == fact.left else fact.left
    assumed = [proof for proof in given(context, fact) if proof.rule == "assumption"]
    return Climb(context, unfolded(context, side), unfolded(context, other), assumed, upwards)


def _steps(fact: Relation, climb: Climb, most: int) -> Iterator[Proof]:
    """Larger and larger trees from the smaller side, or smaller and smaller ones from the larger, until the
    goal follows."""
    for tree, path in climb.reached(most):
        if path is not None:
            yield from _last(climb.context, fact, tree, path, climb.upwards)


def _by_parts(context: Context, fact: Relation, tree: N.Node, path: Proof, upwards: bool) -> Iterator[Proof]:
    """What is left follows by the laws of a field alone, which is seen at once."""
    small, large, _ = ends(Proof("", Holds(fact)))
    last = (tree, large) if upwards else (small, tree)
    if is_below(context, unfolded(context, last[0]), unfolded(context, last[1]), False):
        link = Proof("sign", at_most(*last))
        yield Proof("chain", Holds(fact), (path, link) if upwards else (link, path))


def _last(context: Context, fact: Relation, moved: N.Node, path: Proof, upwards: bool) -> Iterator[Proof]:
    """What a path of steps ends at is on the right side of the other side of the goal, or that in other
    words."""
    small, large, _ = ends(Proof("", Holds(fact)))
    last = (moved, large) if upwards else (small, moved)
    equal = Proof("contract", Holds(Relation("==", *last)))
    for link in (Proof("sign", at_most(*last)), Proof("weaken", at_most(*last), (equal,))):
        if all(follows(context, part) for part in link.walk()):
            yield Proof("chain", Holds(fact), (path, link) if upwards else (link, path))


def _cleared(context: Context, fact: Relation, small: N.Node, large: N.Node, strict: bool) -> Iterator[Proof]:
    """Multiplied out by denominators that are never negative."""
    for top, bottom in cleared(context, small, large):
        sign = Proof("sign", at_most(ZERO, bottom, is_positive(context, bottom)))
        goal = below(ZERO, top, strict)
        for proof in chain([Proof("sign", Holds(goal))], _polynomial(context, goal)):
            yield Proof("divide", Holds(fact), (proof, sign))


def _by_arithmetic(context: Context, fact: Relation) -> Proof | None:
    small, large, strict = ends(Proof("", Holds(fact)))
    at_first = [Proof("sign", Holds(fact))]
    candidates = chain(at_first, _polynomial(context, fact), _cleared(context, fact, small, large, strict))
    return next((proof for proof in candidates if _is_accepted(context, proof)), None)


def _polynomial(context: Context, fact: Relation) -> Iterator[Proof]:
    with suppress(Rejected):
        yield from quadratics(context, fact)
        yield from grams(context, fact)
    for expands in (False, True):
        try:
            yield from _combinations(context, fact, expands)
        except Rejected:
            continue


def _by_squares(context: Context, fact: Relation, small: N.Node, large: N.Node) -> Iterator[Proof]:
    """The squares of both sides, where the larger side is never negative."""
    sign = Proof("sign", at_most(ZERO, large))
    if isinstance(small, N.Power) or not small.shape.is_scalar or not follows(context, sign):
        return
    squared = Relation("<=", N.Power(small, TWO), N.Power(large, TWO))
    for proof in chain([Proof("sign", Holds(squared))], _polynomial(context, squared)):
        yield Proof("squares", Holds(fact), (proof, sign))
