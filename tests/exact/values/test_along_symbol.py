"""Curves for pictures: the numbers are those of the sides, and nothing flat or forbidden is drawn."""

from fractions import Fraction
from math import isclose, sqrt, tanh

from verifier.evidence import Curve
from verifier.exact.values.along_symbol import trace
from verifier.read.specs.load import load_text

SPEC = """\
schema: 1
theorem: drawn/lines
symbols:
  n: dimension
  d: dimension
  s: positive
  x: real
  r: interval(0, 1)
  X: matrix(n, d)
assumptions: {small: r < 1/2}
claims:
  range: {says: "1 - tanh(x)**2 in [0, 2]"}
  ratio: {says: n * (d + 2) * s**2 == n * d * s**2}
  equal: {says: (n + 1)**2 == n**2 + 2*n + 1}
  flat: {says: 2 * n <= 3 * n}
  growth: {says: n**2 + n <= O(n**3), as: n -> oo}
  inside: {says: r**2 <= r}
  matrix: {says: norm(X) <= n}
"""
CLAIMS = {claim.id.partition("#")[2]: claim for claim in load_text(SPEC, "drawn.yaml").claims}


def curves(name: str, better: str | None = None, **at: int) -> list[Curve]:
    claim = CLAIMS[name]
    point = {symbol: Fraction(value) for symbol, value in at.items()}
    return list(trace(claim, claim.steps[0].fact, point, better))


def test_a_range_shows_the_function_and_both_ranges() -> None:
    (curve,) = curves("range", "[0, 1]")
    assert (curve.about, curve.along) == ("function", "x")
    assert all(
        isclose(y, 1 - tanh(x) ** 2, rel_tol=1e-9, abs_tol=1e-12)
        for x, y in zip(curve.at, curve.lines["left side"], strict=True)
    )
    assert curve.bands == {"claimed": (0.0, 2.0), "true": (0.0, 1.0)}


def test_sizes_show_the_ratio_at_the_point_of_interest() -> None:
    (curve,) = curves("ratio", s=3, n=5)
    assert (curve.about, curve.along) == ("ratio", "d")
    assert curve.held == "n = 5, s = 3"
    assert all(isclose(y, (d + 2) / d) for d, y in zip(curve.at, curve.lines["left side"], strict=True))


def test_growth_shows_both_sides_over_the_growing_size() -> None:
    (curve,) = curves("growth", "O(n**2)")
    assert curve.about == "growth"
    sides = zip(curve.at, *curve.lines.values(), strict=True)
    assert all((left, right, best) == (n**2 + n, n**3, n**2) for n, left, right, best in sides)


def test_nothing_to_see_is_not_drawn() -> None:
    assert curves("equal") == []
    assert curves("flat") == []
    assert curves("matrix") == []


def test_places_that_the_assumptions_forbid_are_left_out() -> None:
    (curve,) = curves("inside")
    for r, value in zip(curve.at, curve.lines["left side"], strict=True):
        assert (value is None) == (r >= 0.5)
        assert value is None or isclose(sqrt(value), r, abs_tol=1e-9)
