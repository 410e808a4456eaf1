"""Claims about sequences of any law: theorems, their false siblings, and what is left open."""

import pytest

from tests.prove.specs import judged
from verifier.evidence import Finding

SYMBOLS = """
i: dimension
n: dimension
eps: positive
t: positive
c: real
Y: sequence()
W: sequence()
X: random(joint=Y)
M: sequence(n, 3)
L: random(n, 3, joint=M)
"""
SUMMABLE = "all(sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo, eps)"
ONE_EPS = "sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo"
PROBABILITY = "all(limit(P(abs(Y[i] - X) > eps), i, oo) == 0, eps)"
SURELY = "P(limit(Y[i], i, oo) == X) == 1"
SQUARES = "sum(E((Y[j] - X)**2), j, 1, oo) < oo"
SIZES = "sum(E(abs(Y[j] - X)), j, 1, oo) < oo"
SIGNED = "sum(E(Y[j] - X), j, 1, oo) < oo"
MEAN = "limit(E(abs(Y[i] - X)), i, oo) == 0"
AT_EPS = "limit(P(abs(Y[i] - X) > eps), i, oo) == 0"
MATRICES = "all(sum(P(norm(M[j] - L) > eps), j, 0, oo) < oo, eps)"

TRUE = [
    (SUMMABLE, SURELY),
    (SUMMABLE, "P(limit(X - Y[i + 1], i, oo) == 0) >= 1"),
    ("all(sum(P(abs(Y[j + 5] - X) >= 2*eps), j, 3, oo) < oo, eps)", SURELY),
    ("all(sum(P(abs(Y[j] - X) > 1/n), j, 1, oo) < oo, n)", SURELY),
    ("all(sum(P(abs(Y[j]) > eps), j, 1, oo) < oo, eps)", "P(limit(Y[i], i, oo) == 0) == 1"),
    ("all(sum(P(abs(Y[j] - c) > eps), j, 1, oo) < oo, eps)", "P(limit(Y[i], i, oo) == c) == 1"),
    ("all(sum(P(abs(Y[j]*W[j] - X) > eps), j, 1, oo) < oo, eps)", "P(limit(Y[i]*W[i], i, oo) == X) == 1"),
    (SQUARES, SURELY),
    (SIZES, SURELY),
    (SURELY, AT_EPS),
    (SURELY, "limit(P(abs(Y[i] - X) <= eps*t), i, oo) == 1"),
    (ONE_EPS, AT_EPS),
    (MEAN, AT_EPS),
    (SQUARES, MEAN),
    (SQUARES, "sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo"),
    (SIZES, "limit(E(Y[i] - X), i, oo) == 0"),
    (MATRICES, "P(limit(M[i], i, oo) == L) == 1"),
    ("sum(E(norm(M[j] - L, 2)**2), j, 0, oo) < oo", "limit(P(norm(M[i] - L) > eps), i, oo) == 0"),
]
FALSE = [
    ("", SURELY),
    (ONE_EPS, SURELY),
    ("sum(P(abs(Y[j] - X) > 1/10), j, 0, oo) < oo", SURELY),
    (PROBABILITY, SURELY),
    (MEAN, SURELY),
    (SIGNED, SURELY),
    ("sum(E((Y[j] - X)**3), j, 0, oo) < oo", SURELY),
    (SUMMABLE, "P(limit(Y[i], i, oo) == 0) == 1"),
    (SUMMABLE, "P(limit(Y[i], i, oo) == X + 1) == 1"),
    (SUMMABLE, "P(limit(Y[i], i, oo) == -X) == 1"),
    (SUMMABLE, "limit(P(abs(Y[i] - X) > eps - 1), i, oo) == 0"),  # the threshold may be negative
    (SURELY, "sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo"),
    (SURELY, MEAN),
    (SURELY, "limit(E(Y[i] - X), i, oo) == 0"),
    (SUMMABLE, MEAN),
    (SUMMABLE, SQUARES),
    (SQUARES, SIZES),
    (SQUARES, "limit(E((Y[i] - X)**4), i, oo) == 0"),
    (PROBABILITY, MEAN),
    ("all(limit(P(norm(M[i] - L) > eps), i, oo) == 0, eps)", "P(limit(M[i], i, oo) == L) == 1"),
    (MATRICES, "P(limit(M[i], i, oo) == zeros(n, 3)) == 1"),
]
OPEN = [
    (SUMMABLE, "P(limit(W[i], i, oo) == X) == 1"),  # false, of two sequences
    (SUMMABLE, "P(limit(exp(Y[i]), i, oo) == exp(X)) == 1"),  # true, by continuity
    (SUMMABLE, "E(Y[i]) <= 1"),
    ("all(sum(P(abs(Y[2*j] - X) > eps), j, 0, oo) < oo, eps)", SURELY),  # false: every second member
    ("all(sum(P(abs(Y[j] - X) > eps + 1), j, 0, oo) < oo, eps)", SURELY),
    ("all(abs(Y[j]) <= 1, j, 0, oo)", SURELY),  # false, and the assumption is not understood
    ("X == 0", "P(limit(Y[i], i, oo) == X) == 1"),
]


def found(assumed: str, says: str) -> Finding:
    return judged(says, SYMBOLS, assume=f'given: "{assumed}"' if assumed else "")


@pytest.mark.parametrize(("assumed", "says"), TRUE)
def test_true(assumed: str, says: str) -> None:
    finding = found(assumed, says)
    assert (finding.truth, finding.grade) == ("true", "proved"), finding
    assert finding.derivation


@pytest.mark.parametrize(("assumed", "says"), FALSE)
def test_false(assumed: str, says: str) -> None:
    finding = found(assumed, says)
    assert (finding.truth, finding.grade) == ("false", "proved"), finding
    assert finding.counterexample is not None
    assert finding.counterexample.arithmetic


@pytest.mark.parametrize(("assumed", "says"), OPEN)
def test_open(assumed: str, says: str) -> None:
    finding = found(assumed, says)
    assert finding.truth == "unknown"
    assert finding.missing


def test_a_person_can_check_the_counterexample() -> None:
    finding = found(PROBABILITY, SURELY)
    assert finding.counterexample is not None
    words = "1 with chance 1/i and 0 otherwise, independently for every i >= 1"
    assert finding.counterexample.values == {"X": "0", "Y[i]": words}
    assumption, conclusion = finding.counterexample.arithmetic
    assert "constant times 1/i" in assumption
    assert "tends to 0" in assumption
    assert "infinitely many of the independent events happen" in conclusion


def test_the_numbers_satisfy_the_other_assumptions() -> None:
    other = "sum(P(abs(Y[j] - X) > t), j, 0, oo) < oo"
    finding = judged(SURELY, SYMBOLS, assume=f'one: "{other}"\nsmall: t <= 1/2\n')
    assert finding.counterexample is not None
    assert finding.counterexample.values["t"] == "1/2"


def test_a_value_that_is_assumed_is_not_chosen() -> None:
    """c == 1 is the number that an explicit sequence must tend to, and none is chosen for it."""
    assumed = 'near: "sum(P(abs(Y[j] - c) > 2), j, 0, oo) < oo"\nvalue: c == 1\n'
    assert judged("P(limit(Y[i], i, oo) == c) == 1", SYMBOLS, assume=assumed).truth == "unknown"
