"""From core terms to their normal form, and back."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from flint import fmpq

from verifier.expr.dims import SCALAR, Dim, Shape
from verifier.expr.nodes import Apply, Node, Relation, Symbol
from verifier.expr.symbols import FixedMatrix, IndexOf, Normal
from verifier.kernel.core import terms as T
from verifier.kernel.core.read import Reader
from verifier.kernel.core.settle import settled
from verifier.kernel.core.states import with_states
from verifier.kernel.normal.assumed import sum_laws
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
    scaled,
    total,
)
from verifier.kernel.normal.integrable import is_integrable
from verifier.kernel.normal.laws import At
from verifier.kernel.normal.renaming import renamed
from verifier.kernel.normal.states import Network
from verifier.kernel.normal.values import Values
from verifier.kernel.rejected import Rejected

STEP_AT_ZERO = Function("step", (NOTHING,))
SHORT, LONG = 6, 64  # sums of so many terms are written out, of entries and of numbers


@dataclass
class Normaliser(Values):
    """Normal forms under a context. `expands`: short sums with numbered terms are written out. `generic`:
    geometric sums have closed forms, where the polynomials in `apart` are not 0."""

    expands: bool = False
    generic: bool = False
    apart: list[Poly] = field(default_factory=list)
    bases: list[Poly] = field(default_factory=list)  # factors of recursions that were solved
    active: set[str] = field(default_factory=set)

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
        self.laws = list(sum_laws(self))

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
                return of_atom(Entry(name, at, self._is_symmetric(name)))
            case T.Plus(parts):
                return total(map(self.normal, parts))
            case T.Times(parts):
                found = UNIT
                for part in parts:
                    found = self.times(found, self.normal(part))
                    if not found.terms:
                        return NOTHING
                return found
            case T.Pow(base, exponent):
                return self._power(self.normal(base), self.normal(exponent))
            case T.Fn(name, args):
                return self.function(name, tuple(map(self.normal, args)))
            case T.Delta(left, right):
                return self.same(left, right)
            case T.Sum(index, low, high, body):
                return self._sum(index, low, high, body)
            case T.Mean(draws, body, origin, apart):
                return self._mean_or_number(draws, body, origin, apart)
            case T.Call(function, arg, at):
                return of_atom(Value(function, arg, at, self.context.reach(arg)))
        raise TypeError(term)

    def _mean_or_number(
        self, draws: frozenset[str], body: T.Term, origin: Node | None, apart: frozenset[str]
    ) -> Poly:
        """A mean that exists and cannot be contracted is a number of which nothing more is known."""
        exists = False
        try:
            self.require_values(body, draws | apart)
            integrand = self.normal(body)
            exists = all(is_integrable(self, powers, draws | apart) for powers in integrand.terms)
            if not exists:
                raise Rejected("no-mean", "a mean that is not known to exist")
            found = self.mean(integrand, draws)
            if apart & found.names:
                raise Rejected("condition", "a mean given a part of what it depends on")
            return found
        except Rejected as rejected:
            if rejected.reason not in ("outside", "no-mean"):
                raise
            if origin is None or not exists:
                raise
        return of_atom(Value("", origin, None, self.context.reach(origin) - draws))

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
        laws = (other.kind for other in self.context.symbols.values())
        return any(isinstance(law, Normal) and law.cov == Symbol(name, self._shape(name)) for law in laws)

    def _shape(self, name: str) -> Shape:
        return self.context.symbols[name].shape if name in self.context.symbols else SCALAR

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
        elif counts and (whole := self._to_whole_end(low, high)) is not None:
            return self._moved_end(inner, index, low, high, whole)
        return self.summed(inner, index, low, high)

    def _to_whole_end(self, low: Dim, high: Dim) -> Dim | None:
        """An end without its number, if the sum is no shorter than empty with either."""
        number = dict(high.terms).get((), 0)
        end = high - Dim.of(number)
        regular = self.is_regular(low, high) and self.is_regular(low, end)
        return end if regular and 0 < abs(number) <= SHORT else None

    def _moved_end(self, inner: Poly, index: str, low: Dim, high: Dim, end: Dim) -> Poly:
        """A sum to n + 1 is a sum to n and one more term."""
        number = (high - end).constant or 0
        beyond = range(1, number + 1) if number > 0 else range(number + 1, 1)
        terms = total(self.substituted(inner, index, end + Dim.of(k)) for k in beyond)
        whole = self.summed(inner, index, low, end)
        return total((whole, terms if number > 0 else scaled(terms, fmpq(-1))))

    # And back

    def closed_form(self, term: T.Term) -> T.Term:
        """A mean as what it is, so that its derivative can be taken."""
        laws, self.laws = self.laws, []  # derivatives come before what is assumed
        try:
            return self.term_of(self.normal(settled(self.reader, term)))
        finally:
            self.laws = laws

    def at_number(self, poly: Poly, entry: Entry, value: int) -> Poly:
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
