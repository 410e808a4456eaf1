"""Points satisfy the assumptions, look at edges, and are the same every time."""

import math

import pytest
import torch

from tests.sample.specs import claim_of
from verifier.claim.model import Claim
from verifier.sample.draws import fixed_matrices as structures
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Point, prepare
from verifier.sample.draws.symbol_kinds import belongs
from verifier.sample.unsupported import RefusedError

DIMS = {"n": "dimension", "d": "dimension"}


def found(claim: Claim, count: int = 20, seed: int = 0) -> list[Point]:
    return list(points(claim, claim.steps[0].fact, count, seed))


def test_dimensions_are_small_distinct_and_reach_one() -> None:
    sizes = [
        (p.sizes["n"], p.sizes["d"]) for p in found(claim_of("norm(X) == 0", DIMS | {"X": "matrix(n, d)"}))
    ]
    assert sizes[0] == (2, 3)
    assert len({n for n, _ in sizes}) >= 4
    assert any(n == 1 for n, _ in sizes)
    assert any(n > 5 for n, _ in sizes)


def test_the_same_points_every_time_and_others_for_another_seed() -> None:
    claim = claim_of("norm(X) == a", DIMS | {"X": "matrix(n, d)", "a": "real"})
    first, again, other = found(claim), found(claim), found(claim, seed=1)
    assert all(torch.equal(p.values["X"], q.values["X"]) for p, q in zip(first, again, strict=True))
    assert not all(
        p.values["X"].shape == q.values["X"].shape and torch.equal(p.values["X"], q.values["X"])
        for p, q in zip(first, other, strict=True)
    )


def test_values_are_dyadic() -> None:
    for point in found(claim_of("norm(X) == a", DIMS | {"X": "matrix(n, d)", "a": "positive"})):
        for value in point.values.values():
            assert torch.equal(value * 1024, (value * 1024).round())


@pytest.mark.parametrize("structure", structures.NAMES)
@pytest.mark.parametrize("family", ["matrix", "simplex", "stochastic", "symmetric", "psd", "orthogonal"])
def test_classes(structure: str, family: str) -> None:
    import numpy as np

    from verifier.expr.symbols import FixedMatrix

    rows, cols = (
        (4, 1) if family == "simplex" else (4, 4) if family in ("symmetric", "psd", "orthogonal") else (4, 3)
    )
    for seed in range(3):
        value, exact = structures.build(family, structure, np.random.default_rng(seed), rows, cols)  # type: ignore[arg-type]
        assert value.shape == (rows, cols)
        assert belongs(FixedMatrix(family), value, Scope(World({}), {}))  # type: ignore[arg-type]
        if exact and family in ("simplex", "stochastic"):
            assert float(value.sum()) == (1.0 if family == "simplex" else 4.0)


def test_collapsed_centred_rank_one_matrices_are_among_them() -> None:
    claim = claim_of("norm(X) == 0", DIMS | {"X": "matrix(n, d)"})
    matrices = [p.values["X"] for p in found(claim, 27) if min(p.values["X"].shape) > 1]
    assert any(bool((x == x[:1]).all()) for x in matrices)
    assert any(float(x.sum(dim=0).abs().max()) == 0 for x in matrices)
    assert any(torch.linalg.matrix_rank(x) == 1 and not bool((x == x[:1]).all()) for x in matrices)


def test_sweep_and_where_say_where() -> None:
    claim = claim_of(
        "norm(X) == rho",
        DIMS | {"X": "matrix(n, d)", "rho": "interval(0, 1)"},
        extra="sweep: {n: [2, 7], rho: [0, 0.5]}",
    )
    seen = {(p.sizes["n"], p.values["rho"].item()) for p in found(claim)}
    assert seen == {(2, 0.0), (2, 0.5), (7, 0.0), (7, 0.5)}
    claim = claim_of("norm(X) == 0", DIMS | {"X": "matrix(n, d)"}, extra="where: {n: 6}")
    assert {p.values["X"].shape[0] for p in found(claim)} == {6}


CONSTRAINTS = {
    "norm(u) == 1": lambda v: abs(v["u"].norm() - 1) < 1e-9,
    "norm(Y, 2) <= 1": lambda v: torch.linalg.matrix_norm(v["Y"], 2) <= 1 + 1e-9,
    "all(norm(Y[i]) == 2, i, 1, n)": lambda v: bool(((v["Y"].norm(dim=1) - 2).abs() < 1e-9).all()),
    "a * b == 1": lambda v: abs(v["a"] * v["b"] - 1) < 1e-9,
    "a < b": lambda v: v["a"] < v["b"],
    "a != 0": lambda v: v["a"] != 0,
    "all(p[i] <= 1e-2, i, 2, n)": lambda v: bool((v["p"][1:] <= 1e-2 + 1e-9).all()),
    "inner(u, u) + a**2 == 3": lambda v: abs(v["u"].square().sum() + v["a"] ** 2 - 3) < 1e-9,
}


@pytest.mark.parametrize("text", CONSTRAINTS)
def test_constraints_hold_at_every_point(text: str) -> None:
    symbols = DIMS | {"Y": "matrix(n, d)", "u": "vector(d)", "p": "simplex(n)", "a": "real", "b": "real"}
    claim = claim_of("norm(Y) + norm(u) + norm(p) + a + b == 0", symbols, assumptions={"c": text})
    chosen = found(claim, 10)
    assert len(chosen) >= 3
    for point in chosen:
        assert CONSTRAINTS[text](point.values), (text, point)
        assert belongs(claim.symbols["p"].kind, point.values["p"], Scope(World.of(claim, point.sizes), {}))  # type: ignore[arg-type]


def test_contradictory_assumptions_leave_no_point() -> None:
    claim = claim_of("a == 0", {"a": "real"}, assumptions={"x": "a < 0", "y": "a > 1"})
    assert found(claim) == []


def test_substituted_sizes_and_indices_follow() -> None:
    symbols = DIMS | {"m": "dimension", "i": "index(n)", "j": "index(n)", "X": "matrix(n, m)"}
    claim = claim_of("X[i, 1] == X[j, 1]", symbols, assumptions={"wide": "m == 2 * d", "same": "j == i"})
    for point in found(claim):
        assert point.sizes["m"] == 2 * point.sizes["d"]
        assert point.sizes["i"] == point.sizes["j"] <= point.sizes["n"]


def test_a_substitution_outside_its_range_is_no_point() -> None:
    """sigma is positive, so where 1 - a is not, nothing is claimed."""
    claim = claim_of("sigma > 0", {"sigma": "positive", "a": "real"}, assumptions={"s": "sigma == 1 - a"})
    from verifier.sample.unsupported import UndefinedError

    for point in found(claim):
        if point.values["a"].item() >= 1:
            with pytest.raises(UndefinedError):
                prepare(claim, point, claim.steps[0].fact)


def test_conditions_on_random_symbols_are_refused() -> None:
    claim = claim_of("norm(W) <= 2", DIMS | {"W": "normal(n, d)"}, assumptions={"c": "norm(W, 2) <= 1"})
    with pytest.raises(RefusedError):
        found(claim)


def test_deadline_is_kept() -> None:
    claim = claim_of("norm(X) == 0", DIMS | {"X": "matrix(n, d)"})
    assert list(points(claim, claim.steps[0].fact, 5, deadline=-math.inf)) == []
