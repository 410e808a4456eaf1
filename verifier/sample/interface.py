"""What other packages may ask of the witness: an estimate, and what an assumed value costs."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Sample
from verifier.expr import nodes as N
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Point
from verifier.sample.expected import estimates
from verifier.sample.measure import measure
from verifier.sample.pointwise import relations
from verifier.sample.rewrite import inward
from verifier.sample.tuning import Settings
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import worked

__all__ = [
    "Point",
    "RefusedError",
    "UndefinedError",
    "assumption_cost",
    "cost_along",
    "estimate_expression",
    "measure",
    "points",
]

USUAL = Settings()
QUICK = Settings(first_draws=512, max_draws=512)  # for a picture, which shows two digits


def estimate_expression(
    claim: Claim, node: N.Node, point: Point, budget: Budget, settings: Settings = USUAL
) -> Sample | None:
    """The node at one point with its interval, for checking a closed form against its definition.

    None where the node cannot be sampled there.
    """
    zero = N.Zeros(node.shape)
    try:
        found = estimates(claim, N.Relation("==", node, zero), point, budget, settings)
    except (RefusedError, UndefinedError):
        return None
    return replace(found[0], claimed=None, rhs_low=None, rhs_high=None) if found else None


def assumption_cost(
    claim: Claim, step: Step, name: str, budget: Budget, settings: Settings = USUAL
) -> tuple[Sample, Sample] | None:
    """The left side with the assumption `name` imposed, and with it released, at one point.

    For assumed values such as uniform attention this shows what the assumption costs.
    """
    kept = tuple(item for item in claim.assumptions if item.name != name)
    relation = relations(inward(step.fact, claim))[0]
    half = replace(budget, seconds=budget.seconds / 2)
    for point in points(claim, relation, 1):
        pair = [
            estimate_expression(version, relation.left, point, half, settings)
            for version in (claim, replace(claim, assumptions=kept))
        ]
        if pair[0] is not None and pair[1] is not None:
            return pair[0], pair[1]
    return None


def cost_along(
    claim: Claim, step: Step, name: str, dimension: str, sizes: Sequence[int], budget: Budget
) -> dict[int, tuple[Sample, Sample]]:
    """`assumption_cost` as one dimension grows, the others held: by size, as far as the budget goes."""
    deadline = worked() + budget.seconds
    found: dict[int, tuple[Sample, Sample]] = {}
    for size in sizes:
        share = replace(budget, seconds=deadline - worked())
        if share.seconds <= 0:
            break
        there = replace(claim, sweep={dimension: (Fraction(size),)})
        pair = assumption_cost(there, step, name, share, QUICK)
        if pair is not None:
            found[size] = pair
    return found
