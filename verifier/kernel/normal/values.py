"""Where an integrand has a value.

A mean exists only if its integrand has a value almost surely, and so must what is multiplied by 0 or cancels.
So every part of it is looked at before anything is simplified: quotients, roots, logarithms.
"""

from contextlib import suppress
from dataclasses import dataclass

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.symbols import Normal, Uniform
from verifier.kernel.core import terms as T
from verifier.kernel.core.states import is_state
from verifier.kernel.normal.atoms import Atom, Entry, Function, Monomial, Net, Poly, Root, of_atom, total
from verifier.kernel.normal.drawn import degree_in
from verifier.kernel.normal.exponents import is_count
from verifier.kernel.normal.finite import at_outcomes, values_of
from verifier.kernel.normal.laws import At
from verifier.kernel.normal.means import Means
from verifier.kernel.normal.renaming import Ranges, rename
from verifier.kernel.rejected import Rejected

MOST_ROUNDS = 40


@dataclass
class Values(Means):
    """Arithmetic that knows where its terms have values."""

    def require_values(self, body: T.Term, draws: frozenset[str]) -> None:
        """Rejects an integrand some part of which need not have a value, almost surely."""
        draws = draws.union(*(part.draws for part in T.walk(body) if isinstance(part, T.Mean)))
        todo = [body]
        while todo:
            part = todo.pop()
            excused = isinstance(part, T.Times) and self._is_excused(part, draws)
            todo += (*T.parts_of(part)[1:], *T.parts_of(T.parts_of(part)[0])) if excused else T.parts_of(part)
            if isinstance(part, T.Pow | T.Fn) and draws & T.free(part) and not self._has_value(part):
                self._require_value_at_outcomes(part, draws)

    def _is_excused(self, product: T.Times, draws: frozenset[str]) -> bool:
        """A slope of relu at what may be 0, if only together with the slope of that: where f and its slope
        are 0, relu(f) has the slope 0."""
        match product:
            case T.Times((T.Fn("step", (arg,)) as slope, inner), chained=True) if draws & T.free(slope):
                if not self._has_value(slope):
                    with suppress(Rejected):
                        there, beside = (self.normal(self.told_apart(part)) for part in (arg, inner))
                        return self.is_zero_with(there, beside)
        return False

    def is_zero_with(self, poly: Poly, other: Poly, rounds: int = MOST_ROUNDS) -> bool:
        """Whether, almost surely, another polynomial is 0 where this is, at all places of its free indices:
        it is linear in a draw with a density, and so what it is without the draw is 0, or else what the draw
        is multiplied with; it is a product with a step in it, which stands in the other; it is a state."""
        if not other.terms or not rounds or self._is_surely_not_zero(poly):
            return rounds > 0
        for name in filter(self._has_density, sorted(poly.names)):
            inside = {m: c for m, c in poly.terms.items() if any(name in atom.names for atom, _ in m)}
            if any(degree_in(powers, {name}) != 1 for powers in inside):
                continue
            rest = Poly({powers: c for powers, c in poly.terms.items() if powers not in inside})
            beside = rest if rest.terms else self._beside(poly, name)
            if beside is not None and self.is_zero_with(beside, other, rounds - 1):
                return True
        if len(poly.terms) != 1:
            return False
        ((powers, _),) = poly.terms.items()
        # Of a product at all places another factor may be 0 at each: of one alone nothing else can be.
        if sum(isinstance(atom, Function) or self._is_of_state(atom) for atom, _ in powers) > 1:
            return False
        return all(self._factor_is_zero_with(atom, other, rounds) for atom, _ in powers)

    def _is_of_state(self, atom: Atom) -> bool:
        return any(is_state(self.context, name) for name in atom.names) and isinstance(atom, Entry)

    def _factor_is_zero_with(self, atom: Atom, other: Poly, rounds: int) -> bool:
        match atom:
            case Function("step"):
                return all(self._stands_in(atom, powers) for powers in other.terms)
            case Entry(name, (*row, last)) if is_state(self.context, name):
                whole = any(each.startswith("%n") for each in last.names)
                reaches = all(self._reaches(row, powers) for powers in other.terms)
                return whole and reaches and self.rests()
            case Net():
                return self.is_zero_with(of_atom(atom), other, rounds - 1)
        return self._is_surely_not_zero(of_atom(atom))

    def _stands_in(self, step: Function, powers: Monomial) -> bool:
        """Whether a step stands in a product, at some place of an index that it has."""
        bound: Ranges = {}
        for atom, power in self.opened_all(list(powers), "", bound):
            if not isinstance(atom, Function) or atom.name != "step" or power < 0:
                continue
            if atom == step:
                return True
            for own in sorted(name for name in step.names if name.startswith("%n")):
                for index in sorted(name for name in atom.names if name.startswith("%")):
                    same = self.ranges.get(own) is not None and self.ranges[own] == self.ranges.get(index)
                    if same and rename(step, {own: index}) == atom:
                        return True
        return False

    def _reaches(self, row: list[Dim], powers: Monomial) -> bool:
        """Whether a product has an entry of the same row of a state in it, or of a derivative of that row."""
        opened = self.opened_all(list(powers), "", {})
        states = (a for a, p in opened if isinstance(a, Entry) and p > 0 and is_state(self.context, a.name))
        return any([*atom.at[: len(row)]] == row for atom in states)

    def rests(self) -> bool:
        """Whether the derivatives of a row of the state are 0, almost surely, where the row is."""
        raise NotImplementedError

    def _require_value_at_outcomes(self, part: T.Term, draws: frozenset[str]) -> None:
        """Of what depends on draws with two values it is enough that there is a value at each outcome."""
        found = [part]
        for name in sorted(draws & T.free(part)):
            values = values_of(self.context.symbols.get(name))
            if values is not None:
                found = [each for one in found for each in at_outcomes(one, name, values)]
        self.budget.spend(len(found))
        if found == [part] or not all(map(self._has_value, found)):
            raise Rejected("no-mean", "a value that need not exist at some outcome")

    def _has_value(self, part: T.Term) -> bool:
        match part:
            case T.Pow(base, exponent):
                return self._power_has_value(base, self.normal(exponent))
            case T.Fn("log", (arg,)):
                return self._is_never_below(arg) and self._is_surely_not_zero(self.normal(arg))
            case T.Fn("step" | "sign", (arg,)):
                return self._is_surely_not_zero(self.normal(arg))
        return isinstance(part, T.Fn) and part.name in T.TOTAL

    def _power_has_value(self, base: T.Term, exponent: Poly) -> bool:
        """A product of a whole number of factors has a value whatever they are, a quotient where they are not
        0, a root where they are not negative."""
        power = exponent.constant
        if power is None:
            found = self.normal(base)
            whole = all(factor.q == 1 and self.is_whole(powers) for powers, factor in exponent.terms.items())
            return (
                is_count(self, exponent)
                or (whole and self._is_surely_not_zero(found))
                or self.is_positive(found)
            )
        if power.q != 1 and not self._is_never_below(base):
            return False
        return power >= 0 or self._is_surely_not_zero(self.normal(base))

    def _is_never_below(self, term: T.Term) -> bool:
        """Whether a term is a sum of squares as it is written, or by the signs of its normal form; a product
        of such."""
        if isinstance(term, T.Times) and all(map(self._is_never_below, term.parts)):
            return True
        return is_sum_of_squares(term) or self.is_nonnegative_poly(self.normal(term))

    def _is_surely_not_zero(self, poly: Poly) -> bool:
        """Positive, or free of draws (where it is 0 the author's text has no value, and nothing is claimed),
        or a polynomial in draws that have a density, whose zeros are a null set."""
        if not poly.terms:
            return False
        if self.is_positive(poly) or all(
            self._is_analytic(atom) for powers in poly.terms for atom, _ in powers
        ):
            return True
        dense = (name for name in sorted(poly.names) if self._has_density(name))
        return any(self._is_surely_not_zero_in(poly, name) for name in dense)

    def _is_surely_not_zero_in(self, poly: Poly, name: str) -> bool:
        """A polynomial in the entries of a draw with a density is 0 with no chance, if what stands beside
        them is not: what is free of them, or what one of them is multiplied with in a linear function."""
        inside = {m: c for m, c in poly.terms.items() if any(name in atom.names for atom, _ in m)}
        if any(degree_in(powers, {name}) is None for powers in inside):
            return False
        rest = Poly({powers: c for powers, c in poly.terms.items() if powers not in inside})
        if rest.terms:
            return self._is_surely_not_zero(rest)
        if any(degree_in(powers, {name}) != 1 for powers in inside):
            return False
        beside = self._beside(poly, name)
        return beside is not None and self._is_surely_not_zero(beside)

    def _beside(self, poly: Poly, name: str) -> Poly | None:
        """Of a linear function of the entries of a draw, what one of them is multiplied with, if the same
        places are summed over everywhere."""
        found: list[Poly] = []
        shared: At | None = None
        for powers, factor in poly.terms.items():
            bound: Ranges = {}
            opened = list(self.opened_all([item for item in powers if name in item[0].names], name, bound))
            (entry,) = (atom for atom, _ in opened if isinstance(atom, Entry) and atom.name == name)
            kept = Poly({tuple(item for item in powers if name not in item[0].names): factor})
            for part in ((a, p) for a, p in opened if a != entry):
                kept = self.times(kept, Poly({(part,): fmpq(1)}))
            shared = shared or entry.at
            for own, common in zip(entry.at, shared, strict=True):
                index = next(iter(own.names), "")
                if own == common:
                    bound.pop(index, None)
                    continue
                if own != Dim.of(index) or index not in bound or not self.is_among(common, index):
                    return None
                bound.pop(index)
                kept = self.substituted(kept, index, common)
            found.append(self.close(bound, kept))
        return total(found)

    def _has_density(self, name: str) -> bool:
        """Independent entries, each with a density, of a law that does not depend on other draws."""
        declared = self.context.symbols.get(name)
        if declared is None or not isinstance(declared.kind, Normal) or declared.kind.cov is not None:
            return False
        return declared.kind.row_corr is None and self.is_positive(self.of_node(declared.kind.std))

    def _is_analytic(self, atom: object) -> bool:
        """Entries of fixed symbols and of draws with a density, and sums, products and roots of these."""
        match atom:
            case Entry(name):
                declared = self.context.symbols.get(name)
                law = None if declared is None else declared.kind
                return declared is None or not declared.is_random or isinstance(law, Normal | Uniform)
            case Net(_, factors):
                return all(self._is_analytic(part) for part, _ in factors)
            case Root(base):
                return all(self._is_analytic(part) for part in base.atoms())
        return False


def is_sum_of_squares(term: T.Term) -> bool:
    """Sums and products of even powers, of factors that stand there twice and of numbers that are not
    negative."""
    match term:
        case T.Num(value):
            return value >= 0
        case T.Plus(parts):
            return all(map(is_sum_of_squares, parts))
        case T.Times(parts):
            odd = [part for part in dict.fromkeys(parts) if parts.count(part) % 2]
            return all(map(is_sum_of_squares, odd))
        case T.Sum(body=body):
            return is_sum_of_squares(body)
        case T.Pow(_, T.Num(power)):
            return power % 2 == 0 or power.denominator % 2 == 0
        case T.Fn(name):
            return name in ("abs", "exp", "relu", "sigmoid", "softplus", "step", "Phi")
    return isinstance(term, T.Delta)
