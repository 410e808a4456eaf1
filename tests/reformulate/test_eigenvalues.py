"""One symmetric matrix in its eigenbasis: the same statement about numbers, and none where it is no sum."""

import pytest

from verifier import Settings, Verdict, load_text, verify
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text as read
from verifier.reformulate.eigenvalues import with_eigenvalues

SPEC = """
theorem: toy/eigenvalues
symbols:
  {d: dimension, n: dimension, L: positive, eta: positive, x: vector(d), y: vector(d), u: vector(n),
   H: psd(d), S: symmetric(d), A: "matrix(d, d)"}
assumptions: {smooth: "norm(H, 2) <= L", step: eta <= 1/L, unit: norm(x) == 1, close: "norm(S, 2) <= 1"}
claims:
  c: {says: "%s", under: [%s]}
"""


def told(says: str, under: str = "smooth, step") -> tuple[str, ...] | None:
    (claim,) = read(SPEC % (says, under), "eigenvalues.yaml").claims
    instance = with_eigenvalues(claim, claim.steps[0])
    if instance is None:
        return None
    return (to_text(instance.step.fact), *(to_text(item.fact) for item in instance.claim.assumptions))


@pytest.mark.parametrize(
    ("says", "number"),
    [
        ("x.T @ H @ y <= L*inner(x, y)", "x*H*y <= L*(x*y)"),
        ("norm(H @ (x - y))**2 <= L*(x - y).T @ H @ (x - y)", "(H*(x - y))**2 <= L*(x - y)*H*(x - y)"),
        ("norm(x - eta*H @ x) <= 2*norm(x)", "(x - eta*H*x)**2 <= 2**2*x**2"),
        ("tr(matpow(H, 3)) <= L*norm(H)**2", "H**3 <= L*H**2"),
        ("tr(H @ (eye(d) - H/L)) >= 0", "H*(1 - H/L) >= 0"),
    ],
)
def test_sums_over_eigenvalues(says: str, number: str) -> None:
    assert told(says) == (number, "H <= L", "eta <= 1/L")


def test_eigenvalues_of_a_symmetric_matrix_may_be_negative() -> None:
    assert told("norm(S @ x) <= norm(x)", "close") == ("(S*x)**2 <= x**2", "abs(S) <= 1")


@pytest.mark.parametrize(
    ("says", "under"),
    [
        ("H @ x <= L*x", "smooth"),  # entries depend on the basis
        ("norm(H, 2) <= tr(H)", "smooth"),  # the largest is no sum
        ("tr(H)**2 <= L", "smooth"),
        ("x.T @ H @ x <= L", "smooth"),  # a constant is no sum
        ("x.T @ H @ x <= L*norm(x)**2", "unit"),  # of the vector's entries together
        ("tr(H @ A) <= L*tr(A)", "smooth"),  # two matrices have two bases
        ("tr(H @ S) <= tr(S)", "smooth"),
        ("tr(H @ x @ y.T) <= L*inner(x, y)", "smooth"),
        ("norm(x) + norm(H @ x) <= L*norm(x)", "smooth"),
        ("inner(H @ (x*y), x) >= 0", "smooth"),
    ],
)
def test_what_is_no_sum_of_such_terms(says: str, under: str) -> None:
    assert told(says, under) is None


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "(x - eta*H @ x).T @ H @ (x - eta*H @ x)/2 <= x.T @ H @ x/2 - eta/2*norm(H @ x)**2",
            "(x - eta*H @ x).T @ H @ (x - eta*H @ x)/2 <= x.T @ H @ x/2 - eta*norm(H @ x)**2",
        ),
        ("x.T @ H @ x >= norm(H @ x)**2/L", "x.T @ H @ x >= norm(H @ x)**2/eta"),
        ("norm(x - eta*H @ x) <= norm(x)", "norm(x - 3*eta*H @ x) <= norm(x)"),
    ],
)
def test_verdicts(right: str, wrong: str) -> None:
    for says, wanted in ((right, "holds"), (wrong, "fails")):
        (verdict,) = verify(load_text(SPEC % (says, "smooth, step")), Settings(trust="engines")).verdicts
        assert isinstance(verdict, Verdict)
        assert (verdict.verdict, verdict.evidence) == (wanted, "proved"), (says, verdict.reason)
