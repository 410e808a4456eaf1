"""Bounds of rational functions of y = exp(t), held against their values."""

import numpy as np
import pytest
import sympy as sp

from verifier.prove.rays.layer_on_ray import Y
from verifier.prove.rays.saturation import never_negative, saturation


@pytest.mark.parametrize(
    ("poly", "expected"),
    [
        ((Y - 1) ** 2, True),
        ((Y - 1) ** 2 * (Y + 3), True),
        ((Y - 1) * (Y + 3), False),
        ((Y - 1) ** 3, False),
        (-((Y - 1) ** 2), False),
        (Y * (Y**2 - 2 * Y + 2), True),
        ((Y - 1) * (Y - 2), False),
        (Y**2 - Y / 2 + 1, True),
    ],
)
def test_signs_on_the_positive_axis(poly, expected):
    assert never_negative(sp.Poly(poly, Y)) is expected


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        (Y - 1, Y + 1),  # tanh(t/2)
        (Y**2 - 1, Y**2 + Y + 1),  # three rows, one of them at rest
        (3 * (Y - 1) ** 2, 2 * (Y + 1) ** 2),
        (Y**2 + 1, (Y + 1) ** 2),
    ],
)
def test_saturating(top, bottom):
    found = saturation(sp.Poly(top, Y), sp.Poly(bottom, Y))
    assert found is not None
    t = np.linspace(-30, 30, 2001)
    above, below = (np.array(sp.Poly(p, Y).all_coeffs(), dtype=float) for p in (top, bottom))
    s = np.polyval(above, np.exp(t)) / np.polyval(below, np.exp(t)) / float(found.level)
    assert np.all(s**2 <= 1 + 1e-12)
    assert np.all(1 - s**2 <= found.constant * np.exp(-abs(t)) + 1e-12)


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        (Y, Y + 1),  # a sigmoid ends at 0 on one side
        (Y + 2, Y + 1),  # other ends
        (Y**2 + 5 * Y + 1, Y**2 + Y + 1),  # larger than at its ends
        (Y - 1, (Y + 1) ** 2),  # ends at 0
        (Y**2 + 1, (Y - 1) ** 2),  # infinite at y = 1
    ],
)
def test_not_saturating(top, bottom):
    assert saturation(sp.Poly(top, Y), sp.Poly(bottom, Y)) is None
