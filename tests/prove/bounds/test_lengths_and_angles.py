"""Bounds in the lengths of two vectors and the angle between them, with wrong siblings."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
s: positive
x: vector(d)
y: vector(d)
w: normal(d, std=1)
V: normal(m, d, std=sqrt(2/m))
W: normal(m, d, std=s)
"""
CLAIMS = {
    "E(relu(w.T @ x)*relu(w.T @ y)) <= norm(x)*norm(y)/2": [
        "E(relu(w.T @ x)*relu(w.T @ y)) <= norm(x)*norm(y)/3"
    ],
    "E(inner(relu(V @ x), relu(V @ y))) >= inner(x, y)": [
        "E(inner(relu(V @ x), relu(V @ y))) <= inner(x, y)"
    ],
    "E(norm(relu(V @ x) - relu(V @ y))**2) <= norm(x - y)**2": [
        "E(norm(relu(V @ x) - relu(V @ y))**2) >= norm(x - y)**2"
    ],
    "E(inner(abs(W @ x), abs(W @ y))) >= 2/pi*m*s**2*norm(x)*norm(y)": [
        "E(inner(abs(W @ x), abs(W @ y))) >= 3/4*m*s**2*norm(x)*norm(y)"
    ],
}


@pytest.mark.parametrize("says", CLAIMS)
def test_bounds(says: str) -> None:
    found = judged(says, SYMBOLS, seconds=20.0)
    assert found.truth == "true", found
    assert found.tightness is None or found.tightness.tight is not False
    for sibling in CLAIMS[says]:
        assert judged(sibling, SYMBOLS, seconds=3.0).truth != "true"


def test_what_is_assumed_of_a_vector_is_not_lost() -> None:
    """With the entries bounded, not every length is allowed: the rule stays away."""
    bound = "E(relu(w.T @ x)*relu(w.T @ y)) <= norm(x)*norm(y)/3"
    assert judged(bound, SYMBOLS, assume="far: inner(x, y) <= 0").truth != "false"


def test_vectors_of_a_given_length() -> None:
    unit = "first: norm(x) == 1\nsecond: norm(y) == 1"
    assert judged("E(relu(w.T @ x)*relu(w.T @ y)) >= inner(x, y)/2", SYMBOLS, assume=unit).truth == "true"
    assert judged("E(relu(w.T @ x)*relu(w.T @ y)) >= inner(x, y)", SYMBOLS, assume=unit).truth != "true"


def test_ratios_of_scalars() -> None:
    """The tail of a normal variable is at most half the exponential, in c/s."""
    symbols = "s: positive\nc: positive\nh: normal(std=s)"
    assert judged("P(h > c) <= exp(-c**2/(2*s**2))/2", symbols).truth == "true"
    assert judged("P(h > c) <= exp(-c**2/(2*s**2))/3", symbols).truth == "false"
