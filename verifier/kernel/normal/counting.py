"""Factorials, double factorials and binomial coefficients: of numbers they are numbers, of symbols all are
written by factorials as far as their values there are known to exist."""

from dataclasses import dataclass

from flint import fmpq

from verifier.kernel.normal.algebra import Algebra
from verifier.kernel.normal.atoms import UNIT, Atom, Function, Poly, constant, of_atom, scaled, total
from verifier.kernel.normal.rationals import exponent_of
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.rejected import Rejected

LARGEST, FARTHEST = 200, 20  # a number whose factorial is written out; a number beside a symbol


@dataclass
class Counting(Algebra):
    """Arithmetic with functions of whole numbers."""

    def counting(self, name: str, args: tuple[Poly, ...]) -> Poly:
        if name == "binomial":
            return self._binomial(*args)
        value = args[0].constant
        if value is None:
            return self._factorial(args[0]) if name == "factorial" else self._double(args[0])
        if value.q != 1 or not -1 <= value <= LARGEST:
            return of_atom(Function(name, args))
        if value < 0 and name == "factorial":
            raise Rejected("undefined", "a factorial of a negative number")
        product = 1
        for k in range(int(value.p), 0, -1 if name == "factorial" else -2):
            product *= k
        return constant(product)

    def _factorial(self, arg: Poly) -> Poly:
        """(m - k)! is m! divided by m*(m - 1)*...*(m - k + 1), and (m + k)! is a multiple of m!, where m is
        never negative."""
        number = exponent_of(arg.terms.get((), fmpq(0)))
        rest = total((arg, constant(-number)))
        if (
            not isinstance(number, int)
            or abs(number) > FARTHEST
            or (number > 0 and not self.is_positive(rest))
        ):
            return of_atom(Function("factorial", (arg,)))
        steps = range(1, number + 1) if number > 0 else range(number + 1, 1)
        product = self.product(*(total((rest, constant(k))) for k in steps))
        base = of_atom(Function("factorial", (rest,)))
        return self.times(base, product if number > 0 else self.inverse(product))

    def _double(self, arg: Poly) -> Poly:
        """(2*m)!! = 2**m*m! and (2*m - 1)!! = (2*m)!/(2**m*m!), of a whole number m that is not negative: of
        others there is none of these."""
        for odd in (0, 1):
            half = scaled(total((arg, constant(odd))), fmpq(1, 2))
            if all(factor.q == 1 and self.is_whole(powers) for powers, factor in half.terms.items()):
                even = self.times(self.symbolic_power(constant(2), half), self._factorial(half))
                whole = self._factorial(scaled(half, fmpq(2)))
                return self.times(whole, self.inverse(even)) if odd else even
        return of_atom(Function("factorial2", (arg,)))

    def _binomial(self, top: Poly, bottom: Poly) -> Poly:
        """n!/(k!*(n - k)!) for whole numbers 0 <= k <= n; a polynomial in n where k or n - k is a number."""
        rest = total((top, scaled(bottom, fmpq(-1))))
        if self._is_small(bottom):
            return self._falling(top, int(bottom.terms.get((), fmpq(0)).p))
        if self._is_small(rest) and self._counts(bottom):
            return self._falling(top, int(rest.terms.get((), fmpq(0)).p))
        if self._counts(rest) and self._counts(bottom):
            return self._of_factorials(top, bottom, rest)
        return of_atom(Function("binomial", (top, bottom)))

    def _of_factorials(self, top: Poly, bottom: Poly, rest: Poly) -> Poly:
        beneath = self.times(self._factorial(bottom), self._factorial(rest))
        return self.times(self._factorial(top), self.inverse(beneath))

    def _falling(self, top: Poly, size: int) -> Poly:
        found = UNIT
        for k in range(size):
            found = self.times(found, scaled(total((top, constant(-k))), fmpq(1, k + 1)))
        return found

    def _is_small(self, poly: Poly) -> bool:
        value = poly.constant
        return value is not None and value.q == 1 and 0 <= value <= FARTHEST

    def _counts(self, poly: Poly) -> bool:
        """A whole number that is never negative."""
        whole = all(factor.q == 1 and self.is_whole(powers) for powers, factor in poly.terms.items())
        return whole and is_signed(self, poly, False)

    def counted(self, poly: Poly) -> Poly:
        """Where (n - k)! stands in a statement that has a value, n - k is not negative: a binomial
        coefficient of n and k is made of factorials there, and (n - k + 2)! is a multiple of (n - k)!."""
        atoms = {atom for atom in poly.atoms() if isinstance(atom, Function)}
        known = {atom.args[0] for atom in atoms if atom.name == "factorial"}
        for atom in sorted(atoms, key=lambda each: each.key):
            value = None
            if atom.name == "binomial":
                top, bottom = atom.args
                rest = total((top, scaled(bottom, fmpq(-1))))
                if rest in known and self._counts(bottom):
                    value = self._of_factorials(top, bottom, rest)
            elif atom.name == "factorial":
                value = self._above(atom.args[0], known)
            if value is not None:
                poly = self._replaced_atom(poly, atom, value)
        return poly

    def _above(self, arg: Poly, known: set[Poly]) -> Poly | None:
        """(m + k)! by the least m! among these."""
        apart = {}
        for other in known:
            gap = total((arg, scaled(other, fmpq(-1)))).constant
            if gap is not None and gap.q == 1 and 0 < gap <= FARTHEST:
                apart[int(gap.p)] = other
        if not apart:
            return None
        least = apart[max(apart)]
        steps = (total((least, constant(k))) for k in range(1, max(apart) + 1))
        return self.times(of_atom(Function("factorial", (least,))), self.product(*steps))

    def _replaced_atom(self, poly: Poly, atom: Atom, value: Poly) -> Poly:
        found = []
        for powers, factor in poly.terms.items():
            power = dict(powers).get(atom, 0)
            rest = Poly({tuple(item for item in powers if item[0] != atom): factor})
            found.append(
                self.times(rest, self.power(value, power))
                if isinstance(power, int)
                else Poly({powers: factor})
            )
        return total(found)
