"""What other packages may ask of the witness: a tree as a differentiable function, an estimate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import torch
from torch import Tensor

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Sample
from verifier.expr import nodes as N
from verifier.numeric.compile import evaluate
from verifier.numeric.expected import estimates
from verifier.numeric.leaves import leaves_of
from verifier.numeric.measure import measure
from verifier.numeric.points import points
from verifier.numeric.pointwise import relations
from verifier.numeric.refuse import RefusedError, UndefinedError
from verifier.numeric.rewrite import has_expectation, inward
from verifier.numeric.scene import Point, prepare
from verifier.numeric.settings import Settings
from verifier.numeric.streams import Stream
from verifier.timer import worked

__all__ = [
    "Point",
    "RefusedError",
    "UndefinedError",
    "assumption_cost",
    "compile_node",
    "cost_along",
    "estimate_expression",
    "measure",
    "points",
]

USUAL = Settings()
QUICK = Settings(first_draws=512, max_draws=512)  # for a picture, which shows two digits
Compiled = Callable[[Mapping[str, Tensor]], Tensor]


def compile_node(
    claim: Claim, node: N.Node, sizes: Mapping[str, int], draws: int = 0, seed: int = 0
) -> Compiled:
    """The node as a torch function of the fixed symbols' values, differentiable in them.

    `sizes` gives every dimension, integer and index. Substitutions and assumed values are in force.
    Expectations need `draws` > 0: they become means over that many draws, the same at every call,
    so that the function is smooth. Random symbols outside an expectation are values like others.
    """
    if has_expectation(node) and not draws:
        raise RefusedError("an expectation, which needs a number of draws")

    def function(values: Mapping[str, Tensor]) -> Tensor:
        scene = prepare(claim, Point(sizes, values, "compiled"), node)
        scope = scene.bind({})
        leaves: dict[int, Tensor] = {}
        for key, leaf in leaves_of(node, scene.world).items():
            if leaf.paired or leaf.held:
                raise RefusedError("a variance, covariance or conditional expectation as a smooth function")
            drawn = scene.draw(leaf.over, Stream(seed, "compiled"), 0, draws)
            body = leaf.bodies[0]
            each = torch.func.vmap(lambda draw, body=body: evaluate(body, scene.bind(draw)))(drawn)
            leaves[key] = each.mean(dim=0)
        return evaluate(node, replace(scope, leaves=leaves))

    return function


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
