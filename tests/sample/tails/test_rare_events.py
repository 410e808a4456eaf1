"""Means that rare draws decide are not called known from draws that look alike."""

import pytest

from tests.sample.specs import claim_of, look
from verifier.sample.draws.draw_scope import World
from verifier.sample.tails.rare_events import doubt_of

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "g": "normal(1, 1)",
    "t": "normal(1, 1, mean=-9/2)",
    "u": "normal(1, 1, mean=-450000, std=100000)",
    "y": "normal(1, 1, std=1/5000)",
    "w": "normal(n)",
    "v": "normal(m)",
}
LET = {"r": "sqrt(norm(w)**2 + norm(w)**2)"}
SIZES = {"n": 50, "m": 2}
PLAIN = [
    "E(norm(w)**2)",
    "E(norm(v) / norm(w))",
    "E(norm(v) / (3 * r))",
    "E(norm(w)**(-2))",
    "E(tanh(g)) / E(norm(v)) * 10**9",  # outside: no draw is multiplied
    "E(log(norm(v)))",
    "E(g**4 * exp(2))",
    "E(sum(norm(i * y)**2, i, 1, 2000))",
]
DOUBTFUL = {
    "E(exp(g))": "exponential",
    "E(g**6)": "power",
    "E(2**g)": "power",
    "E(norm(w) / norm(v))": "divisor",
    "E(1 / norm(w)**4)": "divisor",
    "E(1 / g)": "divisor",
    "E(abs(g)**(-1/2))": "divisor",
    "E(1 / (norm(w) - 7))": "divisor",
    "E(prod(w[i], i, 1, n))": "factors",
    "E(1 + 10**8 * relu(t))": "number",
    "E(1 + 50 * 50 * relu(t))": "number",
    "E(1 + relu(u))": "number",
}


def doubt(text: str) -> str | None:
    claim = claim_of(f"{text} == order(1e0)", SYMBOLS, LET)
    fact = claim.steps[0].fact
    return doubt_of(fact, World.of(claim, SIZES))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", PLAIN)
def test_nothing_in_it_makes_rare_draws_huge(text: str) -> None:
    assert doubt(text) is None


@pytest.mark.parametrize("text", DOUBTFUL)
def test_something_in_it_does(text: str) -> None:
    found = doubt(text)
    assert found is not None
    assert DOUBTFUL[text] in found


HIDDEN = [  # each is 1 on all draws that are likely to be seen, and far from it in the mean
    "1 + 10**8 * relu(g - 9/2)",
    "1 + 10**8 * relu(t)",
    "1 + exp(30 * g - 130)",
    "1 + (abs(g) / 4)**60",
    "1 + abs(g / t) / 1000",
]


@pytest.mark.parametrize("body", HIDDEN)
def test_what_no_draw_shows_is_not_called_true(body: str) -> None:
    assert look(claim_of(f"E({body}) == order(1e0)", SYMBOLS), seconds=0.5).truth != "true"
