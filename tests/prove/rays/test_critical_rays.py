"""What the bounds say of one layer, against integrals over what it draws."""

import numpy as np
import pytest
from flint import fmpq

from verifier.prove.rays.critical_rays import Critical, critical
from verifier.prove.rays.expanding import Expanding, expanding
from verifier.prove.rays.kept_rays import whole_below
from verifier.prove.rays.layer_on_ray import ray
from verifier.read.specs.load import load_text

GRID = np.linspace(-12, 12, 200_001)
DENSITY = np.exp(-(GRID**2) / 2) / np.sqrt(2 * np.pi)


def mean(values: np.ndarray) -> float:
    return float(np.trapezoid(values * DENSITY, GRID))


def found(following: str, theorem):
    text = "theorem: t/t\nsymbols: {x: real, L: dimension}\nlayers:\n  state: x\n  depth: L\n  symbols:\n"
    text += f"    w: normal(std=5/4)\n    z: normal(std=2)\n  next: {following}\n"
    (claim,) = load_text(f'{text}claims:\n  c: {{says: "E(after(x, L)) == 0"}}\n').claims
    kept = ray(claim, claim.layers, {}, ((1,),))
    assert kept is not None
    return theorem(claim, claim.layers, {}, kept)


@pytest.mark.parametrize(
    ("following", "s"),
    [
        ("w*tanh(z*x)*x", lambda z, x: np.tanh(z * x)),
        ("w*tanh(z**3*x**2/3)*x", lambda z, x: np.tanh(z**3 * x**2 / 3)),
        ("w*(2*sigmoid(z*x) - 1)**2*x", lambda z, x: np.tanh(z * x / 2) ** 2),
    ],
)
def test_one_critical_layer(following, s):
    bound = found(following, critical)
    assert isinstance(bound, Critical)
    p, m, loss, decay = (
        int(bound.power.p) / int(bound.power.q),
        25 / 16,
        float(bound.loss),
        float(bound.decay),
    )
    assert bound.growth == fmpq(25, 16)
    assert decay == pytest.approx(mean(abs(5 / 4 * GRID) ** p), rel=1e-6)
    for x in (0.1, 1.0, 7.0, 40.0):
        assert m * x**2 * mean(s(2 * GRID, x) ** 2) >= m * (x**2 - loss * x**p) - 1e-9
    size = next(2**k for k in range(20) if bound.start(2**k) > 0)
    assert whole_below(bound.start(size)) < size**2


@pytest.mark.parametrize(
    ("following", "growth"),
    [
        ("x + w*tanh(z*x)*x", 1),  # least at t = 0
        ("2*x - w*sigmoid(z*x)*x", 4),  # least as t goes to -oo
        ("w*(1 + tanh(z*x)**2)*x", fmpq(25, 16)),
    ],
)
def test_one_expanding_layer(following, growth):
    bound = found(following, expanding)
    assert isinstance(bound, Expanding)
    assert bound.growth == growth


def test_a_shrinking_layer_is_none():
    assert found("x/2 + w*tanh(z*x)*x", expanding) is None
    assert found("3*w*sigmoid(z*x)*x", critical) is None
