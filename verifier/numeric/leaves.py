"""One expectation, variance or covariance: sampled in chunks, read as an interval."""

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.numeric import estimate, sources
from verifier.numeric.compile import evaluate
from verifier.numeric.cost import Cost, cost_of
from verifier.numeric.degree import Reader
from verifier.numeric.jacobian import squared_jacobian
from verifier.numeric.refuse import RefusedError
from verifier.numeric.scene import Scene
from verifier.numeric.scope import World
from verifier.numeric.streams import Stream, unit_length
from verifier.numeric.tails import Tails, covariance_tails, expectation_tails

Expected = N.Expectation | N.Variance | N.Covariance


@dataclass(frozen=True)
class Leaf:
    """E, Var or Cov of `bodies` over the random symbols `over`, given the `let` names `held`."""

    node: Expected
    bodies: tuple[N.Node, ...]
    over: frozenset[str]
    held: frozenset[str] = frozenset()

    @property
    def paired(self) -> bool:
        """Var and Cov come from pairs of independent draws: E (f - f')(g - g')/2."""
        return not isinstance(self.node, N.Expectation)


def leaf_of(node: Expected, world: World) -> Leaf:
    match node:
        case N.Expectation(body, given):
            fixed, held = _given(given)
            reached = sources.random_names(body, world, held)
            for let in (item for item in given if isinstance(item, N.Let)):
                if sources.random_names(let, world) & reached:
                    raise RefusedError(f"an expectation given {let.name}, which does not determine the rest")
            return Leaf(node, (body,), reached - fixed, held)
        case N.Variance(body):
            return Leaf(node, (body,), sources.random_names(body, world))
        case N.Covariance(left, right):
            both = sources.random_names(left, world) | sources.random_names(right, world)
            return Leaf(node, (left, right), both)


def _given(given: tuple[N.Node, ...]) -> tuple[frozenset[str], frozenset[str]]:
    fixed, held = set(), set()
    for item in given:
        match item:
            case N.Symbol(name):
                fixed.add(name)
            case N.Let(name):
                held.add(name)
            case _:
                raise RefusedError("an expectation given what is neither a symbol nor a let name")
    return frozenset(fixed), frozenset(held)


def leaves_of(part: N.Node | N.Fact, world: World) -> dict[int, Leaf]:
    """The outermost expectations, by the node's identity."""
    found: dict[int, Leaf] = {}

    def visit(node: N.Node | N.Fact) -> None:
        if isinstance(node, Expected):
            found[id(node)] = leaf_of(node, world)
            return
        for child in sources.children(node):
            visit(child)

    visit(part)
    return found


def linear_jacobians(node: N.Node, world: World) -> Iterator[N.Power]:
    """Each norm(D(Y, X))**2 in which the quantity is linear, so that a probe leaves its mean alone."""
    if squared_jacobian(node) is not None:
        assert isinstance(node, N.Power)
        yield node
        return
    match node:
        case N.Add(left, right) | N.Subtract(left, right):
            yield from linear_jacobians(left, world)
            yield from linear_jacobians(right, world)
        case N.Multiply(left, right):
            # Two factors might share a probe, through a `let` name, and then be correlated.
            first, second = list(linear_jacobians(left, world)), list(linear_jacobians(right, world))
            yield from () if first and second else (*first, *second)
        case N.Divide(arg) | N.Negate(arg) | N.Sum(arg):
            yield from linear_jacobians(arg, world)
        case N.Let(name, body) if name not in world.assumed:
            yield from linear_jacobians(body, world)


