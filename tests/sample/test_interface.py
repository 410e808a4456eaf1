"""What search and judge may ask."""

import math

from tests.sample.specs import ATTENTION, LET, QUERIES, UNIFORM, claim_of
from verifier.evidence import Budget
from verifier.expr import nodes as N
from verifier.sample.interface import assumption_cost, estimate_expression, measure, points
from verifier.sample.tuning import Settings


def test_an_estimate_holds_the_closed_form() -> None:
    claim = claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM)
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1)))
    sample = estimate_expression(claim, fact.left, point, Budget(seconds=2))
    closed = estimate_expression(claim, fact.right, point, Budget(seconds=2))
    assert sample is not None
    assert closed is not None
    assert sample.low <= closed.estimate <= sample.high
    assert closed.high - closed.low < 1e-9 * abs(closed.estimate)
    assert estimate_expression(claim, fact.left, point, Budget(seconds=2)) == sample


def test_what_an_assumption_costs() -> None:
    """Uniform attention against true softmax, of the same gradient at the same point."""
    claim = claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM)
    pair = assumption_cost(claim, claim.steps[0], "u", Budget(seconds=4))
    assert pair is not None
    imposed, released = pair
    assert imposed.rigorous
    assert not released.rigorous
    assert released.high < imposed.low
    assert math.isfinite(released.estimate)


def test_a_table_from_the_same_draws() -> None:
    """E norm(W)**2 = 15 with W 3 by 5; a ratio comes with an interval of its own."""
    symbols = {"n": "dimension", "W": "normal(n, 5)"}
    texts = ("E(norm(W)**2)", "E(norm(W)**4) / E(norm(W)**2)**2")
    claims = [claim_of(f"{text} == 0", symbols, extra="where: {n: 3}") for text in texts]
    facts = [claim.steps[0].fact for claim in claims]
    nodes = [fact.left for fact in facts if isinstance(fact, N.Relation)]
    found = measure(claims[0], nodes, Budget(seconds=2), Settings())
    for sample, known in zip(found, (15.0, 17 / 15), strict=True):
        assert sample is not None
        assert sample.rigorous
        assert sample.low <= known <= sample.high
        assert sample.high - sample.low < known
