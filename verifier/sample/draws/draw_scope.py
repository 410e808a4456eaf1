"""What names are worth while a tree is evaluated."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import torch
from torch import Tensor

from verifier.claim.model import Claim, Layers
from verifier.expr.dims import Dim, Shape
from verifier.expr.nodes import Let, Node
from verifier.expr.symbols import Declared
from verifier.sample.compile.route_steps import Route
from verifier.sample.tails.watched_functions import Watch
from verifier.sample.unsupported import UndefinedError

LAYER = "layer:"  # before the name of what each layer draws


@dataclass(frozen=True)
class World:
    """What holds for every draw at one point: sizes, symbols, assumed values, where tensors live."""

    sizes: Mapping[str, int]
    symbols: Mapping[str, Declared] = field(default_factory=dict)
    assumed: Mapping[str, Node] = field(default_factory=dict)
    substituted: Mapping[str, Node] = field(default_factory=dict)
    layers: Layers | None = None
    dtype: torch.dtype = torch.float64
    device: str = "cpu"
    # What parts of the tree depend on, by their identity, with the part so that it stays theirs.
    reached: dict[tuple[int, frozenset[str]], tuple[object, frozenset[str]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @staticmethod
    def of(claim: Claim, sizes: Mapping[str, int]) -> "World":
        assumed = [item.assumed_value for item in claim.assumptions]
        swapped = [item.substitution for item in claim.assumptions]
        return World(
            sizes=sizes,
            symbols=claim.symbols,
            assumed={pair[0].name: pair[1] for pair in assumed if pair},
            substituted={pair[0].name: pair[1] for pair in swapped if pair},
            layers=claim.layers,
        )

    @property
    def literal(self) -> "World":
        """Where symbols stand for themselves, whatever assumptions say."""
        return replace(self, substituted={}, reached={})

    def place(self, name: str) -> str:
        """Where a symbol was declared: its name in the streams of draws. What is no symbol stays itself."""
        own = self.layers.symbols if self.layers is not None else ()
        order = (*self.symbols, *(f"{LAYER}{symbol.name}" for symbol in own))
        return f"{order.index(name):04}" if name in order else name

    def size(self, dim: Dim) -> int:
        try:
            size = dim.at(self.sizes)
        except KeyError as missing:
            raise UndefinedError(f"the dimension {missing.args[0]} has no value") from None
        if size < 0:
            raise UndefinedError(f"the dimension {dim} is {size}")
        return size

    def shape(self, shape: Shape) -> tuple[int, int]:
        return self.size(shape.rows), self.size(shape.cols)

    def number(self, value: float) -> Tensor:
        """A scalar: 1-by-1, as everywhere in the language."""
        return torch.full((1, 1), value, dtype=self.dtype, device=self.device)


@dataclass(frozen=True)
class Group:
    """One scalar and the symbols, whole families and `let` names that it is differentiated by."""

    of: Node
    names: tuple[str, ...]
    lets: tuple[Let, ...]

    def key(self, name: str) -> str:
        """Where the gradient is kept among the values of `let` names: no name has a colon."""
        return f"gradient:{id(self)}:{name}"


@dataclass(frozen=True)
class Scope:
    """One draw: every value is a 2-dimensional tensor (families: 3, layers' symbols: one more).

    `held` overrides `let` names (for D with respect to one) and `offsets` are added to them; `leaves`
    holds expectations already estimated, `probes` the random directions of Jacobian norms, `groups` the
    derivatives that share a backward pass and `routes` those whose norm has a closed form, all by the
    node's identity; what is itself differentiated has no routes. `products` holds A @ W, by A and the name
    of W, for random W (a family: all of it) that have no value of their own.
    `side` is that from which slopes are taken at kinks; None leaves it to torch.
    `trace` collects the magnitudes met on the way, for judging rounding errors, and `watch` on which
    branch functions were.
    """

    world: World
    values: Mapping[str, Tensor]
    layer_values: Mapping[str, Tensor] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, Tensor] = field(default_factory=dict)
    leaves: Mapping[int, Tensor] = field(default_factory=dict)
    offsets: Mapping[str, Tensor] = field(default_factory=dict)
    probes: Mapping[int, Tensor] = field(default_factory=dict)
    groups: Mapping[int, Group] = field(default_factory=dict)
    routes: Mapping[int, Route] = field(default_factory=dict)
    products: Mapping[tuple[Node, str], Tensor] = field(default_factory=dict)
    side: Literal["above", "below"] | None = None
    differentiating: bool = False
    trace: list[Tensor] | None = None
    watch: Watch | None = None
    memo: dict[str, Tensor] = field(default_factory=dict)

    def binding(self, indices: Mapping[str, int]) -> "Scope":
        """The scope inside a sum. `let` bodies do not see its index, so their values stay known."""
        return replace(self, indices={**self.indices, **indices})

    def with_value(self, name: str, value: Tensor) -> "Scope":
        return self._differentiated(values={**self.values, name: value})

    def holding(self, let: str, value: Tensor) -> "Scope":
        held, offsets = {**self.held, let: value}, {k: v for k, v in self.offsets.items() if k != let}
        return self._differentiated(held=held, offsets=offsets)

    def moving(self, values: Mapping[str, Tensor], offsets: Mapping[str, Tensor]) -> "Scope":
        """Symbols at other values and `let` names off theirs, all at once."""
        moved = {
            name: self.offsets[name] + by if name in self.offsets else by for name, by in offsets.items()
        }
        return self._differentiated(values={**self.values, **values}, offsets={**self.offsets, **moved})

    def _differentiated(self, **changes: Mapping[str, Tensor]) -> "Scope":
        return replace(self, differentiating=True, trace=None, watch=None, memo={}, routes={}, **changes)  # type: ignore[arg-type]

    def in_layer(self, values: Mapping[str, Tensor]) -> "Scope":
        return replace(self, values={**self.values, **values}, memo={})
