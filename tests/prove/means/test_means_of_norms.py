"""Bounds on the mean of a norm by its second and fourth moments, and the mean of a clipped norm."""

from math import comb

import mpmath as mp
import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
s: positive
x: vector(d)
v: normal(3, std=s)
W: normal(m, d, std=s)
U: normal(2, d, std=s)
"""
CLAIMS = [
    ("E(norm(relu(W @ x))) <= sqrt(m/2)*s*norm(x)", "true", True),
    ("E(norm(relu(W @ x))) <= sqrt(m)*s*norm(x)", "true", False),
    ("E(norm(relu(W @ x))) <= sqrt(m/3)*s*norm(x)", "false", None),
    ("E(norm(relu(W @ x))) >= sqrt(m)*s*norm(x)", "false", None),
    ("E(norm(W @ x)) >= m/sqrt(m + 2)*s*norm(x)", "true", True),
    ("E(norm(W @ x)) >= sqrt(m)*s*norm(x)", "false", None),
    ("E(norm(W @ x)) <= sqrt(E(norm(W @ x)**2))", "true", True),
    ("E(norm(W @ x)) <= 2*sqrt(E(norm(W @ x)**2))", "true", False),
    ("E(norm(W @ x))**2 <= E(norm(W @ x)**2)", "true", True),
    ("E(norm(W @ x))**2 <= E(norm(W @ x)**2)/2", "false", None),
    ("E(norm(relu(U @ x))) == s*norm(x)*(1/sqrt(2*pi) + sqrt(2*pi)/8)", "true", None),
    ("E(norm(relu(U @ x))) == s*norm(x)", "false", None),
    ("E(norm(relu(v))**3) == s**3*(7*sqrt(2/pi) + 9/2*sqrt(pi/2))/4", "true", None),
    ("E(norm(relu(v))**3) == s**3*(7*sqrt(2/pi) + 9*sqrt(pi/2))/4", "false", None),
]


@pytest.mark.parametrize(("says", "truth", "tight"), CLAIMS)
def test_claims(says: str, truth: str, tight: bool | None) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == truth, found
    assert tight is None or (found.tightness is not None and found.tightness.tight is tight)


def test_the_mixture_of_lengths() -> None:
    """E norm(relu(v))**3, three entries, cut into the octants by their signs"""

    def length(j: int) -> mp.mpf:
        return mp.quad(lambda r: r ** (j + 2) * mp.exp(-r * r / 2), [0, 4, 20]) / (
            2 ** (mp.mpf(j) / 2 - 1) * mp.gamma(mp.mpf(j) / 2)
        )

    mixed = sum(comb(3, j) * length(j) for j in (1, 2, 3)) / 8
    assert mp.almosteq(mixed, (7 * mp.sqrt(2 / mp.pi) + 9 / mp.mpf(2) * mp.sqrt(mp.pi / 2)) / 4, 1e-12)
