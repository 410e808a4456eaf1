"""Two vectors by their lengths and the angle between them."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
d: dimension
c: positive
i: index(n)
j: index(n)
X: matrix(n, d)
u: vector(d)
v: vector(d)
R: random(n, d)
"""
ALIGNED = "aligned: all(inner(X[k], X[m]) == norm(X[k]) * norm(X[m]), k, 1, n, m, 1, n)\n"
OPPOSED = "opposed: all(inner(X[k], X[m]) == -norm(X[k]) * norm(X[m]), k, 1, n, m, 1, n, k != m)\n"
EQUAL = "equal: all(norm(X[k]) == norm(X[m]), k, 1, n, m, 1, n)\n"
COSINE = "E(inner(R[%s], R[%s])) / sqrt(E(norm(R[%s])**2) * E(norm(R[%s])**2))"
PAIR = COSINE % ("i", "j", "i", "j")
MEAN = f"1 / (n * (n - 1)) * sum({COSINE % ('k', 'm', 'k', 'm')}, k, 1, n, m, 1, n, k != m)"
INSIDE = "inner(R[i], R[j]) == norm(R[i]) * norm(R[j])"

TRUE = [
    ("X[i] == X[j]", ALIGNED + EQUAL),
    ("u == v", "aligned: inner(u, v) == norm(u) * norm(v)\nequal: norm(u) == norm(v)"),
    ("u == v", "product: inner(u, v) == norm(u)**2\nother: inner(u, v) == norm(v)**2"),
    ("norm(u) == norm(v)", "both: inner(u, v) == norm(u)**2\nother: inner(u, v) == norm(v)**2"),
    (INSIDE, f"one: {PAIR} == 1"),
    (INSIDE, f"average: {MEAN} - 1 == 0"),
]
FALSE = [
    ("X[i] == X[j]", ALIGNED),
    ("X[i] == X[j]", EQUAL),
    ("X[i] == X[j]", OPPOSED + EQUAL),
    ("u == v", "aligned: inner(u, v) == norm(u) * norm(v)"),
    ("u == v", "half: 2 * inner(u, v) == norm(u)**2 + norm(v)**2 - c"),
    (INSIDE, f"one: {PAIR} == -1"),
    (INSIDE, f"half: {PAIR} == 1/2"),
    (INSIDE, f"average: 2 * {MEAN} - 1 == 0"),
    ("R[i] == R[j]", f"one: {PAIR} == 1"),
    ("norm(R[i]) == norm(R[j])", f"one: {PAIR} == 1"),
]


@pytest.mark.parametrize(("says", "assume"), TRUE)
def test_equalities_that_lengths_and_angles_force(says: str, assume: str) -> None:
    found = judged(says, SYMBOLS, assume=assume, seconds=4)
    assert (found.truth, found.grade) == ("true", "proved")


@pytest.mark.parametrize(("says", "assume"), FALSE)
def test_what_they_leave_open_is_not_said(says: str, assume: str) -> None:
    assert judged(says, SYMBOLS, assume=assume, seconds=1.5).truth != "true"
