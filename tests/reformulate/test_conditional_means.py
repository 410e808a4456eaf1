"""Which conditional means are means given whole symbols, and which are not."""

import textwrap

import pytest

from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.reformulate.conditional_means import given_whole_symbols

SPEC = """
theorem: test/given
symbols:
  d: dimension
  m: dimension
  x: vector(d)
  W: normal(m, d)
  V: normal(m, m)
let:
  z: W @ x
  h: relu(z)
  y: V @ h
assumptions:
  apart: independent(norm(h), norm(y))
  same: V == W @ W.T
claims:
  c: {says: "E(%s) == 0", under: [%s]}
"""


def given(body: str, under: str = "") -> tuple[str, ...]:
    """What stands in place of the given names."""
    loaded = load_text(textwrap.dedent(SPEC % (body, under)))
    assert loaded.claims, loaded.entries
    claim = loaded.claims[0]
    fact = given_whole_symbols(claim, claim.steps[0].fact)
    assert isinstance(fact, N.Relation)
    assert isinstance(fact.left, N.Expectation)
    return tuple(part.name for part in fact.left.given if isinstance(part, N.Symbol | N.Let))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("norm(y)**2, given=h", ("W",)),
        ("norm(y)**2, given=z", ("W",)),
        ("norm(y)**2, given=[V, h]", ("V", "W")),
        ("norm(D(y, V))**2, given=h", ("W",)),
        ("norm(D(y, h))**2, given=h", ("W",)),
    ],
)
def test_what_is_seen_through_a_name_alone(body: str, expected: tuple[str, ...]) -> None:
    assert given(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "norm(W)**2, given=h",
        "norm(z)**2, given=h",  # relu forgets the sign
        "norm(y + V @ W @ x)**2, given=h",
        "norm(D(y, x))**2, given=h",  # how h moves is not seen in h
        "norm(D(y, z))**2, given=h",
        "norm(y)**2 * E(norm(h)), given=h",  # a mean over fresh draws of the same symbol
    ],
)
def test_what_is_seen_in_another_way(body: str) -> None:
    assert given(body) == ("h",)


@pytest.mark.parametrize("under", ["apart", "same"])
def test_assumptions_that_tie_draws(under: str) -> None:
    assert given("norm(y)**2, given=h", under) == ("h",)
