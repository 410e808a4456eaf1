"""Gaussian kernels: closed forms against quadrature, and what is none."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.reformulate.gaussian_kernels import mean_of_kernel

SPEC = """
theorem: test/kernels
symbols:
  h: positive
  c: real
  x: real
  w: normal(2, mean=3, std=1/2)
  g: normal(2)
assumptions: {unit: norm(g) == 1}
claims: {c: {says: "%s == 0", under: []}}
"""


def side(text: str) -> tuple[Claim, N.Node]:
    claim = load_text(SPEC % text).claims[0]
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    return claim, fact.left


@pytest.mark.parametrize(
    ("text", "exponent"),
    [
        ("exp(-norm(w)**2/2)", lambda u: -(u[0] ** 2 + u[1] ** 2) / 2),
        ("exp(x - 2*norm(w)**2)", lambda u: 5 - 2 * (u[0] ** 2 + u[1] ** 2)),
        ("exp(-norm(w - ones(2))**2/h**2)", lambda u: -((u[0] - 1) ** 2 + (u[1] - 1) ** 2) / 4),
        ("exp(norm(ones(2) - w)**2*(-3) + x)", lambda u: 5 - 3 * ((u[0] - 1) ** 2 + (u[1] - 1) ** 2)),
        ("exp(-(norm(w + ones(2))**2 - x))", lambda u: 5 - ((u[0] + 1) ** 2 + (u[1] + 1) ** 2)),
    ],
)
def test_means_of_kernels(text: str, exponent: Callable[[list[Any]], Any]) -> None:
    claim, body = side(text)
    found = mean_of_kernel(claim, body)
    assert found is not None
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    grid = np.meshgrid(3 + nodes / 2, 3 + nodes / 2)
    expected = float((np.outer(weights, weights) * np.exp(exponent(grid))).sum() / (2 * np.pi))
    value = Evaluator(Context.of(claim), {"x": 5, "h": 2}).scalar(found)
    assert float(enclose(value).mid()) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        "exp(norm(w)**2/2)",  # it grows
        "exp(-c*norm(w)**2)",  # it may grow
        "exp(-norm(w)**2 - norm(g)**2)",
        "exp(-norm(w)**3)",
        "exp(-norm(2*w)**2)",
        "cos(norm(w)**2)",
        "w[1]*exp(-norm(w)**2)",
    ],
)
def test_what_is_no_kernel(text: str) -> None:
    assert mean_of_kernel(*side(text)) is None
