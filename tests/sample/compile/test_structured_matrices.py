"""Norms of small matrices."""

import pytest
import torch

from verifier.sample.compile.structured_matrices import by_iteration, spectral_norm


def test_the_spectral_norm_of_what_is_undefined_is_undefined() -> None:
    value = torch.tensor([[1.0, torch.nan], [0.0, 2.0], [3.0, 0.0]], dtype=torch.float64)
    assert torch.isnan(spectral_norm(value))
    batch = torch.stack([value, torch.nan_to_num(value)])
    assert torch.isnan(torch.func.vmap(spectral_norm)(batch)).tolist() == [True, False]


def test_the_spectral_norm_is_the_largest_singular_value() -> None:
    turn = torch.linalg.qr(torch.arange(9.0, dtype=torch.float64).reshape(3, 3) + torch.eye(3))[0]
    stretched = turn @ torch.diag(torch.tensor([5.0, 2.0, 3.0], dtype=torch.float64))
    assert torch.allclose(spectral_norm(stretched), torch.tensor(5.0, dtype=torch.float64))
    assert not torch.allclose(spectral_norm(stretched), torch.linalg.norm(stretched))


def close_values(size: int) -> torch.Tensor:
    turn = torch.linalg.qr(torch.randn(size, size, generator=GENERATOR, dtype=torch.float64))[0]
    return turn * torch.linspace(0.9, 1, size, dtype=torch.float64)


GENERATOR = torch.Generator().manual_seed(3)
MATRICES = {
    "random": torch.randn(90, 110, generator=GENERATOR, dtype=torch.float64),
    "tall": torch.randn(110, 70, generator=GENERATOR, dtype=torch.float64),
    "close": close_values(80),
    "rank one": torch.ones(70, 1, dtype=torch.float64) @ torch.arange(70.0, dtype=torch.float64)[None],
    "identity": torch.eye(70, dtype=torch.float64),
    "tiny": 1e-30 * torch.randn(70, 70, generator=GENERATOR, dtype=torch.float64),
    "nothing": torch.zeros(70, 70, dtype=torch.float64),
}


@pytest.mark.parametrize("name", MATRICES)
def test_iteration_finds_the_largest_singular_value(name: str) -> None:
    """And its derivative, where that is unique."""
    matrix = MATRICES[name]
    torch.testing.assert_close(by_iteration(matrix), torch.linalg.matrix_norm(matrix, 2), rtol=1e-6, atol=0)
    if name == "random":
        found, expected = (torch.func.grad(norm)(matrix) for norm in (by_iteration, spectral_norm))
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-9)
