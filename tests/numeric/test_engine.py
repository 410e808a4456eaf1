"""Whole claims: each true one with siblings that must be caught."""

import pytest
import torch

from tests.numeric.specs import claim_of, look
from verifier.evidence import Budget
from verifier.numeric.engine import examine

DIMS = {"n": "dimension", "d": "dimension", "k": "dimension"}
ATTENTION = DIMS | {
    "sigma": "positive",
    "tau": "positive",
    "X": "matrix(n, d)",
    "W_Q": "normal(d, k, std=sigma)",
    "W_K": "normal(d, k, std=sigma)",
    "W_V": "normal(d, d, std=tau)",
}
LET = {
    "M": "X @ W_Q @ W_K.T @ X.T / sqrt(k)",
    "A": "softmax(M)",
    "S": "A @ X @ W_V",
    "xbar": "X.T @ ones(n) / n",
}
UNIFORM = {"u": "A == ones(n, n) / n"}
QUERIES = "sigma**2 * tau**2 * d / n**2 * norm(X)**2 * norm(X.T @ X - n * xbar @ xbar.T)**2"

LAYERS = (
    "layers:\n  state: X\n  depth: L\n  symbols:\n    U: normal(d, d, std=1/sqrt(d))\n"
    "  let:\n    Z: a * (ones(n, n) / n @ X @ U)\n  next: Z + X"
)
DEPTH = {"n": "dimension", "d": "dimension", "L": "dimension", "a": "real", "X": "matrix(n, d)"}


# --- relations without noise -------------------------------------------------------------------------

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


def test_degenerate_laws_give_zero_not_a_contradiction() -> None:
    """Rows correlated by -1/(n - 1) add up to 0: the estimate is rounding noise, and so is the claim."""
    symbols = {
        "n": "dimension",
        "d": "dimension",
        "rho": "interval(-1, 1)",
        "X": "normal(n, d, row_corr=rho)",
    }
    claim = claim_of(
        "E(norm(X.T @ ones(n))**2) == n * d * (1 + rho * (n - 1))",
        symbols,
        assumptions={"law": "1 + rho * (n - 1) >= 0"},
    )
    assert look(claim).truth != "false"


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


# --- expectations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("precision", [torch.float64, torch.float32])
def test_expected_gradient_of_attention(precision: torch.dtype) -> None:
    """The whole path in double and, standing in for a lesser device, in single precision."""
    true = look(claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM), dtype=precision)
    assert true.truth == "unknown"
    assert true.samples
    for sample in true.samples:
        assert sample.claimed is not None
        assert sample.low <= sample.claimed <= sample.high
    assert true.samples[0].rigorous
    for factor in ("2", "d", "1/n"):
        false = look(
            claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES} * {factor}", ATTENTION, LET, UNIFORM),
            dtype=precision,
        )
        assert (false.truth, false.grade) == ("false", "sampled"), (factor, false)


def test_constant_bodies_agree_on_every_draw() -> None:
    finding = look(claim_of("E(norm(D(S, W_V))**2) == d * n * norm(xbar)**2", ATTENTION, LET, UNIFORM))
    assert (finding.truth, finding.grade) == ("true", "sampled")
    finding = look(
        claim_of("sqrt(E(norm(D(S, W_V))**2)) == sqrt(d * n) * norm(xbar)", ATTENTION, LET, UNIFORM)
    )
    assert finding.truth == "true"
    finding = look(claim_of("E(norm(D(S, W_V))**2) == d * norm(xbar)**2", ATTENTION, LET, UNIFORM))
    assert finding.truth == "false"


def test_without_the_assumption_nothing_is_proven() -> None:
    """True softmax is no polynomial of the weights, so a clear difference still refutes nothing."""
    finding = look(claim_of(f"E(norm(D(S, W_Q))**2) == 2 * {QUERIES}", ATTENTION, LET))
    assert finding.truth == "unknown"
    assert not any(sample.rigorous for sample in finding.samples)


MOMENTS = [
    ("E(w**4) == 3 * s**4", "E(w**4) == 2 * s**4"),
    ("Var(w**2) == 2 * s**4", "Var(w**2) == 3 * s**4"),
    ("Cov(w, w**3) == 3 * s**4", "Cov(w, w**3) == s**4"),
    ("E(w**2)**2 == s**4", "E(w**2)**2 == 2 * s**4"),
    ("E(w**4) / E(w**2) == 3 * s**2", "E(w**4) / E(w**2) == s**2"),
    ("sqrt(E(w**2)) == s", "sqrt(E(w**2)) == 2 * s"),
    ("E(abs(w)) <= s", "E(abs(w)) <= s / 2"),
    ("E(w) in [-s, s]", "E(w**2) in [2 * s**2, 3 * s**2]"),
    ("sum(E(w**i), i, 1, 2) == s**2", "sum(E(w**i), i, 1, 2) == 2 * s**2"),
]


