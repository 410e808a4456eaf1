"""The running estimate of one expectation: draws in chunks, block means, an interval on demand."""

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample import draw_chunks as crew
from verifier.sample import estimate
from verifier.sample.compile import chosen_slopes as kinks
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.cost import cost_of
from verifier.sample.compile.gradients import groups_of
from verifier.sample.compile.jacobian_probes import squared_jacobian
from verifier.sample.compile.routes import routes_of
from verifier.sample.draws.devices import brought, sent
from verifier.sample.draws.drawn_products import products_of
from verifier.sample.draws.scene import Scene
from verifier.sample.draws.streams import Stream, unit_length
from verifier.sample.expectation_leaves import Leaf, large_jacobians
from verifier.sample.tails.draw_slopes import slope_of, square_slope_of
from verifier.sample.tails.moment_bounds import size_of
from verifier.sample.tails.proven_ranges import bounds_of
from verifier.sample.tails.random_degree import Reader
from verifier.sample.tails.tail_weights import Tails, covariance_tails, expectation_tails
from verifier.sample.unsupported import UndefinedError

CHUNK_ELEMENTS = 2**24
MAX_CALLS = 6_000
MAX_PROBES = 8
PILOT = 64
KINK = 1e-5  # how far slopes from two sides may differ and be called the same
ERROR_MARGIN = 8
ROUNDING = {torch.float64: 1e-13, torch.float32: 1e-5}
PASS_COST = 2.0  # a draw against one more probe of it, in time


