"""Relations with expectations: each true one with siblings that must be caught."""

import pytest
import torch

from tests.sample.specs import ATTENTION, DEPTH, LAYERS, LET, QUERIES, UNIFORM, claim_of, look
from verifier.evidence import Finding, Sample
from verifier.sample.readings import unbroken


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


@pytest.mark.parametrize("precision", [torch.float64, torch.float32])
def test_expected_gradient_of_attention(precision: torch.dtype) -> None:
    """The whole path in double and, standing in for a lesser device, in single precision."""
    true = look(claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM), dtype=precision)
    assert not true.decides
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


def test_without_a_tail_bound_nothing_is_proven() -> None:
    """E exp(w) = 1.65; no bound on its moments is known here, so a clear difference refutes nothing."""
    finding = look(claim_of("E(exp(w)) == 5", {"w": "normal(1, 1)"}))
    assert not finding.decides
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
    assert not look(claim_of(true, symbols)).decides
    finding = look(claim_of(false, symbols))
    assert finding.truth == "false", finding


def test_matrices_compare_entry_by_entry() -> None:
    symbols = {"d": "dimension", "s": "positive", "W": "normal(d, d, std=s)"}
    assert not look(claim_of("E(W @ W.T) == d * s**2 * eye(d)", symbols)).decides
    assert look(claim_of("E(W @ W.T) == d * s**2 * (eye(d) + ones(d, d) / 2)", symbols)).truth == "false"


def test_unstated_moments_decide_nothing() -> None:
    symbols = {"n": "dimension", "w": "iid(n, mean=0, var=1)", "x": "random(n, mean=0)"}
    finding = look(claim_of("E(w[1]**4) == 5", symbols), seconds=10)
    assert not finding.decides
    assert finding.missing == "a moment that is not stated"
    finding = look(claim_of("E(norm(x)**2) == 7 * n", symbols))
    assert not finding.decides
    assert not look(claim_of("E(norm(w)**2) == n", symbols)).decides
    assert look(claim_of("E(norm(w)**2) == 2 * n", symbols)).truth == "false"


def test_conditional_expectations() -> None:
    symbols = {"d": "dimension", "X": "normal(d, d)", "W": "normal(d, d, std=1/sqrt(d))"}
    assert not look(claim_of("E(norm(X @ W)**2, given=X) == norm(X)**2", symbols)).decides
    assert look(claim_of("E(norm(X @ W)**2, given=X) == 2 * norm(X)**2", symbols)).truth == "false"


def test_families() -> None:
    symbols = {"d": "dimension", "H": "dimension", "W": "normal(d, d, copies=H)"}
    total = "E(norm(sum(W[h], h, 1, H))**2)"
    assert not look(claim_of(f"{total} == H * d**2", symbols)).decides
    assert look(claim_of(f"{total} == H**2 * d**2 + 1", symbols)).truth == "false"


def test_layers_draw_afresh() -> None:
    total = "E(norm(after(X, L).T @ ones(n))**2)"
    claim = claim_of(f"{total} == (a**2 + 1)**L * norm(X.T @ ones(n))**2", DEPTH, layers=LAYERS)
    finding = look(claim)
    assert not finding.decides
    assert all(s.low <= s.claimed <= s.high for s in finding.samples)  # type: ignore[operator]
    claim = claim_of(f"{total} == (a**2 + 2)**L * norm(X.T @ ones(n))**2", DEPTH, layers=LAYERS)
    assert look(claim).truth == "false"


def test_derivative_of_an_expectation() -> None:
    symbols = {"x": "real", "w": "normal(1, 1)"}
    assert not look(claim_of("D(E((x * w)**2), x) == 2 * x", symbols)).decides
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
    assert not look(claim_of("sum(E(w[i]**2)**2, i, 1, n) == n", symbols)).decides
    assert look(claim_of("sum(E(w[i]**2)**2, i, 1, n) == 2 * n", symbols)).truth == "false"
    assert (
        look(claim_of("sum(E(w[i]**2)**2, i, 1, n) == n", symbols, extra="where: {n: 80}")).missing
        is not None
    )


