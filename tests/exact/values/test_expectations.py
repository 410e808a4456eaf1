"""Exact expectations: textbook moments at small sizes, and two ways to the same number."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from tests.exact.helpers import claim
from verifier.exact.values.compare_at_point import Compared, compare
from verifier.exact.values.point_context import Context


def judged(says: str, symbols: str, point: dict[str, Any], **more: str) -> Compared:
    stated = claim(says, symbols, **more)
    return compare(stated.steps[0].fact, point, Context.of(stated))


GAUSS = "n: dimension; d: dimension; s: positive; W: normal(n, d, std=s); X: matrix(n, n)"
AT = {"n": 2, "d": 3, "s": Fraction(1, 2), "X": ((1, 2), (0, -1))}


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(W)**2) == n*d*s**2",
        "E(norm(W)**4) == n*d*(n*d + 2)*s**4",
        "E(tr(matpow(W.T @ W, 2))) == n*d*(n + d + 1)*s**4",
        "E(W @ W.T) == d*s**2*eye(n)",
        "Var(W[1, 1]**2) == 2*s**4",
        "Cov(vec_r(W), vec_r(W)) == s**2*eye(n*d)",
        "E(norm(X @ W)**2) == d*s**2*norm(X)**2",
        "E(norm(D(X @ W, W))**2) == d*norm(X)**2",
        "E(W[1, 1]**6) == 15*s**6",
        "E(W[1, 1]**3) == 0",
        "E(E(W[1, 1]*norm(W)**2, given=W)) == 0",
        "E(exp(0*W[1, 1])) == 1",
    ],
)
def test_gaussian_moments(says: str) -> None:
    assert judged(says, GAUSS, AT).outcome == "true"
    wrong = says.replace(" == ", " == 1 + ")
    assert judged(wrong, GAUSS, AT).outcome == "false"


def test_equally_correlated_rows() -> None:
    symbols = "n: dimension; d: dimension; r: real; W: normal(n, d, std=2, row_corr=r)"
    point = {"n": 2, "d": 3, "r": Fraction(1, 3)}
    assert judged("E(W @ W.T) == 4*d*(r*ones(n, n) + (1 - r)*eye(n))", symbols, point).outcome == "true"
    assert judged("E(W.T @ W) == 4*n*eye(d)", symbols, point).outcome == "true"
    assert judged("E(W[1, 1]**2*W[2, 1]**2) == 16*(1 + 2*r**2)", symbols, point).outcome == "true"
    assert judged("E(W[1, 1]**2*W[2, 1]**2) == 16", symbols, point).outcome == "false"


def test_mean_and_covariance() -> None:
    symbols = "C: psd(2); z: normal(2, mean=3, cov=C)"
    point = {"C": ((2, 1), (1, 5))}
    assert judged("E(z @ z.T) == C + 9*ones(2, 2)", symbols, point).outcome == "true"
    assert judged("Var(z[1]*z[2]) == Var(z[1]*z[2])", symbols, point).outcome == "true"
    # Isserlis with a mean: Var(xy) = ab + c**2 + m**2 (a + b + 2c).
    assert judged("Var(z[1]*z[2]) == 10 + 1 + 9*(2 + 5 + 2)", symbols, point).outcome == "true"


def test_signs_two_ways() -> None:
    symbols = "d: dimension; R: rademacher(d, 2); X: matrix(2, 2)"
    point = {"d": 2, "X": ((1, 3), (0, 2))}
    assert judged("E(norm(R @ X)**2) == d*norm(X)**2", symbols, point).outcome == "true"
    assert judged("E(norm(R)**4) == 4*d**2", symbols, point).outcome == "true"
    # No polynomial: all 16 patterns are enumerated.
    assert judged("E(abs(sum(R[i, 1], i, 1, d))) == 1", symbols, point).outcome == "true"
    assert judged("E(exp(R[1, 1])) == (exp(1) + exp(-1))/2", symbols, point).outcome == "true"
    assert judged("E(abs(sum(R[i, 1], i, 1, d))) == 2", symbols, point).outcome == "false"
    assert judged("P(sum(R[i, 1], i, 1, d) >= 0) == 3/4", symbols, point).outcome == "true"


def test_uniform_entries() -> None:
    symbols = "U: uniform(2, 1, -1, 3)"
    assert judged("E(U[1]) == 1", symbols, {}).outcome == "true"
    assert judged("Var(U[1]) == 4/3", symbols, {}).outcome == "true"
    assert judged("E(U[1]**4) == 61/5", symbols, {}).outcome == "true"
    assert judged("E(U[1]**2*U[2]**2) == (7/3)**2", symbols, {}).outcome == "true"


def test_only_stated_moments_are_used() -> None:
    symbols = "d: dimension; x: iid(d, 1, mean=2, var=3)"
    point = {"d": 2}
    assert judged("E(norm(x)**2) == 7*d", symbols, point).outcome == "true"
    assert judged("E(norm(x)**4) == 1", symbols, point).outcome == "unsupported"
    any_law = "y: random(2, 1, mean=1)"
    assert judged("E(y[1] + y[2]) == 2", any_law, {}).outcome == "true"
    assert judged("E(y[1]*y[2]) == 1", any_law, {}).outcome == "unsupported"


def test_given_holds_a_symbol_fixed() -> None:
    symbols = "a: normal(1, 1, std=1); b: normal(1, 1, std=2)"
    point = {"b": 3}
    assert judged("E(a**2*b**2, given=b) == 9", symbols, point).outcome == "true"
    assert judged("E(E(a**2*b**2, given=b)) == 4", symbols, point).outcome == "true"
    assert judged("E(a**2*b**2) == 4", symbols, point).outcome == "true"


def test_assumed_attention_inside_an_expectation() -> None:
    symbols = (
        "n: dimension; d: dimension; X: matrix(n, d); "
        "Q: normal(d, d, std=1); K: normal(d, d, std=1); V: normal(d, d, std=1)"
    )
    more = {
        "lets": "M: X @ Q @ K.T @ X.T; A: softmax(M); S: A @ X @ V; mean: X.T @ ones(n)/n",
        "assumptions": "uniform: A == ones(n, n)/n",
    }
    point = {"n": 2, "d": 2, "X": ((1, 2), (0, -1))}
    assert judged("E(norm(D(S, V))**2) == d*n*norm(mean)**2", symbols, point, **more).outcome == "true"
    assert judged("E(norm(D(S, V))**2) == d*norm(mean)**2", symbols, point, **more).outcome == "false"
    # Through the assumed softmax: the derivative by Q is not zero, though A is constant.
    found = judged("E(norm(D(S, Q))**2) == 0", symbols, point, **more)
    assert found.outcome == "false"
    assert found.left is not None
    assert isinstance(found.left[0][0], fmpq)
    # Without the assumption it is no polynomial.
    del more["assumptions"]
    assert judged("E(norm(D(S, Q))**2) == 0", symbols, point, **more).outcome == "unsupported"


def test_layers_draw_afresh() -> None:
    layers = "layers:\n  state: x\n  depth: L\n  symbols:\n    W: normal(d, d, std=1/2)\n  next: W @ x + x\n"
    symbols = "d: dimension; L: dimension; x: vector(d)"
    point = {"d": 2, "L": 2, "x": (1, 2)}
    says = "E(norm(after(x, L))**2) == (1 + d/4)**L*norm(x)**2"
    assert judged(says, symbols, point, layers=layers).outcome == "true"
    assert judged(says.replace("**L", "**(L + 1)"), symbols, point, layers=layers).outcome == "false"


def test_assumed_independence_is_refused() -> None:
    symbols = "W: normal(2, 2, std=1)"
    more = {"assumptions": "apart: independent(W[1, 1]**2, W[1, 2])"}
    assert judged("E(norm(W)**2) == 4", symbols, {}, **more).outcome == "unsupported"
