"""What the claims of one theorem have in common: symbols, `let` names, layers, assumptions.

It depends on the values that a claim gives to symbols, and on the equalities between dimensions that it
assumes; for each of these it is worked out once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from verifier.claim.model import Assumption, Layers
from verifier.claim.problems import Gathered
from verifier.expr.dims import Dim
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.nodes import Growth, Let, Symbol
from verifier.expr.scope import Scope, suggestion
from verifier.expr.sizes import MAX_TREE_DEPTH
from verifier.expr.symbols import Declared, Dimension, JointWith, Sequence
from verifier.expr.walk import Part, children, distinct
from verifier.read.specs.declarations import Given, check_value, declare, equal_dimensions, located
from verifier.read.specs.layer_numbers import refuse_given, refuse_in_layer
from verifier.read.specs.raw import RawLayers, RawTheorem
from verifier.read.specs.theorems import check_name
from verifier.read.specs.yaml_document import Text

T = TypeVar("T", bound=Part)
MAX_EXPANDED = 50_000
Values = tuple[tuple[str, Fraction], ...]
# By identity, together with the part itself: while it is kept, nothing else has its identity.
Extents = dict[int, tuple[Part, int, int]]


@dataclass(frozen=True)
class Common:
    """Names in force, the layers, and the scope in which assumptions may name their parts."""

    scope: Scope
    layers: Layers | None
    inner: Scope
    extents: Extents
    assumptions: dict[str, Assumption] = field(default_factory=dict)

    def assumption(self, theorem: RawTheorem, name: str) -> Assumption:
        if name not in self.assumptions:
            self.assumptions[name] = self._assumption(theorem, name)
        return self.assumptions[name]

    def _assumption(self, theorem: RawTheorem, name: str) -> Assumption:
        text = theorem.assumptions[name]
        fact = self.bounded(located(text, lambda tree: elaborate_fact(tree, self.inner)), text)
        if self.layers is not None:
            refuse_given(theorem, text, self.layers.next, fact)
        if any(isinstance(node, Growth) for node in distinct(fact)):
            raise text.problem("growth", "an assumption does not speak of growth", "claims do: lhs <= O(f)")
        return Assumption(name, fact, text.value.strip(), text.position())

    def bounded(self, part: T, text: Text) -> T:
        return bounded(part, text, self.extents)


class Ground:
    """One theorem's common parts, kept while its claims are built; what has problems is not kept."""

    def __init__(self) -> None:
        self._scopes: dict[Values, Scope] = {}
        self._dims: dict[tuple[Values, tuple[str, ...]], Mapping[str, Dim]] = {}
        self._known: dict[tuple[Values, tuple[tuple[str, Dim], ...]], Common] = {}
        self._extents: Extents = {}

    def of(
        self, theorem: RawTheorem, given: Mapping[str, Given], under: tuple[str, ...], found: Gathered
    ) -> Common:
        """The common parts for a claim with these values under these assumptions."""
        values = tuple(sorted((name, item.value) for name, item in given.items()))
        if values not in self._scopes:
            self._scopes[values] = declare(theorem.symbols, given, _depth(theorem, given))
        plain = self._scopes[values]
        if (values, under) not in self._dims:
            texts = (theorem.assumptions[name] for name in under)
            self._dims[values, under] = equal_dimensions(texts, plain).dims
        dims = self._dims[values, under]
        key = values, tuple(sorted(dims.items(), key=lambda item: item[0]))
        if key in self._known:
            return self._known[key]
        scope = plain
        if dims:
            # Shapes are laid out again, now modulo the equalities of dimensions.
            outer = replace(_depth(theorem, given), dims=dims)
            scope = replace(declare(theorem.symbols, given, outer), dims=dims)
        common = self._common(theorem, _state(theorem.layers, scope), found)
        if not found.problems:
            self._known[key] = common
        return common

    def _common(self, theorem: RawTheorem, scope: Scope, found: Gathered) -> Common:
        scope = self._lets(theorem.lets, scope, found)
        layers, inner = found.attempt(self._layers, theorem, scope, found) or (None, scope)
        layered = {symbol.name: symbol for symbol in layers.symbols} if layers is not None else {}
        return Common(replace(scope, layered=layered), layers, inner, self._extents)

    def _lets(self, texts: Mapping[str, Text], scope: Scope, found: Gathered) -> Scope:
        for name, text in texts.items():
            let = found.attempt(self._let, name, text, scope)
            if let is None:
                found.unread.add(name)
            else:
                scope = scope.with_let(let)
        return scope

    def _let(self, name: str, text: Text, scope: Scope) -> Let:
        if name in scope.symbols or name in scope.lets:
            raise text.problem("name-taken", f"{name!r} is already declared", "choose another name")
        node = located(text, partial(elaborate, scope=scope))
        return Let(name, bounded(node, text, self._extents))

    def _layers(self, theorem: RawTheorem, scope: Scope, found: Gathered) -> tuple[Layers | None, Scope]:
        """One layer, and the scope in which assumptions may name its parts."""
        raw = theorem.layers
        if raw is None:
            return None, scope
        for name, text in raw.symbols.items():
            if name in scope.symbols or name in scope.lets:
                raise text.problem("name-taken", f"{name!r} is already declared outside the layers")
        inner = declare(raw.symbols, {}, scope)
        for name, text in raw.symbols.items():
            if isinstance(inner.symbols[name].kind, Sequence | JointWith):
                raise text.problem("layers", "a layer draws no sequence", "declare it under `symbols`")
            found.attempt(refuse_in_layer, theorem, text, inner.symbols[name])
        inner = self._lets(raw.lets, inner, found)
        after = located(raw.next, lambda tree: elaborate(tree, inner))
        assert scope.state is not None
        if after.shape != scope.state.shape:
            message = f"the next state is {after.shape}, the state {scope.state.shape}"
            raise raw.next.problem("shape", message)
        depth = Symbol(raw.depth.value) if raw.depth is not None else Symbol("L")
        symbols = tuple(inner.symbols[name] for name in raw.symbols)
        lets = tuple(inner.lets[name] for name in raw.lets if name in inner.lets)
        for let in lets:
            found.attempt(refuse_in_layer, theorem, raw.lets[let.name], let)
        if not found.problems:  # a `let` name that is refused is refused once
            refuse_in_layer(theorem, raw.next, after)
        return Layers(scope.state, depth, symbols, lets, bounded(after, raw.next, self._extents)), inner


