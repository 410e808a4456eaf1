"""Polynomials in random entries: what an expectation of a polynomial is taken of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from math import comb
from typing import Any, ClassVar, final

from flint import fmpq

from verifier.exact.numbers.constants import is_zero, rank
from verifier.exact.numbers.refusals import Unsupported

MAX_TERMS = 60_000
Powers = tuple[tuple[int, int], ...]
_functions = count(1)


@final
@dataclass(frozen=True)
class Poly:
    """sum of coefficient * product of entry**power; entries are numbered by the random draw.

    A function of random entries is an entry of its own, with a negative number: `functions` says which."""

    terms: Mapping[Powers, Any]
    functions: Mapping[int, "tuple[str, Poly]"] = field(default_factory=dict)
    rank: ClassVar[int] = 2

    @staticmethod
    def variable(number: int) -> "Poly":
        return Poly({((number, 1),): fmpq(1)})

    def apply(self, function: str) -> "Poly":
        """function(self); log(1 + exp(x)) = softplus(x)"""
        if function == "log" and (found := self.logistic) is not None and found[1] == 1:
            return found[0].apply("softplus")
        number = -next(_functions)
        return Poly({((number, 1),): fmpq(1)}, {**self.functions, number: (function, self)})

    @property
    def constant(self) -> Any | None:
        """The value, when no random entry is left."""
        if not self.terms:
            return fmpq(0)
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def square(self) -> "tuple[Poly, Any] | None":
        """l and c of l**2 / c: with q the coefficient of w**2, l = q w + half of what is beside w."""
        first = next((powers[0][0] for powers in self.terms if len(powers) == 1 and powers[0][1] == 2), None)
        if first is None or any(sum(k for _, k in powers) != 2 for powers in self.terms):
            return None
        scale = self.terms[((first, 2),)]
        form: dict[Powers, Any] = {((first, 1),): scale}
        for powers, coefficient in self.terms.items():
            other = [number for number, _ in powers if number != first]
            if len(powers) == 2 and len(other) == 1:
                form[((other[0], 1),)] = coefficient * fmpq(1, 2)
        root = Poly(form, self.functions)
        left = root * root - self * scale
        return (root, scale) if not isinstance(left, Poly) or not left.terms else None

    @property
    def logistic(self) -> "tuple[Poly, int] | None":
        """x and k of (1 + exp(x))**k."""
        rest = [powers for powers in self.terms if powers]
        numbers = {number for powers in rest for number, _ in powers}
        if len(numbers) != 1 or any(self.functions.get(n, ("",))[0] != "exp" for n in numbers):
            return None
        (number,) = numbers
        times = max(powers[0][1] for powers in rest)
        wanted: dict[Powers, int] = {((number, j),) if j else (): comb(times, j) for j in range(times + 1)}
        same = wanted.keys() == self.terms.keys() and all(
            isinstance(c, fmpq) and c == wanted[powers] for powers, c in self.terms.items()
        )
        return (self.functions[number][1], times) if same else None

    def __add__(self, other: Any) -> Any:
        if rank(other) > self.rank:
            return NotImplemented
        sums = dict(self.terms)
        for powers, coefficient in _terms(other):
            sums[powers] = sums[powers] + coefficient if powers in sums else coefficient
        return _kept(sums, self, other)

    def __neg__(self) -> "Poly":
        return Poly({powers: -coefficient for powers, coefficient in self.terms.items()}, self.functions)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if rank(other) > self.rank else self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        if rank(other) > self.rank:
            return NotImplemented
        products: dict[Powers, Any] = {}
        for right, b in _terms(other):
            for left, a in self.terms.items():
                powers = _times(left, right)
                product = a * b
                products[powers] = products[powers] + product if powers in products else product
            if len(products) > MAX_TERMS:
                raise Unsupported("the expanded polynomial is too long")
        return _kept(products, self, other)

    __radd__ = __add__
    __rmul__ = __mul__


def _terms(value: Any) -> Iterator[tuple[Powers, Any]]:
    if isinstance(value, Poly):
        yield from value.terms.items()
    else:
        yield (), value


def _kept(terms: dict[Powers, Any], *parts: Any) -> Any:
    kept = {powers: value for powers, value in terms.items() if not is_zero(value)}
    if not kept:
        return fmpq(0)
    if kept.keys() == {()}:
        return kept[()]
    functions = [part.functions for part in parts if isinstance(part, Poly) and part.functions]
    return Poly(kept, {number: what for known in functions for number, what in known.items()})


def _times(left: Powers, right: Powers) -> Powers:
    if not left or not right:
        return left or right
    powers = dict(left)
    for number, power in right:
        powers[number] = powers.get(number, 0) + power
    return tuple(sorted(powers.items()))
