"""The running estimate of one expectation: draws in chunks, block means, an interval on demand."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.numeric import estimate
from verifier.numeric.compile import evaluate
from verifier.numeric.cost import cost_of
from verifier.numeric.degree import Reader
from verifier.numeric.jacobian import squared_jacobian
from verifier.numeric.leaves import Leaf, linear_jacobians
from verifier.numeric.ranges import bounds_of
from verifier.numeric.scene import Scene
from verifier.numeric.streams import Stream, unit_length
from verifier.numeric.tails import Tails, covariance_tails, expectation_tails

CHUNK_ELEMENTS = 2**23
REUSE = 4
SHORT_UNIT = 32
MAX_PROBES = 8
ERROR_MARGIN = 8
ROUNDING = {torch.float64: 1e-13, torch.float32: 1e-5}
PASS_COST = 3.0  # a draw against one more probe of it, in time


@dataclass
class Sampler:
    """Draws of one leaf in one scene.

    Where no tail bound is known the draws of a unit are used REUSE times, its symbols shifted against each
    other: every combination has the right law, and units stay independent. Proven bounds want
    independent draws, so there each is used once.
    """

    leaf: Leaf
    scene: Scene
    stream: Stream
    exact_jacobian: int
    memory_bytes: int
    held: Mapping[str, Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.scene.world
        self.probed = {id(node): derivative for node, derivative in self._large_jacobians()}
        self.probes = 1
        self.cost = cost_of(self.leaf.bodies, self.scene, frozenset(self.probed))
        self.tails = self._tails()
        drawn = sum(self.scene.laws[name].elements for name in self.leaf.over)
        unit = unit_length(drawn)
        self.unit = max(unit, 2) if self.leaf.paired else unit  # a pair must not straddle two units
        proven = self.tails != Tails()
        shiftable = len(self.leaf.over) > 1 and self.unit >= 2 * REUSE * len(self.leaf.over)
        self.reuse = 1 if proven or self.leaf.paired or not shiftable else REUSE
        if self.reuse > 1:  # many short units: their means are what the spread is read from
            self.unit = min(self.unit, max(SHORT_UNIT, 2 * REUSE * len(self.leaf.over)))
        self.next_unit = 0
        self.ladder = estimate.Ladder(1e-9 if world.dtype == torch.float64 else 1e-4)
        if self.probed:
            self.probes = self._best_probes()
        self.error = self._rounding_error() + ROUNDING[world.dtype] * self._largest()

    def _large_jacobians(self) -> list[tuple[N.Power, N.Derivative]]:
        """The Jacobian norms to be probed: those too large to form for every draw."""
        if self.leaf.paired:
            return []
        found = []
        for node in linear_jacobians(self.leaf.bodies[0], self.scene.world):
            derivative = squared_jacobian(node)
            assert derivative is not None
            sizes = [self.scene.world.size(side.shape.size) for side in (derivative.of, derivative.by)]
            if min(sizes) > self.exact_jacobian:
                found.append((node, derivative))
        return found

    def _tails(self) -> Tails:
        reader = Reader(self.scene.world, self.leaf.over, self.leaf.held)
        bases = {name: law.base for name, law in self.scene.laws.items()}
        if self.leaf.paired:
            return covariance_tails(self.leaf.bodies[0], self.leaf.bodies[-1], reader, bases)
        found = expectation_tails(self.leaf.bodies[0], reader, bases, self.probed)
        bounded = (
            None if self.probed or self.held else bounds_of(self.leaf.bodies[0], self.scene, self.leaf.over)
        )
        return replace(found, bounds=bounded)

    @property
    def draws(self) -> int:
        return self.next_unit * self.unit * self.reuse

    @property
    def chunk(self) -> int:
        """Units per pass: enough work to hide the interpreter, little enough to stay in memory and cache."""
        elements = self.cost.elements * self.probes * self.reuse * self.unit
        return max(min(CHUNK_ELEMENTS // elements, self.memory_bytes // (128 * elements)), 1)

    def advance(self, total: int, deadline: float) -> bool:
        """Draw until at least `total` draws have been made; False if the deadline came first."""
        while self.draws < total:
            if time.monotonic() > deadline:
                return False
            wanted = -(-(total - self.draws) // (self.unit * self.reuse))
            units = min(self.chunk, wanted)
            values = self._statistic(self.next_unit, units)
            if self.reuse > 1:
                values = values.reshape(units, -1, values.shape[-1]).mean(dim=1)
            self.ladder.add(values)
            self.next_unit += units
        return True

    def read(self, alpha: float) -> estimate.Estimate:
        found = estimate.read(self.ladder, self.tails, alpha)
        return replace(found, low=found.low - self.error, high=found.high + self.error, draws=self.draws)

    def _largest(self) -> float:
        """The largest number met on the way in one unit of draws: what cancels leaves its rounding."""

        def met(draw: Mapping[str, Tensor]) -> Tensor:
            trace: list[Tensor] = []
            self._values(draw, trace)
            return torch.stack(trace).nan_to_num(0.0, posinf=0.0).amax()

        draws = self._draw(0)
        return float((torch.func.vmap(met)(draws) if draws else met({})).max())

    def _rounding_error(self) -> Tensor:
        """How far single precision moves the mean, seen against double precision on one unit of draws."""
        if self.scene.world.dtype == torch.float64:
            return torch.zeros(1, dtype=torch.float64)
        rough = self._statistic(0, 1).to("cpu", torch.float64)
        keep, self.scene = self.scene, self.scene.on_cpu()
        fine = self._statistic(0, 1)
        self.scene = keep
        return ERROR_MARGIN * (rough - fine).abs().mean(dim=0)

    def _statistic(self, first: int, units: int) -> Tensor:
        """The quantity, one row per draw (or per pair of draws), unit by unit."""
        parts = [self._draw(unit) for unit in range(first, first + units)]
        if parts[0]:
            draws = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
            values: Tensor = torch.func.vmap(self._values)(draws)
        else:
            values = self._values({}).expand(units * self.unit, -1)
        return self._paired(values) if self.leaf.paired else values

    def _paired(self, values: Tensor) -> Tensor:
        """(f - f') (g - g')^T / 2 from neighbouring draws."""
        differences = values[0::2] - values[1::2]
        size = self.scene.world.size(self.leaf.bodies[0].shape.size)
        f, g = differences[:, :size], differences[:, size:]
        if isinstance(self.leaf.node, N.Variance):
            return f * f / 2
        return (f[:, :, None] * g[:, None, :] / 2).reshape(f.shape[0], -1)

    def _draw(self, unit: int) -> dict[str, Tensor]:
        """One unit of draws, every symbol shifted `reuse` times, and the probes."""
        world, total = self.scene.world, self.unit * self.reuse
        drawn = self.scene.draw(self.leaf.over, self.stream, unit, self.unit)
        if self.reuse > 1:
            for position, name in enumerate(drawn):
                shifts = [torch.roll(drawn[name], position * turn, dims=0) for turn in range(self.reuse)]
                drawn[name] = torch.cat(shifts)
        for position, derivative in enumerate(self.probed.values()):
            shape = (total, self.probes, *world.shape(derivative.of.shape))
            generator = self.stream.generator(f"probe:{position}", unit)
            bits = generator.integers(0, 256, -(-math.prod(shape) // 8), dtype="uint8")
            drawn[f"probe:{position}"] = _signs(torch.from_numpy(bits), shape).to(world.device, world.dtype)
        return drawn

    def _values(self, draw: Mapping[str, Tensor], trace: list[Tensor] | None = None) -> Tensor:
        probes = {key: draw[f"probe:{position}"] for position, key in enumerate(self.probed)}
        own = {name: value for name, value in draw.items() if not name.startswith("probe:")}
        scope = replace(self.scene.bind(own, probes), held=self.held, trace=trace)
        return torch.cat([evaluate(body, scope).reshape(-1) for body in self.leaf.bodies])

    def _best_probes(self) -> int:
        """Probes per draw that give the least variance in a given time, from one unit of draws.

        The variance of a draw with m probes is v + w/m, its time proportional to PASS_COST + m.
        """
        first = self._statistic(0, 1)
        keep, self.stream = self.stream, replace(self.stream, purpose="pilot")
        drawn = self._draw(0)
        self.stream = keep
        second_draws = {**self._draw(0), **{k: v for k, v in drawn.items() if k.startswith("probe:")}}
        second: Tensor = torch.func.vmap(self._values)(second_draws)
        within = float(((first - second) ** 2).mean() / 2)
        between = max(float((first * second).mean() - first.mean() * second.mean()), 1e-3 * within)
        if within == 0 or first.shape[0] < 4:
            return 1
        return max(1, min(MAX_PROBES, round(math.sqrt(PASS_COST * within / between))))


def _signs(bits: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Random bytes as +-1 entries."""
    spread = (bits[:, None] >> torch.arange(8, dtype=torch.uint8)) & 1
    return (spread.reshape(-1)[: math.prod(shape)].to(torch.int8) * 2 - 1).reshape(shape)