@dataclass
class Sampler:
    """The running estimate of one leaf in one scene."""

    leaf: Leaf
    scene: Scene
    stream: Stream
    exact_jacobian: int
    memory_bytes: int
    probes: int = 1
    held: Mapping[str, Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.scene.world
        self.probed: dict[int, N.Derivative] = {}
        if not self.leaf.paired:
            for node in linear_jacobians(self.leaf.bodies[0], world):
                derivative = squared_jacobian(node)
                assert derivative is not None
                if (
                    min(world.size(derivative.of.shape.size), world.size(derivative.by.shape.size))
                    > self.exact_jacobian
                ):
                    self.probed[id(node)] = derivative
        self.probe_shapes = {
            key: (self.probes, *world.shape(derivative.of.shape)) for key, derivative in self.probed.items()
        }
        self.cost: Cost = cost_of(self.leaf.bodies, self.scene, frozenset(self.probed))
        drawn = sum(self.scene.laws[name].elements for name in self.leaf.over)
        self.unit = unit_length(drawn + sum(math.prod(shape) for shape in self.probe_shapes.values()))
        # A pair must not straddle two units.
        self.unit = max(self.unit, 2) if self.leaf.paired else self.unit
        self.next_unit = 0
        self.ladder = estimate.Ladder(1e-9 if world.dtype == torch.float64 else 1e-4)
        self.tails = self._tails()

    @property
    def draws(self) -> int:
        return self.next_unit * self.unit

    @property
    def chunk(self) -> int:
        """Units per pass: enough work to hide the interpreter, little enough to stay in memory."""
        fits = self.memory_bytes // (16 * self.cost.elements * 8)
        wanted = 2**21 // self.cost.elements
        return max(min(wanted, fits) // self.unit, 1)

    def _tails(self) -> Tails:
        leaf, world = self.leaf, self.scene.world
        reader = Reader(world, leaf.over, leaf.held)
        bases = {name: law.base for name, law in self.scene.laws.items()}
        if leaf.paired:
            return covariance_tails(leaf.bodies[0], leaf.bodies[-1], reader, bases)
        return expectation_tails(leaf.bodies[0], reader, bases, self.probed)

    def advance(self, total: int, deadline: float) -> bool:
        """Draw until at least `total` draws have been made; False if the deadline came first."""
        while self.draws < total:
            if time.monotonic() > deadline:
                return False
            units = min(self.chunk, -(-(total - self.draws) // self.unit))
            self.ladder.add(self._statistic(self.next_unit, units))
            self.next_unit += units
        return True

    def read(self, alpha: float) -> estimate.Estimate:
        return estimate.read(self.ladder, self.tails, alpha)

    def _statistic(self, first: int, units: int) -> Tensor:
        """The quantity, one row per draw (or per pair of draws)."""
        parts = [self._draw(unit) for unit in range(first, first + units)]
        if not parts[0]:
            value = torch.cat([self._values({}) for _ in (0,)]).reshape(1, -1)
            return value.expand(units * self.unit, -1)
        draws = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
        values: Tensor = torch.func.vmap(self._values)(draws)
        if not self.leaf.paired:
            return values
        differences = values[0::2] - values[1::2]
        size = self.scene.world.size(self.leaf.bodies[0].shape.size)
        f, g = differences[:, :size], differences[:, -(differences.shape[1] - size) or None :]
        if isinstance(self.leaf.node, N.Variance):
            return f * f / 2
        return (f[:, :, None] * g[:, None, :] / 2).reshape(f.shape[0], -1)

    def _draw(self, unit: int) -> dict[str, Tensor]:
        drawn = self.scene.draw(self.leaf.over, self.stream, unit, self.unit)
        for position, shape in enumerate(self.probe_shapes.values()):
            signs = self.stream.generator(f"probe:{position}", unit).integers(0, 2, (self.unit, *shape))
            drawn[f"probe:{position}"] = torch.from_numpy(signs * 2 - 1).to(
                self.scene.world.device, self.scene.world.dtype
            )
        return drawn

    def _values(self, draw: Mapping[str, Tensor]) -> Tensor:
        probes = {key: draw[f"probe:{position}"] for position, key in enumerate(self.probe_shapes)}
        own = {name: value for name, value in draw.items() if not name.startswith("probe:")}
        scope = replace(self.scene.bind(own, probes), held=self.held)
        return torch.cat([evaluate(body, scope).reshape(-1) for body in self.leaf.bodies])
