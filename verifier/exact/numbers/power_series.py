"""Power series in one small positive scale, for what has no closed form but a value at scale 0.

    f(s) = c_0 + c_1 s + ... + c_K s**K + O(s**(K + 1)),    s -> 0+

A coefficient is a number, or a polynomial in random entries. Then f is a function of s and of the entries,
and its mean is the series of the means,

    E f(s) = E c_0 + E c_1 s + ... + E c_K s**K + O(s**(K + 1)),

as long as every derivative in s grows at most like a power of the entries, whose moments are all finite:
Taylor's remainder is then bounded in mean. Products and sums keep this, and so do softmax and the
functions in TEMPERED, whose own derivatives grow at most like powers. 1/u, log u, u**(1/2) and exp u do
not: of a series with random coefficients they are refused. What a series shows of a relation is true for
all s > 0 that are small enough.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, final

from flint import arb, fmpq

from verifier.exact.numbers.constants import ONE, ZERO, Closed, enclose, is_zero, rank
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.refusals import Imprecise, Unsupported

TEMPERED = frozenset({"sin", "cos", "tanh", "sigmoid", "softplus", "erf", "erfc"})
Function = Callable[[Any], Any]
GROWING_SLOWLY = TEMPERED | {"sign", "abs", "relu"}


@final
@dataclass(frozen=True)
class Series:
    """c_0 + c_1 s + ... up to the last coefficient; what comes after it is not known, also if all are 0."""

    coefficients: tuple[Any, ...]
    rank: ClassVar[int] = 3

    @staticmethod
    def scale(order: int, factor: Any = ONE) -> "Series":
        """factor * s, up to s**order."""
        return Series((ZERO, factor, *[ZERO] * (order - 1)))

    @property
    def head(self) -> Any:
        """The value at s = 0."""
        return self.coefficients[0]

    @property
    def order(self) -> int:
        """The last power that is known."""
        return len(self.coefficients) - 1

    @property
    def is_random(self) -> bool:
        return any(isinstance(c, Poly) for c in self.coefficients)

    @property
    def certain(self) -> "Series":
        """Itself, where nothing is random."""
        if self.is_random:
            raise Unsupported("a root or a quotient of something random, for small scales")
        return self

    @property
    def cut(self) -> "Series":
        """Known up to one power less."""
        return Series(self.coefficients[:-1])

    @property
    def leading(self) -> tuple[int, Any] | None:
        """The first power whose coefficient is not exactly zero."""
        zeros = sum(1 for _ in takewhile(is_zero, self.coefficients))
        return None if zeros == len(self.coefficients) else (zeros, self.coefficients[zeros])

    @property
    def sign(self) -> int | None:
        """Of f(s) for all small s > 0; None where the known coefficients, as enclosed, do not tell."""
        if self.is_random:
            raise Unsupported("the sign of a random quantity")
        if self.leading is None:
            return None
        ball = enclose(self.leading[1])
        return 1 if ball > 0 else -1 if ball < 0 else None

    def map(self, change: Callable[[Any], Any]) -> Any:
        """Each coefficient changed by something linear: the mean over a law, which may itself depend on s."""
        total: Any = Series((ZERO,) * len(self.coefficients))
        for power, coefficient in enumerate(self.coefficients):
            if not is_zero(coefficient):
                total = total + change(coefficient) * self._unit(power)
        return total

    def _unit(self, power: int) -> "Series":
        """s**power, known as far as this one"""
        return Series(tuple(ONE if k == power else ZERO for k in range(len(self.coefficients))))

    def __str__(self) -> str:
        """1/4 - 1/8*s**2 + ..., the dots for what is not known"""
        powers = ["", "s", *(f"s**{k}" for k in range(2, len(self.coefficients)))]
        known = zip(self.coefficients, powers, strict=False)
        parts = [_term(str(c), power) for c, power in known if not is_zero(c)]
        text = " + ".join(parts or ["0"]).replace("+ -", "- ")
        return f"{text} + ..." if self.order else text

    # --- arithmetic -----------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        if rank(other) > self.rank:
            return NotImplemented
        if not isinstance(other, Series):
            _require_slow_growth(other)
            return Series((self.head + other, *self.coefficients[1:]))
        pairs = zip(self.coefficients, other.coefficients, strict=False)
        return Series(tuple(b if is_zero(a) else a if is_zero(b) else a + b for a, b in pairs))

    def __neg__(self) -> "Series":
        return Series(tuple(-c for c in self.coefficients))

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if rank(other) > self.rank else self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        if rank(other) > self.rank:
            return NotImplemented
        if not isinstance(other, Series):
            _require_slow_growth(other)
            return Series(tuple(c if is_zero(c) else c * other for c in self.coefficients))
        order = min(len(self.coefficients), len(other.coefficients))
        return Series(tuple(_convolved(self.coefficients, other.coefficients, k) for k in range(order)))

    __radd__ = __add__
    __rmul__ = __mul__

    def times_scale(self, times: int) -> "Series":
        """f(s) s**times"""
        return Series((*[ZERO] * times, *self.coefficients))

    def without_scale(self, exponent: fmpq) -> "tuple[int, Series]":
        """m and g of f**r = s**m g**r, where g does not vanish at scale 0"""
        if self.leading is None:
            raise Unsupported("a root or a quotient of what vanishes in all known powers of a small scale")
        shift = self.leading[0] * exponent
        if shift.q != 1 or shift < 0:
            raise Unsupported("a negative or fractional power of a small scale")
        return int(shift.p), Series(self.coefficients[self.leading[0] :])

    # --- functions of a series, given their value at its head -----------------------------------

    def reciprocal(self, head: Any) -> "Series":
        """1/f: b_k = -b_0 sum_{j >= 1} c_j b_{k - j}"""
        found = [head]
        for k in range(1, len(self.coefficients)):
            found.append(-(head * _convolved((ZERO, *self.coefficients[1:]), (*found, ZERO), k)))
        return Series(tuple(found))

    def raised(self, exponent: fmpq, head: Any, over: Any) -> "Series":
        """f**r: k c_0 p_k = sum_{j >= 1} (r j - (k - j)) c_j p_{k - j}, with `over` = 1/c_0"""
        found = [head]
        for k in range(1, len(self.coefficients)):
            parts = [(exponent * j - (k - j), self.coefficients[j], found[k - j]) for j in range(1, k + 1)]
            kept = [weight * c * p for weight, c, p in parts if not is_zero(c) and not is_zero(p)]
            found.append(sum(kept, ZERO) * over * fmpq(1, k))
        return Series(tuple(found))

    def integrated(self, head: Any, slope: "Series") -> "Series":
        """g(f): k g_k = sum_{j >= 1} j c_j slope_{k - j}, with `slope` = g'(f) up to one power less"""
        moving = [c if is_zero(c) else c * fmpq(j) for j, c in enumerate(self.coefficients)]
        rest = [
            _convolved(moving, (*slope.coefficients, ZERO), k) * fmpq(1, k)
            for k in range(1, len(self.coefficients))
        ]
        return Series((head, *rest))

    def composed(self, taylor: "Series") -> Any:
        """g(f) = g_0 + r (g_1 + r (g_2 + ...)) with r = f - c_0, for the Taylor coefficients g_k at c_0"""
        rest = Series((ZERO, *self.coefficients[1:]))
        *lower, last = taylor.coefficients
        result: Any = Series((last, *[ZERO] * self.order))
        for coefficient in reversed(lower):
            result = result * rest + coefficient
        return result

    def exponential(self, head: Any) -> "Series":
        """exp f: it is its own slope."""
        found = Series((head,))
        for known in range(2, len(self.coefficients) + 1):
            found = Series(self.coefficients[:known]).integrated(head, found)
        return found


