"""From core terms to their normal form, and back."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.expr.dims import SCALAR, Dim, Shape
from verifier.expr.nodes import Apply, Fact, Node, Relation, Symbol, Transpose
from verifier.expr.symbols import FixedMatrix, IndexOf, Normal
from verifier.kernel.core import terms as T
from verifier.kernel.core.read import Reader
from verifier.kernel.core.settle import settled
from verifier.kernel.core.states import is_state, state_name, with_states
from verifier.kernel.normal.assumed import assumed_laws
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Moment,
    Monomial,
    Net,
    Poly,
    Root,
    Same,
    Value,
    constant,
    of_atom,
    total,
)
from verifier.kernel.normal.integrable import is_integrable
from verifier.kernel.normal.laws import At
from verifier.kernel.normal.layer import Layer
from verifier.kernel.normal.renaming import renamed
from verifier.kernel.normal.states import Network, is_resting
from verifier.kernel.normal.sums import SHORT
from verifier.kernel.normal.values import Values
from verifier.kernel.rejected import Rejected

STEP_AT_ZERO = Function("step", (NOTHING,))
LONG = 64  # sums of so many terms are written out, of entries and of numbers


@dataclass
class Normaliser(Values):
    """Normal forms under a context. `expands`: short sums with numbered terms are written out. `whole`: means
    stay means. `generic`: geometric sums have closed forms, where the polynomials in `apart` are not 0."""

    expands: bool = False
    whole: bool = False
    generic: bool = False
    apart: list[Poly] = field(default_factory=list)
    bases: list[Poly] = field(default_factory=list)  # factors of recursions that were solved
    active: set[str] = field(default_factory=set)
    kept: bool = False  # each layer leaves the state as it is
    resting: bool | None = None  # see `rests`

    def __post_init__(self) -> None:
        self.context = with_states(self.context)
        self.reader = Reader(self.context, close=self.closed_form, budget=self.budget)
        for name, declared in self.context.symbols.items():
            if isinstance(declared.kind, IndexOf):
                self.ranges[name] = Dim.of(1), declared.kind.size
        for fact in self.context.assumptions:
            if isinstance(fact, Relation) and fact.op in ("!=", "<", ">"):
                # An assumption about something else than positions says nothing of them.
                with suppress(Rejected):
                    self.distinct.add(self.reader.position(fact.left) - self.reader.position(fact.right))
        self.rooted |= set(self._rooted())
        assumed_laws(self)
        self.kept = self._is_state_kept()

    def _rooted(self) -> Iterator[str]:
        """x, where s == sqrt(c*x) is assumed for a positive c: without a root there is no such s."""
        for fact in self.context.assumptions:
            match fact:
                case Relation("==", Symbol(), Apply("sqrt", (arg,))) if arg.shape.is_scalar:
                    with suppress(Rejected):
                        inner = self.normal(self.reader.scalar(arg))
                        for atom in inner.atoms() if len(inner.terms) == 1 else ():
                            rest = self.times(inner, of_atom(atom, -1))
                            if isinstance(atom, Entry) and not atom.at and self.is_positive(rest):
                                yield atom.name

    def of_node(self, node: Node, row: At = (), col: At = ()) -> Poly:
        if not (row or col or node.shape.is_scalar):
            raise Rejected("outside", "a matrix as the parameter of a law")
        return self.normal(settled(self.reader, self.reader.entry(node, row, col)))

    def normal(self, term: T.Term) -> Poly:
        self.budget.spend()
        match term:
            case T.Num(value):
                return constant(value)
            case T.Var(name, at):
                if self.kept and self.context.layers and name == state_name(self.context.layers):
                    name, at = self.context.layers.state.name, at[1:]
                return self.entry(name, at, self._is_symmetric(name))
            case T.Plus(parts):
                return total(map(self.normal, parts))
            case T.Times(parts):
                found = UNIT
                for part in parts:
                    if found.terms:
                        found = self.times(found, self.normal(part))
                    elif any(isinstance(inner, T.Mean) for inner in T.walk(part)):
                        self._require_mean(part)
                return found
            case T.Pow(T.Times() as base, T.Num(exponent)) if exponent.denominator == 2:
                return self._root_of_product(T.factors_of(base), exponent)
            case T.Pow(base, exponent):
                return self._power(self.normal(base), self.normal(exponent))
            case T.Fn(name, args):
                return self.function(name, tuple(map(self.normal, args)))
            case T.Delta(left, right):
                return self.same(left, right)
            case T.Sum(index, low, high, body):
                return self._sum(index, low, high, body)
            case T.Mean(draws, body, apart):
                return self._integrated(draws, body, apart)
            case T.Call(function, arg, at):
                return of_atom(Value(function, arg, at, self.context.reach(arg)))
        raise TypeError(term)

    def _require_mean(self, term: T.Term) -> None:
        """Beside 0 as well a mean has to exist."""
        try:
            self.normal(term)
        except Rejected as rejected:
            if rejected.reason == "no-mean":
                raise

    def _integrated(self, draws: frozenset[str], body: T.Term, apart: frozenset[str]) -> Poly:
        """The mean of what has values and is integrable."""
        self.require_values(body, draws | apart)
        integrand = self.normal(body)
        if not all(is_integrable(self, powers, draws | apart) for powers in integrand.terms):
            raise Rejected("no-mean", "a mean that is not known to exist")
        found = self.uncontracted(integrand, draws) if self.whole else self.contracted(integrand, draws)
        if apart & found.names:
            raise Rejected("condition", "a mean given a part of what it depends on")
        return found

    def _is_state_kept(self) -> bool:
        """Whether each layer leaves the state as it is, once assumed values are entered."""
        layers = self.context.layers
        if layers is None or not is_state(self.context, state_name(layers)):
            return False
        at = self.places(layers.state.shape)
        try:
            layer = Layer(self.reader, layers, lambda term: None)
            return self.normal(layer.before(layer.next(at), Dim.of(0))) == self.normal(
                T.Var(state_name(layers), (Dim.of(0), *at))
            )
        except Rejected:
            return False

    def rests(self) -> bool:
        """By induction over the layers: what is asked is used of the state before."""
        if self.resting is None:
            self.resting = True
            try:
                self.resting = is_resting(self)
            except Rejected:
                self.resting = False
        return self.resting

    def places(self, shape: Shape) -> At:
        """An arbitrary place of a matrix."""
        sizes = [size for size in (shape.rows, shape.cols) if size != SCALAR.rows]
        names = [f"%s{next(self.fresh)}" for _ in sizes]
        self.ranges |= {name: (Dim.of(1), size) for name, size in zip(names, sizes, strict=True)}
        return tuple(map(Dim.of, names))

    def over_layers(self, poly: Poly) -> Poly:
        layers = self.context.layers
        assert layers is not None
        return Network(self, layers).mean(poly)

    def _is_symmetric(self, name: str) -> bool:
        """Declared so, or the covariance of a law, which would not exist otherwise."""
        declared = self.context.symbols.get(name)
        kind = declared.kind if declared is not None else None
        if isinstance(kind, FixedMatrix) and kind.family in ("symmetric", "psd"):
            return True
        if any(_says_symmetric(fact, name) for fact in self.context.assumptions):
            return True
        laws = (other.kind for other in self.context.symbols.values())
        return any(isinstance(law, Normal) and law.cov == Symbol(name, self._shape(name)) for law in laws)

    def _shape(self, name: str) -> Shape:
        return self.context.symbols[name].shape if name in self.context.symbols else SCALAR

    def _root_of_product(self, parts: Sequence[T.Term], exponent: Fraction) -> Poly:
        """sqrt(a*a*b) = a*sqrt(b), where the text shows that a is not negative: the normal form need not."""
        outer, inner, found = UNIT, UNIT, list[Poly]()
        for part in parts:
            factor = self.normal(part)
            if factor in found and T.is_nonnegative(part):
                found.remove(factor)
                outer = self.times(outer, factor)
            else:
                found.append(factor)
        for factor in found:
            inner = self.times(inner, factor)
        return self.times(self.power(outer, exponent.numerator), self.root(inner, exponent))

    def _power(self, base: Poly, exponent: Poly) -> Poly:
        value = exponent.constant
        if value is None:
            return self.symbolic_power(base, exponent)
        if value.q == 1:
            return self.power(base, int(value.p))
        return self.root(base, Fraction(int(value.p), int(value.q)))

    def _sum(self, index: str, low: Dim, high: Dim, body: T.Term) -> Poly:
        if index in self.active:
            raise Rejected("outside", "an index that is bound twice")
        self.active.add(index)
        self.ranges[index] = low, high
        inner = self.normal(body)
        self.active.remove(index)
        first, last = low.constant, high.constant
        counts = not is_position(inner, index)
        if first is not None and last is not None and first - 1 <= last < first + (LONG if counts else SHORT):
            if counts or self.expands:
                return total(self.substituted(inner, index, Dim.of(k)) for k in range(first, last + 1))
        elif all(self.is_anywhere(atom, power, index) for powers in inner.terms for atom, power in powers):
            return self.from_end_to_end(inner, index, low, high)
        return self.summed(inner, index, low, high)

    # And back

    def closed_form(self, term: T.Term) -> T.Term:
        """A mean as what it is, so that its derivative can be taken."""
        laws, self.laws = self.laws, []  # derivatives come before what is assumed
        entries, self.entries = self.entries, []
        try:
            return self.term_of(self.normal(settled(self.reader, term)))
        finally:
            self.laws, self.entries = laws, entries

    def at_number(self, poly: Poly, entry: Entry, value: int | Fraction) -> Poly:
        """The normal form where an entry of a symbol has this value. A step at 0 stands beside a factor 0, or
        is a slope without a value: it counts as 1/2, as step(-x) = 1 - step(x) asks for."""

        def put(term: T.Term) -> T.Term:
            if isinstance(term, T.Var) and (term.name, term.at) == (entry.name, entry.at):
                return T.number(value)
            return T.rebuilt(term, put)

        found = self.normal(put(self.term_of(poly)))
        parts = []
        for powers, factor in found.terms.items():
            kept = tuple(item for item in powers if item[0] != STEP_AT_ZERO)
            parts.append(Poly({kept: factor / 2 ** (len(powers) - len(kept))}))
        return total(parts)

    def term_of(self, poly: Poly) -> T.Term:
        parts = []
        for powers, factor in poly.terms.items():
            number = T.Num(Fraction(int(factor.p), int(factor.q)))
            parts.append(T.times(number, *(self._term_of(atom, power) for atom, power in powers)))
        return T.plus(*parts)

    def _term_of(self, atom: Atom, power: Exponent) -> T.Term:
        match atom:
            case Entry(name, at):
                return T.power(T.Var(name, at), power)
            case Same(left, right):
                return T.Delta(left, right)
            case Function("exp", (arg,)):
                return T.Fn("exp", (T.times(T.number(power), self.term_of(arg)),))
            case Function("power", (base, exponent)):
                return T.Pow(self.term_of(base), T.times(T.number(power), self.term_of(exponent)))
            case Function(name, args):
                return T.power(T.Fn(name, tuple(map(self.term_of, args))), power)
            case Inverse(base):
                return T.power(self.term_of(base), -power)
            case Root(base):
                return T.power(self.term_of(base), power)
            case Moment(draws, body):
                return T.power(T.Mean(draws, self.term_of(body)), power)
            case Value(function, arg, at, _):
                return T.power(T.Call(function, arg, at), power)
            case Net(bound, factors):
                # Under new names: what is put into the sum may have sums of its own.
                names = {name: f"%t{next(self.fresh)}" for name, _, _ in bound}
                parts = renamed(factors, names)
                summand: T.Term = T.times(*(self._term_of(part, each) for part, each in parts))
                for name, low, high in reversed(bound):
                    summand = T.Sum(names[name], low, high, summand)
                return T.power(summand, power)
        raise TypeError(atom)


def _says_symmetric(fact: Fact, name: str) -> bool:
    match fact:
        case Relation("==", Symbol(one), Transpose(Symbol(other))) | Relation(
            "==", Transpose(Symbol(one)), Symbol(other)
        ):
            return one == other == name
    return False


def is_position(poly: Poly, index: str) -> bool:
    """Whether an index numbers entries somewhere, and is not only a number."""
    return any(_numbers(atom, index) for atom in poly.atoms() if index in atom.names)


def _numbers(atom: Atom, index: str) -> bool:
    match atom:
        case Entry(_, at):
            return any(index in position.names for position in at)
        case Function(_, args):
            return any(is_position(arg, index) for arg in args)
        case Inverse(base) | Root(base) | Moment(_, base):
            return is_position(base, index)
        case Net(_, factors):
            return any(_numbers(part, index) for part, _ in factors)
    return True


def is_polynomial(poly: Poly, names: frozenset[str]) -> bool:
    """Whether these symbols stand in a polynomial as entries alone, to whole powers."""
    return all(_is_polynomial(powers, names) for powers in poly.terms)


def _is_polynomial(powers: Monomial, names: frozenset[str]) -> bool:
    for atom, power in powers:
        if not names & atom.names:
            continue
        if not isinstance(power, int) or power < 0:
            return False
        if isinstance(atom, Net):
            if not _is_polynomial(atom.factors, names):
                return False
        elif not isinstance(atom, Entry):
            return False
    return True
