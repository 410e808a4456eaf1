"""A factor that is missing in front of a matrix: found where it makes the equality true, and only there."""

import pytest

from verifier.judge.verdict import Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify

SPEC = """
theorem: toy/complete
symbols: {{n: dimension, m: dimension, a: real, X: "matrix(n, m)", W: "matrix(m, m)", H: "matrix(n, m)"}}
let: {{Z: X @ W, Y: softmax(Z), T: tanh(Z)}}
claims:
  c: {{says: "{}"}}
"""


def verdict(text: str) -> Verdict:
    (found,) = verify(
        load_text(SPEC.format(text), "complete.yaml"), Settings(jobs=1, seconds=30, trust="engines")
    ).verdicts
    assert isinstance(found, Verdict)
    return found


@pytest.mark.parametrize(
    ("claim", "corrected"),
    [
        ("D(Y, X) == kron(eye(n), W.T)", "D(Y, Z) @ kron(eye(n), W.T)"),
        ("D(T, X) == kron(eye(n), W.T)", "D(T, Z) @ kron(eye(n), W.T)"),
        ("D(Y, X) @ vec_r(H) == vec_r(H @ W)", "D(Y, Z) @ vec_r(H @ W)"),
        ("vec_r(X) == vec_r(X.T)", "commutation(n, m) @ vec_r(X.T)"),
        ("sum(k*2**k, k, 1, n) == n*2**n", "2*(2**n*n - 2**n + 1)"),
        ("prod(k, k, 1, n) == factorial(n + 1)", "factorial(n)"),
        ("sup(a*exp(-a**2), a) == 1/2", "sqrt(2)*exp(-1/2)/2"),
        ("inf(a**4 - a, a) == -1/2", "-3*2**(1/3)/8"),
        ("sum(1/(k*(k + 1)), k, 1, n) == 1/(n + 1)", "n/(n + 1)"),
    ],
)
def test_the_missing_factor_is_told_and_makes_it_true(claim: str, corrected: str) -> None:
    found = verdict(claim)
    assert (found.verdict, found.steps[0].corrected) == ("fails", corrected)
    left, _, _ = claim.partition(" == ")
    assert verdict(f"{left} == {corrected}").verdict == "holds"


@pytest.mark.parametrize(
    "claim",
    [
        "D(Y, X) == 2*kron(eye(n), W.T)",  # another factor as well
        "D(Y, X) == kron(eye(n), W)",  # transposed
        "vec_r(X) == 2*vec_r(X.T)",
    ],
)
def test_what_is_wrong_in_another_way_gets_no_factor(claim: str) -> None:
    found = verdict(claim)
    assert found.verdict == "fails"
    told = found.steps[0].corrected or ""
    assert not told.startswith(("D(Y, Z) @", "commutation(n, m) @ vec_r"))


@pytest.mark.parametrize(("claim", "right"), [("norm(X)**2 == norm(X)", "norm(X)**2"), ("a**2 == a", "a**2")])
def test_a_closed_form_on_the_left_is_what_should_stand_on_the_right(claim: str, right: str) -> None:
    assert verdict(claim).steps[0].corrected == right