def _term(coefficient: str, power: str) -> str:
    if not power:
        return coefficient
    plain = coefficient.lstrip("-").replace("/", "").isdigit()
    factor = {"1": "", "-1": "-"}.get(coefficient, f"{coefficient}*" if plain else f"({coefficient})*")
    return f"{factor}{power}"


def _convolved(left: Any, right: Any, k: int) -> Any:
    total: Any = ZERO
    for j in range(k + 1):
        if not is_zero(left[j]) and not is_zero(right[k - j]):
            total = total + left[j] * right[k - j]
    return total


def number_at(value: Series) -> Any:
    """The head, which must be a number for a function to be expanded around it."""
    if not isinstance(value.head, fmpq | Closed | arb):
        raise Unsupported("a function of something that is random already at scale 0")
    return value.head


def line_at(value: Series) -> Series:
    """c_0 + s: what a function makes of it are its Taylor coefficients at c_0."""
    return Series((number_at(value), ONE, *[ZERO] * value.order)[: value.order + 1])


def require_tempered(name: str) -> None:
    if name not in TEMPERED:
        raise Unsupported(f"{name} of something random, for small scales")


def _require_slow_growth(factor: Any) -> None:
    """Functions of random entries that do not get smaller with the scale must still have all moments."""
    if isinstance(factor, Poly) and any(name not in GROWING_SLOWLY for name, _ in factor.functions.values()):
        raise Unsupported("a function of random entries that may have no moments, for small scales")


def certain_sign(value: Series) -> int:
    """The sign, or a refusal."""
    found = value.sign
    if found is None:
        raise Imprecise("a sign that the known powers of a small scale do not tell")
    return found


def small_softmax(row: Sequence[Any], exp: Function, inverse: Function) -> list[Series]:
    """exp(x_j) / sum_k exp(x_k). Its derivatives grow at most like powers, though those of exp do not: the
    quotient may be expanded where exp by itself may not."""
    order = min(value.order for value in row if isinstance(value, Series))
    known = [value if isinstance(value, Series) else Series((value, *[ZERO] * order)) for value in row]
    weights = [value.exponential(exp(number_at(value))) for value in known]
    mass: Any = sum(weights[1:], weights[0])
    scale = mass.reciprocal(inverse(number_at(mass)))
    return [weight * scale for weight in weights]
