"""Certified ranges over the whole real line: time and width, against plain bisection.

The plain way splits [-16, 16] evenly and encloses each piece by natural interval evaluation, with as
many pieces as fit into ten times the time; it says nothing of the tails.

    python benchmarks/ranges.py
"""

from typing import Any

from flint import arb, ctx, fmpq

from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.range_enclosures import range_of
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.scalar_terms import Variable
from verifier.timer import worked

X = Variable("x")
FUNCTIONS = {
    "gelu'": differentiate(ar.apply("gelu", X), "x"),
    "silu'": differentiate(ar.apply("silu", X), "x"),
    "sigmoid'": differentiate(ar.apply("sigmoid", X), "x"),
    "tanh''": differentiate(differentiate(ar.apply("tanh", X), "x"), "x"),
    "softplus - relu": ar.apply("softplus", X) - ar.apply("relu", X),
    "x/(1 + x**2)": X * ar.inverse(fmpq(1) + X * X),
    "x exp(-x**2)": X * ar.apply("exp", -(X * X)),
}


def plain(term: Any, seconds: float) -> float:
    """The width of the enclosure of the sup that even bisection reaches in the time."""
    pieces, begun = 16, worked()
    width = float("inf")
    while worked() - begun < seconds:
        step = fmpq(32, pieces)
        boxes = [Interval(arb(-16 + k * step), arb(-16 + (k + 1) * step)) for k in range(pieces)]
        high = max(enclosed(term, {"x": box}).hi for box in boxes)
        low = max(enclosed(term, {"x": Interval(box.lo, box.lo)}).lo for box in boxes)
        width = float(high - low)
        pieces *= 2
    return width


def main() -> None:
    ctx.prec = 96
    print(f"{'function':18}{'inf':>14}{'sup':>14}{'width':>10}{'ms':>8}{'plain width, 10x':>18}")
    for name, term in FUNCTIONS.items():
        begun = worked()
        found = range_of(term, "x", Domain(), begun + 10)
        spent = worked() - begun
        assert found is not None
        width = float(max(found.inf.high - found.inf.low, found.sup.high - found.sup.low))
        low, high = float(found.inf.high), float(found.sup.low)
        plainly = plain(term, 10 * spent)
        print(f"{name:18}{low:14.8f}{high:14.8f}{width:10.1e}{1000 * spent:8.0f}{plainly:18.1e}")


if __name__ == "__main__":
    main()
