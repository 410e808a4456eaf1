"""What other packages may ask of the witness: a tree as a differentiable function, an estimate."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import torch
from torch import Tensor

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Sample
from verifier.expr import nodes as N
from verifier.numeric.compile import evaluate
from verifier.numeric.expected import estimates
from verifier.numeric.leaves import leaves_of
from verifier.numeric.points import points
from verifier.numeric.pointwise import relations
from verifier.numeric.refuse import RefusedError, UndefinedError
from verifier.numeric.rewrite import has_expectation, inward
from verifier.numeric.scene import Point, prepare
from verifier.numeric.settings import Settings
from verifier.numeric.streams import Stream

__all__ = [
    "Point",
    "RefusedError",
    "UndefinedError",
    "assumption_cost",
    "compile_node",
    "estimate_expression",
    "points",
]

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
            drawn = scene.draw(leaf.over, Stream(seed, claim.id, "compiled"), 0, draws)
            body = leaf.bodies[0]
            each = torch.func.vmap(lambda draw, body=body: evaluate(body, scene.bind(draw)))(drawn)
            leaves[key] = each.mean(dim=0)
        return evaluate(node, replace(scope, leaves=leaves))

    return function


def estimate_expression(claim: Claim, node: N.Node, point: Point, budget: Budget) -> Sample | None:
    """The node at one point with its interval, for checking a closed form against its definition.

    None where the node cannot be sampled there.
    """
    zero = N.Zeros(node.shape)
    try:
        found = estimates(claim, N.Relation("==", node, zero), point, budget, Settings())
    except (RefusedError, UndefinedError):
        return None
    return replace(found[0], claimed=None, rhs_low=None, rhs_high=None) if found else None


def assumption_cost(claim: Claim, step: Step, name: str, budget: Budget) -> tuple[Sample, Sample] | None:
    """The left side with the assumption `name` imposed, and with it released, at one point.

    For assumed values such as uniform attention this shows what the assumption costs.
    """
    kept = tuple(item for item in claim.assumptions if item.name != name)
    relation = relations(inward(step.fact, claim))[0]
    half = replace(budget, seconds=budget.seconds / 2)
    for point in points(claim, relation, 1, budget.seed):
        pair = [
            estimate_expression(version, relation.left, point, half)
            for version in (claim, replace(claim, assumptions=kept))
        ]
        if pair[0] is not None and pair[1] is not None:
            return pair[0], pair[1]
    return None
