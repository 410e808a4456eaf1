"""Sums without end as limits of those that end."""

from verifier.claim.model import Claim
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.endless_sums import with_partial_sums

SPEC = """
theorem: test/series
symbols: {{n: dimension, N_j: real, r: "interval(0, 1/2)"}}
let: {{s: "sum(r**j, j, 0, oo)"}}
assumptions: {{half: "sum(r**k, k, 1, oo) <= 1"}}
claims:
  c: {{says: "{}"}}
"""


def limits(says: str) -> tuple[Claim, str]:
    (claim,) = load_text(SPEC.format(says)).claims
    changed, step = with_partial_sums(claim, claim.steps[0])
    return changed, to_text(step.fact)


def test_a_sum_is_a_limit_in_a_new_size() -> None:
    claim, text = limits("sum(r**j, j, 1, oo) < oo")
    assert text == "limit(sum(r**j, j, 1, N_j_), N_j_, oo) < oo"  # N_j is taken
    assert isinstance(claim.symbols["N_j_"].kind, Dimension)
    assert to_text(claim.assumptions[0].fact) == "limit(sum(r**k, k, 1, N_k), N_k, oo) <= 1"
    assert to_text(claim.lets[0].body) == "limit(sum(r**j, j, 0, N_j__), N_j__, oo)"
    assert to_text(claim.steps[0].fact) == text


def test_equal_sums_stay_equal() -> None:
    _, text = limits("sum(r**j, j, 1, oo) == sum(r**j, j, 1, oo)")
    left, right = text.split(" == ")
    assert left == right


def test_sums_in_sums_have_sizes_of_their_own() -> None:
    _, text = limits("sum(sum(r**(j + k), k, 1, oo), j, 1, oo) < oo")
    assert text == "limit(sum(limit(sum(r**(j + k), k, 1, N_k_), N_k_, oo), j, 1, N_j_), N_j_, oo) < oo"


def test_products_too() -> None:
    _, text = limits("prod(1 + r**j, j, 1, oo) >= 1")
    assert text == "limit(prod(1 + r**j, j, 1, N_j_), N_j_, oo) >= 1"


def test_what_ends_is_left_alone() -> None:
    text = SPEC.replace("k, 1, oo", "k, 1, n").format("sum(r, j, 1, n) >= 0")
    (claim,) = load_text(text).claims
    assert with_partial_sums(claim, claim.steps[0]) == (claim, claim.steps[0])
