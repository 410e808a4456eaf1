"""Whatever numbers go in, what comes out is in the class: nearly in floats, exactly in rationals."""

from fractions import Fraction

import pytest
import torch
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verifier.exact.values.recheck import FAMILIES
from verifier.refute.domain.family import Family, Rows
from verifier.refute.domain.matrix_families import BY_CLASS, Box, Entries, Scalar, Signs, Simplex
from verifier.refute.domain.orthogonal import Orthogonal
from verifier.refute.domain.spheres import Ball, RowBalls, RowSpheres, Sphere

SQUARE = ["symmetric", "psd", "orthogonal", "stochastic"]
small = st.fractions(min_value=-3, max_value=3, max_denominator=6)


def rows_of(height: int, width: int) -> st.SearchStrategy[Rows]:
    row = st.tuples(*[small] * width)
    return st.tuples(*[row] * height)


def as_tensor(rows: Rows) -> torch.Tensor:
    return torch.tensor([[float(x) for x in row] for row in rows], dtype=torch.float64)


def exactly(rows: object) -> tuple[tuple[fmpq, ...], ...]:
    return tuple(tuple(fmpq(x.numerator, x.denominator) for x in row) for row in rows)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", SQUARE)
@given(rows=rows_of(3, 3))
def test_an_exact_design_builds_an_exact_member(name: str, rows: Rows) -> None:
    design = rows
    if name == "orthogonal":  # its diagonal holds signs
        design = tuple(
            tuple(Fraction(1 if x >= 0 else -1) if i == j else x for j, x in enumerate(row))
            for i, row in enumerate(rows)
        )
    member = BY_CLASS[name]().exact(design)
    if name == "stochastic" and any(not any(row) for row in rows):
        assert member is None
    else:
        assert member is not None
        assert FAMILIES[name](exactly(member))


@pytest.mark.parametrize("name", [*SQUARE, "simplex"])
@given(rows=rows_of(4, 4))
def test_the_float_map_lands_in_the_class(name: str, rows: Rows) -> None:
    raw = as_tensor(rows) + 0.01 * torch.eye(4, dtype=torch.float64)
    value = BY_CLASS[name]().value(raw[:, :1] if name == "simplex" else raw)
    eye = torch.eye(4, dtype=torch.float64)
    match name:
        case "simplex":
            assert bool((value >= 0).all())
            assert float(value.sum()) == pytest.approx(1)
        case "stochastic":
            assert bool((value >= 0).all())
            assert torch.allclose(value.sum(-1), torch.ones(4, dtype=torch.float64))
        case "symmetric":
            assert torch.equal(value, value.mT)
        case "psd":
            assert float(torch.linalg.eigvalsh(value).min()) > -1e-9
        case "orthogonal":
            assert torch.allclose(value @ value.mT, eye, atol=1e-9)


@given(rows=rows_of(3, 3))
def test_a_rounded_rotation_stays_near_and_is_orthogonal(rows: Rows) -> None:
    family = Orthogonal()
    raw = as_tensor(rows) + 0.1 * torch.eye(3, dtype=torch.float64)
    numbers = family.design(raw)
    design = tuple(tuple(Fraction(round(x * 10**6), 10**6) for x in row) for row in numbers.tolist())
    member = family.exact(design)
    assert member is not None
    assert torch.allclose(as_tensor(member), family.value(raw), atol=1e-4)
    assert FAMILIES["orthogonal"](exactly(member))


@given(rows=rows_of(3, 1))
def test_a_sphere_has_its_radius_exactly(rows: Rows) -> None:
    member = Sphere(fmpq(2)).exact(rows)
    if not any(x for (x,) in rows):
        assert member is None
        return
    assert member is not None
    total = fmpq(0)
    for (x,) in member:
        total = x * x + total
    assert total == fmpq(4)


@given(rows=rows_of(2, 3))
def test_a_ball_is_never_left(rows: Rows) -> None:
    for spectral in (False, True):
        member = Ball(fmpq(1), spectral).exact(rows)
        assert member is not None
        size = torch.linalg.matrix_norm(as_tensor(member), 2 if spectral else "fro")
        assert float(size) <= 1 + 1e-9


@given(rows=rows_of(2, 3))
def test_rows_on_spheres_and_in_balls(rows: Rows) -> None:
    raw = as_tensor(rows) + 0.1
    assert torch.allclose(RowSpheres(fmpq(2)).value(raw).norm(dim=-1), torch.tensor(2.0, dtype=torch.float64))
    assert float(RowBalls(fmpq(2)).value(raw).norm(dim=-1).max()) <= 2 + 1e-12
    inside = RowBalls(fmpq(2)).exact(rows)
    assert inside is not None
    assert float(as_tensor(inside).norm(dim=-1).max()) <= 2 + 1e-9
    member = RowSpheres(fmpq(2)).exact(rows)
    if any(not any(row) for row in rows):
        assert member is None
        return
    assert member is not None
    for row in member:
        assert row[0] * row[0] + row[1] * row[1] + row[2] * row[2] == fmpq(4)


@given(rows=rows_of(1, 4))
def test_entries_between_ends_of_their_own(rows: Rows) -> None:
    oo = float("inf")
    family = Entries(((0.0, -oo, -1.0, -oo),), ((1.0, 2.0, oo, oo),))
    first, second, third, fourth = family.value(as_tensor(rows))[0].tolist()
    assert 0 <= first <= 1
    assert second <= 2
    assert third >= -1
    assert fourth == float(rows[0][3])
    fits = 0 <= rows[0][0] <= 1 and rows[0][1] <= 2 and rows[0][2] >= -1
    assert family.exact(rows) == (rows if fits else None)


@pytest.mark.parametrize(
    ("family", "inside", "outside"),
    [
        (Scalar(0, 1), "1/2", "3/2"),
        (Scalar(positive=True), "1/100", "0"),
        (Scalar(-2), "-2", "-3"),
        (Box(-1, 1), "-1", "2"),
    ],
)
def test_ends_are_exact(family: Family, inside: str, outside: str) -> None:
    assert family.exact(((Fraction(inside),),)) == ((Fraction(inside),),)
    assert family.exact(((Fraction(outside),),)) is None


@given(x=st.floats(-50, 50))
def test_scalars_stay_between_their_ends(x: float) -> None:
    raw = torch.full((1, 1), x, dtype=torch.float64)
    assert 0 <= float(Scalar(0, 1).value(raw)) <= 1
    assert float(Scalar(positive=True).value(raw)) > 0
    assert float(Scalar(low=3).value(raw)) >= 3
    assert float(Scalar(high=3).value(raw)) <= 3
    assert abs(float(Signs().value(raw))) == 1


def test_a_face_of_the_simplex_is_reached() -> None:
    raw = torch.tensor([[1.0], [0.0], [1.0]], dtype=torch.float64)
    assert Simplex().value(raw).flatten().tolist() == pytest.approx([0.5, 0.0, 0.5])
