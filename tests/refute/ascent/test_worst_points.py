"""The worst case at each size, and where the trend leads."""

import math

import numpy as np
import pytest

from tests.refute.claims import bound_of, claim_of
from verifier.refute.ascent import trend
from verifier.refute.ascent.worst_points import Hunt
from verifier.refute.domain.space import Domain
from verifier.timer import worked


def hunt_of(says: str, assumptions: dict[str, str] | None = None, seconds: float = 4.0) -> Hunt:
    claim = claim_of(says, assumptions)
    hunt = Hunt(
        Domain(claim, claim.steps[0].fact),
        bound_of(claim),
        np.random.default_rng(1),
        worked() + seconds,
    )
    list(hunt.run())
    return hunt


@pytest.mark.parametrize(
    ("says", "ratio"),
    [
        ("norm(x, 1) <= 2*n*norm(x)", lambda n: 1 / (2 * math.sqrt(n))),
        ("norm(A) <= 3*n*norm(A, 2)", lambda n: 1 / (3 * math.sqrt(n))),
        ("tr(Q) <= n**2", lambda n: 1 / n),
        ("norm(p)**2 >= 1/(2*n)", lambda n: 0.0),
        ("norm(softmax(z)) <= n", lambda n: 1 / n),
    ],
)
def test_the_worst_ratio_at_every_size(says: str, ratio: object) -> None:
    assert callable(ratio)
    for worst in hunt_of(says).found:
        n = worst.sizes["n"]
        if n > 1 and worst.settled:
            assert worst.best == pytest.approx(ratio(n) - 1, abs=1e-4)


def test_three_sizes_are_settled() -> None:
    settled = {worst.sizes["n"] for worst in hunt_of("norm(A @ B) <= norm(A)*norm(B)").found if worst.settled}
    assert len(settled) >= 3


def test_worst_points_satisfy_the_assumptions() -> None:
    hunt = hunt_of("norm(x, 1) <= n", {"box": "all(x[j] <= 1, j, 1, n)", "low": "all(x[j] >= -1/2, j, 1, n)"})
    for worst in hunt.found:
        if worst.sizes["n"] in (2, 3):
            assert worst.best == pytest.approx(0, abs=1e-4)
        for raw in worst.points:
            x = worst.objective.cell.bind(raw).values["x"]
            assert bool((x <= 1 + 1e-8).all())
            assert bool((x >= -0.5 - 1e-8).all())


def test_a_trend_that_settles_and_one_that_does_not() -> None:
    deadline = worked() + 5
    assert trend.follow(hunt_of("norm(A @ B) <= 2*norm(A)*norm(B)"), deadline).settled
    rising = trend.follow(hunt_of("norm(x, 1)/norm(x) <= 12"), deadline)
    assert not rising.settled
    assert rising.may_cross


def test_a_trend_does_not_settle_at_the_largest_size_searched() -> None:
    """The gap leads to 2/(m + 2) - 0.1%: that it has not crossed yet says nothing of larger m."""
    found = trend.follow(hunt_of("a*n*m <= 0.999*a*n*(m + 2)", seconds=2.0), worked() + 4)
    assert not found.settled
    assert found.may_cross


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([-1 / n for n in (16, 32, 64, 128)], True),
        ([-1 / n - 3 / n**2 for n in (20, 40, 80, 160)], True),
        ([0.001 - 1 / n for n in (16, 32, 64, 128)], False),  # it will cross
        ([-0.001 - 1 / n for n in (16, 32, 64, 128)], False),  # it stays apart
        ([-0.05 / n**0.25 for n in (256, 512, 1024, 2048)], False),  # too slow to say
        ([-1 / n for n in (4, 8, 16, 32)], False),  # not near
    ],
)
def test_a_gap_that_closes_with_the_sizes(steps: list[float], expected: bool) -> None:
    assert trend._approaches_zero(steps) is expected


def test_a_worst_case_at_the_edge_of_what_was_searched_is_noticed() -> None:
    growing = hunt_of("log(1 + a) <= 300", seconds=1.0)
    assert trend.still_climbing(growing.found[0])
    ended = hunt_of("a/(1 + a) <= 2", seconds=1.0)
    assert not trend.still_climbing(ended.found[0])
