"""From what an engine found to a proof that the kernel accepts; where there is none, to a leaf that names who
answers for it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from verifier.claim.model import Claim, Step
from verifier.evidence import Finding
from verifier.expr.nodes import Comparison, Relation, Within
from verifier.kernel.check import TRUST, check
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.points.orders import speaks_of_orders
from verifier.kernel.proof import Proof
from verifier.kernel.rules import rules
from verifier.proofs.extremes import extremes
from verifier.proofs.families import refutations
from verifier.proofs.growth import growing, limits
from verifier.proofs.magnitudes import magnitudes
from verifier.proofs.order import both_ends, first_accepted, inequality
from verifier.proofs.points import data_of
from verifier.proofs.sites import site_of
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data


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
    known = rules().keys()
    for candidates in CANDIDATES:
        for proof in _made(candidates, question):
            if proof.rules.keys() <= known and _is_accepted(question, proof):
                return proof
    return trusted(claim, step, finding)


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


def by_contraction(question: Question) -> Iterator[Proof]:
    """Both sides of an equation have one normal form."""
    match question.goal:
        case Holds(Relation("==")):
            yield Proof("contract", question.goal)


_STRONGER: dict[str, tuple[Comparison, ...]] = {"<=": ("<", "=="), ">=": (">", "==")}


def by_weakening(question: Question) -> Iterator[Proof]:
    """A stronger relation between the same sides is assumed, or an equation of normal forms."""
    match question.goal:
        case Holds(Relation(op, left, right)) if op in _STRONGER:
            for stronger in _STRONGER[op]:
                premise = Holds(Relation(stronger, left, right))
                yield Proof("weaken", question.goal, (Proof("assumption", premise),))
            yield Proof("weaken", question.goal, (Proof("contract", premise),))


def by_point(question: Question) -> Iterator[Proof]:
    """An exact counterexample breaks it."""
    found = question.finding.counterexample
    if question.finding.truth != "false" or found is None:
        return
    for data in data_of(question.claim, found.values):
        yield Proof("point", question.goal, (), data)


def by_order(question: Question) -> Iterator[Proof]:
    """An inequality, or both ends of a range, from signs and known inequalities."""
    match question.goal:
        case Holds(Relation(op) as fact) if op in ("<=", "<", ">=", ">"):
            yield from inequality(question.context, fact)
        case Holds(Within() as fact):
            yield from both_ends(question.context, fact)


def by_magnitude(question: Question) -> Iterator[Proof]:
    """An order of magnitude, from bounds by numbers."""
    match question.goal:
        case Holds(Relation() as fact) if speaks_of_orders(fact.right):
            yield from magnitudes(fact, partial(first_accepted, question.context))


def by_extremes(question: Question) -> Iterator[Proof]:
    """What the largest or the smallest value is: a bound, and where it is reached."""
    match question.goal:
        case Holds(Relation("==") as fact):
            yield from extremes(question.context, fact, partial(first_accepted, question.context))


def by_growth(question: Question) -> Iterator[Proof]:
    """O, Omega or Theta, by terms and by bounds; a limit, by leading terms."""
    match question.goal:
        case Holds(Relation() as fact):
            yield from growing(question.context, fact)
            yield from limits(question.context, fact)


def by_family(question: Question) -> Iterator[Proof]:
    """A growth or a limit breaks along a family of points."""
    match question.goal:
        case Fails(Relation() as fact):
            found = question.finding.counterexample
            yield from refutations(question.context, fact, {} if found is None else found.values)


CANDIDATES: tuple[Candidates, ...] = (
    by_assumption,
    by_point,
    by_weakening,
    by_contraction,
    by_magnitude,
    by_extremes,
    by_growth,
    by_family,
    by_order,
)
