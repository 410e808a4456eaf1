"""What every node is worth, against formulas written by hand."""

import math

import pytest
import torch

from tests.expr.catalogue import NODES
from tests.sample.specs import scalar, value
from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.unsupported import RefusedError, UndefinedError

SYMBOLS = {
    "n": "dimension",
    "d": "dimension",
    "X": "matrix(n, d)",
    "B": "matrix(n, n)",
    "v": "vector(n)",
    "x": "real",
}
SIZES = {"n": 3, "d": 2}
X = torch.tensor([[1.0, -2.0], [0.5, 3.0], [-1.0, 0.25]], dtype=torch.float64)
B = torch.tensor([[2.0, 1.0, 0.0], [-1.0, 3.0, 0.5], [0.0, 1.0, 1.0]], dtype=torch.float64)
V = torch.tensor([[1.0], [-2.0], [4.0]], dtype=torch.float64)
VALUES = {"X": X, "B": B, "v": V, "x": scalar(0.7)}

EXPECTED = {
    "X @ X.T + B": X @ X.mT + B,
    "2 * X - X / 4": 1.75 * X,
    "X**2": X * X,
    "-x**3": scalar(-(0.7**3)),
    "x**(1/2)": scalar(0.7**0.5),
    "matpow(B, 3)": B @ B @ B,
    "matpow(B, -2)": torch.linalg.inv(B @ B),
    "norm(X)": scalar(X.square().sum().sqrt()),
    "norm(X)**2": scalar(X.square().sum()),
    "norm(B, 2)": scalar(torch.linalg.svdvals(B)[0]),
    "norm(v, 1)": scalar(7),
    "norm(v, oo)": scalar(4),
    "tr(B)": scalar(6),
    "inner(X, X)": scalar(X.square().sum()),
    "diag(v)": torch.diag(V[:, 0]),
    "diag(B)": torch.diagonal(B)[:, None],
    "kron(B, X)": torch.kron(B, X),
    "vec_r(X)": X.reshape(-1, 1),
    "commutation(n, d) @ vec_r(X.T)": X.reshape(-1, 1),
    "blockdiag(X[i], i, 1, n)": torch.block_diag(*(X[i : i + 1] for i in range(3))),
    "X[2, 1]": scalar(0.5),
    "X[3]": X[2:3],
    "v[2]": scalar(-2),
    "sum(X[i, 1] * X[j, 2], i, 1, n, j, 1, n, j != i)": scalar(
        sum(X[i, 0] * X[j, 1] for i in range(3) for j in range(3) if i != j)
    ),
    "prod(v[i], i, 1, n)": scalar(-8),
    "sum(x, i, 1, n - 3)": scalar(0),
    "eye(n) - ones(n, n) / n": torch.eye(3, dtype=torch.float64) - 1 / 3,
    "zeros(n, d) + pi": torch.full((3, 2), math.pi, dtype=torch.float64),
    "softmax(B)": torch.softmax(B, dim=1),
    "rmsnorm(B)": B / B.square().mean(dim=1, keepdim=True).sqrt(),
    "layernorm(B)": torch.nn.functional.layer_norm(B, (3,), eps=0.0),
    "gelu(x)": torch.nn.functional.gelu(scalar(0.7)),
    "silu(x)": torch.nn.functional.silu(scalar(0.7)),
    "softplus(30 * x)": scalar(math.log1p(math.exp(-21.0)) + 21.0),
    "Phi(x) + Phi(-x)": scalar(1),
    "phi(x)": scalar(math.exp(-0.245) / math.sqrt(2 * math.pi)),
    "relu(v)": V.clamp(min=0),
    "max(v, x) + min(v, x)": V + 0.7,
    "erf(x) + tanh(x) + sigmoid(x)": scalar(math.erf(0.7) + math.tanh(0.7) + 1 / (1 + math.exp(-0.7))),
    "abs(sin(x) - cos(x)) + exp(log(x))": scalar(abs(math.sin(0.7) - math.cos(0.7)) + 0.7),
    "factorial(n) + factorial2(2 * n + 1)": scalar(6 + 105),
    "factorial2(-1) + factorial2(0)": scalar(2),
    "binomial(2 * n, d)": scalar(15),
}


@pytest.mark.parametrize("text", EXPECTED)
def test_value(text: str) -> None:
    torch.testing.assert_close(value(text, SYMBOLS, VALUES, SIZES), EXPECTED[text], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("text", EXPECTED)
def test_value_under_vmap(text: str) -> None:
    """The same for two draws at once."""
    batch = {name: torch.stack([tensor, tensor]) for name, tensor in VALUES.items()}
    both = torch.func.vmap(lambda values: value(text, SYMBOLS, values, SIZES))(batch)
    torch.testing.assert_close(both[1], EXPECTED[text].expand(both[1].shape), rtol=1e-13, atol=1e-13)


def test_spectral_norm_by_iteration() -> None:
    large = torch.randn(60, 70, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    large[0] *= 3
    found = value(
        "norm(X, 2)",
        {"n": "dimension", "d": "dimension", "X": "matrix(n, d)"},
        {"X": large},
        {"n": 60, "d": 70},
    )
    torch.testing.assert_close(found, scalar(torch.linalg.svdvals(large)[0]), rtol=1e-6, atol=0)


def test_index_outside_its_range() -> None:
    with pytest.raises(UndefinedError):
        value("X[1, n]", SYMBOLS, VALUES, SIZES)


def test_softmax_of_large_entries_is_finite() -> None:
    assert value("softmax(1000 * B)", SYMBOLS, VALUES, SIZES).isfinite().all()


REFUSED = {N.After, N.Called, N.Expectation, N.Variance, N.Covariance, N.Limit, N.Extreme, N.Growth, N.Order}


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_every_node_is_a_value_or_refused(kind: type[N.Node]) -> None:
    """No node falls through: it has a value, or the refusal names it."""
    eye = torch.eye(3, dtype=torch.float64)
    values = dict.fromkeys(("A", "B", "X", "W_V"), eye) | {"x": eye[:, :1], "v": eye[:, :1]}
    values |= {"a": scalar(1), "sigma_q": scalar(2), "W_Q": eye[None], "t": scalar(1)}
    world = World({"n": 3, "d_v": 3, "h": 1, "L": 1, "i": 1, "j": 2, "m": 3})
    scope = Scope(world, values, indices={"i": 1, "j": 2})
    if kind in REFUSED:
        with pytest.raises(RefusedError):
            evaluate(NODES[kind], scope)
    else:
        assert evaluate(NODES[kind], scope).dim() == 2
