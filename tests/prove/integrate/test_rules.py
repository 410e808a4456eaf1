"""Each rule's own closed form against quadrature in high precision, from the text of the claim on."""

from collections.abc import Callable

import mpmath as mp
import pytest

from tests.prove.specs import claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.prove.equal.closed_form import closed_form

SYMBOLS = """
g: normal()
h: normal()
k: normal()
w: normal(3)
"""
HALF = mp.mpf(1) / 2
R = [-mp.inf, -2, -1, -HALF, 0, HALF, 1, 2, mp.inf]


def normal(f: Callable[[mp.mpf], mp.mpf]) -> mp.mpf:
    """E f(g)."""
    return mp.quad(lambda u: f(u) * mp.npdf(u), R)


def relu(u: mp.mpf) -> mp.mpf:
    return max(u, mp.mpf(0))


def largest(m: int, power: int) -> mp.mpf:
    """E max(g_1, ..., g_m)**power, by the density of the maximum."""
    return normal(lambda u: m * u**power * mp.ncdf(u) ** (m - 1))


def share(power: int) -> mp.mpf:
    """E (w_1/norm(w))**power for three entries: the first coordinate of a sphere is uniform in [-1, 1]."""
    return mp.quad(lambda u: u**power / 2, [-1, 0, 1])


CASES = [
    # offsets: kinks at several places
    ("E(relu(g + 1/2) - relu(g - 1/2))", lambda: normal(lambda u: relu(u + HALF) - relu(u - HALF))),
    ("E((relu(g + 1) - relu(g - 1) - 1)**2)", lambda: normal(lambda u: min(max(u, -1), 1) ** 2)),
    ("E(relu(g - 1/2)**2)", lambda: normal(lambda u: relu(u - HALF) ** 2)),
    # unfold: kinks inside of kinks
    ("E(max(max(g, h), k))", lambda: largest(3, 1)),
    ("E(max(g, h)**2)", lambda: largest(2, 2)),
    ("E(max(abs(g), abs(h)))", lambda: normal(lambda u: 2 * abs(u) * (2 * mp.ncdf(abs(u)) - 1))),
    # exponentials
    ("E(exp(g/2))", lambda: normal(lambda u: mp.exp(u / 2))),
    ("E(g**2*exp(g))", lambda: normal(lambda u: u**2 * mp.exp(u))),
    ("E(exp(g)*relu(g))", lambda: normal(lambda u: mp.exp(u) * relu(u))),
    # kinks of exponentials
    ("E(abs(exp(g) - 1))", lambda: normal(lambda u: abs(mp.exp(u) - 1))),
    ("E(relu(exp(g/2) - 1)**2)", lambda: normal(lambda u: relu(mp.exp(u / 2) - 1) ** 2)),
    ("E(max(exp(-g), exp(1)))", lambda: normal(lambda u: max(mp.exp(-u), mp.e))),
    ("E(g*D(relu(3 - 3*exp(-g)), g))", lambda: normal(lambda u: 3 * u * mp.exp(-u) * (u > 0))),
    # events of what is normal
    ("P(2*g + h > 1)", lambda: mp.quad(lambda u: mp.npdf(u, 0, mp.sqrt(5)), [1, 3, 6, mp.inf])),
    ("E(indicator(g > 1/2)*g**2)", lambda: mp.quad(lambda u: u**2 * mp.npdf(u), [HALF, 1, 3, mp.inf])),
    # quotients of a Gaussian by its length
    ("E(w[1]**2/norm(w)**2)", lambda: share(2)),
    ("E(w[1]**4/norm(w)**4)", lambda: share(4)),
    ("E(w[1]**2*w[2]**2/norm(w)**4)", lambda: (share(2) - share(4)) / 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_the_closed_form_is_the_integral(text: str, expected: Callable[[], mp.mpf]) -> None:
    made = claim(f"{text} == 1", SYMBOLS)
    found = closed_form(made, made.steps[0].fact.left)  # type: ignore[union-attr]
    assert found is not None, text
    ((value,),) = evaluate(found, {})
    with mp.workdps(25):
        assert abs(mp.mpf(float(enclose(value))) - expected()) < mp.mpf(10) ** -12
