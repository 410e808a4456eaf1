"""Samplers have the moments they promise, and every law its own support."""

import numpy as np
import pytest
import torch

from tests.sample.specs import claim_of
from verifier.sample.draws.law_samplers import REPRESENTATIVES, Law
from verifier.sample.draws.scene import Point, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.unsupported import UndefinedError

COUNT = 60_000


def draws(
    kind: str, sizes: dict[str, int], representative: str = "gaussian", **scalars: float
) -> torch.Tensor:
    symbols = dict.fromkeys(sizes, "dimension") | dict.fromkeys(scalars, "real") | {"W": kind}
    claim = claim_of("E(norm(W)**2) == 0", symbols)
    values = {name: torch.full((1, 1), value, dtype=torch.float64) for name, value in scalars.items()}
    scene = prepare(claim, Point(sizes, values), claim.steps[0].fact, representative=representative)  # type: ignore[arg-type]
    return scene.draw(frozenset({"W"}), Stream(0, kind), 0, COUNT)["W"]


def near(found: torch.Tensor | float, expected: torch.Tensor | float, scale: float = 1.0) -> None:
    gap = (torch.as_tensor(found) - torch.as_tensor(expected)).abs().max()
    assert float(gap) < 8 * scale / COUNT**0.5


def test_normal_with_mean_and_std() -> None:
    w = draws("normal(n, d, mean=mu, std=2/sqrt(d))", {"n": 2, "d": 3}, mu=-0.5)
    assert w.shape == (COUNT, 2, 3)
    near(w.mean(dim=0), -0.5, 1.2)
    near(w.var(dim=0), 4 / 3, 2.0)
    near(torch.corrcoef(w.reshape(COUNT, -1).mT) - torch.eye(6, dtype=torch.float64), 0.0)


@pytest.mark.parametrize("rho", [0.6, -0.5, 1.0, 0.0])
def test_rows_equally_correlated(rho: float) -> None:
    """Cov(W_ij, W_kl) = sigma^2 (rho + (1 - rho) delta_ik) delta_jl; -1/2 is the least for three rows."""
    w = draws("normal(n, d, std=2, row_corr=rho)", {"n": 3, "d": 2}, rho=rho)
    expected = 4 * (rho * torch.ones(3, 3) + (1 - rho) * torch.eye(3))
    first = w[:, :, 0]
    near(first.mT @ first / COUNT, expected, 8.0)
    near(first.mT @ w[:, :, 1] / COUNT, torch.zeros(3, 3), 8.0)


def test_no_such_law() -> None:
    with pytest.raises(UndefinedError):
        draws("normal(n, d, row_corr=rho)", {"n": 3, "d": 2}, rho=-0.6)
    with pytest.raises(UndefinedError):
        draws("normal(n, d, std=s)", {"n": 3, "d": 2}, s=-1.0)


def test_covariance_matrix() -> None:
    w = draws("normal(n, cov=2 * eye(n) + ones(n, n))", {"n": 3})
    near(w[:, :, 0].mT @ w[:, :, 0] / COUNT, 2 * torch.eye(3) + 1, 6.0)


def test_signs_and_uniforms() -> None:
    assert set(draws("rademacher(n, d)", {"n": 2, "d": 3}).unique().tolist()) == {-1.0, 1.0}
    u = draws("uniform(n, d, a, 3)", {"n": 2, "d": 2}, a=-1.0)
    assert -1 <= float(u.min()) < -0.9
    assert 2.9 < float(u.max()) <= 3
    near(u.var(dim=0), 16 / 12, 2.0)


@pytest.mark.parametrize("representative", REPRESENTATIVES)
def test_representatives_share_the_stated_moments(representative: str) -> None:
    w = draws("iid(n, d, mean=1, var=4)", {"n": 2, "d": 2}, representative)
    near(w.mean(dim=0), 1.0, 2.0)
    near(w.var(dim=0), 4.0, 16.0)


def test_representatives_differ_in_the_others() -> None:
    fourth = [
        float(draws("iid(n, d, mean=0, var=1)", {"n": 2, "d": 2}, law).pow(4).mean())
        for law in REPRESENTATIVES
    ]
    third = [
        float(draws("iid(n, d, mean=0, var=1)", {"n": 2, "d": 2}, law).pow(3).mean())
        for law in REPRESENTATIVES
    ]
    assert min(abs(a - b) for k, a in enumerate(fourth) for b in fourth[k + 1 :]) > 0.5
    assert max(third) > 1.5
    spread = [float(draws("random(n, d, mean=0)", {"n": 2, "d": 2}, law).var()) for law in REPRESENTATIVES]
    assert min(abs(a - b) for k, a in enumerate(spread) for b in spread[k + 1 :]) > 0.5


def test_bounds() -> None:
    one, zero = torch.ones(1, 1), torch.zeros(1, 1)
    assert Law("sign", (2, 2), one, 2 * one).bounded == (-1.0, 3.0)
    assert Law("gaussian", (2, 2), zero, one).bounded is None


def test_streams_do_not_depend_on_chunks() -> None:
    stream = Stream(7, "point")
    first = stream.generator("W", 3).standard_normal(5)
    assert np.array_equal(first, Stream(7, "point").generator("W", 3).standard_normal(5))
    others = [
        stream.generator("W", 4),
        stream.generator("V", 3),
        Stream(8, "point").generator("W", 3),
    ]
    others += [Stream(7, "point", "replication").generator("W", 3)]
    for other in others:
        assert not np.allclose(first, other.standard_normal(5))
