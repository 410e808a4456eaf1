"""Worst points where assumptions bind, where both sides are equal on a whole set, and in rare places."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.refute.claims import bound_of, claim_of, searched
from verifier.evidence import Budget
from verifier.refute.ascent.binding_constraints import finished
from verifier.refute.ascent.many_points import promising
from verifier.refute.ascent.plateaus import beyond
from verifier.refute.ascent.worst_points import Objective
from verifier.refute.domain.space import Domain
from verifier.refute.engine import examine
from verifier.timer import worked

DISC = {"disc": "t**2 + c**2 <= 1"}
SYMBOLS = {"n": "dimension", "t": "real", "c": "real", "a": "positive", "x": "vector(n)", "y": "vector(n)"}
CLIPPED = "norm(x/max(1, norm(x)) - y/max(1, norm(y)), 1) <= norm(x - y, 1)"


def objective(says: str, assumptions: dict[str, str] | None = None, **sizes: int) -> Objective:
    claim = claim_of(says, assumptions, SYMBOLS)
    cell = Domain(claim, claim.steps[0].fact).cell(sizes)
    assert cell is not None
    return Objective(cell, bound_of(claim))


def test_newton_reaches_the_point_of_lagrange_and_goes_inside() -> None:
    aim = objective("t + 2*c <= 2", DISC)
    start = torch.tensor([[0.43, 0.89]], dtype=torch.float64)
    points = finished(aim, start, worked() + 5)
    worst = torch.tensor([1.0, 2.0], dtype=torch.float64) / math.sqrt(5)
    assert torch.allclose(points[0], worst, atol=1e-12)
    assert bool((points[2:].square().sum(dim=1) < 1).all())
    assert float(aim.excess(points).max()) == pytest.approx((math.sqrt(5) - 2) / 2, abs=1e-9)


def test_what_binds_no_longer_is_let_go() -> None:
    aim = objective("-(t**2) - (c - 1/2)**2 <= 1", DISC | {"half": "c >= -1"})
    points = finished(aim, torch.tensor([[0.1, 0.995]], dtype=torch.float64), worked() + 5)
    assert not len(points)  # the worst point lies inside, for the ascent to find


def test_without_assumptions_there_is_nothing_to_finish() -> None:
    assert not len(finished(objective("t <= 1"), torch.zeros(1, 1, dtype=torch.float64), worked() + 1))


def test_starts_lie_beyond_the_edge_of_an_open_set_of_equality() -> None:
    aim = objective(CLIPPED, n=2)
    found = beyond(aim, np.random.default_rng(0), 32)
    assert len(found) == 32
    assert float(aim.excess(found)[0]) > 0.1
    single = objective("norm(x) <= norm(x) + norm(y)", n=2)
    assert not len(beyond(single, np.random.default_rng(0), 32))


def test_a_rare_place_is_among_many_points() -> None:
    aim = objective("cos(t) + cos(sqrt(2)*t) >= -1.9")
    found = promising(aim, np.random.default_rng(0), worked() + 60)
    assert 0 < len(found) <= 24
    assert float(aim.excess(found)[0]) > 0


@pytest.mark.parametrize(
    ("says", "assumptions"),
    [
        ("t + 2*u <= 2.236", {"disc": "t**2 + u**2 <= 1"}),
        ("t + 2*u < sqrt(5)", {"disc": "t**2 + u**2 <= 1"}),
        ("t**2 < 2", {"root": "t**2 <= 2"}),
        ("t**2*(4 - t**2) < 4", {}),
        (CLIPPED, {}),
        ("exp(-a**2) >= exp(-40*a)/3", {}),
    ],
)
def test_refuted_exactly(says: str, assumptions: dict[str, str]) -> None:
    finding, verdict = searched(says, assumptions)
    assert finding.grade in ("proved", "certified"), finding
    assert verdict.verdict == "fails"


@pytest.mark.parametrize(
    ("says", "assumptions"),
    [
        ("t + 2*u <= sqrt(5)", {"disc": "t**2 + u**2 <= 1"}),
        ("t**2 < 2", {"root": "t**2 < 2"}),
        ("t**2 <= 2", {"root": "t**2 <= 2"}),
        ("norm(x/max(1, norm(x)) - y/max(1, norm(y))) <= norm(x - y)", {}),
        ("exp(-a**2) >= exp(-40*a)/3", {"near": "a <= 40"}),
    ],
)
def test_not_refuted(says: str, assumptions: dict[str, str]) -> None:
    assert searched(says, assumptions)[0].truth != "false"


def test_another_name_of_the_theorem_is_the_same_search() -> None:
    claim = claim_of("t + 2*c <= 2.23", DISC, SYMBOLS)
    other = replace(claim, id="elsewhere/other#name")
    first, second = (examine(one, one.steps[0], Budget(3.0)) for one in (claim, other))
    assert first.counterexample == second.counterexample
