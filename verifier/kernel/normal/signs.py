"""Signs of atoms and of polynomials, from what is declared."""

from dataclasses import dataclass, field

from flint import fmpq

from verifier.expr.nodes import Number
from verifier.expr.symbols import Dimension, FixedMatrix, IndexOf, Integer, Interval, Positive, Uniform
from verifier.kernel.context import Context
from verifier.kernel.normal.atoms import (
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Monomial,
    Net,
    Poly,
    Root,
    Same,
)


@dataclass
class Signs:
    """What is positive, not negative or whole at every value that the declarations allow."""

    context: Context
    rooted: set[str] = field(default_factory=set)  # symbols of which an assumption takes the root
    assumed_signs: list[tuple[Poly, bool]] = field(default_factory=list)  # not negative, or positive

    def is_positive(self, poly: Poly) -> bool:
        """Positive at every value of the symbols; a sum that is not negative and has one positive term."""
        if not poly.terms or not self.is_nonnegative_poly(poly):
            return False
        return any(all(self.is_positive_atom(atom) for atom, _ in powers) for powers in poly.terms)

    def is_nonnegative_poly(self, poly: Poly) -> bool:
        return all(
            factor > 0 and all(self.is_nonnegative(atom, power) for atom, power in powers)
            for powers, factor in poly.terms.items()
        )

    def is_positive_atom(self, atom: Atom) -> bool:
        match atom:
            case Entry(name, ()):
                return self.is_positive_symbol(name)
            case Function("exp" | "sigmoid" | "pi" | "Phi"):
                return True
            case Function("power", (base, _)) | Inverse(base) | Root(base):
                return self.is_positive(base)
            case Function("log", (arg,)):
                return self._is_at_least_one(arg, True)
        return False

    def _is_at_least_one(self, poly: Poly, strict: bool) -> bool:
        """A sum of what is never negative, in which numbers and multiples of sizes make 1, or more than 1."""
        known = sum((factor for powers, factor in poly.terms.items() if self._is_count(powers)), fmpq(0))
        return self.is_nonnegative_poly(poly) and (known > 1 if strict else known >= 1)

    def _is_count(self, powers: Monomial) -> bool:
        """A product of sizes, each of them at least 1."""
        return self.is_whole(powers) and all(self.is_positive_atom(atom) for atom, _ in powers)

    def is_positive_symbol(self, name: str) -> bool:
        declared = self.context.symbols.get(name)
        if declared is None:
            return False
        match declared.kind:
            case Dimension() | IndexOf() | Positive():
                return True
            case Interval(Number(low), _):
                return low > 0
        return False

    def is_nonnegative(self, atom: Atom, power: Exponent) -> bool:
        """Whether atom**power is never negative where it has a value."""
        if power % 2 == 0 or self.is_positive_atom(atom):
            return True
        match atom:
            case Root() | Function("step"):
                return True
            case Function("log", (arg,)):
                return self._is_at_least_one(arg, False)
            case Entry(name, ()) if name.endswith("'") or name in self.rooted:
                return True  # a distance from the end of a range, or what has a root
            case Entry(name, ()):
                kind = self.context.symbols[name].kind if name in self.context.symbols else None
                low = kind.low if isinstance(kind, Interval | Uniform) else None
                return isinstance(low, Number) and low.value >= 0
            case Entry(name, at):
                kind = self.context.symbols[name].kind if name in self.context.symbols else None
                if isinstance(kind, Uniform):
                    return isinstance(kind.low, Number) and kind.low.value >= 0
                family = kind.family if isinstance(kind, FixedMatrix) else ""
                on_diagonal = len(at) == 2 and at[0] == at[1]
                return family in ("simplex", "stochastic") or (family == "psd" and on_diagonal)
            case Inverse(base):
                return self.is_nonnegative_poly(base)
            case Net(_, factors):
                return all(self.is_nonnegative(part, each) for part, each in factors)
        return isinstance(atom, Same)

    def is_whole(self, powers: Monomial) -> bool:
        """Whether a product of symbols is a whole number."""
        return all(
            isinstance(atom, Entry) and isinstance(power, int) and power > 0 and self._is_integer(atom)
            for atom, power in powers
        )

    def _is_integer(self, atom: Entry) -> bool:
        declared = self.context.symbols.get(atom.name)
        if declared is None:
            return atom.name.startswith(("%", "$"))  # a bound index
        return isinstance(declared.kind, Dimension | Integer | IndexOf)
