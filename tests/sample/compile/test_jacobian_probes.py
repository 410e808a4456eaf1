"""D by autograd against derivatives worked out by hand, exact and by probes; assumed values."""

import pytest
import torch

from tests.sample.specs import claim_of, scalar, value
from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.jacobian_probes import squared_jacobian
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.unsupported import RefusedError

GENERATOR = torch.Generator().manual_seed(5)
N_TOKENS, D = 3, 2
X = torch.randn(N_TOKENS, D, generator=GENERATOR, dtype=torch.float64)
W = torch.randn(D, D, generator=GENERATOR, dtype=torch.float64)
V = torch.randn(D, 5, generator=GENERATOR, dtype=torch.float64)
SYMBOLS = {
    "n": "dimension",
    "d": "dimension",
    "m": "dimension",
    "X": "matrix(n, d)",
    "W": "normal(d, d)",
    "V": "normal(d, m)",
    "P": "stochastic(n, n)",
    "x": "real",
}
LET = {"M": "X @ W @ X.T", "A": "softmax(M)", "S": "A @ X @ V", "T": "tanh(M)", "R": "relu(M)"}
WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.0, 0.5, 0.5], [0.25, 0.5, 0.25]], dtype=torch.float64)
VALUES = {"X": X, "W": W, "V": V, "P": WEIGHTS, "x": scalar(0.3)}
SIZES = {"n": N_TOKENS, "d": D, "m": 5}


def at(text: str, assumptions: dict[str, str] | None = None) -> torch.Tensor:
    return value(text, SYMBOLS, VALUES, SIZES, LET, assumptions)


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=1e-11, atol=1e-11)


def test_jacobian_of_a_product_is_a_kronecker_product() -> None:
    close(at("D(X @ W @ V, W)"), torch.kron(X, V.mT.contiguous()))


def test_entries_rows_and_scalars() -> None:
    close(at("D(X @ W, W[1, 2])"), at("D(X @ W, W)")[:, 1:2])
    close(at("D(gelu(x), x)"), at("Phi(x) + x * phi(x)"))
    close(at("D(D(sin(x), x), x)"), -torch.sin(scalar(0.3)))


def test_square_norm_is_smooth_at_zero() -> None:
    close(at("D(norm(x * X)**2, x)"), 0.6 * X.square().sum().reshape(1, 1))
    close(
        value(
            "D(norm(v)**2, v)",
            {"n": "dimension", "v": "vector(n)"},
            {"v": torch.zeros(2, 1, dtype=torch.float64)},
            {"n": 2},
        ),
        torch.zeros(1, 2, dtype=torch.float64),
    )


def test_derivative_by_a_let_name_holds_the_rest() -> None:
    close(at("D(S, A)"), torch.kron(torch.eye(3, dtype=torch.float64), (X @ V).mT.contiguous()))
    # M stands in A and on its own: as written, only the M that is named is varied.
    close(at("D(A + M, A)"), torch.eye(9, dtype=torch.float64))


def softmax_slope(rows: torch.Tensor) -> torch.Tensor:
    return torch.block_diag(*(torch.diag(a) - a[:, None] * a for a in rows))


@pytest.mark.parametrize("assumed", ["ones(n, n) / n", "P"])
def test_assumed_softmax_keeps_its_derivative_there(assumed: str) -> None:
    """diag(a) - a a^T of the assumed rows, zeros in them included."""
    rows = WEIGHTS if assumed == "P" else torch.full((3, 3), 1 / 3, dtype=torch.float64)
    close(at("A", {"u": f"A == {assumed}"}), rows)
    close(at("D(A, M)", {"u": f"A == {assumed}"}), softmax_slope(rows))
    by_hand = torch.kron(torch.eye(3, dtype=torch.float64), (X @ V).mT.contiguous()) @ softmax_slope(rows)
    close(at("D(S, W)", {"u": f"A == {assumed}"}), by_hand @ torch.kron(X, X))


def test_true_softmax_differs_from_the_assumed_one() -> None:
    assert (at("D(S, W)") - at("D(S, W)", {"u": "A == ones(n, n) / n"})).abs().max() > 1e-2


