"""The domain of a claim: what varies, at which sizes, under which assumptions."""

import numpy as np
import pytest
import torch

from tests.refute.claims import claim_of
from verifier.exact.values.recheck import admissible
from verifier.read.specs.load import load_text
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.matrix_families import Plain, Scalar
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.domain.spheres import Ball, Sphere
from verifier.refute.domain.starts import starts, structured
from verifier.sample.unsupported import RefusedError


def domain_of(says: str, assumptions: dict[str, str] | None = None) -> Domain:
    claim = claim_of(says, assumptions)
    return Domain(claim, claim.steps[0].fact)


def cell_of(domain: Domain, **sizes: int) -> Cell:
    cell = domain.cell(sizes)
    assert cell is not None
    return cell


def test_only_what_the_relation_reaches_varies() -> None:
    domain = domain_of("norm(C @ v) <= norm(C)*norm(v)")
    cell = cell_of(domain, n=2, m=3)
    assert {variable.name: (variable.rows, variable.cols) for variable in cell.variables} == {
        "C": (2, 3),
        "v": (3, 1),
    }
    assert cell.width == 9


def test_a_random_symbol_varies_outside_expectations_only() -> None:
    assert "W" in domain_of("norm(W) <= norm(W)").names
    assert "W" not in domain_of("E(norm(W)**2) <= n*m").names
    assert "W" in domain_of("E(norm(W)**2) <= norm(W)**2").names


@pytest.mark.parametrize(
    ("assumption", "name", "family"),
    [
        ("norm(x) == 1", "x", Sphere),
        ("norm(C, 2) <= 1", "C", Ball),
        ("norm(C)**2 <= 4", "C", Ball),
        ("t <= 3", "t", Scalar),
        ("norm(x) <= norm(y)", "x", Plain),
    ],
)
def test_assumptions_that_are_built_in(assumption: str, name: str, family: type) -> None:
    domain = domain_of("norm(C)*norm(x)*norm(y)*t <= 1", {"given": assumption})
    cell = cell_of(domain, n=2, m=3)
    (variable,) = [variable for variable in cell.variables if variable.name == name]
    assert isinstance(variable.family, family)
    assert bool(cell.penalties) == (family is Plain)


def test_sizes_obey_the_assumptions() -> None:
    domain = domain_of("norm(C) <= n*m", {"wide": "m >= n + 2", "few": "n <= 3"})
    sizes = [(cell.sizes["n"], cell.sizes["m"]) for cell in cells_of(domain, limit=6)]
    assert len(sizes) >= 3
    assert all(m >= n + 2 and n <= 3 for n, m in sizes)


def test_a_substituted_size_follows() -> None:
    domain = domain_of("norm(C) <= n*m", {"square": "m == 2*n"})
    assert domain.dimensions == ("n",)
    assert dict(cell_of(domain, n=3).sizes) == {"n": 3, "m": 6}


@pytest.mark.parametrize(
    ("says", "assumptions"),
    [
        ("norm(S)*norm(p)*norm(H)*norm(G)*norm(Q) <= a*u", {}),
        ("norm(x)*t <= norm(C)", {"unit": "norm(x) == 1", "ball": "norm(C, 2) <= 3/2", "low": "t >= -1"}),
    ],
)
def test_every_rounded_start_is_admissible_exactly(says: str, assumptions: dict[str, str]) -> None:
    domain = domain_of(says, assumptions)
    cell = cell_of(domain, n=3, m=2)
    rng = np.random.default_rng(0)
    seen = 0
    for raw in torch.cat([structured(cell, rng, 20), starts(cell, rng, 20)]):
        point = cell.point(cell.design(raw, 60))
        if point is not None:
            seen += 1
            assert admissible(domain.claim, point).outcome == "true"
    assert seen >= 5


def test_an_interval_that_depends_on_another_symbol_is_refused() -> None:
    claim = claim_of("u <= 1", symbols={"c": "positive", "u": "interval(0, c)"})
    domain = Domain(claim, claim.steps[0].fact)
    with pytest.raises(RefusedError):
        domain.cell({})


def test_two_indices_are_also_tried_where_they_meet() -> None:
    """A claim about entries i and j may break only where i = j, or only where i != j, at sizes beyond 1."""
    text = """
theorem: toy/indices
symbols: {n: dimension, i: index(n), j: index(n), C: "matrix(n, n)"}
claims: {meet: {says: "(C @ C.T)[i, j] <= norm(C)**2"}}
"""
    (claim,) = load_text(text).claims
    cells = [cell.sizes for cell in cells_of(Domain(claim, claim.steps[0].fact), limit=6)]
    assert {sizes["i"] == sizes["j"] for sizes in cells if sizes["n"] >= 2} == {True, False}
