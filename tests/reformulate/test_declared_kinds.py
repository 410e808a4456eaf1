"""Assumptions that make a vector a simplex, or a matrix stochastic, and those that nearly do."""

import pytest

from verifier.read.specs.load import load_text
from verifier.reformulate.declared_kinds import with_classes

SPEC = """
theorem: toy/classes
symbols: {n: dimension, m: dimension, v: vector(n), A: "matrix(n, m)"}
assumptions:
%s
claims:
  c: {says: norm(v) >= norm(A)}
"""


def families(*facts):
    lines = "\n".join(f'  a{at}: "{fact}"' for at, fact in enumerate(facts))
    (claim,) = load_text(SPEC % lines, "classes.yaml").claims
    found = with_classes(claim)
    return found.symbols["v"].kind.family, found.symbols["A"].kind.family, len(found.assumptions)


@pytest.mark.parametrize(
    "signs", ["all(v[i] >= 0, i, 1, n)", "all(0 <= v[j], j, 1, n)", "v >= 0", "v >= zeros(n)"]
)
@pytest.mark.parametrize(
    "total", ["sum(v[i], i, 1, n) == 1", "1 == sum(v[k], k, 1, n)", "inner(ones(n), v) == 1"]
)
def test_probabilities(signs, total):
    assert families(signs, total) == ("simplex", "matrix", 0)


@pytest.mark.parametrize("sums", ["A @ ones(m) == ones(n)", "all(sum(A[i, j], j, 1, m) == 1, i, 1, n)"])
def test_rows_of_probabilities(sums):
    assert families("all(A[i, j] >= 0, i, 1, n, j, 1, m)", sums, "n >= 2") == ("vector", "stochastic", 1)


@pytest.mark.parametrize(
    "facts",
    [
        ("all(v[i] >= 0, i, 2, n)", "sum(v[i], i, 1, n) == 1"),
        ("all(v[i] > 0, i, 1, n)", "sum(v[i], i, 1, n) == 1"),
        ("all(v[i] >= 0, i, 1, n)", "sum(v[i], i, 1, n) == 2"),
        ("all(v[i] >= 0, i, 1, n)", "sum(v[i], i, 1, n) <= 1"),
        ("all(v[i] <= 0, i, 1, n)", "sum(v[i], i, 1, n) == 1"),
        ("all(v[i] >= 0, i, 1, n, i != 1)", "sum(v[i], i, 1, n) == 1"),
        ("A >= 0", "all(sum(A[i, j], i, 1, n) == 1, j, 1, m)"),
        ("A >= 0", "sum(v[i], i, 1, n) == 1"),
        ("all(A[i, 1] >= 0, i, 1, n)", "A @ ones(m) == ones(n)"),
    ],
)
def test_what_is_not_quite_that(facts):
    assert families(*facts) == ("vector", "matrix", 2)
