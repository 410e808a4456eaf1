"""Both sides of a relation at one point, as intervals that narrow while draws are made."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.gradients import groups_of
from verifier.sample.compile.outer_intervals import Box, Outer, WideError
from verifier.sample.compile.structured_matrices import broadcast
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.scene import Point, Scene
from verifier.sample.draws.streams import Stream
from verifier.sample.estimate import FEWEST, Estimate, level
from verifier.sample.expectation_leaves import Leaf, large_jacobians, leaves_of
from verifier.sample.magnitude_ranges import is_order, span_of
from verifier.sample.sampler import Sampler
from verifier.sample.tuning import Settings

ROUNDING = 1e-13
VAGUE = 30.0
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
    spans: bool = False  # the right side is an order of magnitude: all of its interval is meant

    def against(self, op: str) -> bool:
        """The intervals contradict the relation in some entry; what may be 0 has no order."""
        if self.spans and bool((self.left.low <= 0).any()):
            return False
        return _apart(self.left, self.right, op)

    def inside(self, op: str) -> bool:
        """The left side has the order that is claimed, wherever in its interval it lies."""
        if not self.spans or bool((self.left.low <= 0).any()):
            return False
        below, above = self.left.high < self.right.high, self.left.low > self.right.low
        return bool({"==": below & above, "<=": below, ">=": above}[op].all())

    def suspicious(self, op: str) -> bool:
        """So would normal intervals, which prove nothing: more draws are worth their time."""
        return self.against(op) or _apart(*self.likely, op)

    def settled(self, op: str, width: float) -> bool:
        """Nothing more to learn: a bound is clear of its limit, or the sides agree closely enough."""
        if self.spans:
            clear = False
        elif op in ("<=", "<"):
            clear = bool((self.left.high < self.right.low).all())
        elif op in (">=", ">"):
            clear = bool((self.left.low > self.right.high).all())
        else:
            clear = False
        return clear or self.relative_width <= width

    def told(self, op: str) -> "Reading":
        """What is shown: the normal intervals, marked as such, where the proven ones decide nothing and are
        many times as wide; of an order of magnitude, at all wider."""
        proven, likely = (
            sum(float(box.radius.max()) for box in pair) for pair in ((self.left, self.right), self.likely)
        )
        if not self.rigorous or self.against(op) or self.inside(op):
            return self
        if not is_vague(proven, likely) and not (self.spans and proven > likely):
            return self
        return replace(self, left=self.likely[0], right=self.likely[1], rigorous=False)

    @property
    def relative_width(self) -> float:
        half = self.left.radius if self.spans else self.left.radius + self.right.radius
        size = torch.maximum(self.middle_left.abs(), self.middle_right.abs())
        return float(half.max() / size.max().clamp(min=1e-300))

    def worst_entry(self) -> int:
        gap = (self.middle_left - self.middle_right).abs()
        return int((gap / (self.left.radius + self.right.radius + 1e-300)).reshape(-1).argmax())


def is_vague(proven: float, likely: float) -> bool:
    """A proven interval so wide that a normal one, marked as such, tells more."""
    return proven > VAGUE * likely


def _apart(left: Box, right: Box, op: str) -> bool:
    above, below = left.low > right.high, left.high < right.low
    wrong = {"==": above | below, "<=": above, "<": above, ">=": below, ">": below}[op]
    return bool(wrong.any())


@dataclass(frozen=True)
class Around:
    """Expressions around the estimated expectations: their intervals, middles and likely intervals."""

    outer: Outer
    middle: Outer
    likely: Outer
    estimates: Mapping[int, Estimate]  # by the identity of the expectation


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
        self.span = span_of(self.relation.right).ends if is_order(self.relation.right) else None
        made: dict[N.Node, tuple[Sampler, int]] = {}
        for group in self._together({leaf.node: leaf for leaf in found.values()}):
            sampler = self._sampler(group, scope)
            made.update({leaf.node: (sampler, position) for position, leaf in enumerate(group)})
        self.places = {key: made[leaf.node] for key, leaf in found.items()}
        self.leaves = len(made)
        self.distinct = list({id(sampler): sampler for sampler, _ in made.values()}.values())

    def _together(self, leaves: Mapping[N.Node, Leaf]) -> list[tuple[Leaf, ...]]:
        """Gradients of one scalar belong to one backward pass, so expectations of them share their draws."""
        alone, groups = [], dict[frozenset[str], list[Leaf]]()
        for leaf in leaves.values():
            gradients = not leaf.paired and not leaf.held and groups_of(leaf.bodies, self.scene.world)
            if gradients and not self._is_probed(leaf):
                groups.setdefault(leaf.over, []).append(leaf)
            else:
                alone.append((leaf,))
        return [*alone, *(tuple(group) for group in groups.values())]

    def _is_probed(self, leaf: Leaf) -> bool:
        exact = self.settings.exact_jacobian
        return any(True for body in leaf.bodies for _ in large_jacobians(body, self.scene.world, exact))

    def _sampler(self, group: tuple[Leaf, ...], scope: Scope) -> Sampler:
        leaf, *others = group
        lets = {node.name: node for node in sources.nodes(leaf.node) if isinstance(node, N.Let)}
        held = {name: evaluate(lets[name], scope) for name in leaf.held}
        exact, memory = self.settings.exact_jacobian, self.memory_bytes
        return Sampler(leaf, self.scene, self.stream, exact, memory, held=held, others=tuple(others))

    def twin(self, stream: Stream) -> "Site":
        """The same point with draws of its own."""
        other = copy(self)
        other.stream = stream
        twins = {id(sampler): sampler.twin(stream) for sampler in self.distinct}
        other.distinct = list(twins.values())
        other.places = {key: (twins[id(sampler)], at) for key, (sampler, at) in self.places.items()}
        return other

    def join(self, twin: "Site") -> None:
        """All draws of both, in one."""
        for sampler, other in zip(self.distinct, twin.distinct, strict=True):
            sampler.join(other)

    @property
    def probed(self) -> bool:
        """Some Jacobian norm comes from random probes, so even a constant one looks noisy."""
        return any(sampler.probed for sampler in self.distinct)

    @property
    def seconds_per_draw(self) -> float:
        return sum((sampler.cost.seconds for sampler in self.distinct), 1e-9)

    def around(self, epoch: int, draws: int, deadline: float, partly: bool = False) -> Around | None:
        """What stands around the expectations, these estimated from `draws` draws; None at the deadline.

        `partly`: from what was drawn until then, if that is enough to be read.
        """
        alpha = level(self.settings.alpha_point / max(self.leaves, 1), epoch)
        done = [sampler.advance(draws, deadline) for sampler in self.distinct]
        readable = partly and all(sampler.draws >= FEWEST for sampler in self.distinct)
        if not all(done) and not readable:
            return None
        read = {
            (id(sampler), position): sampler.read(alpha, position)
            for sampler in self.distinct
            for position in range(len(sampler.leaves))
        }
        boxes, middles, likely, estimates = {}, {}, {}, {}
        for key, (sampler, position) in self.places.items():
            shape = self.scene.world.shape(sampler.leaves[position].node.shape)
            estimate = estimates[key] = read[id(sampler), position]
            boxes[key] = Box(estimate.low.reshape(shape), estimate.high.reshape(shape))
            mean, reach = estimate.mean.reshape(shape), estimate.likely.reshape(shape)
            middles[key], likely[key] = Box(mean, mean), Box(mean - reach, mean + reach)
        return Around(Outer(boxes, ROUNDING), Outer(middles, 0.0), Outer(likely, ROUNDING), estimates)

    @property
    def outside(self) -> Scope:
        """What is fixed, in double precision on the CPU, where the intervals are."""
        return self.scene.on_cpu().bind({})

    def read(self, epoch: int, draws: int, deadline: float, partly: bool = False) -> Reading | None:
        """Both sides after `draws` draws; None at the deadline, or while a divisor may still be 0."""
        around, scope = self.around(epoch, draws, deadline, partly), self.outside
        if around is None:
            return None
        try:
            sides, centres, guide = (
                self._sides(outer, scope) for outer in (around.outer, around.middle, around.likely)
            )
        except WideError:
            return None
        if self.span is not None:
            centres[1] = centres[0]
        # Where the assumptions are met only nearly, so are the two sides.
        slack = self.point.margin * torch.maximum(centres[0].low.abs(), centres[1].low.abs())
        sides[1] = Box(sides[1].low - slack, sides[1].high + slack)
        ends = [end for box in (*sides, *guide) for end in (box.low, box.high)]
        left, right, *ends = broadcast(centres[0].low, centres[1].low, *ends)
        boxes = [Box(low, high) for low, high in zip(ends[::2], ends[1::2], strict=True)]
        return Reading(
            boxes[0],
            boxes[1],
            (boxes[2], boxes[3]),
            left,
            right,
            rigorous=all(item.rigorous for item in around.estimates.values()),
            noisy=not all(item.constant for item in around.estimates.values()),
            draws=max((item.draws for item in around.estimates.values()), default=0),
            spans=self.span is not None,
        )

    def _sides(self, outer: Outer, scope: Scope) -> list[Box]:
        """Both sides; an order of magnitude is the range of all that has it."""
        left = outer.value(self.relation.left, scope)
        if self.span is None:
            return [left, outer.value(self.relation.right, scope)]
        low, high = (scope.world.number(end) for end in self.span)
        return [left, Box(low, high)]
