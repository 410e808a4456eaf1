"""Assumptions on entries, rows and scalars that hold by construction, whatever the free numbers are."""

import pytest
import torch

from tests.refute.claims import claim_of, searched
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.matrix_families import Entries
from verifier.refute.domain.space import Domain
from verifier.refute.domain.spheres import RowBalls, RowSpheres


def cell_of(says: str, assumptions: dict[str, str], sizes: dict[str, int]) -> Cell:
    claim = claim_of(says, assumptions)
    cell = Domain(claim, claim.steps[0].fact).cell(sizes)
    assert cell is not None
    return cell


@pytest.mark.parametrize(
    ("assumption", "family"),
    [
        ("all(x[j] >= 0, j, 1, n)", Entries(((0.0,), (0.0,)), ((float("inf"),), (float("inf"),)))),
        ("all(abs(x[j]) <= 3, j, 1, n)", Entries(((-3.0,), (-3.0,)), ((3.0,), (3.0,)))),
        ("x <= 2", Entries(((-float("inf"),), (-float("inf"),)), ((2.0,), (2.0,)))),
        ("all(x[j] in [1, n], j, 2, n)", Entries(((-float("inf"),), (1.0,)), ((float("inf"),), (2.0,)))),
        ("all(norm(A[j]) == 1, j, 1, n)", RowSpheres(1)),
        ("all(norm(A[j]) <= 1, j, 1, n)", RowBalls(1)),
    ],
)
def test_entries_and_rows(assumption: str, family: object) -> None:
    cell = cell_of("norm(A @ x) <= 1", {"given": assumption}, {"n": 2})
    assert not cell.penalties
    families = {variable.name: variable.family for variable in cell.variables}
    assert family in families.values()


@pytest.mark.parametrize(
    "assumption",
    ["all(x[j] != 0, j, 1, n)", "all(norm(A[j]) == 1, j, 2, n)", "all(x[j] <= y[j], j, 1, n)"],
)
def test_what_is_left_to_the_ascent(assumption: str) -> None:
    cell = cell_of("norm(A @ x) <= norm(y)", {"given": assumption}, {"n": 2})
    assert cell.penalties


@pytest.mark.parametrize(
    "assumptions",
    [
        {"one": "all(x[j] >= t, j, 1, n)"},
        {"one": "norm(A, 2) <= a"},
        {"one": "all(x[j] >= t, j, 1, n)", "two": "all(x[j] <= a, j, 1, n)"},
        {"one": "a <= b", "two": "norm(x) <= a"},
    ],
)
def test_scalars_are_chosen_last(assumptions: dict[str, str]) -> None:
    cell = cell_of("a*b*t <= norm(A) + norm(x)", assumptions, {"n": 3})
    assert not cell.penalties
    claim = claim_of("a*b*t <= norm(A) + norm(x)", assumptions)
    checked = Cell(cell.world, cell.variables, cell.order, tuple(claim.constraints), cell.ties)  # type: ignore[arg-type]
    for seed in range(20):
        raw = torch.randn(cell.width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        assert float(checked.broken(cell.bind(raw)).max()) <= 1e-12


def test_a_scalar_between_two_ends_keeps_one_of_them_as_a_price() -> None:
    cell = cell_of("t <= norm(x)", {"one": "t >= norm(x) - 1", "two": "t <= norm(A)"}, {"n": 2})
    assert len(cell.ties) == len(cell.penalties) == 1


@pytest.mark.parametrize(
    ("says", "assumptions", "expected"),
    [
        ("norm(x)**2 <= a*sum(x[j], j, 1, n)", {"low": "x >= 0", "high": "all(x[j] <= a, j, 1, n)"}, "holds"),
        ("norm(x)**2 <= 0.95*a*norm(x, 1)", {"low": "x >= 0", "high": "all(x[j] <= a, j, 1, n)"}, "fails"),
        ("norm(A @ x) <= a*norm(x)", {"bounded": "norm(A, 2) <= a"}, "holds"),
        ("norm(A @ x) <= 2*a*norm(x)", {"bounded": "norm(A, 2) <= a"}, "loose"),
        ("norm(A) <= sqrt(n)", {"unit": "all(norm(A[j]) == 1, j, 1, n)"}, "holds"),
        ("norm(A, 2) <= 1", {"unit": "all(norm(A[j]) == 1, j, 1, n)"}, "fails"),
    ],
)  # fmt: skip
def test_verdicts(says: str, assumptions: dict[str, str], expected: str) -> None:
    finding, verdict = searched(says, assumptions)
    assert verdict.verdict == expected, finding


def test_probabilities_are_never_negative_by_themselves() -> None:
    says = "norm(p) <= 1"
    assert not cell_of(says, {"given": "all(p[j] > 0, j, 1, n)"}, {"n": 3}).penalties
    assert not cell_of(says, {"given": "all(p[j] <= 1, j, 1, n)"}, {"n": 3}).penalties
    assert cell_of(says, {"given": "all(p[j] >= 0.1, j, 1, n)"}, {"n": 3}).penalties