def _depth(theorem: RawTheorem, given: Mapping[str, Given]) -> Scope:
    """The depth of the layers is a dimension by being named; symbols may be indices over it."""
    depth = theorem.layers.depth if theorem.layers is not None else None
    if depth is None or depth.value in theorem.symbols:
        return Scope()
    check_name(depth)
    declared = Declared(depth.value, Dimension(), Symbol(depth.value).shape)
    check_value(declared, given.get(depth.value))
    return Scope(symbols={depth.value: declared})


def _state(layers: RawLayers | None, scope: Scope) -> Scope:
    if layers is None:
        return scope
    state = layers.state
    if state.value not in scope.symbols:
        hint = suggestion(state.value, scope.symbols)
        raise state.problem("unknown-name", f"the state {state.value!r} is not declared", hint)
    declared = scope.symbols[state.value]
    depth = layers.depth.value if layers.depth is not None else ""
    last = sorted(scope.symbols.items(), key=lambda item: item[0] == depth)
    return replace(scope, state=Symbol(declared.name, declared.shape), symbols=dict(last))


# --- sizes -----------------------------------------------------------------------------------------


def bounded(part: T, text: Text, known: Extents) -> T:
    """Lets that double each other expand exponentially; refuse before anybody walks them."""
    size, depth = extent(part, known)
    if size > MAX_EXPANDED:
        raise text.problem("too-large", f"this expands to more than {MAX_EXPANDED:,} operations")
    if depth > MAX_TREE_DEPTH:
        message = f"this is nested more than {MAX_TREE_DEPTH} deep, `let` names expanded"
        raise text.problem("too-deep", message)
    return part


def extent(part: Part, known: Extents) -> tuple[int, int]:
    """How many nodes a walk would meet and how deep it would go, `let` bodies counted each time
    they are named but visited once."""
    found = known.get(id(part))
    if found is None:
        size, depth = 1, 0
        for child in children(part):
            inner, below = extent(child, known)
            size += inner
            depth = max(depth, below)
        found = part, size, depth + 1
        known[id(part)] = found
    return found[1], found[2]
