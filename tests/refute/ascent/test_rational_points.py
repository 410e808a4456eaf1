"""From floats to rationals, and what exact arithmetic says there."""

from fractions import Fraction

import numpy as np
import torch

from tests.refute.claims import bound_of, claim_of
from verifier.refute.ascent.rational_points import Judge, roundings
from verifier.refute.domain.domain_at_sizes import Design
from verifier.refute.domain.family import Rows
from verifier.refute.domain.space import Domain


def judge_of(says: str, assumptions: dict[str, str] | None = None) -> Judge:
    claim = claim_of(says, assumptions)
    return Judge(Domain(claim, claim.steps[0].fact), claim.steps[0].fact)


def column(*entries: str) -> Rows:
    return tuple((Fraction(x),) for x in entries)


def test_roundings_go_from_coarse_to_fine() -> None:
    judge = judge_of("norm(x) <= 1")
    cell = judge.domain.cell({"n": 2})
    assert cell is not None
    raw = torch.tensor([0.5000001, -0.2499999], dtype=torch.float64)
    designs = list(roundings(cell, raw))
    assert designs[0].parts["x"] in (column("1", "0"), column("1", "-1"))
    assert column("1/2", "-1/4") in [design.parts["x"] for design in designs]
    last = np.array([[float(x) for x in row] for row in designs[-1].parts["x"]]).flatten()
    assert np.allclose(last, raw.numpy(), atol=1e-8)


def test_a_violation_is_false_and_a_boundary_is_not() -> None:
    judge = judge_of("norm(x) <= 5")
    assert not judge.is_false(Design({"n": 2}, {"x": column("3", "4")}))
    assert judge.is_false(Design({"n": 2}, {"x": column("3", "4001/1000")}))


def test_a_point_that_breaks_an_assumption_is_no_counterexample() -> None:
    judge = judge_of("norm(x) <= 5", {"small": "norm(x, 1) <= 7"})
    assert not judge.is_false(Design({"n": 2}, {"x": column("30", "40")}))


def test_the_gap_is_exact() -> None:
    claim = claim_of("norm(x, 1) <= 3*norm(x)")
    judge, bound = judge_of("norm(x, 1) <= 3*norm(x)"), bound_of(claim)
    gap = judge.gap(bound, Design({"n": 2}, {"x": column("3", "4")}))
    assert gap is not None
    assert 0 <= gap - Fraction(8, 15) < Fraction(1, 10**15)
    assert judge.gap(bound, Design({"n": 2}, {"x": column("0", "0")})) is None
