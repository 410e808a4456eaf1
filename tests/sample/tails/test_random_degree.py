"""Degrees are upper bounds, and the tail constants that follow from them hold."""

import math
from collections import Counter

import pytest
import torch

from tests.sample.specs import claim_of
from verifier.expr import nodes as N
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.tails.random_degree import NotPolynomialError, Reader
from verifier.sample.tails.tail_weights import QUADRATIC, Tails, expectation_tails, hypercontractive

SYMBOLS = {
    "n": "dimension",
    "d": "dimension",
    "X": "matrix(n, d)",
    "W": "normal(d, d)",
    "V": "normal(d, d)",
    "F": "normal(d, d, copies=n)",
    "s": "rademacher(n)",
}
LET = {"M": "X @ W @ X.T", "A": "softmax(M)", "S": "A @ X @ V"}
UNIFORM = {"u": "A == ones(n, n) / n"}


def reader(text: str, assumptions: dict[str, str] | None = None) -> tuple[N.Node, Reader]:
    claim = claim_of(f"{text} == {text}", SYMBOLS, LET, assumptions)
    node = claim.steps[0].fact.left
    world = World.of(claim, {"n": 3, "d": 2})
    return node, Reader(world, sources.random_names(node, world))


DEGREES = {
    "W @ V + W": {"W": 1, "V": 1},
    "norm(X @ W)**2": {"W": 2},
    "tr(matpow(W @ W.T, 3))": {"W": 6},
    "W**3 * 2": {"W": 3},
    "inner(W, V) / norm(X)": {"W": 1, "V": 1},
    "prod(F[h][1, 1], h, 1, n)": {"F": 3},
    "sum(W[1, 1]**i, i, 1, n)": {"W": 3},
    "sum(prod(s[j], j, 1, i), i, 1, n)": {"s": 3},
    "sum(s[i] * sum(s[j], j, 1, i - 1), i, 1, n)": {"s": 2},
    "sum(esum(s[j], j, 1, n, i), i, 1, n)": {"s": 3},
    "D(X @ W @ W @ V, W)": {"W": 1, "V": 1},
    "gelu(norm(X)) * s[1]": {"s": 1},
    "kron(W, V) @ ones(d * d)": {"W": 1, "V": 1},
}


@pytest.mark.parametrize("text", DEGREES)
def test_degree(text: str) -> None:
    node, found = reader(text)
    assert found.value(node) == Counter(DEGREES[text])


@pytest.mark.parametrize(
    "text", ["norm(W)", "exp(W)", "S", "1 / W[1, 1]", "abs(W)", "norm(W, 2)**2", "D(S, W)"]
)
def test_not_a_polynomial(text: str) -> None:
    node, found = reader(text)
    with pytest.raises(NotPolynomialError):
        found.value(node)


def test_assumed_values_make_derivatives_polynomial() -> None:
    node, found = reader("D(S, W)", UNIFORM)
    assert found.value(node) == Counter({"V": 1})
    node, found = reader("D(S, X)", UNIFORM)
    assert found.value(node) == Counter({"W": 1, "V": 1})


def test_slopes_of_sums_are_those_of_their_steepest_terms() -> None:
    """d/dM of M + M^2 + M^3 has degree 2 in M."""
    node, found = reader("D(sum(M[1, 1]**i, i, 1, n), M)")
    assert found.value(node)["W"] >= 2


def test_depth_multiplies_layers() -> None:
    layers = (
        "layers:\n  state: X\n  depth: L\n  symbols:\n    U: normal(d, d)\n    T: normal(d, d)\n"
        "  let:\n    Z: X @ U + X\n  next: Z @ T + Z"
    )
    claim = claim_of("norm(after(X, L))**2 == 0", SYMBOLS | {"L": "dimension"}, layers=layers)
    node = claim.steps[0].fact.left
    world = World.of(claim, {"n": 3, "d": 2, "L": 2})
    expected = {f"layer:{name}@{layer}": 2 for name in "UT" for layer in range(2)}
    assert Reader(world, sources.random_names(node, world)).value(node) == Counter(expected)


