"""A point made ready for sampling: fixed values, laws of the random symbols, one draw as a scope."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, FixedKind
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.devices import sent
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.law_samplers import Base, Law, law_of
from verifier.sample.draws.static_integers import integer
from verifier.sample.draws.streams import Stream
from verifier.sample.draws.symbol_kinds import belongs
from verifier.sample.unsupported import RefusedError, UndefinedError

Draws = Mapping[str, Tensor]


@dataclass(frozen=True)
class Point:
    """Where to look: sizes of the dimensions and integers, values of the other fixed symbols."""

    sizes: Mapping[str, int]
    values: Mapping[str, Tensor]
    label: str = ""
    exact: bool = True  # every value is a small dyadic rational, so it can be re-checked exactly
    margin: float = 0.0  # how far, relatively, values may lie from the assumptions' solution set

    @property
    def key(self) -> str:
        """The point's name in the streams of draws: its number and its sizes, whatever these are called."""
        number, _, _ = self.label.partition(":")
        return f"{number};{','.join(map(str, self.sizes.values()))}"


@dataclass(frozen=True)
class Scene:
    """One point, one choice of representative laws, one device."""

    world: World
    fixed: Mapping[str, Tensor]
    laws: Mapping[str, Law] = field(default_factory=dict)
    late: tuple[str, ...] = ()  # substituted symbols whose value depends on the draw

    def bind(self, draw: Draws, probes: Mapping[int, Tensor] | None = None) -> Scope:
        """One draw as a scope. Substitutions by random values are made last."""
        own = {name: value for name, value in draw.items() if not name.startswith(sources.LAYER)}
        layered = {name.removeprefix(sources.LAYER): value for name, value in draw.items() if name not in own}
        scope = Scope(self.world, {**self.fixed, **own}, layered, probes=probes or {})
        for name in self.late:
            value = evaluate(self.world.substituted[name], scope)
            scope = replace(scope, values={**scope.values, name: value}, memo={})
        return scope

    def with_values(self, values: Mapping[str, Tensor]) -> "Scene":
        """Some random symbols held at these values, as if they were fixed."""
        moved = {name: sent(value, self.world.device, self.world.dtype) for name, value in values.items()}
        rest = {name: law for name, law in self.laws.items() if name not in values}
        return replace(self, fixed={**self.fixed, **moved}, laws=rest)

    def draw(self, names: frozenset[str], stream: Stream, unit: int, count: int) -> dict[str, Tensor]:
        """`count` draws of the named random symbols."""
        return {
            name: sent(
                self.laws[name].draw(stream.generator(self.world.place(name), unit), count),
                self.world.device,
                self.world.dtype,
            )
            for name in sorted(names, key=self.world.place)
        }

    def on_cpu(self) -> "Scene":
        """The same scene where double precision is to be had."""
        there = replace(self, world=replace(self.world, device="cpu"))
        there = replace(there, fixed={name: value.to("cpu") for name, value in self.fixed.items()})
        return there.cast(torch.float64)

    def cast(self, dtype: torch.dtype) -> "Scene":
        """The same scene in another precision."""
        fixed = {name: value.to(dtype) for name, value in self.fixed.items()}
        return replace(self, world=replace(self.world, dtype=dtype), fixed=fixed)


def prepare(
    claim: Claim,
    point: Point,
    needed: N.Fact | N.Node,
    *,
    representative: Base = "gaussian",
    dtype: torch.dtype = torch.float64,
    device: str = "cpu",
) -> Scene:
    """The scene of a claim at a point, for the symbols that `needed` reaches."""
    world = World.of(claim, point.sizes)
    reached = sources.names(needed, world)
    fixed = {name: value for name, value in point.values.items() if name not in world.substituted}
    late = []
    for name in _substitution_order(world):
        if sources.random_names(world.substituted[name], world):
            late.append(name)
            continue
        value = evaluate(world.substituted[name], Scope(world, fixed))
        kind = claim.symbols[name].kind
        if isinstance(kind, FixedKind) and not belongs(kind, value, Scope(world, fixed)):
            raise UndefinedError(f"{name} would be outside its range")
        if name not in point.sizes:
            fixed[name] = value
    scope = Scope(world, fixed)
    found = {}
    for label in sorted(reached, key=world.place):
        symbol, depth = _declared(label, claim, scope, needed)
        if symbol is not None and symbol.is_random and label not in world.substituted:
            found[label] = _law(symbol, depth, scope, representative)
    world = replace(world, dtype=dtype, device=device)
    return Scene(world, {k: sent(v, device, dtype) for k, v in fixed.items()}, found, tuple(late))


def _declared(
    label: str, claim: Claim, scope: Scope, needed: N.Fact | N.Node
) -> tuple[Declared | None, int | None]:
    """A symbol and, for a layer's, how many layers are drawn."""
    if not label.startswith(sources.LAYER):
        return claim.symbols.get(label), None
    assert claim.layers is not None
    name = label.removeprefix(sources.LAYER)
    symbol = next(item for item in claim.layers.symbols if item.name == name)
    if not symbol.is_random:
        raise RefusedError(f"the layers' symbol {name}, which is not random")
    return symbol, _depth(needed, scope)


def _depth(needed: N.Fact | N.Node, scope: Scope) -> int:
    """The deepest after(X, L); a depth that is a sum's index is at most the claim's own L."""
    layers = scope.world.layers
    assert layers is not None
    found = [scope.world.sizes.get(layers.depth.name, 0)]
    for node in sources.nodes(needed):
        if isinstance(node, N.After) and not any(
            isinstance(part, N.Index) for part in sources.nodes(node.depth)
        ):
            found.append(integer(node.depth, scope))
    return max(found)


def _law(symbol: Declared, depth: int | None, scope: Scope, representative: Base) -> Law:
    world = scope.world
    shape = world.shape(symbol.shape)
    leading = (() if depth is None else (depth,)) + (
        () if symbol.copies is None else (world.size(symbol.copies),)
    )
    return law_of(symbol, (*leading, *shape), lambda node: evaluate(node, scope), representative)


def _substitution_order(world: World) -> list[str]:
    """Substituted symbols, each after those that its value uses."""
    order: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in order:
            return
        if name in path:
            raise RefusedError(f"substitutions that go in a circle: {' -> '.join((*path, name))}")
        inner = sources.names(world.substituted[name], world.literal)
        for other in (name for name in world.substituted if name in inner):
            visit(other, (*path, name))
        order.append(name)

    for name in world.substituted:
        visit(name, ())
    return order
