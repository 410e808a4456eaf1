"""What functions of one number make of spans: the values of f(x) for x in a span."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.facts.spans import FREE, NONNEGATIVE, POSITIVE, ZERO, End, Span

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Rising:
    """A function that rises strictly, from `image.low` to `image.high`, and has the value `value` at `at`."""

    at: Fraction | int
    value: Fraction | int
    image: Span

    def __call__(self, x: Span) -> Span:
        low, high = FREE, FREE
        if x.low.at is not None and x.low.at >= self.at:
            low = End(Fraction(self.value), x.low.at > self.at or x.low.open)
        if x.high.at is not None and x.high.at <= self.at:
            high = End(Fraction(self.value), x.high.at < self.at or x.high.open)
        return self.image.meet(Span(low, high, self.value == self.at == 0 and x.nonzero))


def sign_of_argument(x: Span) -> Span:
    """Of a function with the sign of its argument: x*Phi(x), x*sigmoid(x)."""
    if x.is_zero:
        return ZERO
    low = End(Fraction(0), x.is_positive) if x.is_nonnegative else FREE
    high = End(Fraction(0), x.is_negative) if x.is_nonpositive else FREE
    return Span(low, high, x.is_nonzero)


def _root(x: Span) -> Span:
    """sqrt: of what is below 0 there is none."""
    return Rising(1, 1, NONNEGATIVE)(x).meet(Rising(0, 0, NONNEGATIVE)(x))


UNARY: Mapping[str, Callable[[Span], Span]] = {
    "sqrt": _root,
    "exp": Rising(0, 1, POSITIVE),
    "log": Rising(1, 0, Span()),
    "sin": lambda _: Span.between(-1, 1),
    "cos": lambda _: Span.between(-1, 1),
    "asin": Rising(0, 0, Span.between(-2, 2, open=True)),
    "acos": lambda _: Span.between(0, 4),
    "atan": Rising(0, 0, Span.between(-2, 2, open=True)),
    "tanh": Rising(0, 0, Span.between(-1, 1, open=True)),
    "sigmoid": Rising(0, HALF, Span.between(0, 1, open=True)),
    "relu": lambda x: x.largest(ZERO),
    "gelu": sign_of_argument,
    "silu": sign_of_argument,
    "softplus": lambda _: POSITIVE,
    "abs": Span.size,
    "erf": Rising(0, 0, Span.between(-1, 1, open=True)),
    "Phi": Rising(0, HALF, Span.between(0, 1, open=True)),
    "phi": lambda _: Span(End(Fraction(0), True), End(HALF, True)),
}