def test_second_derivative_at_an_assumed_value() -> None:
    """That of a softmax whose argument is log of the assumed rows."""
    log_rows = torch.zeros(3, 3, dtype=torch.float64)
    twice = torch.func.hessian(lambda m: torch.softmax(m, dim=-1)[0, 0])(log_rows)[0, :, 0, :]
    found = at("D(D(A[1, 1], M), M)", {"u": "A == ones(n, n) / n"}).reshape(9, 9)[:3, :3]
    close(found, twice)


def test_assumed_values_of_other_functions() -> None:
    close(at("D(T, M)", {"u": "T == ones(n, n) / 2"}), 0.75 * torch.eye(9, dtype=torch.float64))
    close(at("D(M, W)", {"u": "M == zeros(n, n)"}), torch.kron(X, X))
    with pytest.raises(RefusedError):
        at("D(R, W)", {"u": "R == ones(n, n)"})
    close(at("R", {"u": "R == ones(n, n)"}), torch.ones(3, 3, dtype=torch.float64))


def test_a_relu_that_is_its_argument_has_slope_one_there() -> None:
    close(at("D(R, W)", {"u": "R == M"}), torch.kron(X, X))
    close(at("R", {"u": "R == M"}), at("M"))


def test_substitutions_enter_after_derivatives() -> None:
    """X is varied freely at the collapsed point; x has no derivative left."""
    symbols = {"n": "dimension", "d": "dimension", "X": "matrix(n, d)", "y": "vector(d)"}
    collapsed = {"c": "X == ones(n) @ y.T"}
    y = torch.tensor([[1.0], [2.0]], dtype=torch.float64)
    values = {"y": y, "X": torch.ones(3, 1, dtype=torch.float64) @ y.mT}
    sizes = {"n": 3, "d": 2}
    close(value("D(norm(X)**2, X)", symbols, values, sizes, None, collapsed), 2 * values["X"].reshape(1, -1))
    assert value("norm(D(norm(X)**2, y))", symbols, values, sizes, None, collapsed).item() == 0.0


@pytest.mark.parametrize("probes", [1, 3])
@pytest.mark.parametrize("by", ["W", "V", "X"])
def test_probes_have_the_exact_norm_as_their_mean(by: str, probes: int) -> None:
    """Over all sign vectors of a small output the mean is exact, and over random ones nearly so."""
    claim = claim_of(f"norm(D(S, {by}))**2 == 0", SYMBOLS, LET)
    node = claim.steps[0].fact.left
    assert isinstance(node, N.Power)
    assert squared_jacobian(node) is not None
    world = World.of(claim, SIZES)
    exact = evaluate(node, Scope(world, VALUES))
    draws = 20_000
    signs = torch.randint(0, 2, (draws, probes, 3, 5), generator=torch.Generator().manual_seed(2)) * 2.0 - 1
    each = torch.func.vmap(lambda probe: evaluate(node, Scope(world, VALUES, probes={id(node): probe})))(
        signs.double()
    )
    error = each.std() / draws**0.5
    assert abs(each.mean() - exact) < 6 * error


def test_one_output_needs_no_luck() -> None:
    """With a single output every probe gives the exact norm."""
    claim = claim_of("norm(D(norm(S)**2, W))**2 == 0", SYMBOLS, LET)
    node = claim.steps[0].fact.left
    world = World.of(claim, SIZES)
    exact = evaluate(node, Scope(world, VALUES))
    probe = -torch.ones(1, 1, 1, dtype=torch.float64)
    close(evaluate(node, Scope(world, VALUES, probes={id(node): probe})), exact)


def test_families_are_varied_copy_by_copy() -> None:
    symbols = {"n": "dimension", "H": "dimension", "W": "normal(n, n, copies=H)"}
    family = torch.randn(2, 3, 3, generator=GENERATOR, dtype=torch.float64)
    found = value("D(sum(W[h] @ W[h], h, 1, H), W[2])", symbols, {"W": family}, {"n": 3, "H": 2})
    eye = torch.eye(3, dtype=torch.float64)
    close(found, torch.kron(eye, family[1].mT.contiguous()) + torch.kron(family[1], eye))
