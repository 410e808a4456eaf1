"""Norms of small matrices."""

import torch

from verifier.numeric.linear import spectral_norm


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
