"""An extreme that no rational point reaches, met along a ray: all scalars a fixed multiple of one t > 0.

Along a ray the question is one about a function of t, and that has an exact answer: its extreme may lie at an
irrational t, or be approached as t goes to 0 or to infinity."""

from typing import Any

from flint import ctx, fmpq

from verifier.claim.model import Claim
from verifier.exact.enclosures.closed_extremes import closed_end
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.range_enclosures import supremum_of
from verifier.exact.numbers.constants import ZERO, sign
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.numbers.scalar_terms import Term, Variable
from verifier.expr import nodes as N
from verifier.prove.ranges.problem import state
from verifier.prove.ranges.slack_signs import BITS
from verifier.refute.domain.domain_at_sizes import Design
from verifier.refute.existence.pattern_witnesses import Witness

PLACE = "t along a ray"


def on_the_ray(claim: Claim, fact: N.Relation, design: Design, deadline: float) -> Witness | None:
    """Values on the ray through the design that satisfy the relation, or approach it."""
    direction = {name: rows[0][0] for name, rows in design.parts.items() if len(rows) == len(rows[0]) == 1}
    if len(direction) != len(design.parts) or not any(direction.values()):
        return None
    t = Variable(PLACE, True)
    values = {name: t * fmpq(x.numerator, x.denominator) for name, x in direction.items()}
    before = ctx.prec
    ctx.prec = BITS
    try:
        problem = state(claim, fact, {**design.sizes, **values}, {PLACE: Domain(ZERO, low_open=True)})
        (entry,) = problem.entries
        room = entry.left - entry.right if entry.op in (">=", ">") else entry.right - entry.left
        bounded = any(PLACE in problem.names(constraint) for constraint in problem.constraints)
        if problem.vacuous or bounded or not problem.complete or not isinstance(room, Term):
            return None
        shown = _reaches_zero(room, problem.domains[PLACE], deadline)
    except (Refusal, ValueError, OverflowError, RecursionError):
        return None
    finally:
        ctx.prec = before
    if shown is None:
        return None
    names = ", ".join(f"{name} = {x}*t" for name, x in direction.items())
    return Witness(f"{names} with t {shown}")


def _reaches_zero(room: Any, domain: Domain, deadline: float) -> str | None:
    """Where the sup of the room over the ray is at least 0, in words."""
    found = supremum_of(room, PLACE, domain, deadline)
    if found is None:
        return None
    if found.low > 0:
        return f"near {found.place}"
    end = closed_end(room, PLACE, domain, found, True, deadline)
    if end is None or sign(end) < 0:
        return None
    return f"towards {found.place}" if found.approached else f"near {found.place}"
