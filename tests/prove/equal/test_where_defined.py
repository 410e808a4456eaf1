"""Points at which a side has no value are left out: what may be assumed of the others."""

import pytest

from verifier import Verdict, load_text, verify
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.plan.settings import Settings
from verifier.prove.equal.where_defined import where_defined
from verifier.read.specs.load import load_text as read

SPEC = """
theorem: symbolic/defined
symbols: {d: dimension, k: dimension, x: vector(d), y: vector(d), w: normal(d)}
let: {length: norm(y)**2}
claims:
  c: {says: "%s"}
"""


@pytest.mark.parametrize(
    ("says", "known"),
    [
        ("P(inner(w, x) > 0)/norm(x) == 0", ["norm(x) > 0"]),
        ("inner(x, y)/norm(x) == 0", []),  # nothing jumps there
        ("P(w[1] > 0) <= 2/(norm(x)*length)", ["norm(x) > 0", "norm(y) > 0"]),
        ("P(w[1] > 0)*norm(x)/k == 0", []),
        ("sum(P(w[1] > 0)/norm(x), i, 2, k) == 0", []),  # at k = 1 it has no terms
        ("P(w[1] > 0)*inner(x, w)/norm(w) <= 1", []),  # of what is random, nothing is assumed
        ("P(w[1] > 0)/(1 + norm(x)) <= 1", []),
    ],
)
def test_norms_that_are_divided_by(says: str, known: list[str]) -> None:
    (claim,) = read(SPEC % says).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    found = where_defined(claim, (fact.left, fact.right))
    assert [to_text(item.fact) for item in found.assumptions] == known


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("P(inner(w, x)*inner(w, y) < 0) == acos(inner(x, y)/(norm(x)*norm(y)))/pi", "holds"),
        ("P(inner(w, x)*inner(w, y) >= 0) == 1 - acos(inner(x, y)/(norm(x)*norm(y)))/pi", "holds"),
        ("P(inner(w, x)*inner(w, y) > 0) == acos(inner(x, y)/(norm(x)*norm(y)))/pi", "fails"),
        ("P(inner(w, x) > 0)/norm(x) == 1/(2*norm(x))", "holds"),
        ("P(inner(w, x) > 0) == 1/2", "fails"),  # at x = 0 it is 0
    ],
)
def test_chances_that_jump_where_nothing_is_asked(says: str, verdict: str) -> None:
    (found,) = verify(load_text(SPEC % says), Settings(trust="engines")).verdicts
    assert isinstance(found, Verdict)
    assert found.verdict == verdict, found.reason