@dataclass
class Sampler:
    """Draws of one leaf in one scene, and of others over the same symbols, read off the same draws."""

    leaf: Leaf
    scene: Scene
    stream: Stream
    exact_jacobian: int
    memory_bytes: int
    held: Mapping[str, Tensor] = field(default_factory=dict)
    others: tuple[Leaf, ...] = ()

    def __post_init__(self) -> None:
        world = self.scene.world
        self.leaves = (self.leaf, *self.others)
        self.bodies = tuple(body for leaf in self.leaves for body in leaf.bodies)
        self.groups = groups_of(self.bodies, world)
        self.routes = routes_of(self.bodies, world, self.exact_jacobian, self.held)
        self.probed = {id(node): derivative for node, derivative in self._large_jacobians()}
        self.cost = cost_of(
            self.bodies, self.scene, frozenset(self.probed), self.groups, frozenset(self.routes)
        )
        if self.cost.calls > MAX_CALLS:
            raise UndefinedError("too large to sample")
        self.tails = [self._tails(leaf) for leaf in self.leaves]
        over = () if self.held else self.leaf.over
        self.products = products_of(self.bodies, over, self.scene, self.routes)
        self.laws = {**self.scene.laws, **{name: item.law for name, item in self.products.items()}}
        drawn = sum(self.laws[name].elements for name in self.leaf.over)
        unit = unit_length(drawn)
        self.unit = max(unit, 2) if self.leaf.paired else unit  # a pair must not straddle two units
        self._begin()
        if kinks.differentiated(self.bodies, world):
            self._refuse_kinks()
        met = ROUNDING[world.dtype] * self._largest()
        self.errors = [moved + met for moved in self._parts(self._rounding_error())]

    def _begin(self) -> None:
        """What depends on the stream."""
        self.next_unit = self.joined = 0
        self.buffers: dict[str, Tensor] = {}
        rounding = 1e-9 if self.scene.world.dtype == torch.float64 else 1e-4
        self.ladders = [estimate.Ladder(rounding) for _ in self.leaves]
        self.probes = 1
        if self.probed:
            self.probes = self._best_probes()

    def twin(self, stream: Stream) -> "Sampler":
        """The same estimate from draws of its own; what is known of tails and rounding is known of it too."""
        other = copy(self)
        other.stream = stream
        other._begin()
        return other

    def join(self, other: "Sampler") -> None:
        """Count the draws of a twin as draws of its own; there are no further ones."""
        for mine, theirs in zip(self.ladders, other.ladders, strict=True):
            mine.join(theirs)
        self.joined += other.draws

    def _large_jacobians(self) -> list[tuple[N.Power, N.Derivative]]:
        """The Jacobian norms to be probed: too large to form for every draw, and without a closed form."""
        if self.leaf.paired:
            return []
        found = []
        for body in self.bodies:
            for node in large_jacobians(body, self.scene.world, self.exact_jacobian):
                derivative = squared_jacobian(node)
                assert derivative is not None
                if id(derivative) not in self.routes:
                    found.append((node, derivative))
        return found

    def _tails(self, leaf: Leaf) -> Tails:
        reader = Reader(self.scene.world, leaf.over, leaf.held)
        bases = {name: law.base for name, law in self.scene.laws.items()}
        if leaf.paired:
            first, last = leaf.bodies[0], leaf.bodies[-1]
            squares = isinstance(leaf.node, N.Variance) or (first == last and first.shape.is_scalar)
            found = covariance_tails(first, last, reader, bases, squares)
            slope = slope_of(first, self.scene, leaf.over) if squares else None
            found = replace(found, squares=None if slope is None else 4 * slope**2)
            if found.kurtosis is None:
                # E ((f - f') (g - g') / 2)^2 <= (2 |f|_4)^2 (2 |g|_4)^2 / 4.
                f, g = (size_of(body, self.scene, leaf.over, 4.0) for body in (first, last))
                found = replace(found, variance=None if f is None or g is None else 4 * f**2 * g**2)
            return found
        found = expectation_tails(leaf.bodies[0], reader, bases, self.probed)
        if self.held:
            return found
        (body,) = leaf.bodies
        if found.kurtosis is None:
            size = size_of(body, self.scene, leaf.over)
            # A sign probe v has E (v'Bv)^2 <= 3 (tr B)^2 for B >= 0.
            found = replace(found, variance=None if size is None else size**2 * 3.0 ** len(self.probed))
        if self.probed:
            return found
        slope, square = (of(body, self.scene, leaf.over) for of in (slope_of, square_slope_of))
        return replace(
            found,
            bounds=bounds_of(body, self.scene, leaf.over),
            variance=found.variance if slope is None else min(slope**2, found.variance or math.inf),
            squares=None if square is None else 4 * square,
        )

    @property
    def draws(self) -> int:
        return self.next_unit * self.unit + self.joined

    @property
    def chunk(self) -> int:
        """Units per pass: enough work to hide the interpreter, little enough to stay in memory and cache."""
        elements = int(self.cost.elements * max(1.0, self.probes / 2)) * self.unit
        return max(min(CHUNK_ELEMENTS // elements, self.memory_bytes // (128 * elements)), 1)

    def advance(self, total: int, deadline: float) -> bool:
        """Draw until at least `total` draws have been made; False if the deadline came first."""
        for (_, units), values in crew.worked_out(self, self._chunks(total), deadline):
            if not bool(torch.isfinite(values).all()):
                raise UndefinedError("not finite on every draw")
            for ladder, part in zip(self.ladders, self._parts(values), strict=True):
                ladder.add(part)
            self.next_unit += units
        return self.draws >= total

    def _chunks(self, total: int) -> list[crew.Chunk]:
        """The units that are missing, in passes."""
        end = -(-total // self.unit)
        return [(at, min(self.chunk, end - at)) for at in range(self.next_unit, end, self.chunk)]

    def read(self, alpha: float, position: int = 0) -> estimate.Estimate:
        """The interval of one of the leaves."""
        error = self.errors[position]
        found = estimate.read(self.ladders[position], self.tails[position], alpha)
        return replace(found, low=found.low - error, high=found.high + error, draws=self.draws)

    def _parts(self, values: Tensor) -> list[Tensor]:
        """The columns of each leaf."""
        if len(self.leaves) == 1 or values.shape[-1] == 1:
            return [values] * len(self.leaves)
        sizes = [self.scene.world.size(leaf.node.shape.size) for leaf in self.leaves]
        return list(torch.split(values, sizes, dim=-1))

    def _refuse_kinks(self) -> None:
        """A derivative that depends on the slopes at kinks, in some draws, does not exist."""
        draws = self._pilot()
        ways = [partial(self._values, side=side) for side in (None, *kinks.SIDED)]
        usual, *others = [torch.func.vmap(way)(draws) if draws else way({}) for way in ways]
        for other in others:
            slack = KINK * float(other.abs().max())
            if not torch.allclose(usual, other, rtol=KINK, atol=slack, equal_nan=True):
                raise UndefinedError("a derivative at a kink")

    def _pilot(self) -> dict[str, Tensor]:
        """A few draws, to look at."""
        return {name: value[:PILOT] for name, value in self._draw(0, 1).items()}

    def _largest(self) -> float:
        """The largest number met on the way in some draws: what cancels leaves its rounding."""

        def met(draw: Mapping[str, Tensor]) -> Tensor:
            trace: list[Tensor] = []
            self._values(draw, trace)
            return torch.stack(trace).nan_to_num(0.0, posinf=0.0).amax()

        draws = self._pilot()
        return float((torch.func.vmap(met)(draws) if draws else met({})).max())

    def _rounding_error(self) -> Tensor:
        """How far single precision moves the mean, seen against double precision on one unit of draws."""
        if self.scene.world.dtype == torch.float64:
            return torch.zeros(1, dtype=torch.float64)
        rough = brought(self.statistic(0, 1))
        keep, self.scene = self.scene, self.scene.on_cpu()
        fine = self.statistic(0, 1)
        self.scene = keep
        return ERROR_MARGIN * (rough - fine).abs().mean(dim=0)

    def statistic(self, first: int, units: int) -> Tensor:
        """The quantity, one row per draw (or per pair of draws), unit by unit."""
        try:
            return self._at_once(first, units)
        except torch.OutOfMemoryError:  # the device is shared, so what is free of it is not known before
            if units == 1:
                raise UndefinedError("too large for the memory of the device") from None
        half = units // 2
        return torch.cat([self.statistic(first, half), self.statistic(first + half, units - half)])

    def _at_once(self, first: int, units: int) -> Tensor:
        draws = self._draw(first, units)
        if draws:
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

    def _draw(self, first: int, units: int, probe_stream: Stream | None = None) -> dict[str, Tensor]:
        """Some units of draws, and the probes."""
        world = self.scene.world
        drawn = {}
        for name in sorted(self.leaf.over, key=world.place):
            law = self.laws[name]
            buffer = self._buffer(name, (units, self.unit, *law.shape))
            for offset in range(units):
                law.fill(self.stream.generator(world.place(name), first + offset), buffer[offset])
            drawn[name] = sent(buffer.flatten(0, 1), world.device, world.dtype)
        for position, derivative in enumerate(self.probed.values()):
            shape = (self.unit, self.probes, *world.shape(derivative.of.shape))
            stream = probe_stream or self.stream
            signs = [
                draw_signs(stream.generator(f"probe:{position}", first + offset), shape)
                for offset in range(units)
            ]
            drawn[f"probe:{position}"] = sent(torch.cat(signs), world.device, world.dtype)
        return drawn

    def _buffer(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """Memory for draws, kept from chunk to chunk."""
        kept = self.buffers.get(name)
        if kept is None or kept.shape != shape:
            kept = self.buffers[name] = torch.empty(shape, dtype=torch.float64)
        return kept

    def _values(
        self, draw: Mapping[str, Tensor], trace: list[Tensor] | None = None, side: kinks.Side | None = None
    ) -> Tensor:
        world = self.scene.world
        probes = {key: draw[f"probe:{position}"] for position, key in enumerate(self.probed)}
        own = {n: v for n, v in draw.items() if not n.startswith("probe:") and n not in self.products}
        products = {k: v for n, item in self.products.items() for k, v in item.split(n, draw[n]).items()}
        scope = replace(
            self.scene.bind(own, probes),
            held={name: value.to(world.device, world.dtype) for name, value in self.held.items()},
            groups=self.groups,
            routes=self.routes,
            products=products,
            side=side,
            trace=trace,
        )
        return torch.cat([evaluate(body, scope).reshape(-1) for body in self.bodies])

    def _best_probes(self) -> int:
        """Probes per draw that give the least variance in a given time, from one unit of draws.

        The variance of a draw with m probes is v + w/m, its time proportional to PASS_COST + m.
        """
        first = self.statistic(0, 1)
        other = self._draw(0, 1, replace(self.stream, purpose="pilot"))
        second: Tensor = torch.func.vmap(self._values)(other)
        within = float(((first - second) ** 2).mean() / 2)
        between = max(float((first * second).mean() - first.mean() * second.mean()), 1e-3 * within)
        if within == 0 or first.shape[0] < 4:
            return 1
        return max(1, min(MAX_PROBES, round(math.sqrt(PASS_COST * within / between))))


def draw_signs(generator: np.random.Generator, shape: tuple[int, ...]) -> Tensor:
    """Independent +-1 entries, one random bit each."""
    total = math.prod(shape)
    bits = np.unpackbits(generator.integers(0, 256, -(-total // 8), dtype=np.uint8))[:total]
    return torch.from_numpy(bits.view(np.int8) * 2 - 1).reshape(shape)
