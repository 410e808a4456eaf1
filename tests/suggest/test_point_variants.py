"""Points next to a counterexample: those that break the claim too, and only those."""

from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr.nodes import Relation
from verifier.read.specs.load import load_text
from verifier.suggest.point_variants import Point, also_broken, next_to

SPEC = """
theorem: toy/variants
symbols:
  n: dimension
  m: dimension
  x: real
  X: matrix(n, m)
claims:
  c: {{says: "{}"}}
"""
HERE: Point = {
    "n": Fraction(1), "m": Fraction(2), "x": Fraction(0), "X": ((Fraction(1), Fraction(-1)),),
}  # fmt: skip


def claim(text: str) -> Claim:
    (made,) = load_text(SPEC.format(text), "variants.yaml").claims
    return made


def broken(text: str) -> list[Point]:
    made = claim(text)
    fact = made.steps[0].fact
    assert isinstance(fact, Relation)
    return list(also_broken(made, fact, HERE, seconds=10.0))


def test_sizes_grow_by_zeros_and_by_repetition() -> None:
    around = list(next_to(claim("norm(X) <= x"), HERE))
    rows = [point["X"] for point in around if point["n"] == 2]
    one = HERE["X"]
    assert isinstance(one, tuple)
    assert rows == [(*one, (Fraction(0), Fraction(0))), (*one, *one)]


def test_what_a_symbol_does_not_matter_for_breaks_as_well() -> None:
    # Of x, of sizes and of the size of X nothing depends; that the row sums to zero does.
    found = broken("norm(X @ ones(m)) > 0 * x")
    assert {point["n"] for point in found} == {1, 2}
    assert {point["x"] for point in found} == {0, 1, -1}
    assert all(sum(row) == 0 for point in found for row in point["X"])  # type: ignore[union-attr,misc,arg-type]


def test_what_it_needs_is_kept() -> None:
    assert all(point["x"] == 0 for point in broken("x**2 > 0 * norm(X)"))
