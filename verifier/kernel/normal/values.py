"""Where an integrand has a value.

A mean exists only if its integrand has a value almost surely, and so must what is multiplied by 0 or cancels.
So every part of it is looked at before anything is simplified: quotients, roots, logarithms.
"""

from dataclasses import dataclass

from verifier.expr.symbols import Normal, Uniform
from verifier.kernel.core import terms as T
from verifier.kernel.normal.atoms import Entry, Net, Poly, Root
from verifier.kernel.normal.finite import at_outcomes, values_of
from verifier.kernel.normal.means import Means
from verifier.kernel.rejected import Rejected


@dataclass
class Values(Means):
    """Arithmetic that knows where its terms have values."""

    def normal(self, term: T.Term) -> Poly:
        raise NotImplementedError

    def require_values(self, body: T.Term, draws: frozenset[str]) -> None:
        """Rejects an integrand some part of which need not have a value, almost surely."""
        draws = draws.union(*(part.draws for part in T.walk(body) if isinstance(part, T.Mean)))
        for part in T.walk(body):
            if isinstance(part, T.Pow | T.Fn) and draws & T.free(part) and not self._has_value(part):
                self._require_value_at_outcomes(part, draws)

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
            whole = all(factor.q == 1 and self.is_whole(powers) for powers, factor in exponent.terms.items())
            return whole or self.is_positive(self.normal(base))
        if power.q != 1 and not self._is_never_below(base):
            return False
        return power >= 0 or self._is_surely_not_zero(self.normal(base))

    def _is_never_below(self, term: T.Term) -> bool:
        """Whether a term is a sum of squares as it is written, or by the signs of its normal form."""
        return is_sum_of_squares(term) or self.is_nonnegative_poly(self.normal(term))

    def _is_surely_not_zero(self, poly: Poly) -> bool:
        """Positive, or free of draws (where it is 0 the author's text has no value, and nothing is claimed),
        or a polynomial in draws that have a density, whose zeros are a null set."""
        if not poly.terms:
            return False
        if self.is_positive(poly):
            return True
        return all(self._is_analytic(atom) for powers in poly.terms for atom, _ in powers)

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
