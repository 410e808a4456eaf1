"""Absolute moments against integrals."""

import mpmath as mp
import pytest
from flint import fmpq

from verifier.prove.rays.absolute_moments import Law, absolute_moment, mean


@pytest.mark.parametrize("power", [fmpq(-1, 2), fmpq(-3, 4), fmpq(1), fmpq(3, 2)])
def test_moments_of_one_entry(power):
    e, scale = mp.mpf(int(power.p)) / int(power.q), fmpq(3, 2)
    # x = u**4 takes the singularity at 0 away.
    normal = mp.quad(lambda u: 4 * u**3 * (1.5 * u**4) ** e * mp.npdf(u**4) * 2, [0, 1, 2, 3])
    assert abs(float(Law("normal", scale).absolute(power)) - normal) < 1e-8
    uniform = mp.quad(lambda u: 4 * u**3 * (1.5 * u**4) ** e, [0, 1])
    assert abs(float(Law("uniform", scale).absolute(power)) - uniform) < 1e-8
    assert Law("sign", fmpq(1)).absolute(power) == 1


def test_products():
    known = {"a": Law("normal", fmpq(2)), "b": Law("uniform", fmpq(3)), "c": Law("sign", fmpq(1))}
    assert mean({"a": 4, "b": 2, "c": 10}, known) == 16 * 3 * fmpq(9, 3)
    assert mean({"a": 4, "b": 1}, known) == 0
    assert absolute_moment({"a": 1}, known, fmpq(-1)) is None
    assert absolute_moment({"b": 2}, known, fmpq(-1, 2)) is None
    assert absolute_moment({"c": 2}, known, fmpq(-1)) == 1
