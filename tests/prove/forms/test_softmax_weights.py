"""Functions of an index: entries that are known, in sums of any length."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
t: dimension
d: dimension
b: interval(0, 1)
s: positive
e: normal(t, std=s)
G: normal(t, d, std=s)
"""
BELOW = "open: b < 1"

# Of each pair the first is true, the second a false sibling.
PAIRS = [
    ("Var(sum(i*e[i], i, 1, t))", "s**2*t*(t + 1)*(2*t + 1)/6", "s**2*t*(t + 1)/2"),
    ("Var(sum(sqrt(i)*e[i], i, 1, t))", "s**2*t*(t + 1)/2", "s**2*t*(t + 1)"),
    ("Var(sum(b**i*e[i], i, 1, t))", "s**2*sum(b**(2*i), i, 1, t)", "s**2*sum(b**i, i, 1, t)"),
    (
        "E(norm(sum(b**(t - i)*G[i], i, 1, t))**2)",
        "d*s**2*(1 - b**(2*t))/(1 - b**2)",
        "d*s**2*(1 - b**t)/(1 - b**2)",
    ),
    ("E(sum(b**i*e[i], i, 1, t)**4)", "3*s**4*sum(b**(2*i), i, 1, t)**2", "3*s**4*sum(b**(4*i), i, 1, t)"),
    ("D(E(sum(b**i*e[i]**2, i, 1, t)), b)", "s**2*sum(i*b**(i - 1), i, 1, t)", "0"),
]


@pytest.mark.parametrize(("left", "right", "wrong"), PAIRS)
def test_weighted_sums(left: str, right: str, wrong: str) -> None:
    found = judged(f"{left} == {right}", SYMBOLS, assume=BELOW)
    assert (found.truth, found.grade) == ("true", "proved"), (found.reason, found.missing)
    assert judged(f"{left} == {wrong}", SYMBOLS, assume=BELOW).truth != "true"


def test_a_base_that_an_assumption_gives() -> None:
    half = "half: b == 1/2"
    says = "Var(sum(b**i*e[i], i, 1, t)) == s**2*(1 - {}**(-t))/3"
    assert judged(says.format(4), SYMBOLS, assume=half).truth == "true"
    assert judged(says.format(2), SYMBOLS, assume=half).truth != "true"


def test_the_closed_form_names_no_helpers() -> None:
    found = judged("Var(sum(i*e[i], i, 1, t)) == s**2*t", SYMBOLS)
    assert "weight" not in str(found.corrected)
