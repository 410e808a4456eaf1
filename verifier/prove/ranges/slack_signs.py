"""What a relation leaves between its sides, and proofs that it is not negative."""

from collections.abc import Mapping
from typing import Any

from flint import ctx

from verifier.claim.model import Claim
from verifier.exact.enclosures.branch_and_bound import prove_on_boxes
from verifier.exact.enclosures.sign_on_domain import Sign
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.enclosures.term_signs import decide_sign
from verifier.exact.numbers.constants import is_zero, sign
from verifier.exact.numbers.refusals import Imprecise, Refusal
from verifier.expr import nodes as n
from verifier.prove.ranges.entrywise import problems
from verifier.prove.ranges.problem import Entry, Problem, state
from verifier.prove.ranges.quadratic import nowhere_negative
from verifier.prove.ranges.simplices import without_softmax
from verifier.prove.ranges.sos.over_domains import by_squares, words
from verifier.timer import Overran, at_most, past, worked

BITS = 96
LEAST = 0.01  # seconds
MAX_BOX_VARIABLES = 4
SQUARES = 0.8  # of the time that is left: what they do not show may be left to boxes


def room(entry: Entry) -> Any:
    """What must be >= 0 (or > 0, or == 0)."""
    return entry.right - entry.left if entry.op in ("<=", "<") else entry.left - entry.right


def entry_sign(entry: Entry, problem: Problem, deadline: float) -> Sign:
    """Whether the room is not negative (or positive, or 0), by the cheapest proof that there is."""
    left_over = room(entry)
    strict = entry.op in ("<", ">")
    names = problem.names(left_over)
    if entry.op == "==":
        return _equality(left_over, names, problem, deadline)
    if not names:
        return _constant_sign(left_over, strict)
    if not strict and any(left_over == constraint for constraint in problem.constraints):
        return Sign("proved")
    if len(names) == 1:
        name = names[0]
        found = decide_sign(left_over, name, problem.domains[name], strict, deadline)
        if found.outcome != "unknown" and not (found.outcome == "refuted" and problem.constraints):
            return found
    algebra = None if strict else _by_algebra(entry, problem, deadline)
    if algebra is not None:
        return Sign("proved", algebra=algebra)
    if len(names) > MAX_BOX_VARIABLES:
        return Sign("unknown", reason=f"{len(names)} variables are too many for boxes")
    tied = problem.names(left_over, *problem.constraints)
    domains = {name: problem.domains[name] for name in tied}
    reason = prove_on_boxes(left_over, domains, problem.constraints, strict, deadline)
    return Sign("proved") if reason is None else Sign("unknown", reason=reason)


def _by_algebra(entry: Entry, problem: Problem, deadline: float) -> str | None:
    """In words, how the room is seen to be nowhere negative without enclosing it."""
    small, large = (entry.left, entry.right) if entry.op == "<=" else (entry.right, entry.left)
    if nowhere_negative(small, large):
        return "the difference is a sum of squares"
    now = worked()
    shown = by_squares(room(entry), problem.domains, problem.constraints, now + SQUARES * (deadline - now))
    return None if shown is None else words(shown)


def _equality(room: Any, names: tuple[str, ...], problem: Problem, deadline: float) -> Sign:
    """Equal in form; or the derivative of the difference is zero in form, and so is the difference."""
    if is_zero(room):
        return Sign("proved")
    if len(names) == 1 and is_zero(differentiate(room, names[0])):
        both = [decide_sign(r, names[0], problem.domains[names[0]], False, deadline) for r in (room, -room)]
        if all(found.outcome == "proved" for found in both):
            return both[0]
    return Sign("unknown", reason="the two sides differ in form")


def _constant_sign(room: Any, strict: bool) -> Sign:
    try:
        side = sign(room)
    except Imprecise as refusal:
        return Sign("unknown", reason=refusal.reason)
    broken = side < 0 or (side == 0 and strict)
    return Sign("unknown" if broken else "proved", zeros=("every point",) if side == 0 else ())


def proves(claim: Claim, fact: n.Relation, deadline: float) -> bool:
    """Whether a relation between scalars is true over all values that the claim allows; no more is asked."""
    before = ctx.prec
    ctx.prec = BITS
    try:
        problem = state(claim, fact)
        return not problem.vacuous and all(
            found.outcome == "proved" and not found.holes
            for found in (entry_sign(entry, problem, deadline) for entry in problem.entries)
        )
    except (Refusal, RecursionError, OverflowError, MemoryError):
        return False
    finally:
        ctx.prec = before


def certify(
    claim: Claim, fact: n.Relation | n.Within, sizes: Mapping[str, int], deadline: float
) -> str | None:
    """Show the relation for all matrices of these sizes, by algebra or by boxes over their entries.

    None when it is shown, else why not."""
    before = ctx.prec
    ctx.prec = BITS
    try:
        with at_most(max(deadline - worked(), LEAST)) as expired:
            return _uncertified(claim, fact, sizes, deadline)
    except Overran as limit:
        if limit is not expired:
            raise
        return "the budget ended"
    except Refusal as refusal:
        return refusal.reason
    except (RecursionError, OverflowError, MemoryError) as failure:
        return f"too large: {type(failure).__name__}"
    finally:
        ctx.prec = before


def _uncertified(
    claim: Claim, fact: n.Relation | n.Within, sizes: Mapping[str, int], deadline: float
) -> str | None:
    for problem in problems(*without_softmax(claim, fact), sizes):
        if problem.vacuous or any(domain.is_empty for domain in problem.domains.values()):
            continue
        for entry in problem.entries:
            found = entry_sign(entry, problem, deadline)
            if found.outcome != "proved":
                return found.reason or "not shown"
            if past(deadline):
                return "the budget ended"
    return None
