"""From what an engine found to a proof that the kernel accepts; where there is none, to a leaf that names who
answers for it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import inf as oo

from verifier.claim.model import Claim, Step
from verifier.evidence import Finding
from verifier.expr.nodes import (
    Comparison,
    Covariance,
    Derivative,
    Expectation,
    Growth,
    Infinity,
    Inner,
    Node,
    Norm,
    Number,
    Power,
    Relation,
    Variance,
    Within,
)
from verifier.expr.symbols import Sequence
from verifier.expr.walk import walk
from verifier.kernel.check import TRUST, check
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.points.orders import speaks_of_orders
from verifier.kernel.proof import Proof
from verifier.kernel.rules import rules
from verifier.kernel.rules.alignment import average, correlation
from verifier.proofs.extremes import extremes, not_reached
from verifier.proofs.families import by_comparison, refutations
from verifier.proofs.growth import growing, limits, squeezes
from verifier.proofs.linear import ends
from verifier.proofs.magnitudes import magnitudes
from verifier.proofs.order import FEW, at_once, both_ends, first_accepted, first_at_once, inequality
from verifier.proofs.points import data_of
from verifier.proofs.sequences import almost_surely, breaks, follows
from verifier.proofs.sites import site_of
from verifier.proofs.size_by_size import inductions
from verifier.proofs.statement import context_of, goal
from verifier.proofs.steps import written_out
from verifier.proofs.text import from_data, to_data
from verifier.timer import Overran, at_most

SLICE, SECOND_LOOK = 0.3, 2.0  # seconds for looks at each way of refuting, at the first of each kind then


@dataclass(frozen=True)
class Question:
    """A relation of a claim, and what was found out about it."""

    claim: Claim
    step: Step
    finding: Finding

    @property
    def goal(self) -> Judgement:
        return goal(self.step, self.finding.truth == "true")

    @cached_property
    def context(self) -> Context:
        return context_of(self.claim)


Candidates = Callable[[Question], Iterator[Proof]]


def propose(claim: Claim, step: Step, finding: Finding) -> Proof:
    """The first candidate that the kernel accepts, the cheapest tried first, or a trusted leaf."""
    question = Question(claim, step, finding)
    known, slow = rules().keys(), list[Proof]()
    slice_of_time = SLICE if finding.truth == "false" else oo
    for candidates in CANDIDATES:
        for proof in _made(candidates, question):
            if not proof.rules.keys() <= known:
                continue
            accepted = _within(slice_of_time, question, proof)
            if accepted:
                return _exactly(question, proof)
            slow += [proof] if accepted is None else []
    firsts = {proof.rule: proof for proof in reversed(slow)}.values()
    rounds = [(proof, SECOND_LOOK) for proof in firsts] + [(proof, oo) for proof in slow]
    found = (proof for proof, seconds in rounds if _within(seconds, question, proof))
    return next(found, None) or trusted(claim, step, finding)


def _within(seconds: float, question: Question, proof: Proof) -> bool | None:
    """Whether the kernel accepts it in that time; None if that was not enough: another way to refute may be
    quick where this one is slow."""
    if seconds == oo:
        return _is_accepted(question, proof)
    try:
        with at_most(seconds) as expired:
            return _is_accepted(question, proof)
    except Overran as overran:
        if overran is not expired:
            raise
        return None


def _exactly(question: Question, proof: Proof) -> Proof:
    """The same points without enclosures, if none is needed."""
    exact = _claimed_exact(proof)
    return exact if exact != proof and _is_accepted(question, exact) else proof


def _claimed_exact(proof: Proof) -> Proof:
    premises = tuple(map(_claimed_exact, proof.premises))
    data = {**proof.data, "exact": True} if proof.rule == "point" else proof.data
    return replace(proof, premises=premises, data=data)


def _made(candidates: Candidates, question: Question) -> Iterator[Proof]:
    """What is made before something goes wrong; a proof that cannot be made is none."""
    try:
        yield from candidates(question)
    except Exception:
        return


def trusted(claim: Claim, step: Step, finding: Finding) -> Proof:
    """A leaf that only its engine answers for."""
    return Proof(TRUST, goal(step, finding.truth == "true"), (), {"site": site_of(claim, finding)})


def _is_accepted(question: Question, proof: Proof) -> bool:
    """What the kernel does not accept, for whatever reason, is no proof. It is asked about what others will
    read: a proof that comes back from its file as another one, however little, is none."""
    try:
        known = proof if not proof.premises else from_data(to_data(proof), question.claim)
        return check(question.context, known, question.goal).is_proof
    except Exception:
        return False


# --- candidates -------------------------------------------------------------------------------------


def by_assumption(question: Question) -> Iterator[Proof]:
    """It is assumed."""
    if isinstance(question.goal, Holds):
        yield Proof("assumption", question.goal)


_STRONGER: dict[str, tuple[Comparison, ...]] = {"<=": ("<", "=="), ">=": (">", "==")}


def by_weakening(question: Question) -> Iterator[Proof]:
    """A stronger relation between the same sides is assumed."""
    match question.goal:
        case Holds(Relation(op, left, right)) if op in _STRONGER:
            for stronger in _STRONGER[op]:
                premise = Proof("assumption", Holds(Relation(stronger, left, right)))
                yield Proof("weaken", question.goal, (premise,))


def by_contraction(question: Question) -> Iterator[Proof]:
    """Both sides have one normal form."""
    match question.goal:
        case Holds(Relation("==")):
            yield Proof("contract", question.goal)
        case Holds(Relation(op, left, right)) if op in _STRONGER:
            premise = Proof("contract", Holds(Relation("==", left, right)))
            yield Proof("weaken", question.goal, (premise,))


def by_point(question: Question) -> Iterator[Proof]:
    """An exact counterexample breaks it."""
    found = question.finding.counterexample
    if question.finding.truth != "false" or found is None:
        return
    for data in data_of(question.claim, found.values):
        yield Proof("point", question.goal, (), data)
    match question.goal:
        case Fails(Relation("==", Expectation(body, ()), Number() as zero)):
            square = Relation("==", Expectation(Power(body, Number(Fraction(2))), ()), zero)
            for data in data_of(question.claim, found.values):
                yield Proof("mean_square", question.goal, (Proof("point", Fails(square), (), data),))


def by_closed_form(question: Question) -> Iterator[Proof]:
    """An exact counterexample breaks it once a side is written as its normal form."""
    found = question.finding.counterexample
    match question.goal:
        case Fails(Relation(op, left, right)) if found is not None and _is_number(right):
            points = list(data_of(question.claim, found.values))
            for side in (left, right):
                for known in written_out(question.context, side) if has_mean(side) else ():
                    _, plain, _ = ends(known)
                    fact = Relation(op, plain, right) if side == left else Relation(op, left, plain)
                    for data in points:
                        fails = Proof("point", Fails(fact), (), data)
                        yield Proof("other_side", question.goal, (known, fails))


def has_mean(side: Node) -> bool:
    return any(isinstance(part, Expectation | Variance | Covariance | Derivative) for part in walk(side))


def by_parts(question: Question) -> Iterator[Proof]:
    """An inequality by the laws of a field and known inequalities, without normal forms."""
    match question.goal:
        case Holds(Relation("<", _, Infinity()) | Relation(">", Infinity())):
            yield Proof("finite", question.goal)
        case Holds(Relation("<=" | "<" | ">=" | ">", _, right) as fact) if _is_number(right):
            yield from at_once(question.context, fact, FEW)


def _is_number(side: Node) -> bool:
    return not isinstance(side, Growth) and not speaks_of_orders(side)


def by_order(question: Question) -> Iterator[Proof]:
    """An inequality, or both ends of a range, from signs and known inequalities."""
    match question.goal:
        case Holds(Relation("<=" | "<" | ">=" | ">", _, right) as fact) if _is_number(right):
            yield from inequality(question.context, fact)
        case Holds(Within() as fact):
            yield from both_ends(question.context, fact)


def by_induction(question: Question) -> Iterator[Proof]:
    """An equation, over a size to which something is counted."""
    match question.goal:
        case Holds(Relation("==", _, right) as fact) if _is_number(right):
            yield from inductions(question.context, fact, first_accepted)


def by_magnitude(question: Question) -> Iterator[Proof]:
    """An order of magnitude, from bounds by numbers."""
    match question.goal:
        case Holds(Relation() as fact) if speaks_of_orders(fact.right):
            yield from magnitudes(fact, partial(first_accepted, question.context))


def by_alignment(question: Question) -> Iterator[Proof]:
    """Two vectors are aligned, as their correlation is 1."""
    match question.goal:
        case Holds(Relation("==", Inner(x, y))):
            for premise in (correlation(question.context, x, y), average(question.context, x, y)):
                if premise is not None:
                    known = Proof("contract", Holds(Relation("==", premise, Number(Fraction(1)))))
                    yield Proof("aligned", question.goal, (known,))


def by_both_sides(question: Question) -> Iterator[Proof]:
    """A norm of a multiple of an isometry; an equation, from the inequalities between its sides."""
    match question.goal:
        case Holds(Relation("==", Norm(_, "2"))):
            yield Proof("isometry", question.goal)
    match question.goal:
        case Holds(Relation("==", left, right)) if _is_number(right) and left.shape.is_scalar:
            sides = ((left, right), (right, left))
            facts = (Relation("<=", small, large) for small, large in sides)
            halves = [half for fact in facts if (half := first_at_once(question.context, fact)) is not None]
            if len(halves) == len(sides):
                yield Proof("antisymmetric", question.goal, tuple(halves))


def by_extremes(question: Question) -> Iterator[Proof]:
    """What the largest or the smallest value is: a bound, and where it is reached."""
    match question.goal:
        case Holds(Relation("==") as fact):
            yield from extremes(question.context, fact, partial(first_accepted, question.context))


def by_bound(question: Question) -> Iterator[Proof]:
    """An extreme does not reach what is said of it."""
    found = question.finding.counterexample
    match question.goal:
        case Fails(Relation() as fact) if found is not None:
            points = list(data_of(question.claim, found.values))
            prove = partial(first_accepted, question.context)
            yield from not_reached(question.context, fact, points, found.lhs_exact, prove)


def by_growth(question: Question) -> Iterator[Proof]:
    """O, Omega or Theta, by terms and by bounds; a limit, by leading terms."""
    match question.goal:
        case Holds(Relation() as fact):
            yield from growing(question.context, fact)
            yield from limits(question.context, fact)
            yield from squeezes(question.context, fact)


def by_family(question: Question) -> Iterator[Proof]:
    """A growth or a limit breaks along a family of points."""
    match question.goal:
        case Fails(Relation() as fact):
            found = question.finding.counterexample
            shown = {} if found is None else found.values
            yield from refutations(question.context, fact, shown)
            yield from by_comparison(question.context, fact, shown)


def by_sequence(question: Question) -> Iterator[Proof]:
    """How a sequence of any law converges, and one that does not."""
    found = question.finding.counterexample
    match question.goal:
        case Holds(Relation() as fact) if _has_sequences(question.context):
            yield from follows(fact)
        case Holds(Relation() as fact):
            yield from almost_surely(fact)
        case Fails(Relation() as fact) if found is not None:
            yield from breaks(fact, found.values)


def _has_sequences(context: Context) -> bool:
    return any(isinstance(item.kind, Sequence) for item in context.symbols.values())


CANDIDATES: tuple[Candidates, ...] = (
    by_assumption,
    by_sequence,
    by_weakening,
    by_point,
    by_closed_form,
    by_parts,
    by_contraction,
    by_alignment,
    by_both_sides,
    by_induction,
    by_magnitude,
    by_extremes,
    by_growth,
    by_family,
    by_bound,
    by_order,
)
