"""Moments of any order of what is Gaussian once the rest is known, beside false siblings and mpmath."""

import mpmath
import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
p: dimension
s: positive
t: real
x: vector(n)
g: normal()
w: normal(n)
z: normal(n, std=s)
A: normal(n, m)
B: normal(m, n)
"""
CHI = "factorial((n - 1)/2)/factorial(n/2 - 1)"
TRUE_AND_FALSE = [
    ("E(g**(2*p))", "factorial2(2*p - 1)", "factorial(2*p - 1)"),
    ("E((x.T @ z)**(2*p))", "factorial2(2*p - 1)*s**(2*p)*norm(x)**(2*p)",
     "factorial2(2*p - 1)*norm(x)**(2*p)"),
    ("E(norm(w)**(2*p))", "2**p*factorial(n/2 + p - 1)/factorial(n/2 - 1)", "n**p"),
    ("E(norm(w)**p)", "2**(p/2)*factorial((n + p)/2 - 1)/factorial(n/2 - 1)", "n**(p/2)"),
    ("E(norm(B @ x)**(2*p))", "2**p*factorial(m/2 + p - 1)/factorial(m/2 - 1)*norm(x)**(2*p)",
     "2**p*factorial(n/2 + p - 1)/factorial(n/2 - 1)*norm(x)**(2*p)"),
    ("E((w.T @ z)**(2*p))", "factorial2(2*p - 1)*s**(2*p)*2**p*factorial(n/2 + p - 1)/factorial(n/2 - 1)",
     "factorial2(2*p - 1)*s**(2*p)*n**p"),
    ("E(((A @ B)**p)[1, 1]**2)", "factorial2(2*p - 1)*2**p*factorial(m/2 + p - 1)/factorial(m/2 - 1)",
     "factorial2(2*p - 1)*2**p*factorial(n/2 + p - 1)/factorial(n/2 - 1)"),
    ("E(abs(w.T @ z))", f"2*s/sqrt(pi)*{CHI}", f"2*s**2/sqrt(pi)*{CHI}"),
    ("E(abs(t*g)**3)", "2*sqrt(2/pi)*abs(t)**3", "2*sqrt(2/pi)*t**3"),
    ("E(abs(t*w.T @ x)**p)", "2**(p/2)*factorial((p - 1)/2)/sqrt(pi)*abs(t)**p*norm(x)**p",
     "2**(p/2)*factorial((p - 1)/2)/sqrt(pi)*t**p*norm(x)**p"),
    ("E((g*w[1])**(2*p))", "factorial2(2*p - 1)**2", "factorial2(2*p - 1)"),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "wrong"), TRUE_AND_FALSE)
def test_every_order(left: str, right: str, wrong: str) -> None:
    found = judged(f"{left} == {right}", SYMBOLS, "", seconds=20)
    assert (found.truth, found.grade) == ("true", "proved"), found
    assert judged(f"{left} == {wrong}", SYMBOLS, "", seconds=20).truth == "false"


@pytest.mark.parametrize("r", [1, 3, "5/2"])
def test_the_rule_against_quadrature(r: float | str) -> None:
    """E |w.z|**r for three entries, by the density of the length of w."""
    power = mpmath.mpf(5) / 2 if r == "5/2" else mpmath.mpf(r)
    length = mpmath.quad(lambda u: u ** (2 + power) * mpmath.exp(-(u**2) / 2), [0, mpmath.inf])
    whole = mpmath.quad(lambda u: u**2 * mpmath.exp(-(u**2) / 2), [0, mpmath.inf])
    number = 2 * mpmath.quad(lambda u: u**power * mpmath.npdf(u), [0, mpmath.inf])
    value = length / whole * number
    chi = 2 ** (power / 2) * mpmath.gamma((3 + power) / 2) / mpmath.gamma(mpmath.mpf(3) / 2)
    one = 2 ** (power / 2) * mpmath.gamma((1 + power) / 2) / mpmath.sqrt(mpmath.pi)
    assert mpmath.almosteq(value, chi * one, 1e-12)


def test_what_is_not_gaussian_or_is_known_better_is_left_alone() -> None:
    law = "e: iid(n, mean=0, var=1)\nn: dimension\np: dimension"
    assert judged("E(norm(e)**(2*p)) == n**p", law, "", seconds=5).truth != "true"
    assert judged("E((g + 1)**(2*p)) == factorial2(2*p - 1)", SYMBOLS, "", seconds=5).truth == "false"
    assert judged("E((g*w[1] + g)**(2*p)) == factorial2(2*p - 1)**2", SYMBOLS, "", seconds=5).truth != "true"
