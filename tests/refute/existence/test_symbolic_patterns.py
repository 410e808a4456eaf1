"""Trees at patterned matrices of symbolic size: the same numbers as exact arithmetic finds at each size."""

from fractions import Fraction

import pytest

from tests.refute.claims import claim_of
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.expr import nodes as N
from verifier.refute.existence.pattern_operations import read
from verifier.refute.existence.scalar_trees import ENDLESS, ONE, ZERO, NoPatternError
from verifier.refute.existence.symbolic_patterns import Pattern, constant

TREES = [
    "norm(A)",
    "norm(A @ A)",
    "tr(A @ A.T)",
    "inner(A, A @ A)",
    "norm(A @ x)",
    "x.T @ A @ x",
    "norm(x, 1)",
    "norm(softmax(A))",
    "norm(exp(A) - 2*A)",
    "norm(diag(x) @ A)",
    "tr(A * A) + A[1, 2]",
    "sum(norm(x), c, 1, n)",
]


def patterns() -> dict[str, Pattern]:
    claim = claim_of("norm(A) >= norm(x)")
    a, x = claim.symbols["A"].shape, claim.symbols["x"].shape
    two, half = N.Number(2 * ONE.value), N.Number(ONE.value / 2)
    return {"A": Pattern(a, two, ONE, half, ONE, half), "x": Pattern(x, two, below=half)}


def concrete(size: int) -> dict[str, object]:
    """The same matrices, written out."""

    def entry(i: int, j: int) -> Fraction:
        if i == 0 or j == 0:
            return Fraction(2) if i == j else Fraction(1) if i == 0 else Fraction(1, 2)
        return Fraction(3, 2) if i == j else Fraction(1)

    matrix = [[entry(i, j) for j in range(size)] for i in range(size)]
    return {"n": size, "A": matrix, "x": [[Fraction(2)]] + [[Fraction(1, 2)]] * (size - 1)}


@pytest.mark.parametrize("text", TREES)
def test_a_pattern_has_the_value_of_the_matrix(text: str) -> None:
    node = claim_of(f"{text} >= 0").steps[0].fact.left  # type: ignore[union-attr]
    found = read(node, patterns()).first
    for size in (2, 3, 5):
        point = concrete(size)
        ((expected,),), ((value,),) = evaluate(node, point), evaluate(found, {"n": size})
        assert abs(enclose(expected - value)) < 1e-12


def test_a_softmax_that_runs_off_is_one_hot() -> None:
    claim = claim_of("norm(softmax(A)) >= 0")
    shape = claim.symbols["A"].shape
    column = read(claim.steps[0].fact.left.arg, {"A": Pattern(shape, ENDLESS, below=ENDLESS)})  # type: ignore[union-attr]
    assert column.blocks == (ONE, ZERO, ONE, ZERO, ZERO)
    identity = read(claim.steps[0].fact.left.arg, {"A": Pattern(shape, ENDLESS, more=ENDLESS)})  # type: ignore[union-attr]
    assert identity.blocks == (ONE, ZERO, ZERO, ZERO, ONE)


@pytest.mark.parametrize("text", ["norm(A)", "tr(A)", "norm(softmax(A) @ A)", "norm(softmax(-A))"])
def test_what_has_no_end_has_no_value_elsewhere(text: str) -> None:
    claim = claim_of(f"{text} >= 0")
    with pytest.raises(NoPatternError):
        read(claim.steps[0].fact.left, {"A": Pattern(claim.symbols["A"].shape, ENDLESS, more=ENDLESS)})  # type: ignore[union-attr]


def test_an_entry_at_an_unknown_index_needs_a_constant() -> None:
    claim = claim_of("A[i, 2] >= 0")
    node, shape = claim.steps[0].fact.left, claim.symbols["A"].shape  # type: ignore[union-attr]
    assert read(node, {"A": constant(shape, ONE)}).first == ONE
    with pytest.raises(NoPatternError):
        read(node, {"A": Pattern(shape, ONE)})
