"""Equal products factor by factor; only what is true of the factors may be used."""

import pytest

from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.equal_factors import with_factors

SPEC = """
theorem: claim/factors
symbols: {n: dimension, m: dimension, a: real, x: vector(n), y: vector(n)}
claims:
  c: {says: "%s"}
"""


def factors(text: str) -> str | None:
    (claim,) = load_text(SPEC % text).claims
    instance = with_factors(claim, claim.steps[0])
    return None if instance is None else to_text(instance.step.fact)


def test_two_products_over_one_range() -> None:
    assert factors("prod(2*x[i], i, 1, n) == prod(y[k] + a, k, 1, n)") == "2*x[any_] == y[any_] + a"


@pytest.mark.parametrize(
    "text",
    [
        "prod(x[i], i, 1, n) <= prod(y[i], i, 1, n)",  # two negative factors have a positive product
        "prod(a, i, 1, n) == prod(a, i, 1, m)",
        "prod(x[i], i, 1, n) == prod(x[i], i, 2, n)",
        "prod(x[i], i, 1, n) == exp(a)",
        "prod(x[i], i, 1, n, i != 1) == prod(x[i], i, 1, n)",
    ],
)
def test_nothing_else_is_compared(text: str) -> None:
    assert factors(text) is None
