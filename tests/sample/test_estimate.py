"""Intervals contain the mean as often as they say, and stop being offered where nothing is proven."""

import math

import pytest
import torch

from verifier.sample.estimate import Ladder, catoni, level, read, variance_bound
from verifier.sample.tails.tail_weights import Tails

GENERATOR = torch.Generator().manual_seed(11)


def ladder_of(values: torch.Tensor, parts: int = 4) -> Ladder:
    ladder = Ladder()
    for part in values.reshape(parts, -1, values.shape[-1]):
        ladder.add(part)
    return ladder


def test_blocks_are_means_in_constant_memory() -> None:
    values = torch.randn(2**15, 2, generator=GENERATOR, dtype=torch.float64)
    ladder = ladder_of(values, 32)
    ladder.close()
    assert ladder.means.shape[0] <= 2048
    torch.testing.assert_close(ladder.means.mean(dim=0), values.mean(dim=0), rtol=1e-12, atol=1e-14)
    torch.testing.assert_close(ladder.means[0], values[: ladder.length].mean(dim=0), rtol=1e-12, atol=1e-14)


def test_levels_add_up() -> None:
    assert sum(level(1e-3, epoch) for epoch in range(10_000)) == pytest.approx(1e-3, rel=1e-3)


def gaussian_square(count: int) -> torch.Tensor:
    return torch.randn(count, 1, generator=GENERATOR, dtype=torch.float64) ** 2


def exponential_of_sign_sum(count: int) -> torch.Tensor:
    signs = torch.randint(0, 2, (count, 6), generator=GENERATOR).double() * 2 - 1
    return signs.prod(dim=1, keepdim=True) + signs.sum(dim=1, keepdim=True)


@pytest.mark.parametrize(
    ("draw", "mean", "tails"),
    [
        (gaussian_square, 1.0, Tails(kurtosis=16.25, relative=3.0)),
        (gaussian_square, 1.0, Tails(relative=3.0)),
        (lambda count: torch.rand(count, 1, generator=GENERATOR).double(), 0.5, Tails(bounds=(0.0, 1.0))),
        (exponential_of_sign_sum, 0.0, Tails(kurtosis=9.0**6)),
    ],
)
def test_coverage_at_five_percent(draw, mean: float, tails: Tails) -> None:  # type: ignore[no-untyped-def]
    """200 experiments at level 5%: proven bounds are conservative, so 10 misses would already be many."""
    misses = rigorous = 0
    for _ in range(200):
        ladder = Ladder()
        ladder.add(draw(4096))
        found = read(ladder, tails, 0.05)
        rigorous += found.rigorous
        misses += found.rigorous and not float(found.low) <= mean <= float(found.high)
    assert misses <= 10
    assert rigorous == (200 if tails.kurtosis != 9.0**6 else 0)


def test_width_is_near_the_normal_one() -> None:
    """Catoni's interval at 1e-9 is at most twice as wide as a normal interval that knew the variance."""
    values = gaussian_square(2**16)
    found = read(ladder_of(values), Tails(kurtosis=16.25, relative=3.0), 1e-9)
    half = float(found.high - found.low) / 2
    normal = 6.1 * math.sqrt(2) / 2**8
    assert normal < half < 2 * normal


def test_no_bound_no_rigour() -> None:
    found = read(ladder_of(gaussian_square(4096)), Tails(), 1e-9)
    assert not found.rigorous
    found = read(ladder_of(gaussian_square(4096)), Tails(kurtosis=1e7), 1e-9)
    assert not found.rigorous


def test_variance_bound_is_above_the_variance() -> None:
    means = gaussian_square(2048)
    bound = variance_bound(means, 1, Tails(kurtosis=16.25), 1e-6)
    assert bound is not None
    assert 2.0 < float(bound) < 4.5


def test_catoni_does_not_follow_an_outlier() -> None:
    """One huge value moves a mean by far more than the interval that knows the variance."""
    values = torch.randn(2048, 1, generator=GENERATOR, dtype=torch.float64)
    values[0] = 1e6
    low, high = catoni(values, torch.ones(1, dtype=torch.float64), 1e-3)
    assert float(low) < 0 < float(high) < 1


def test_constants_need_enough_draws() -> None:
    """A constant on every draw is proven only as far as a rare exception is excluded."""
    same = torch.full((4096, 1), 2.5, dtype=torch.float64)
    few, many = ladder_of(same[:64], 1), ladder_of(same, 1)
    assert not read(few, Tails(kurtosis=81.0), 1e-9).rigorous
    assert read(many, Tails(kurtosis=81.0), 1e-9).rigorous
    assert not read(many, Tails(), 1e-9).rigorous
    assert read(few, Tails(), 1e-9).constant


def test_heavy_chain_is_not_trusted() -> None:
    """A product of twenty 3-by-3 Gaussians: its constant says that no such sample proves anything."""
    product = torch.eye(3, dtype=torch.float64).expand(4096, 3, 3)
    for _ in range(20):
        product = product @ torch.randn(4096, 3, 3, generator=GENERATOR, dtype=torch.float64) / math.sqrt(3)
    squares = product.square().sum(dim=(1, 2))[:, None]
    assert not read(ladder_of(squares), Tails(kurtosis=16.25**20, relative=3.0**20), 1e-6).rigorous


def test_what_is_constant_beside_a_huge_entry_is_known_no_better() -> None:
    """Noise of 1 next to 1e13 counts as rounding, and the interval is as wide as that."""
    noise = torch.randn(4096, 1, generator=GENERATOR, dtype=torch.float64)
    both = torch.cat([torch.full_like(noise, 1e13), noise], dim=1)
    found = read(ladder_of(both, 1), Tails(kurtosis=3.0), 1e-6)
    assert bool(found.low[1] < 0 < found.high[1])