@pytest.mark.parametrize(("true", "false"), MOMENTS)
def test_moments(true: str, false: str) -> None:
    symbols = {"s": "positive", "w": "normal(1, 1, std=s)"}
    assert look(claim_of(true, symbols)).truth == "unknown"
    finding = look(claim_of(false, symbols))
    assert finding.truth == "false", finding


def test_matrices_compare_entry_by_entry() -> None:
    symbols = {"d": "dimension", "s": "positive", "W": "normal(d, d, std=s)"}
    assert look(claim_of("E(W @ W.T) == d * s**2 * eye(d)", symbols)).truth == "unknown"
    assert look(claim_of("E(W @ W.T) == d * s**2 * (eye(d) + ones(d, d) / 2)", symbols)).truth == "false"


def test_unstated_moments_decide_nothing() -> None:
    symbols = {"n": "dimension", "w": "iid(n, mean=0, var=1)", "x": "random(n, mean=0)"}
    finding = look(claim_of("E(w[1]**4) == 5", symbols), seconds=10)
    assert finding.truth == "unknown"
    assert finding.missing == "a moment that is not stated"
    finding = look(claim_of("E(norm(x)**2) == 7 * n", symbols))
    assert finding.truth == "unknown"
    assert look(claim_of("E(norm(w)**2) == n", symbols)).truth == "unknown"
    assert look(claim_of("E(norm(w)**2) == 2 * n", symbols)).truth == "false"


def test_conditional_expectations() -> None:
    symbols = {"d": "dimension", "X": "normal(d, d)", "W": "normal(d, d, std=1/sqrt(d))"}
    assert look(claim_of("E(norm(X @ W)**2, given=X) == norm(X)**2", symbols)).truth == "unknown"
    assert look(claim_of("E(norm(X @ W)**2, given=X) == 2 * norm(X)**2", symbols)).truth == "false"


def test_families() -> None:
    symbols = {"d": "dimension", "H": "dimension", "W": "normal(d, d, copies=H)"}
    total = "E(norm(sum(W[h], h, 1, H))**2)"
    assert look(claim_of(f"{total} == H * d**2", symbols)).truth == "unknown"
    assert look(claim_of(f"{total} == H**2 * d**2 + 1", symbols)).truth == "false"


def test_layers_draw_afresh() -> None:
    total = "E(norm(after(X, L).T @ ones(n))**2)"
    claim = claim_of(f"{total} == (a**2 + 1)**L * norm(X.T @ ones(n))**2", DEPTH, layers=LAYERS)
    finding = look(claim)
    assert finding.truth == "unknown"
    assert all(s.low <= s.claimed <= s.high for s in finding.samples)  # type: ignore[operator]
    claim = claim_of(f"{total} == (a**2 + 2)**L * norm(X.T @ ones(n))**2", DEPTH, layers=LAYERS)
    assert look(claim).truth == "false"


def test_derivative_of_an_expectation() -> None:
    symbols = {"x": "real", "w": "normal(1, 1)"}
    assert look(claim_of("D(E((x * w)**2), x) == 2 * x", symbols)).truth == "unknown"
    assert look(claim_of("D(E((x * w)**2), x) == x", symbols)).truth == "false"
    # A parameter of the law moves the draws themselves: not a derivative under the expectation.
    symbols = {"s": "positive", "w": "normal(1, 1, std=s)"}
    for right in ("2 * s", "0"):
        assert look(claim_of(f"D(E(w**2), s) == {right}", symbols)).missing is not None


def test_sums_of_expectations_are_one_expectation() -> None:
    """Forty terms, one estimate."""
    symbols = {"n": "dimension", "w": "normal(n)"}
    total = "sum(i * E(w[i]**2), i, 1, n)"
    finding = look(claim_of(f"{total} == n * (n + 1) / 2", symbols, extra="where: {n: 40}"))
    assert finding.samples
    assert finding.samples[0].rigorous
    assert look(claim_of(f"{total} == n**2", symbols, extra="where: {n: 40}")).truth == "false"
    assert look(claim_of("sum(E(w[i]**2)**2, i, 1, n) == n", symbols)).truth == "unknown"
    assert look(claim_of("sum(E(w[i]**2)**2, i, 1, n) == 2 * n", symbols)).truth == "false"
    assert (
        look(claim_of("sum(E(w[i]**2)**2, i, 1, n) == n", symbols, extra="where: {n: 80}")).missing
        is not None
    )


def test_what_is_not_finite_is_left_out_and_reported() -> None:
    symbols = {"s": "rademacher(1, 1)", "x": "real"}
    finding = look(claim_of("E(1 / (1 + s)) == x", symbols))
    assert finding.truth == "unknown"
    assert finding.excluded
    assert not finding.samples


def test_points_pushed_to_zero_do_not_meet_the_assumptions() -> None:
    """Opposite vectors are not aligned, however short they are."""
    symbols = {"d": "dimension", "x": "vector(d)", "y": "vector(d)"}
    assumed = {"aligned": "inner(x, y) == norm(x) * norm(y)"}
    claim = claim_of("norm(x + y) == norm(x) + norm(y)", symbols, assumptions=assumed)
    assert look(claim).truth != "false"


