"""What follows from assumed equations and inequalities between invariants, and what does not."""

import pytest

from tests.prove.scalars.helpers import judge

S = {"n": "dimension", "d": "dimension", "a": "real", "X": "matrix(n, d)"}
TOTAL = "norm(X.T @ ones(n))**2"
SHARE = f"n*exp(a)*{TOTAL}/((n - 1)*((exp(a) - 1)*{TOTAL} + n*norm(X)**2)) - 1/(n - 1)"


@pytest.mark.parametrize(
    ("says", "assume", "expected"),
    [
        (f"{TOTAL} == n*norm(X)**2", f"{SHARE} - 1 == 0", "true"),
        (f"2*{TOTAL} == n*norm(X)**2", f"{SHARE} - 1 == 0", "false"),
        (f"{SHARE} == 1", f"{TOTAL} - n*norm(X)**2 == 0", "true"),
        (f"{SHARE} == 2", f"{TOTAL} - n*norm(X)**2 == 0", "false"),
        (f"{TOTAL} == n*norm(X)**2", f"({TOTAL} - n*norm(X)**2)*{TOTAL} == 0", "unknown"),
        (f"{SHARE} < 1", f"a > 0, {TOTAL} < n*norm(X)**2", "true"),
        (f"{SHARE} > 1", f"a > 0, {TOTAL} < n*norm(X)**2", "false"),
    ],
)
def test_assumed_relations(says, assume, expected):
    found = judge(says, S, tuple(assume.split(", ")))
    assert found.truth == expected or (expected, found.truth) == ("unknown", "false"), found.reason
