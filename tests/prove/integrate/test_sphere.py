"""Moments of normalised normal rows: directions are uniform; each true claim with false siblings."""

import mpmath as mp
import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
k: dimension
s: positive
t: positive
x: vector(d)
W: normal(m, d, std=s)
U: normal(k, m, std=t)
"""
CENTRED = "norm(x - ones(d)*(ones(d).T @ x)/d)**2"

CLAIMS = {
    "length of rows, surely": ("norm(rmsnorm(W))**2 == m*d", []),
    "length of rows": (
        "E(norm(rmsnorm(W))**2) == m*d",
        ["E(norm(rmsnorm(W))**2) == m", "E(norm(rmsnorm(W))**2) == 0"],
    ),
    "no direction is preferred": ("E(rmsnorm(W)) == zeros(m, d)", ["E(rmsnorm(W)) == ones(m, d)"]),
    "second moments": (
        "E(rmsnorm(W).T @ rmsnorm(W)) == m*eye(d)",
        ["E(rmsnorm(W).T @ rmsnorm(W)) == eye(d)", "E(rmsnorm(W).T @ rmsnorm(W)) == m*ones(d, d)"],
    ),
    "rows are independent": (
        "E(rmsnorm(W) @ rmsnorm(W).T) == d*eye(m)",
        ["E(rmsnorm(W) @ rmsnorm(W).T) == d*ones(m, m)"],
    ),
    "projection": (
        "E(norm(rmsnorm(W) @ x)**2) == m*norm(x)**2",
        ["E(norm(rmsnorm(W) @ x)**2) == m*d*norm(x)**2", "E(norm(rmsnorm(W) @ x)**2) == m*s**2*norm(x)**2"],
    ),
    "fourth moments": (
        "E(sum(rmsnorm(W)[i, j]**4, i, 1, m, j, 1, d)) == 3*m*d**2/(d + 2)",
        ["E(sum(rmsnorm(W)[i, j]**4, i, 1, m, j, 1, d)) == 3*m*d"],
    ),
    "Gram matrix": (
        "E(norm(rmsnorm(W) @ rmsnorm(W).T)**2) == m*d*(d + m - 1)",
        [
            "E(norm(rmsnorm(W) @ rmsnorm(W).T)**2) == m*d*(d + m)",
            "E(norm(rmsnorm(W) @ rmsnorm(W).T)**2) == m*d**2",
        ],
    ),
    "a further layer": (
        "E(norm(U @ rmsnorm(W))**2) == k*t**2*m*d",
        ["E(norm(U @ rmsnorm(W))**2) == k*t**2*m"],
    ),
    "centred rows": ("E(norm(layernorm(W))**2) == m*d", ["E(norm(layernorm(W))**2) == m*(d - 1)"]),
    "projection of centred rows": (
        f"E(norm(layernorm(W) @ x)**2) == m*d/(d - 1)*{CENTRED}",
        [f"E(norm(layernorm(W) @ x)**2) == m*{CENTRED}", "E(norm(layernorm(W) @ x)**2) == m*norm(x)**2"],
    ),
    "covariance of centred rows": (
        "E(layernorm(W).T @ layernorm(W)) == m*d/(d - 1)*(eye(d) - ones(d, d)/d)",
        ["E(layernorm(W).T @ layernorm(W)) == m*eye(d)"],
    ),
}


@pytest.mark.parametrize("says", [true for true, _ in CLAIMS.values()], ids=list(CLAIMS))
def test_true_claims_are_proved(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("says", [says for _, siblings in CLAIMS.values() for says in siblings])
def test_false_siblings_are_refuted(says: str) -> None:
    assert judged(says, SYMBOLS).truth == "false"


JACOBIANS = [
    ("norm(D(rmsnorm(x.T), x))**2 == d*(d - 1)/norm(x)**2", "norm(D(rmsnorm(x.T), x))**2 == d**2/norm(x)**2"),
    (
        f"norm(D(layernorm(x.T), x))**2 == d*(d - 2)/{CENTRED}",
        f"norm(D(layernorm(x.T), x))**2 == d*(d - 1)/{CENTRED}",
    ),
    (
        "D(rmsnorm(x.T), x) == sqrt(d)/norm(x)*(eye(d) - x @ x.T/norm(x)**2)",
        "D(rmsnorm(x.T), x) == sqrt(d)/norm(x)*(eye(d) - x @ x.T)",
    ),
]


@pytest.mark.parametrize(("true", "false"), JACOBIANS)
def test_jacobians(true: str, false: str) -> None:
    assert judged(true, SYMBOLS).truth == "true"
    assert judged(false, SYMBOLS).truth == "false"


MEAN_JACOBIANS = [
    ("E(norm(D(rmsnorm(W), W))**2) == m*d*(d - 1)/(s**2*(d - 2))", "d > 2", "d > 1"),
    ("E(norm(D(layernorm(W), W))**2) == m*d*(d - 2)/(s**2*(d - 3))", "d > 3", "d > 2"),
]


@pytest.mark.parametrize(("says", "finite", "infinite"), MEAN_JACOBIANS)
def test_inverse_moments_need_enough_columns(says: str, finite: str, infinite: str) -> None:
    assert judged(says, SYMBOLS, assume=f"wide: {finite}").truth == "true"
    assert (
        judged(says.replace("(d - 1)", "d").replace("(d - 2)", "d"), SYMBOLS, assume=f"wide: {finite}").truth
        == "false"
    )
    assert judged(says, SYMBOLS, assume=f"wide: {infinite}").truth == "unknown"


def test_rows_of_length_one_are_left_out() -> None:
    """layernorm of a single column is 0/0: no counterexample stands there."""
    assert judged("E(norm(layernorm(W))**2) <= 2*m*(d - 1)", SYMBOLS).truth == "true"
    assert judged("E(norm(layernorm(W))**2) <= 3/2*m*(d - 1)", SYMBOLS).truth == "false"


def test_rows_that_are_not_isotropic_are_left_alone() -> None:
    shifted = SYMBOLS.replace("W: normal(m, d, std=s)", "W: normal(m, d, std=s, mean=1)")
    joined = SYMBOLS.replace("W: normal(m, d, std=s)", "W: normal(m, d, std=s, row_corr=1/2)")
    assert judged("E(norm(rmsnorm(W) @ x)**2) == m*norm(x)**2", shifted).truth != "true"
    assert judged("E(rmsnorm(W) @ rmsnorm(W).T) == d*eye(m)", joined).truth != "true"


def test_odd_moments_of_lengths_are_refused() -> None:
    assert judged("E(norm(W)) == s*sqrt(m*d)", SYMBOLS).truth != "true"


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize(("wanted", "known"), [(0, 2), (2, 4), (0, 4), (-2, 0)])
def test_ratios_of_lengths(size: int, wanted: int, known: int) -> None:
    """E(|w|**a)/E(|w|**b) as the rule has it, against the radial integral."""

    def radial(order: int) -> mp.mpf:
        weigh = mp.quad(lambda r: r ** (size - 1) * mp.exp(-r * r / 2), [0, 3, mp.inf])
        return mp.quad(lambda r: r ** (order + size - 1) * mp.exp(-r * r / 2), [0, 3, mp.inf]) / weigh

    def product(order: int) -> mp.mpf:
        if order < 0:
            return 1 / mp.fprod(size - 2 * k for k in range(1, -order // 2 + 1))
        return mp.fprod(size + 2 * k for k in range(order // 2))

    assert mp.almosteq(radial(wanted) / radial(known), product(wanted) / product(known), 1e-12)
