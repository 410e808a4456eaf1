"""What is refused and why; the same digits, the budget, the progress line."""

import pytest

from tests.sample.specs import ATTENTION, LET, QUERIES, claim_of, look
from verifier.evidence import Budget
from verifier.sample.engine import examine

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


def test_finiteness_is_refused() -> None:
    assert look(claim_of("E(exp(w)) < oo", {"w": "normal(1, 1)"})).missing is not None


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
