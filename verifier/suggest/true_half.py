"""What of a false statement is true all the same: one half of it, as a relation in the language.

Of f == Theta(g) perhaps f <= O(g) or f >= Omega(g), of f < g perhaps f <= g, of f == g perhaps f <= g; of
E(norm(X)) == g perhaps E(norm(X)**2) == g; of a bound f <= g or an order what inequalities between norms give
in its place.
"""

from collections.abc import Iterator
from dataclasses import replace

from verifier.claim.model import Claim
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Growth, Infinity, Norm, Number, Order, Power, Relation
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.second_moments import squared
from verifier.suggest.bound_factors import first_answer
from verifier.timer import Overran, at_most, worked

LEAST_SECONDS = 0.02
STRICT = 3  # times as long for f <= g, the one thing that is left of f < g
GENEROUS = 3.0  # engines share out what they are given among several ways, and the first is often the one


def restate(case: Case, seconds: float) -> None:
    """Tell a weaker relation that is proved, of a refuted one that nobody could correct."""
    verdict = case.verdict
    fact = case.step.fact
    if verdict.verdict != "fails" or verdict.instead or not isinstance(fact, Relation):
        return
    if isinstance(fact.right, Infinity):
        return  # everything is at most that
    if verdict.corrected and (fact.op == "==" or verdict.corrected != verdict.lhs):
        return  # of a bound, that the left side is at most its own closed form says little
    deadline = worked() + (STRICT if fact.op in ("<", ">") else 1) * seconds
    halves = (half for half in (*meant(fact), *weaker(fact)) if _is_proved(case, half, deadline))
    found = next(halves, None)
    if found is None and not _is_multiple(case.claim, fact, verdict.corrected):
        found = _ceiling(case.claim, fact, seconds)
    if found is not None:
        refuting = case.refutation
        case.hear(replace(refuting, instead=to_text(found)))


def _is_multiple(claim: Claim, fact: Relation, corrected: str | None) -> bool:
    """Whether the correction is made of the same norms as the right side: norm(X)**2 for norm(X)**2/2."""
    if corrected is None:
        return False
    try:
        tree = elaborate(parse(corrected), claim.scope)
    except (ExprError, ShapeError):
        return False
    made = [{part for part in walk(side) if isinstance(part, Norm)} for side in (tree, fact.right)]
    return bool(made[0]) and made[0] <= made[1]


def meant(fact: Relation) -> Iterator[Relation]:
    """The mean of the square, where a mean is equated with what only a square can be."""
    match fact:
        case Relation("==", left, right) if not isinstance(right, Growth | Order | Number):
            square = squared(left)
            if square is not None:
                yield Relation("==", square, right)


def weaker(fact: Relation) -> Iterator[Relation]:
    """Relations that the fact implies, but not that a norm or a square is not negative."""
    match fact:
        case Relation("==", left, Growth("Theta", body)):
            yield Relation("<=", left, Growth("O", body))
            yield Relation(">=", left, Growth("Omega", body))
        case (
            Relation(_, _, Growth()) | Relation(_, Norm() | Power(), Number(0)) | Relation("==", _, Number(0))
        ):
            return
        case Relation("<", left, right):
            yield Relation("<=", left, right)
        case Relation(">", left, right):
            yield Relation(">=", left, right)
        case Relation("==", left, right) if left.shape.is_scalar:
            yield Relation("<=", left, right)
            yield Relation(">=", left, right)


def _is_proved(case: Case, half: Relation, deadline: float) -> bool:
    left = deadline - worked()
    if left < LEAST_SECONDS:
        return False
    try:
        with at_most(left):
            return first_answer(case, half, deadline, GENEROUS).proves
    except Overran:
        return False


def _ceiling(claim: Claim, fact: Relation, seconds: float) -> Relation | None:
    """A bound of the left side by inequalities between norms, in sizes and norms of fixed matrices; for an
    order, what it is of."""
    is_order = isinstance(fact.right, Growth) and fact.right.kind != "Omega"
    if not is_order and (fact.op not in ("<=", "<") or isinstance(fact.right, Growth | Order)):
        return None
    if not fact.left.shape.is_scalar:
        return None
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.prove.bounds.norm_inequalities import Ceilings
    from verifier.prove.forms.refusal import Refusal

    try:
        with at_most(seconds):
            found = Ceilings(claim).scalar(fact.left)
            if is_order:
                # Constants are no part of an order.
                found = found.as_independent(*found.free_symbols, as_Add=False)[1]
            bound = elaborate(parse(str(found)), claim.scope)
    except (Overran, Refusal, ExprError, ShapeError):
        return None
    if bound == fact.left or not bound.shape.is_scalar:
        return None
    return Relation("<=", fact.left, Growth("O", bound) if is_order else bound)
