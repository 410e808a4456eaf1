"""A function of variables over domains as a quotient of polynomials in variables that range over all reals.

    x >= a        x = a + y**2                  x <= b      x = b - y**2
    a <= x <= b   x = (a + b y**2)/(1 + y**2)   x > 0 with x**(1/k) in use: x = y**(2k)
    x_1 + ... + x_k <= c, all >= 0              x_i = c y_i**2/(y_0**2 + ... + y_k**2)
    exp(x) with x only inside                   exp(x/k) = y**2, and sigmoid and tanh by it
    sqrt(f), abs(f)                             a variable r >= 0 with r**2 = f, |.|: r**2 = f**2

Ends that are no rational numbers, and that a variable is an integer, are forgotten: what is shown over the
larger domain is true over the smaller one.
"""

from collections.abc import Mapping
from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

from verifier.exact.enclosures.domains import Domain
from verifier.exact.numbers.constants import ONE, ZERO, Closed
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.scalar_terms import Call, Expression, Linear, Product, Variable
from verifier.prove.ranges.sos.rational import Polynomial, Rational, coefficients
from verifier.prove.ranges.sos.variables import (
    Bounds,
    Plan,
    denominators,
    in_exponent,
    in_exponents,
    parts_of,
    plan,
)

MAX_VARIABLES = 10
MAX_ROOTS = 6
MAX_DEGREE = 24


