"""Closed forms in place of expectations: only where they are known, and only for the search."""

from dataclasses import replace

from verifier import Settings, load_text, verify
from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr.text import to_text
from verifier.plan.closed_for_search import in_closed_form

SPEC = """
theorem: closed/forms
symbols: {n: dimension, s: positive, x: vector(n), W: "normal(n, n, std=s)"}
claims:
  bound: {says: "E(norm(W @ x)**2) <= 2*n*s**2*norm(x)**2"}
  range: {says: "E(norm(W)**2)/n**2 in [0, s]"}
  plain: {says: "norm(x) <= norm(x, 1)"}
  positive: {says: "E(norm(W)**2) > 0"}
"""


def claims() -> dict[str, Claim]:
    return {claim.id.split("#")[1]: claim for claim in load_text(SPEC).claims}


def closed(name: str, *findings: Finding) -> str:
    claim = claims()[name]
    return to_text(in_closed_form(claim, claim.steps[0], findings).fact)


def test_a_side_with_an_expectation_is_replaced() -> None:
    known = Finding("symbolic", "unknown", lhs="n*s**2*norm(x)**2", rhs="ignored, it has none")
    assert closed("bound", known) == "n*s**2*norm(x)**2 <= 2*n*s**2*norm(x)**2"
    assert closed("range", replace(known, lhs="s**2")) == "s**2 in [0, s]"


def test_what_is_not_known_stays() -> None:
    for finding in (
        Finding("symbolic", "unknown"),
        Finding("symbolic", "unknown", lhs="E(norm(W)**2)"),
        Finding("symbolic", "unknown", lhs="not an expression ("),
        Finding("symbolic", "unknown", lhs="x"),
    ):
        assert closed("bound", finding) == "E(norm(W @ x)**2) <= 2*n*s**2*norm(x)**2"
    assert closed("plain", Finding("symbolic", "true", lhs="1")) == "norm(x) <= norm(x, 1)"


def test_a_bound_on_an_expectation_is_judged_tight_or_loose() -> None:
    found = {
        item.id.split("#")[1]: item for item in verify(load_text(SPEC), Settings(trust="engines")).verdicts
    }
    assert found["bound"].verdict == "loose"
    assert found["positive"].verdict == "holds"
