"""The ascent reaches maxima that are known."""

import time

import torch
from torch import Tensor

from verifier.refute.ascent.ascend import climb
from verifier.timer import worked


def test_a_quadratic_is_climbed_to_its_top_from_everywhere() -> None:
    torch.manual_seed(5)
    shape = torch.randn(5, 5, dtype=torch.float64)
    curvature = shape @ shape.mT + torch.eye(5, dtype=torch.float64)
    top = torch.arange(5, dtype=torch.float64)

    def score(points: Tensor) -> Tensor:
        away = points - top
        return -torch.einsum("bi,ij,bj->b", away, curvature, away)

    starts = 10 * torch.randn(7, 5, dtype=torch.float64)
    reached, values = climb(score, starts, 60, worked() + 5)
    assert torch.allclose(reached, top.expand(7, 5), atol=1e-4)
    assert float(values.min()) > -1e-8


def test_the_largest_eigenvalue_is_the_top_of_the_rayleigh_quotient() -> None:
    torch.manual_seed(3)
    half = torch.randn(6, 6, dtype=torch.float64)
    matrix = half + half.mT

    def score(points: Tensor) -> Tensor:
        return torch.einsum("bi,ij,bj->b", points, matrix, points) / (points * points).sum(-1)

    _, values = climb(score, torch.randn(8, 6, dtype=torch.float64), 80, worked() + 5)
    assert abs(float(values.max()) - float(torch.linalg.eigvalsh(matrix)[-1])) < 1e-8


def test_no_row_gets_worse_and_rows_without_a_value_stay() -> None:
    def score(points: Tensor) -> Tensor:
        return -torch.log(points[:, 0])  # not defined for negative x, and without an end at 0

    starts = torch.tensor([[1.0], [-1.0], [0.5]], dtype=torch.float64)
    reached, values = climb(score, starts, 10, worked() + 5)
    assert float(values[0]) >= 0
    assert float(values[2]) >= float(-torch.log(torch.tensor(0.5)))
    assert float(reached[1]) == -1.0


def test_the_deadline_is_respected() -> None:
    def slow(points: Tensor) -> Tensor:
        time.sleep(0.02)
        return -(points * points).sum(-1)

    start = worked()
    climb(slow, torch.ones(4, 3, dtype=torch.float64), 10_000, start + 0.2)
    assert worked() - start < 1.0