class Lift:
    """Reads terms; remembers which polynomial each variable and each root stands for."""

    def __init__(self, domains: Mapping[str, Domain], terms: list[Any], constraints: tuple[Any, ...]) -> None:
        self.domains = domains
        parts = [part for term in (*terms, *constraints) for part in parts_of(term)]
        self.powers, self.inside = denominators(parts), in_exponents(parts)
        used = {part.name for part in parts if isinstance(part, Variable)}
        names = [*(name for name in domains if name in used), *sorted(used - domains.keys())]
        fresh = [*names, *(f"exp({name})" for name in self.inside), "rest"]
        if len(fresh) > MAX_VARIABLES:
            raise Unsupported(f"{len(fresh)} variables are too many for sums of squares")
        shown = [f"root({name})" for name in fresh] + [f"sqrt({k + 1})" for k in range(MAX_ROOTS)]
        self.context = fmpq_mpoly_ctx.get(shown, "degrevlex")
        self.plain = len(fresh)  # the number of generators that are not roots
        self.generators = dict(zip(fresh, self.context.gens(), strict=False))
        self.squares: list[Polynomial] = []  # what the square of each root is
        self.known: dict[str, Rational] = {}
        self.values: dict[str, Rational] = {}
        self.constraints: list[Polynomial] = []
        found = plan(names, domains, constraints)
        self._share(found)
        for name in found.bounds:
            self._bind(name, found)
        for constraint in found.left:
            self._keep(constraint)

    # --- variables ------------------------------------------------------------------------------

    def _share(self, found: Plan) -> None:
        """a_i x_i = c y_i**2/(y_0**2 + y_1**2 + ...)"""
        mass = self.generators["rest"] ** 2
        for name in found.shares:
            mass = mass + self.generators[name] ** 2
        for name, share in found.shares.items():
            top = self.generators[name] ** 2 * (found.total / share)  # type: ignore[operator]
            self.values[name] = Rational(top, ((mass, 1),))

    def _bind(self, name: str, found: Plan) -> None:
        """The value of a variable, after those that bound it."""
        if name in self.values:
            return
        bounds = found.bounds[name]
        for end in bounds.terms:
            for part in parts_of(end):
                if isinstance(part, Variable):
                    self._bind(part.name, found)
        y = Rational(self.generators[name])
        self.values[name] = self._ranging(y, bounds, self.powers.get(name, 1))

    def _ranging(self, y: Rational, bounds: Bounds, root: int) -> Rational:
        square = y.raised(2)
        if bounds.equal:
            return self.value(bounds.low)
        if bounds.low is not None and bounds.high is not None:
            top = self.value(bounds.low) + self.value(bounds.high) * square
            return self.reduced(top * (square + self.constant(ONE)).inverse())
        if bounds.low is not None:
            at_zero = isinstance(bounds.low, fmpq) and bounds.low == 0
            return square.raised(root) if at_zero else self.value(bounds.low) + square
        if bounds.high is not None:
            return self.value(bounds.high) + self.constant(-ONE) * square
        return y

    def _keep(self, constraint: Any) -> None:
        """A constraint as a polynomial that must not be negative; forgotten where it is none."""
        try:
            found = self.numerator(self.value(constraint))
        except Unsupported:
            return
        if not any(any(e[self.plain :]) for e in coefficients(found)):
            self.constraints.append(found)

    # --- terms ----------------------------------------------------------------------------------

    def constant(self, value: Any) -> Rational:
        """A rational number, or a sum of square roots of rational numbers."""
        if isinstance(value, fmpq):
            return Rational(self.context.constant(value))
        total = Rational(self.context.constant(0))
        for monomial, coefficient in value.terms if isinstance(value, Closed) else ():
            part: Any = Closed(((monomial, ONE),))
            square = part * part
            if not isinstance(square, fmpq) or not all(atom.is_positive for atom, _ in monomial):
                raise Unsupported("a constant that is no square root in a polynomial")
            root = self.context.constant(coefficient) * self._fresh(self.context.constant(square))
            total = total + Rational(root if monomial else self.context.constant(coefficient))
        return total

    def value(self, term: Any) -> Rational:
        """The term as a quotient of polynomials."""
        if not isinstance(term, Expression):
            return self.constant(term)
        if term.key not in self.known:
            self.known[term.key] = self._value(term)
        return self.known[term.key]

    def _value(self, term: Any) -> Rational:
        match term:
            case Variable(name):
                return self.values[name]
            case Linear(constant, parts):
                total = self.constant(constant)
                for part, factor in parts:
                    total = self.reduced(total + self.value(part) * self.constant(factor))
                return total
            case Product(factors):
                product = self.constant(ONE)
                for base, exponent in factors:
                    product = self.reduced(product * self._power(self.value(base), exponent))
                return product
            case Call("abs", (arg,)):
                return self._absolute(self.value(arg))
            case Call("relu", (arg,)):
                value = self.value(arg)
                return (value + self._absolute(value)) * self.constant(fmpq(1, 2))
            case Call("exp" | "sigmoid" | "tanh" as name, (arg,)):
                return self._exponential(name, arg)
        raise Unsupported(f"{getattr(term, 'function', 'this')} in a polynomial")

    def _power(self, value: Rational, exponent: fmpq) -> Rational:
        if exponent.q == 1:
            if abs(exponent.p) > MAX_DEGREE:
                raise Unsupported("a high power")
            return value.raised(int(exponent.p))
        if exponent < 0:
            return self._power(value, -exponent).inverse()
        whole = _monomial_power(value, exponent)
        if whole is not None:
            return Rational(self.context.from_dict({whole: 1}))
        if exponent.q != 2:
            raise Unsupported("a root that is no square root")
        return self._root(value).raised(int(exponent.p))

    def _root(self, value: Rational) -> Rational:
        """sqrt(t/b) = sqrt(t b)/b for b > 0: b**2 is b*b, and an odd b moves up."""
        top, below = value.top, []
        for base, power in value.bottom:
            if power % 2:
                top = top * base
            if not self.manifest(base) and ((power + 1) // 2) % 2:
                top, power = top * base * base, power + 2
            below.append((base, (power + 1) // 2))
        return Rational(self._fresh(top), tuple(below))

    def _absolute(self, value: Rational) -> Rational:
        if self.manifest(value.top) and all(self.manifest(base) for base, _ in value.bottom):
            return value
        return self._root(self.reduced(value * value))

    def _fresh(self, square: Polynomial) -> Polynomial:
        """A root of its own; the same one for the same square."""
        if square not in self.squares:
            if len(self.squares) == MAX_ROOTS:
                raise Unsupported(f"more than {MAX_ROOTS} roots")
            self.squares.append(square)
        return self.context.gens()[self.plain + self.squares.index(square)]

    def _exponential(self, name: str, arg: Any) -> Rational:
        """exp(sum of c_i x_i) = product of (y_i**2)**(c_i k_i)"""
        power = self.constant(ONE)
        for variable, factor in in_exponent(arg):
            y = Rational(self.generators[f"exp({variable})"])
            domain, times = self.domains[variable], factor * self.inside[variable]
            up, down = (self.constant(ONE) if d else self.constant(ZERO) for d in _beyond(domain))
            base = y.raised(2) + up  # x >= 0: exp(x) >= 1
            if down.top != 0:
                base = y.raised(2) * (y.raised(2) + down).inverse()  # x <= 0: exp(x) <= 1
            power = power * base.raised(int(times.p))
        if name == "exp":
            return power
        if name == "sigmoid":
            return power * (power + self.constant(ONE)).inverse()
        square = power * power
        return (square + self.constant(-ONE)) * (square + self.constant(ONE)).inverse()

    # --- polynomials ----------------------------------------------------------------------------

    def reduced(self, value: Rational) -> Rational:
        """r**2 replaced by what it is."""
        return Rational(self.reduce(value.top), value.bottom)

    def reduce(self, p: Polynomial) -> Polynomial:
        while True:
            total, changed = self.context.constant(0), False
            for exponents, coefficient in coefficients(p).items():
                left = list(exponents)
                factor = self.context.constant(coefficient)
                for k, square in enumerate(self.squares):
                    times, left[self.plain + k] = divmod(exponents[self.plain + k], 2)
                    if times:
                        factor, changed = factor * square**times, True
                total = total + factor * self.context.from_dict({tuple(left): 1})
            if not changed:
                return p
            p = total

    def manifest(self, p: Polynomial) -> bool:
        """No negative coefficient, and even powers of all but the roots: never negative."""
        return all(
            coefficient > 0 and not any(e % 2 for e in exponents[: self.plain])
            for exponents, coefficient in coefficients(p).items()
        )

    def numerator(self, value: Rational) -> Polynomial:
        """A polynomial with the sign of the value, wherever that is defined."""
        top = value.top
        for base, power in value.bottom:
            if power % 2 and not self.manifest(base):
                top = top * base
        found = self.reduce(top)
        if found.total_degree() > MAX_DEGREE:
            raise Unsupported(f"a polynomial of degree {found.total_degree()}")
        return found


def _beyond(domain: Domain) -> tuple[bool, bool]:
    """Whether the variable is never negative, and whether never positive."""
    up = isinstance(domain.low, fmpq) and domain.low >= 0
    return up, not up and isinstance(domain.high, fmpq) and domain.high <= 0


def _monomial_power(value: Rational, exponent: fmpq) -> tuple[int, ...] | None:
    """(y**e)**exponent where that is an even power of y: it stands for a positive number."""
    terms = coefficients(value.top)
    if value.bottom or len(terms) != 1:
        return None
    ((exponents, coefficient),) = terms.items()
    raised = [fmpq(int(e)) * exponent for e in exponents]
    if coefficient != 1 or any(e.q != 1 or e.p % 2 for e in raised):
        return None
    return tuple(int(e.p) for e in raised)