def test_probes_at_larger_sizes() -> None:
    """Past the size at which Jacobians are formed the estimate comes from probes, and is still proven."""
    claim = claim_of(
        f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM, extra="where: {n: 6, d: 6, k: 7}"
    )
    finding = look(claim)
    assert finding.samples
    assert finding.samples[0].low <= finding.samples[0].claimed <= finding.samples[0].high  # type: ignore[operator]
    claim = claim_of(
        f"E(norm(D(S, W_Q))**2) == 4 * {QUERIES}", ATTENTION, LET, UNIFORM, extra="where: {n: 6, d: 6, k: 7}"
    )
    assert look(claim, seconds=6).truth == "false"


REFUSED = [
    ("limit(E(norm(X)), n, oo) == 0", "limit"),
    ("norm(X) == order(1)", "orders"),
    ("sup(norm(X), X) >= 0", "sup"),
]


@pytest.mark.parametrize(("text", "missing"), REFUSED)
def test_refusals_say_what_is_missing(text: str, missing: str) -> None:
    finding = look(claim_of(text, {"n": "dimension", "X": "matrix(n, n)"}))
    assert finding.truth == "unknown"
    assert finding.missing is not None
    assert missing in finding.missing


def test_assumed_independence_is_not_sampled_away() -> None:
    symbols = {"n": "dimension", "x": "normal(n)"}
    claim = claim_of(
        "E(norm(x)**2 * x[1]**2) == n", symbols, assumptions={"i": "independent(norm(x)**2, x[1]**2)"}
    )
    finding = look(claim)
    assert finding.truth == "unknown"
    assert finding.missing is not None


def test_rare_events_and_far_kinks_are_not_overlooked() -> None:
    """What never happens in the draws is not what never happens."""
    symbols = {"x": "real", "w": "normal(1, 1)"}
    assert look(claim_of("P(w > 6) == 0", symbols)).truth != "true"
    assert look(claim_of("E(relu(w - 5)) == 0", symbols)).truth != "true"
    assert look(claim_of("max(x, -40) == x", symbols)).truth == "false"
    assert look(claim_of("relu(x - 2000) == 0", symbols)).truth == "false"


def test_bounded_quantities_have_proven_intervals() -> None:
    symbols = {"n": "dimension", "w": "normal(1, 1)", "u": "uniform(n, 1, 0, 1)", "W": "normal(n, n)"}
    assert look(claim_of("P(w > 0) == 1/2", symbols)).truth == "unknown"
    assert look(claim_of("P(w > 0) == 3/5", symbols)).truth == "false"
    assert look(claim_of("P(w in [0, 1]) >= 1/2", symbols)).truth == "false"
    assert look(claim_of("E(softmax(W)) == ones(n, n) / n", symbols)).truth == "unknown"
    assert look(claim_of("E(softmax(W)[1, 1]) == 2 / n", symbols)).truth == "false"
    assert look(claim_of("E(exp(u[1])) <= 3/2", symbols)).truth == "false"


def test_finiteness_is_refused() -> None:
    assert look(claim_of("E(exp(w)) < oo", {"w": "normal(1, 1)"})).missing is not None


def test_families_of_fixed_matrices() -> None:
    symbols = {"n": "dimension", "H": "dimension", "B": "matrix(n, n, copies=H)"}
    assert look(claim_of("tr(sum(B[h], h, 1, H)) == sum(tr(B[h]), h, 1, H)", symbols)).truth == "true"
    assert look(claim_of("tr(sum(B[h], h, 1, H)) == H * tr(B[1])", symbols)).truth == "false"


# --- reproducibility ---------------------------------------------------------------------------------


def test_the_same_digits_twice_and_others_for_another_seed() -> None:
    claim = claim_of("E(norm(W)**2) == n", {"n": "dimension", "W": "normal(n, n)"}, extra="where: {n: 3}")
    runs = [look(claim, max_draws=4096, seed=seed).samples for seed in (3, 3, 4)]
    assert runs[0] == runs[1]
    assert runs[0][0].estimate != runs[2][0].estimate


def test_the_budget_is_kept() -> None:
    claim = claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET)
    finding = examine(claim, claim.steps[0], Budget(seconds=1.0))
    assert finding.seconds < 2.5


def test_progress_says_what_is_sampled_and_how_wide_it_is() -> None:
    lines: list[str] = []
    claim = claim_of("E(norm(W)**2) == n**2", {"n": "dimension", "W": "normal(n, n)"})
    examine(claim, claim.steps[0], Budget(seconds=1.0, tell=lines.append))
    assert lines
    assert all("draws, +-" in line for line in lines)


def test_the_number_of_draws_can_be_limited() -> None:
    claim = claim_of("E(norm(W)**2) == n**2", {"n": "dimension", "W": "normal(n, n)"})
    finding = examine(claim, claim.steps[0], Budget(seconds=1.0, draws=2000))
    assert finding.samples
    assert all(0 < sample.draws <= 2000 for sample in finding.samples)
