"""Nonnegative scalars in normal form."""

import pytest

from tests.refute.claims import claim_of
from verifier.expr.nodes import Node
from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.magnitude_forms import Reader


def sides(says: str) -> tuple[Reader, Node, Node]:
    claim = claim_of(says)
    (bound,) = bounds_of(claim.steps[0].fact)
    return Reader(claim.symbols), bound.small, bound.large


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("norm(3*A)", "3*norm(A)"),
        ("norm(3*A @ B)", "3*norm(A @ B)"),
        ("norm(-A.T)", "norm(A)"),
        ("norm(t*x)", "abs(t)*norm(x)"),
        ("norm(A/n)**2", "norm(A)**2/n**2"),
        ("norm(kron(A, B))", "norm(B)*norm(A)"),
        ("norm(eye(n))", "sqrt(n)"),
        ("norm(eye(n), 2)", "1"),
        ("norm(ones(n, m))", "sqrt(n*m)"),
        ("norm(Q)", "sqrt(n)"),
        ("norm(diag(x), 2)", "norm(x, oo)"),
        ("norm(vec_r(A))", "norm(A)"),
        ("inner(x, x)", "norm(x)**2"),
        ("tr(A.T @ A)", "norm(A)**2"),
        ("x.T @ x", "norm(x, 2)**2"),
        ("(a + b)**2", "a**2 + 2*a*b + b**2"),
        ("sqrt(4*a*b)/2", "sqrt(a)*sqrt(b)"),
        ("norm(p, 1)", "1"),
        ("norm(D(3*(A @ B) + B, A))", "3*norm(D(A @ B, A))"),
        ("a**0", "1"),
    ],
)
def test_equal_expressions_have_one_form(left: str, right: str) -> None:
    reader, small, large = sides(f"{left} <= {right}")
    assert reader.read(small) is not None
    assert reader.read(small) == reader.read(large)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("norm(A)", "norm(A, 2)"),
        ("norm(A + B)", "norm(A) + norm(B)"),
        ("a*b", "a + b"),
        ("norm(x)", "norm(y)"),
    ],
)
def test_different_ones_do_not(left: str, right: str) -> None:
    reader, small, large = sides(f"{left} <= {right}")
    assert reader.read(small) != reader.read(large)


@pytest.mark.parametrize("text", ["t", "a - b", "inner(x, y)", "-a", "tr(A)", "log(a)", "sin(t)"])
def test_what_may_be_negative_is_not_read(text: str) -> None:
    reader, small, _ = sides(f"{text} <= 1")
    assert reader.read(small) is None
    assert reader.size(small).terms
