"""Layers written out: W[l], what layer l drew, is a copy of a family, and the state after k layers a tree.

x_0 = X,   x_l = next(x_{l-1}, W[l]),   after(X, k) = x_k
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod

from verifier.claim.model import Assumption, Claim, Layers, Step
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, IndexOf
from verifier.expr.text import to_text
from verifier.expr.walk import Part, bound_ranges, children, rebuild, substitute, walk
from verifier.read.specs.theorem_scope import MAX_EXPANDED, extent

SMALL_DEPTHS = (1, 2, 3)
MAX_DEPTH = 6
MAX_FORMS = 40


class NotUnrolledError(Exception):
    """These layers cannot be written out."""


@dataclass(frozen=True)
class Unrolled:
    """The claim at some depths and layers, which `values` tell."""

    claim: Claim
    step: Step
    values: Mapping[str, int]


def names_a_layer(claim: Claim, fact: N.Fact) -> bool:
    """Whether the relation speaks of what one layer drew, by its name or as a state outside of a mean."""
    if claim.layers is None or averages_shared_draws(claim, fact):
        return False
    own = {symbol.name for symbol in claim.layers.symbols}
    if any(isinstance(x, N.Member) and x.name in own for x in walk(fact)):
        return True
    drawn = any(symbol.is_random for symbol in claim.layers.symbols) and _has_a_state(fact)
    return drawn and not _open_names(claim, fact)


def averages_shared_draws(claim: Claim, fact: N.Fact) -> bool:
    """Whether a mean is taken of a state whose layers share a draw: they are not independent, so that no law
    of one layer gives that of the next."""
    averages = (x for x in walk(fact) if isinstance(x, N.Expectation | N.Variance | N.Covariance))
    looked_at = any(isinstance(x, N.After) for average in averages for x in walk(average))
    return looked_at and bool(shared_draws(claim))


def shared_draws(claim: Claim) -> frozenset[str]:
    """The random symbols of the theorem that a layer uses: each is drawn once, for all of the layers."""
    if claim.layers is None:
        return frozenset()
    own = {symbol.name for symbol in claim.layers.symbols} | {claim.layers.state.name}
    given = {pair[0].name: pair[1] for a in claim.assumptions if (pair := a.assumed_value or a.substitution)}
    found: set[str] = set()
    seen, todo = set(own), [claim.layers.next]
    while todo:
        for part in walk(todo.pop()):
            if not isinstance(part, N.Symbol | N.Member | N.Let) or part.name in seen:
                continue
            seen.add(part.name)
            todo += [given[part.name]] if part.name in given else []
            if part.name in claim.random and part.name not in given:
                found.add(part.name)
    return frozenset(found)


def _has_a_state(part: Part) -> bool:
    """Whether a state stands outside of a mean: it ranges over what the layers may draw."""
    if isinstance(part, N.Expectation | N.Variance | N.Covariance):
        return False
    return isinstance(part, N.After) or any(map(_has_a_state, children(part)))


def is_complete(claim: Claim, step: Step) -> bool:
    """Whether the depth is a number: then the claim written out, for every layer, is the claim."""
    return not any(isinstance(claim.symbols[name].kind, Dimension) for name in _open_names(claim, step.fact))


def unrolled(claim: Claim, step: Step) -> Iterator[Unrolled]:
    """The claim at its depth, or at small ones, for every layer that it may mean."""
    assert claim.layers is not None
    names = _open_names(claim, step.fact)
    if any(isinstance(x, N.Limit) and x.variable.name in names for x in walk(step.fact)):
        raise NotUnrolledError("a limit over the depth")
    for name in names:
        if not isinstance(claim.symbols[name].kind, Dimension | IndexOf):
            raise NotUnrolledError(f"a depth or a layer {name} that is no whole number")
    choices = [_choices(claim.symbols[name]) for name in names]
    if prod(map(len, choices)) > MAX_FORMS:
        raise NotUnrolledError("so many layers at once")
    for point in sorted(product(*choices), key=lambda point: (sum(point), point)):
        values = dict(zip(names, point, strict=True))
        if _is_allowed(claim, values):
            made = _at(claim, step, values)
            if made is not None:
                yield made


def _choices(declared: Declared) -> tuple[int, ...]:
    """All values of an index over a range of known length; a few small ones otherwise."""
    size = declared.kind.size.constant if isinstance(declared.kind, IndexOf) else None
    if size is not None and size > MAX_DEPTH:
        raise NotUnrolledError(f"more than {MAX_DEPTH} layers written out")
    return SMALL_DEPTHS if size is None else tuple(range(1, size + 1))


def _open_names(claim: Claim, fact: N.Fact) -> list[str]:
    """Symbols in depths and in the places of layers."""
    assert claim.layers is not None
    own = {symbol.name for symbol in claim.layers.symbols}
    found: set[str] = set()
    for node in walk(fact):
        found |= {name for place in _places(node, own) for name in _names(place)}
        if _counts_layers(node, own):
            found |= {name for span in bound_ranges(node) for name in _names(span.low) | _names(span.high)}
    sizes = {x for name in found for x in _sizes(claim.symbols[name])}
    return [name for name in claim.symbols if name in (found | sizes) - claim.where.keys()]


def _places(node: N.Node, own: Collection[str]) -> Iterator[N.Node]:
    """The depth of a state, the place of a layer."""
    match node:
        case N.After(_, depth):
            yield depth
        case N.Member(name, _, index) if name in own:
            yield index


def _counts_layers(node: N.Node, own: Collection[str]) -> bool:
    """Whether a sum or product runs over depths or layers."""
    bound = {N.Index(span.index) for span in bound_ranges(node)}
    places = (place for part in walk(node) for place in _places(part, own)) if bound else ()
    return any(index in bound for place in places for index in walk(place))


def _names(node: N.Node) -> set[str]:
    return {x.name for x in walk(node) if isinstance(x, N.Symbol)}


def _sizes(declared: Declared) -> frozenset[str]:
    return declared.kind.size.names if isinstance(declared.kind, IndexOf) else frozenset()


def _is_allowed(claim: Claim, values: Mapping[str, int]) -> bool:
    """Indices are within their ranges, and no assumption speaks of what is fixed here."""
    spoken = {x.name for a in claim.assumptions for x in walk(a.fact) if isinstance(x, N.Symbol)}
    if spoken & values.keys():
        raise NotUnrolledError("a depth that an assumption speaks of")
    for name, value in values.items():
        kind = claim.symbols[name].kind
        if isinstance(kind, IndexOf) and kind.size.names <= values.keys() and value > kind.size.at(values):
            return False
    return True


def _at(claim: Claim, step: Step, values: Mapping[str, int]) -> Unrolled | None:
    """None where a layer is named that this depth does not have."""
    assert claim.layers is not None
    where = {**claim.where, **{name: Fraction(value) for name, value in values.items()}}
    numbers: dict[N.Node, N.Node] = {N.Symbol(name): N.Number(value) for name, value in where.items()}
    own = {symbol.name for symbol in claim.layers.symbols}
    fact = rebuild(substitute(step.fact, numbers), lambda child: _term_by_term(child, own))
    depths = [_whole(x.depth) for x in walk(fact) if isinstance(x, N.After)]
    layers = [_whole(x.index) for x in walk(fact) if isinstance(x, N.Member) and x.name in own]
    deepest = max([*depths, *layers], default=0)
    if min([*depths, 0]) < 0 or min([*layers, 1]) < 1 or (depths and max(layers, default=0) > max(depths)):
        return None
    if deepest > MAX_DEPTH:
        raise NotUnrolledError(f"more than {MAX_DEPTH} layers written out")
    writer = _Writer(claim, claim.layers, deepest)
    changed = rebuild(fact, writer.outside)
    if extent(changed, {})[0] > MAX_EXPANDED:
        raise NotUnrolledError("layers that are too large to be written out")
    made = replace(writer.claim(), where=where)
    return Unrolled(made, replace(step, fact=changed), values)


def _term_by_term(node: N.Node, own: Collection[str]) -> N.Node:
    """Sums and products over depths or layers, written out."""
    if not _counts_layers(node, own):
        return rebuild(node, lambda child: _term_by_term(child, own))
    if not isinstance(node, N.Sum | N.Product) or node.conditions or len(node.ranges) != 1:
        raise NotUnrolledError("a sum over layers with conditions or several indices")
    (span,) = node.ranges
    low, high = _whole(span.low), _whole(span.high)
    if high - low >= MAX_FORMS or (high < low and not node.shape.is_scalar):
        raise NotUnrolledError("a sum over so many layers")
    terms = [
        _term_by_term(substitute(node.body, {N.Index(span.index): N.Number(Fraction(k))}), own)
        for k in range(low, high + 1)
    ]
    if isinstance(node, N.Sum):
        return reduce(N.Add, terms) if terms else N.Number(Fraction(0))
    return reduce(N.Multiply, terms) if terms else N.Number(Fraction(1))


def _whole(node: N.Node) -> int:
    """A depth or a layer as a number."""
    match node:
        case N.Number(value) if value.denominator == 1:
            return int(value)
        case N.Add(left, right):
            return _whole(left) + _whole(right)
        case N.Subtract(left, right):
            return _whole(left) - _whole(right)
        case N.Multiply(left, right):
            return _whole(left) * _whole(right)
    raise NotUnrolledError("a depth or a layer that is no whole number")


class _Writer:
    """The states x_0, x_1, ... as trees, each under a name of its own."""

    def __init__(self, claim: Claim, layers: Layers, deepest: int) -> None:
        self.given, self.layers, self.deepest = claim, layers, deepest
        self.own = {symbol.name: symbol for symbol in layers.symbols}
        for symbol in layers.symbols:
            fixed_scalar = not symbol.is_random and not isinstance(symbol.kind, FixedMatrix)
            if symbol.copies is not None or fixed_scalar:
                raise NotUnrolledError(f"{symbol.name}, a family or a number of each layer")
        self.states: list[N.Node] = [layers.state]
        self.lets: dict[str, N.Let] = {}
        for layer in range(1, deepest + 1):
            self.states.append(self._let(layers.state.name, layer, self.inside(layers.next, layer)))

    def claim(self) -> Claim:
        families = {
            name: replace(symbol, copies=Dim.of(max(self.deepest, 1))) for name, symbol in self.own.items()
        }
        assumptions = [item for given in self.given.assumptions for item in self._assumptions(given)]
        return replace(
            self.given,
            symbols={**self.given.symbols, **families},
            lets=(*self.given.lets, *self.lets.values()),
            assumptions=tuple(assumptions),
            layers=None,
        )

    def outside(self, node: N.Node) -> N.Node:
        """after(X, k) is the k-th state; X itself is the input."""
        if isinstance(node, N.After):
            return self.states[_whole(node.depth)]
        return rebuild(node, self.outside)

    def inside(self, node: N.Node, layer: int) -> N.Node:
        """A tree of the layer: its state is the one before, its symbols are its own copies."""
        if node == self.layers.state:
            return self.states[layer - 1]
        match node:
            case N.Symbol(name, shape) if name in self.own:
                return N.Member(name, shape, N.Number(Fraction(layer)))
            case N.Let(name, body) if self._is_inner(node):
                return self._let(name, layer, self.inside(body, layer))
        return rebuild(node, lambda child: self.inside(child, layer))

    def _is_inner(self, node: N.Node) -> bool:
        return any(
            isinstance(x, N.Symbol) and (x == self.layers.state or x.name in self.own) for x in walk(node)
        )

    def _let(self, name: str, layer: int, body: N.Node) -> N.Let:
        found = f"{name}_{layer}"
        while found in self.given.symbols or any(let.name == found for let in self.given.lets):
            found += "_"
        return self.lets.setdefault(found, N.Let(found, body))

    def _assumptions(self, item: Assumption) -> Iterator[Assumption]:
        """What is assumed of a layer's names holds in every layer."""
        mine = {let.name for let in self.layers.lets} | self.own.keys()
        if not any(isinstance(x, N.Let | N.Symbol) and x.name in mine for x in walk(item.fact)):
            yield replace(item, fact=rebuild(item.fact, self.outside))
            return
        if item.substitution is not None:
            raise NotUnrolledError("a value given to what each layer draws")
        for layer in range(1, self.deepest + 1):
            fact = rebuild(item.fact, lambda child, layer=layer: self.inside(child, layer))  # type: ignore[misc]
            yield Assumption(f"{item.name}, layer {layer}", fact, to_text(fact), item.position)