def test_what_is_not_finite_is_left_out_and_reported() -> None:
    symbols = {"s": "rademacher(1, 1)", "x": "real"}
    finding = look(claim_of("E(1 / (1 + s)) == x", symbols))
    assert not finding.decides
    assert finding.excluded
    assert not finding.samples


def test_large_jacobians() -> None:
    """Past the size at which Jacobians are formed, along one path and by probes: still proven."""
    where = "where: {n: 6, d: 6, k: 7}"
    twice = "E(norm(D(W_Q @ W_Q.T, W_Q))**2)"  # |dW W' + W dW'|^2 sums up to 2 (d + 1) |W|^2
    for left, right in (("E(norm(D(S, W_Q))**2)", QUERIES), (twice, "2 * (d + 1) * d * k * sigma**2")):
        true = look(claim_of(f"{left} == {right}", ATTENTION, LET, UNIFORM, extra=where))
        assert true.samples[0].rigorous
        assert true.samples[0].low <= true.samples[0].claimed <= true.samples[0].high  # type: ignore[operator]
        false = claim_of(f"{left} == 4 * {right}", ATTENTION, LET, UNIFORM, extra=where)
        assert look(false, seconds=6).truth == "false"


def test_bounded_quantities_have_proven_intervals() -> None:
    symbols = {"n": "dimension", "w": "normal(1, 1)", "u": "uniform(n, 1, 0, 1)", "W": "normal(n, n)"}
    assert not look(claim_of("P(w > 0) == 1/2", symbols)).decides
    assert look(claim_of("P(w > 0) == 3/5", symbols)).truth == "false"
    assert look(claim_of("P(w in [0, 1]) >= 1/2", symbols)).truth == "false"
    assert not look(claim_of("E(softmax(W)) == ones(n, n) / n", symbols)).decides
    assert look(claim_of("E(softmax(W)[1, 1]) == 2 / n", symbols)).truth == "false"
    assert look(claim_of("E(exp(u[1])) <= 3/2", symbols)).truth == "false"


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("D(E(norm(t*W)**2) / E(norm(W)**2), t) == 2*t", "D(E(norm(t*W)**2) / E(norm(W)**2), t) == 3*t"),
        ("D(sqrt(E(norm(t * W)**2)), t) == n", "D(sqrt(E(norm(t * W)**2)), t) == 2 * n"),
    ],
)
def test_derivatives_of_quotients_and_roots_of_means(true: str, false: str) -> None:
    symbols = {"n": "dimension", "t": "interval(1, 2)", "W": "normal(n, n)"}
    assert not look(claim_of(true, symbols)).decides
    assert look(claim_of(false, symbols)).truth == "false"


def test_a_real_network_of_64_layers() -> None:
    deep = LAYERS.replace("1/sqrt(d)", "1/(8*sqrt(d))")
    says = "E(norm(after(X, L).T @ ones(n))**2) == (1 + a**2/{})**L * norm(X.T @ ones(n))**2"
    sizes = "where: {n: 2, d: 5, L: 64, a: 1}"
    (sample, *_) = look(claim_of(says.format(64), DEPTH, layers=deep, extra=sizes), 1.0).samples
    assert sample.at["L"] == 64
    assert sample.claimed is not None
    assert sample.low <= sample.claimed <= sample.high
    (other, *_) = look(claim_of(says.format(8), DEPTH, layers=deep, extra=sizes), 1.0).samples
    assert other.claimed is not None
    assert other.high < other.claimed / 100


def test_narrow_intervals_at_every_size_speak_for_it_and_prove_nothing() -> None:
    def said(half: float, covers: bool = True, suspicious: bool = False) -> Finding:
        samples = [Sample({"n": n}, 1.0, 1.0 - half, 1.0 + half, 1.0, 4096) for n in (1, 2, 3)]
        return unbroken(samples, [], [False] * 3, suspicious, 0, covers)

    narrow = said(0.01)
    assert (narrow.truth, narrow.grade, narrow.proves) == ("true", "searched", False)
    assert "at 3 points, to within 1%, with up to 4096 draws" in narrow.reason
    for open_ in (said(0.2), said(0.01, covers=False), said(0.01, suspicious=True)):
        assert (open_.truth, open_.grade) == ("unknown", None)
