"""Relations in plainer words: every rewriting keeps the value of both sides."""

import math
from fractions import Fraction

import pytest

from verifier.claim.model import Claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready
from verifier.reformulate.known_forms import plainly

SPEC = """
theorem: claim/plain
symbols:
  d: dimension
  i: index(d)
  t: real
  X: matrix(d, d)
  g: normal(d)
  e: rademacher(d)
  f: rademacher()
  b: bernoulli(d, 1/3)
let: {{z: exp(f * t), w: softmax(X * f)}}
assumptions: {{}}
claims:
  c: {{says: "{left} == t"}}
"""


def rewritten(left: str) -> tuple[Claim, N.Node]:
    (entry,) = load_text(SPEC.format(left=left)).entries
    assert isinstance(entry, Ready), entry
    fact = plainly(entry.claim, entry.claim.steps[0].fact)
    assert isinstance(fact, N.Relation)
    return entry.claim, fact.left


@pytest.mark.parametrize(
    ("left", "terms"),
    [
        ("E(exp(t * f))", 2),
        ("E(z)", 2),  # also where a name hides it
        ("E(abs(e[1] + e[2]))", 4),
        ("E(exp(t * e[i]))", 2),
        ("E(log(1 + b[1]))", 2),
        ("P(b[1] + b[2] >= 1)", 4),
        ("E(3**b[i])", 2),
    ],
)
def test_a_mean_over_few_values_is_a_sum(left: str, terms: int) -> None:
    claim, node = rewritten(left)
    assert not any(isinstance(part, N.Symbol) and part.name in claim.random for part in walk(node))
    halves = {part.value for part in walk(node) if isinstance(part, N.Number)}
    assert halves & {Fraction(1, 2), Fraction(1, 3)}
    assert sum(isinstance(part, N.Add) for part in walk(node)) >= terms - 1


@pytest.mark.parametrize(
    "left",
    [
        "E(e[1]**2 * t)",  # polynomials have closed forms of their own
        "E(abs(e[1] + e[i]))",  # i may be 1
        "E(exp(sum(e[k]*e[1], k, 1, d)))",  # every term sees e[1]
        "E(norm(X @ e))",
        "norm(e, 1)",  # no mean
    ],
)
def test_what_may_not_be_split_stays(left: str) -> None:
    claim, node = rewritten(left)
    assert to_text(node) == to_text(claim.steps[0].fact.left)  # type: ignore[union-attr]


def test_the_norm_of_a_kronecker_product() -> None:
    _, node = rewritten("norm(kron(X, X), 2)")
    assert to_text(node) == "norm(X, 2)*norm(X, 2)"


def test_sums_of_sizes_are_written_out_under_a_mean() -> None:
    _, node = rewritten("E(norm(g, 1))")
    assert to_text(node) == "E(ones(d).T @ abs(g))"


def test_a_mean_inside_a_mean_is_over_fresh_draws() -> None:
    """E (g - E g)**2 is a variance, and not 0"""
    left = "E((exp(f) - E(exp(f)))**2)"
    claim, node = rewritten(left)
    ((value,),) = evaluate(node, {}, Context.of(claim))
    assert float(enclose(value).mid()) == pytest.approx(math.sinh(1) ** 2)
    left = "E(exp(f * sum(E(e[k], given=e), k, 1, d)))"  # this one differs from draw to draw
    claim, node = rewritten(left)
    assert to_text(node) == to_text(claim.steps[0].fact.left)  # type: ignore[union-attr]
