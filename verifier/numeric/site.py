"""Both sides of a relation at one point, as intervals that narrow while draws are made."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.numeric import sources
from verifier.numeric.compile import evaluate
from verifier.numeric.estimate import level
from verifier.numeric.intervals import Box, Outer, WideError
from verifier.numeric.leaves import Leaf, leaves_of
from verifier.numeric.linear import broadcast
from verifier.numeric.sampler import Sampler
from verifier.numeric.scene import Point, Scene
from verifier.numeric.scope import Scope
from verifier.numeric.settings import Settings
from verifier.numeric.streams import Stream

ROUNDING = 1e-13
Step = tuple[int, Tensor, Tensor, Tensor]  # draws, and the left side then: middle, low, high


@dataclass(frozen=True)
class Reading:
    """Both sides at one point after so many draws."""

    left: Box
    right: Box
    likely: tuple[Box, Box]
    middle_left: Tensor
    middle_right: Tensor
    rigorous: bool
    noisy: bool
    draws: int
    path: tuple[Step, ...] = ()  # how the left side narrowed

    def against(self, op: str) -> bool:
        """The intervals contradict the relation in some entry."""
        return _apart(self.left, self.right, op)

    def suspicious(self, op: str) -> bool:
        """So would normal intervals, which prove nothing: more draws are worth their time."""
        return self.against(op) or _apart(*self.likely, op)

    def settled(self, op: str, width: float) -> bool:
        """Nothing more to learn: a bound is clear of its limit, or the sides agree closely enough."""
        if op in ("<=", "<"):
            clear = bool((self.left.high < self.right.low).all())
        elif op in (">=", ">"):
            clear = bool((self.left.low > self.right.high).all())
        else:
            clear = False
        return clear or self.relative_width <= width

    @property
    def relative_width(self) -> float:
        half = self.left.radius + self.right.radius
        size = torch.maximum(self.middle_left.abs(), self.middle_right.abs())
        return float(half.max() / size.max().clamp(min=1e-300))

    def worst_entry(self) -> int:
        gap = (self.middle_left - self.middle_right).abs()
        return int((gap / (self.left.radius + self.right.radius + 1e-300)).reshape(-1).argmax())


def _apart(left: Box, right: Box, op: str) -> bool:
    above, below = left.low > right.high, left.high < right.low
    wrong = {"==": above | below, "<=": above, "<": above, ">=": below, ">": below}[op]
    return bool(wrong.any())


@dataclass
class Site:
    """One point, one choice of laws, one draw of what stands outside E: the running estimates there."""

    claim: Claim
    relation: N.Relation
    point: Point
    scene: Scene
    stream: Stream
    settings: Settings
    memory_bytes: int

    def __post_init__(self) -> None:
        scope = self.scene.bind({})
        found = leaves_of(self.relation, self.scene.world)
        self.samplers: dict[int, Sampler] = {}
        made: dict[N.Node, Sampler] = {}
        for key, leaf in found.items():
            if leaf.node not in made:
                made[leaf.node] = self._sampler(leaf, scope)
            self.samplers[key] = made[leaf.node]
        self.distinct = list(made.values())

    def _sampler(self, leaf: Leaf, scope: Scope) -> Sampler:
        lets = {node.name: node for node in sources.nodes(leaf.node) if isinstance(node, N.Let)}
        held = {name: evaluate(lets[name], scope) for name in leaf.held}
        return Sampler(
            leaf, self.scene, self.stream, self.settings.exact_jacobian, self.memory_bytes, held=held
        )

    @property
    def probed(self) -> bool:
        """Some Jacobian norm comes from random probes, so even a constant one looks noisy."""
        return any(sampler.probed for sampler in self.distinct)

    @property
    def fewest(self) -> int:
        return max((sampler.fewest for sampler in self.distinct), default=0)

    @property
    def seconds_per_draw(self) -> float:
        return sum((sampler.cost.seconds for sampler in self.distinct), 1e-9)

    def read(self, epoch: int, draws: int, deadline: float) -> Reading | None:
        """Both sides after `draws` draws; None at the deadline, or while a divisor may still be 0."""
        alpha = level(self.settings.alpha_point / max(len(self.distinct), 1), epoch)
        if not all(sampler.advance(draws, deadline) for sampler in self.distinct):
            return None
        read = {id(sampler): sampler.read(alpha) for sampler in self.distinct}
        boxes, middles, likely = {}, {}, {}
        for key, sampler in self.samplers.items():
            shape = self.scene.world.shape(sampler.leaf.node.shape)
            estimate = read[id(sampler)]
            boxes[key] = Box(estimate.low.reshape(shape), estimate.high.reshape(shape))
            mean, reach = estimate.mean.reshape(shape), estimate.likely.reshape(shape)
            middles[key], likely[key] = Box(mean, mean), Box(mean - reach, mean + reach)
        scope = replace(self.scene, world=replace(self.scene.world, dtype=torch.float64)).bind({})
        scope = replace(scope, values={name: value.double() for name, value in scope.values.items()})
        outer, exact = Outer(boxes, ROUNDING), Outer(middles, 0.0)
        try:
            sides = [outer.value(side, scope) for side in (self.relation.left, self.relation.right)]
            centres = [exact.value(side, scope) for side in (self.relation.left, self.relation.right)]
            guide = [
                Outer(likely, ROUNDING).value(s, scope) for s in (self.relation.left, self.relation.right)
            ]
        except WideError:
            return None
        # Where the assumptions are met only nearly, so are the two sides.
        slack = self.point.margin * torch.maximum(centres[0].low.abs(), centres[1].low.abs())
        sides[1] = Box(sides[1].low - slack, sides[1].high + slack)
        low, high, right_low, right_high, left, right = broadcast(
            sides[0].low, sides[0].high, sides[1].low, sides[1].high, centres[0].low, centres[1].low
        )
        return Reading(
            Box(low, high),
            Box(right_low, right_high),
            (guide[0], guide[1]),
            left,
            right,
            rigorous=all(item.rigorous for item in read.values()),
            noisy=not all(item.constant for item in read.values()),
            draws=max((item.draws for item in read.values()), default=0),
        )
