"""Softmax of small random logits: limits and rates in mean square."""

import pytest

from tests.prove.scalars.helpers import judge

SYMBOLS = {
    "n": "dimension", "d": "dimension", "k": "dimension", "X": "matrix(n, d)",
    "Q": "normal(d, k, std=1/sqrt(k))", "K": "normal(d, k, std=1/sqrt(k))",
}  # fmt: skip
LETS = "let:\n  M: X @ Q @ K.T @ X.T / sqrt(k)\n  A: softmax(M)"
WEIGHTS = "E(norm(A - ones(n, n) / n)**2)"
JACOBIAN = "E(norm(D(A, M) - kron(eye(n) / n, eye(n) - ones(n, n) / n))**2)"


@pytest.mark.parametrize("left", [WEIGHTS, JACOBIAN])
def test_rates(left):
    sharp = judge(f"{left} <= O(1 / k**2)", SYMBOLS, rest=LETS, grow="k -> oo")
    assert (sharp.truth, sharp.tightness.tight) == ("true", True), sharp.reason
    assert judge(f"{left} <= O(1 / k**3)", SYMBOLS, rest=LETS, grow="k -> oo").truth != "true"
    assert judge(f"{left} == Theta(1 / k**2)", SYMBOLS, rest=LETS, grow="k -> oo").truth == "false"
    assert judge(f"limit({left}, k, oo) == 0", SYMBOLS, rest=LETS).truth == "true"


def test_what_does_not_vanish_is_not_said_to():
    wide = {**SYMBOLS, "Q": "normal(d, k, std=1)", "K": "normal(d, k, std=1)"}
    assert judge(f"limit({WEIGHTS}, k, oo) == 0", wide, rest=LETS).truth != "true"
    off = "E(norm(A - 2 * ones(n, n) / n)**2)"
    assert judge(f"limit({off}, k, oo) == 0", SYMBOLS, rest=LETS).truth != "true"
    assert judge(f"{off} <= O(1 / k**2)", SYMBOLS, rest=LETS, grow="k -> oo").truth != "true"


def test_rates_that_are_too_slow_are_loose_and_too_fast_are_refuted():
    symbols = {"n": "dimension", "k": "dimension", "d": "dimension", "X": "matrix(n, k)"}
    symbols |= {"Q": "normal(k, d, std=1/sqrt(d))", "K": "normal(k, d, std=1/sqrt(d))"}
    rest = "let:\n  M: X @ Q @ K.T @ X.T / sqrt(d)\n  A: softmax(M)"
    for power, truth, tight in ((1, "true", False), (2, "true", True), (3, "false", None)):
        says = f"E(norm(A - ones(n, n)/n)**2) <= O(1/d**{power})"
        found = judge(says, symbols, rest=rest, grow="d -> oo")
        assert found.truth == truth
        assert (found.tightness.tight if found.tightness else None) is tight
    says = "limit(E(norm(A - ones(n, n)/n)**2), d, oo) == {}"
    assert judge(says.format(0), symbols, rest=rest).truth == "true"
    assert judge(says.format(1), symbols, rest=rest).truth == "false"