def test_depth_multiplies_what_layers_share() -> None:
    layers = "layers:\n  state: X\n  depth: L\n  symbols:\n    U: normal(d, d)\n  next: X @ U @ W + X @ W @ W"
    claim = claim_of("norm(after(X, L))**2 == 0", SYMBOLS | {"L": "dimension"}, layers=layers)
    node = claim.steps[0].fact.left
    world = World.of(claim, {"n": 3, "d": 2, "L": 2})
    expected = {"layer:U@0": 2, "layer:U@1": 2, "W": 8}
    assert Reader(world, sources.random_names(node, world)).value(node) == Counter(expected)


def test_constant_of_quadratics() -> None:
    """c^4 + 6 c^2 V + 8 sqrt(2) c V^1.5 + 15 V^2 <= 16.25 (c^2 + V)^2, the bound in the docstring."""
    grid = [k / 1000 for k in range(1001)]
    worst = max(
        c**4 + 6 * c**2 * (1 - c * c) + 8 * math.sqrt(2) * c * (1 - c * c) ** 1.5 + 15 * (1 - c * c) ** 2
        for c in grid
    )
    assert 16 < worst <= QUADRATIC


@pytest.mark.parametrize("shift", [0.0, 0.5, 1.0, -3.0])
def test_quadratics_obey_their_constant(shift: float) -> None:
    """Exact moments of w**2 - 1 + shift: 60 + 4*8*s + 6*2*s^2 + s^4 against (2 + s^2)^2."""
    fourth = 60 + 32 * shift + 12 * shift**2 + shift**4
    assert fourth <= QUADRATIC * (2 + shift**2) ** 2


def test_blocks_multiply() -> None:
    bases = {"W": "gaussian", "V": "gaussian", "s": "sign", "k": "skewed"}
    assert hypercontractive(Counter({"W": 1, "V": 1}), bases) == 9.0  # type: ignore[arg-type]
    assert hypercontractive(Counter({"W": 2}), bases) == QUADRATIC  # type: ignore[arg-type]
    assert hypercontractive(Counter({"s": 2}), bases) == 81.0  # type: ignore[arg-type]
    assert hypercontractive(Counter({"k": 1}), bases) == QUADRATIC  # type: ignore[arg-type]
    assert hypercontractive(Counter({"W": 100}), bases) is None  # type: ignore[arg-type]


TAILS = {
    "norm(X @ W @ V)**2": Tails(QUADRATIC**2, 9.0),
    "norm(X @ W)": Tails(None, 3.0),
    "tr(W @ W.T) * 5": Tails(QUADRATIC, 3.0),
    "abs(W[1, 1])": Tails(None, 3.0),
    "norm(W)**2 + norm(V)**2": Tails(QUADRATIC**2, 9.0),
    "norm(W)**2 - norm(V)**2": Tails(QUADRATIC**2, None),
    "2 * norm(W)**2 / n + d * norm(V)**2": Tails(QUADRATIC**2, 9.0),
    "sum(s[i]**2, i, 1, n)": Tails(81.0, 3.0),
    "exp(W[1, 1])": Tails(None, None),
}


@pytest.mark.parametrize("text", TAILS)
def test_tails(text: str) -> None:
    node, found = reader(text)
    bases = {"W": "gaussian", "V": "gaussian", "s": "sign"}
    assert expectation_tails(node, found, bases, {}) == TAILS[text]  # type: ignore[arg-type]


def test_relative_bound_is_nearly_reached() -> None:
    """|g|^2 of one Gaussian: E f^2 = 3 (E f)^2, so the constant 3 cannot be smaller."""
    g = torch.randn(10**6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert abs(float((g**4).mean() / (g**2).mean() ** 2) - 3) < 0.1
