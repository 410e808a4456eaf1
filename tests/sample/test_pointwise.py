"""Relations without expectations: each true one with siblings that must be caught."""

import pytest

from tests.sample.specs import DIMS, claim_of, look

IDENTITIES = [
    ("tr(X @ X.T) == norm(X)**2", ["tr(X @ X.T) == norm(X)", "tr(X @ X.T) == norm(X)**2 + 1e-4"]),
    ("D(X @ B, B) == kron(X, eye(k))", ["D(X @ B, B) == kron(eye(n), B.T)[1, 1]"]),
    (
        "norm(X - ones(n, n) / n @ X)**2 == norm(X)**2 - norm(X.T @ ones(n))**2 / n",
        ["norm(X - ones(n, n) / n @ X)**2 == norm(X)**2 - norm(X.T @ ones(n))**2"],
    ),
    ("sum(i, i, 1, n) == n * (n + 1) / 2", ["sum(i, i, 1, n) == n**2 / 2 + n"]),
    ("softmax(X) @ ones(d) == ones(n)", ["softmax(X) @ ones(d) == 2 * ones(n)"]),
]


@pytest.mark.parametrize(("true", "siblings"), IDENTITIES)
def test_identities(true: str, siblings: list[str]) -> None:
    symbols = DIMS | {"X": "matrix(n, d)", "B": "matrix(d, k)"}
    finding = look(claim_of(true, symbols))
    assert (finding.truth, finding.grade) == ("true", "sampled"), finding
    for sibling in siblings:
        finding = look(claim_of(sibling, symbols))
        assert (finding.truth, finding.grade) == ("false", "sampled"), (sibling, finding)
        assert finding.counterexample is not None


def test_zero_to_rounding_is_not_a_counterexample() -> None:
    """Both sides are 0 and come out as 1e-17: agreement, at collapsed matrices too."""
    symbols = DIMS | {"x": "vector(d)", "X": "matrix(n, d)", "W": "normal(d, d)"}
    assumed = {"c": "X == ones(n) @ x.T"}
    claim = claim_of("X.T @ X / n - X.T @ ones(n, n) @ X / n**2 == zeros(d, d)", symbols, assumptions=assumed)
    assert look(claim).truth == "true"
    claim = claim_of("E(norm((eye(n) - ones(n, n) / n) @ X @ W)**2) == 0", symbols, assumptions=assumed)
    assert look(claim).truth == "true"


@pytest.mark.parametrize("factor", ["1 + 1e-12", "1 + 10**(-12)", "1000000000001/10**12"])
def test_what_rounding_hides_is_not_called_equal(factor: str) -> None:
    symbols = DIMS | {"X": "matrix(n, d)"}
    assert look(claim_of(f"norm(X, 2) * ({factor}) == norm(X.T, 2)", symbols)).truth == "unknown"


def test_assumptions_met_only_nearly_refute_nothing() -> None:
    """Equal norms and full alignment make rows equal; met to 1e-11, they leave rows 1e-6 apart."""
    symbols = {
        "n": "dimension",
        "d": "dimension",
        "X": "matrix(n, d)",
        "i": "index(n)",
        "j": "index(n)",
        "x": "vector(d)",
    }
    assumptions = {
        "norms": "all(norm(X[m]) == norm(x), m, 1, n)",
        "aligned": "all(inner(X[m], X[l]) == norm(X[m]) * norm(X[l]), m, 1, n, l, 1, n)",
    }
    assert look(claim_of("X[i] == X[j]", symbols, assumptions=assumptions)).truth != "false"
    assert look(claim_of("X[i] == 2 * X[j]", symbols, assumptions=assumptions)).truth == "false"


BOUNDS = [
    ("inner(x, y) <= norm(x) * norm(y)", "inner(x, y) <= norm(x) * norm(y) / 2"),
    ("tanh(a) in [-1, 1]", "tanh(a) in [0, 1]"),
    ("norm(x, oo) <= norm(x)", "norm(x) <= norm(x, oo)"),
    ("exp(a) >= 1 + a", "exp(a) >= 1 + 2 * a"),
]


@pytest.mark.parametrize(("true", "false"), BOUNDS)
def test_bounds(true: str, false: str) -> None:
    symbols = {"d": "dimension", "x": "vector(d)", "y": "vector(d)", "a": "real"}
    assert look(claim_of(true, symbols)).truth == "unknown"
    finding = look(claim_of(false, symbols))
    assert finding.truth == "false"
    assert finding.counterexample is not None
    lhs, rhs = finding.counterexample.lhs, finding.counterexample.rhs
    assert lhs is not None
    assert rhs is not None
    assert lhs != rhs


def test_random_symbols_outside_an_expectation_range_over_their_support() -> None:
    symbols = {"n": "dimension", "s": "rademacher(n)", "u": "uniform(n, 1, 0, 2)", "w": "normal(n)"}
    assert look(claim_of("norm(s)**2 == n", symbols)).truth == "true"
    assert look(claim_of("norm(u, oo) <= 2", symbols)).truth == "unknown"
    assert look(claim_of("norm(u, oo) <= 1", symbols)).truth == "false"
    finding = look(claim_of("norm(w)**2 == n", symbols))
    assert finding.truth == "false"
    assert finding.counterexample is not None
    assert "w" in finding.counterexample.values


def test_points_pushed_to_zero_do_not_meet_the_assumptions() -> None:
    """Opposite vectors are not aligned, however short they are."""
    symbols = {"d": "dimension", "x": "vector(d)", "y": "vector(d)"}
    assumed = {"aligned": "inner(x, y) == norm(x) * norm(y)"}
    claim = claim_of("norm(x + y) == norm(x) + norm(y)", symbols, assumptions=assumed)
    assert look(claim).truth != "false"


def test_families_of_fixed_matrices() -> None:
    symbols = {"n": "dimension", "H": "dimension", "B": "matrix(n, n, copies=H)"}
    assert look(claim_of("tr(sum(B[h], h, 1, H)) == sum(tr(B[h]), h, 1, H)", symbols)).truth == "true"
    assert look(claim_of("tr(sum(B[h], h, 1, H)) == H * tr(B[1])", symbols)).truth == "false"
