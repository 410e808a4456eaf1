"""Means over the layers of a network, of which there may be any number.

A function of the state after k layers is written in the state before, and what layer k draws is integrated.
Where the depth is a symbol this is a linear recursion between functions of the state, if they come back:

    E_W f_a(next(x, W)) = sum_b c_ab f_b(x),

which `recursion` solves. States at several depths are peeled until they are at one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.kernel.context import Layers
from verifier.kernel.core.settle import settled
from verifier.kernel.core.states import is_state, of_one_layer, renamed
from verifier.kernel.core.terms import ZERO, Positions, Term, Var
from verifier.kernel.core.terms import walk as walk_term
from verifier.kernel.normal.atoms import Atom, Entry, Exponent, Monomial, Net, Poly, monomial, total
from verifier.kernel.normal.integrable import is_tame
from verifier.kernel.normal.layer import Layer
from verifier.kernel.normal.recursion import Recursion
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.normalise import Normaliser

MOST_PEELED = 16
MOST_FUNCTIONS = 16
START, BELOW = Dim.of(0), Dim.of(-1)


@dataclass
class Network:
    """The layers of a context, and what they draw."""

    algebra: "Normaliser"
    layers: Layers

    def __post_init__(self) -> None:
        context = self.algebra.context
        self.names = frozenset(name for name in context.symbols if is_state(context, name))
        self.single = frozenset(map(of_one_layer, self.layers.symbols))
        self.layer = Layer(
            self.algebra.reader,
            self.layers,
            lambda term: self.algebra.require_values(term, self.names | self.single),
        )

    def peeled(self, poly: Poly, top: Dim, below: Dim) -> Poly:
        """The mean over the layer at the top, in the state below it."""
        algebra = self.algebra
        integrand = algebra.normal(self.layer.peeled(algebra.term_of(poly), top, below))
        if not all(is_tame(algebra, powers, self.names | self.single) for powers in integrand.terms):
            raise Rejected("no-mean", "a function of the state that is not known to have a mean")
        found = algebra.by_law(integrand, self.single)
        left = walk_term(algebra.term_of(found))
        if any(isinstance(part, Var) and part.name in self.single for part in left):
            raise Rejected("no-mean", "a moment of what a layer draws that is not stated")
        return found

    def at_input(self, poly: Poly) -> Poly:
        reader = self.algebra.reader
        return self.algebra.normal(settled(reader, self.layer.at_input(self.algebra.term_of(poly), START)))

    # Means

    def mean(self, poly: Poly, rounds: int = MOST_PEELED) -> Poly:
        """The mean over all layers, in the input."""
        parts = []
        for powers, factor in poly.terms.items():
            term = Poly({powers: factor})
            parts.append(self._of_term(term, rounds) if self.names & term.names else term)
        return total(parts)

    def _of_term(self, term: Poly, rounds: int) -> Poly:
        if not rounds:
            raise Rejected("too-large", "states at depths that are too far apart")
        places = self._places(term, self.names)
        top = _greatest({at[0] for _, at in places})
        drawn = {at[0] for _, at in self._places(term, frozenset(self.layers.symbols))}
        if any((layer - top).constant is None for layer in drawn):
            raise Rejected("outside", "what a layer draws beside a state of which nobody knows the order")
        starts = {at[1 + self.layer.height] for name, at in places if name in self.layer.by_draw}
        for layer in starts:
            if (number := (top - layer).constant) is not None and number < 0:
                return Poly({})  # no later layer changes an earlier state
        if top == START:
            return self.mean(self.at_input(term), rounds - 1)
        one = all(at[0] == top for _, at in places) and all(_is_beyond(layer, top) for layer in drawn)
        base = START
        if starts:
            (base, *others) = starts
            if others:
                raise Rejected("outside", "derivatives by what several layers draw")
        if one and (top - base).constant is None:
            return self.mean(self._closed(term, top, base), rounds - 1)
        beyond = (layer + Dim.of(1) for layer in starts if (top - layer).constant is None)
        if not all(self._is_at_least(top, least) for least in (Dim.of(1), *beyond)):
            raise Rejected("outside", "a layer that need not exist, or may be that of a derivative")
        return self.mean(self.peeled(term, top, top - Dim.of(1)), rounds - 1)

    def _places(self, poly: Poly, names: frozenset[str]) -> list[tuple[str, Positions]]:
        term = self.algebra.term_of(poly)
        return [(v.name, v.at) for v in walk_term(term) if isinstance(v, Var) and v.name in names]

    def _is_at_least(self, position: Dim, least: Dim) -> bool:
        """Whether a depth is so large, whatever its indices and sizes are."""
        gap = position - least
        for name in sorted(gap.names & self.algebra.ranges.keys()):
            low, high = self.algebra.ranges[name]
            factor = dict(gap.terms).get(((name, 1),))
            if factor is None or any(
                name in dict(powers) and powers != ((name, 1),) for powers, _ in gap.terms
            ):
                return False
            gap = gap.replace({name: low if factor > 0 else high})
        return self.algebra.is_regular(Dim.of(1), gap)

    # Depths that are symbols

    def _closed(self, term: Poly, depth: Dim, base: Dim) -> Poly:
        """The mean over the layers after the base, in the state there."""
        if not self._is_at_least(depth, base):
            raise Rejected("outside", "a depth that may be before its first layer")
        ((powers, factor),) = self._moved(term, depth, START).terms.items()
        first, outer = self._split(powers)
        steps: dict[Monomial, Poly] = {}
        rows: dict[Monomial, dict[Monomial, Poly]] = {}
        todo = [first]
        while todo:
            own = todo.pop()
            if own in rows:
                continue
            if len(rows) >= MOST_FUNCTIONS:
                raise Rejected("outside", "functions of the state that do not come back")
            rows[own] = self._row(own)
            todo += rows[own]
        recursion = Recursion(self.algebra, rows)
        many = depth - base
        steps = recursion.solved(first, many, self._is_at_least(many, Dim.of(1)))
        found = total(self.algebra.times(part, Poly({own: fmpq(1)})) for own, part in steps.items())
        return self.algebra.times(Poly({outer: factor}), self._moved(found, START, base))

    def _row(self, own: Monomial) -> dict[Monomial, Poly]:
        """What a function of the state is in mean, in functions of the state before."""
        found: dict[Monomial, list[Poly]] = {}
        for powers, factor in self._moved(
            self.peeled(Poly({own: fmpq(1)}), START, BELOW), BELOW, START
        ).terms.items():
            inner, outer = self._split(powers)
            found.setdefault(inner, []).append(Poly({outer: factor}))
        rows = {inner: total(parts) for inner, parts in found.items()}
        return {inner: part for inner, part in rows.items() if part.terms}

    def _split(self, powers: Monomial) -> tuple[Monomial, Monomial]:
        """The factors that depend on the state, and the others."""
        inner = {atom: power for atom, power in powers if self.names & atom.names}
        if not all(_is_plain(atom, power, self.names) for atom, power in inner.items()):
            raise Rejected("outside", "a function of the state that is no polynomial")
        return monomial(inner), monomial({a: p for a, p in powers if a not in inner})

    def _moved(self, poly: Poly, depth: Dim, to: Dim) -> Poly:
        """The same function of the state at another depth."""

        def put(name: str) -> Callable[[Positions], Term]:
            return lambda at: Var(name, (to, *at[1:]) if at[0] == depth else at)

        change = {name: put(name) for name in self.names}
        return self.algebra.normal(renamed(self.algebra.term_of(poly), change))


def is_resting(algebra: "Normaliser") -> bool:
    """Whether the derivatives of a row of the next state are 0, almost surely, where that row is, if it is so
    of the state before."""
    layers = algebra.context.layers
    assert layers is not None
    layer, own = Layer(algebra.reader, layers, lambda term: None), layers.state.name
    (*row, last) = algebra.places(layers.state.shape)
    at = (*row, Dim.of(f"%n{next(algebra.fresh)}"))
    algebra.ranges[str(at[-1])] = algebra.ranges[str(last)]
    state = algebra.normal(layer.before(layer.next(at), START))
    slopes = []
    for by, drawn in ((layer.by_input, None), *layer.by_draw.items()):
        place = algebra.places(layers.state.shape if drawn is None else layers.symbols[drawn].shape)
        earlier = place if drawn is None else (Dim.of(f"%l{next(algebra.fresh)}"), *place)

        def held(q: Positions, by: str = by, earlier: Positions = earlier) -> Term:
            return Var(by, (START, *q, *earlier))

        slopes.append(layer.slope(at, own, (), {own: held}))
        if drawn is not None:
            slopes.append(layer.slope(at, drawn, place, {own: lambda q: ZERO}))
    return all(algebra.is_zero_with(state, algebra.normal(layer.before(slope, START))) for slope in slopes)


def _is_plain(atom: Atom, power: Exponent, names: frozenset[str]) -> bool:
    if not isinstance(power, int) or power < 0:
        return False
    if isinstance(atom, Net):
        return all(_is_plain(part, each, names) for part, each in atom.factors if names & part.names)
    return isinstance(atom, Entry)


def _greatest(depths: set[Dim]) -> Dim:
    for depth in depths:
        gaps = [(depth - other).constant for other in depths]
        if all(gap is not None and gap >= 0 for gap in gaps):
            return depth
    raise Rejected("outside", "states at depths of which nobody knows the order")


def _is_beyond(layer: Dim, top: Dim) -> bool:
    gap = (layer - top).constant
    return gap is not None and gap > 0
