"""From a tree to larger and larger ones, or to smaller and smaller: the most promising first, each from the
one before by an inequality under increasing functions."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from verifier.expr import nodes as N
from verifier.expr.walk import distinct
from verifier.kernel.context import Context
from verifier.kernel.proof import Proof
from verifier.proofs.linear import at_most, follows
from verifier.proofs.steps import Moves
from verifier.proofs.surface import parts

DEEPEST, MOST_STEPS = 7, 1500
STRANGE, LATE = 2, 6  # in steps: a part that the other side has not; a step of which there are many
LOOKED_AT = (N.Norm, N.Derivative, N.Apply, N.Expectation, N.Extreme, N.Indicator, N.Inner, N.Trace)
Reached = tuple[N.Node, Proof | None]
Item = tuple[int, int, int, N.Node, Proof | None, Proof | None]


@dataclass
class Climb:
    """Trees in the order in which they are reached; it can be gone on with. A step is checked when its turn
    comes."""

    context: Context
    start: N.Node
    wanted: N.Node  # the other side
    known: list[Proof]
    upwards: bool
    heap: list[Item] = field(default_factory=list)
    seen: set[N.Node] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.moves = Moves(self.context, self.known, self.wanted, self.upwards)
        self.order = count()
        self.parts = _parts(self.wanted)
        self.heap.append((0, 0, 0, self.start, None, None))

    def reached(self, most: int) -> Iterator[Reached]:
        while self.heap and most > 0:
            _, _, depth, tree, before, step = heappop(self.heap)
            path = self._path(tree, before, step) if step is not None and tree not in self.seen else None
            if step is not None and path is None:
                continue
            most -= 1
            self.seen.add(tree)
            yield tree, path
            self._go_on(tree, path, depth)

    def _go_on(self, tree: N.Node, path: Proof | None, depth: int) -> None:
        if depth == DEEPEST:
            return
        for moved, step in self.moves.of(tree, depth == 0):
            number = next(self.order)
            if number > MOST_STEPS:
                return
            if moved not in self.seen:
                strange = sum(map(_weight, _parts(moved) - self.parts))
                cost = depth + 1 + STRANGE * strange + LATE * _is_late(step)
                heappush(self.heap, (cost, number, depth + 1, moved, path, step))

    def _path(self, tree: N.Node, before: Proof | None, step: Proof) -> Proof | None:
        if not all(follows(self.context, part) for part in step.walk()):
            return None
        if before is None:
            return step
        ends = (self.start, tree) if self.upwards else (tree, self.start)
        steps = (before, step) if self.upwards else (step, before)
        return Proof("chain", at_most(*ends), steps)


def _weight(part: N.Node) -> int:
    """What has more in it is further away: products, functions and slopes under a norm count."""
    inside = distinct(part) if isinstance(part, N.Norm) else ()
    return 1 + sum(isinstance(node, N.MatMul | N.Derivative | N.Apply) for node in inside)


def _is_late(step: Proof) -> bool:
    """Of tangents there are many, and products are more than the means of their factors."""
    return any(part.rule in ("tangent", "means") for part in step.premises)


def _parts(tree: N.Node) -> frozenset[N.Node]:
    return frozenset(part for part in parts(tree) if isinstance(part, LOOKED_AT))
