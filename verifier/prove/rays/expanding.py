"""Rays on which a layer does not shrink the mean square, whatever the state.

With r = sum_j w_j s_j(y), the w_j products of drawn entries that do not stand in t,

    E(r**2 | t) = sum_ij E(w_i w_j) s_i(y) s_j(y)

is a rational function of y = exp(t). If it is at least m >= 1 for every y > 0, then E(x'**2 | x) >= m x**2
and, over the layers, E x_L**2 >= m**L x_0**2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp
from flint import arb, fmpq

from verifier.claim.model import Claim, Layers
from verifier.prove.rays.absolute_moments import Law, mean
from verifier.prove.rays.kept_rays import entry_laws, one_layer
from verifier.prove.rays.layer_on_ray import Ray
from verifier.prove.rays.saturation import has_no_root, never_negative


@dataclass(frozen=True)
class Expanding:
    ray: Ray
    growth: fmpq  # m

    def start(self, size: int) -> arb:
        return arb(size) ** 2

    def lines(self, size: int) -> tuple[str, ...]:
        m = f"({self.growth})" if self.growth.q != 1 else str(self.growth)
        grown = "" if self.growth == 1 else f"{m}**L*"
        return (
            one_layer(self.ray),
            f"E(r**2) >= {m} at every x, so E(x_L**2) >= {grown}x_0**2 for every depth L: x_0 = {size}",
        )


def expanding(claim: Claim, layers: Layers, numbers: Mapping[str, object], ray: Ray) -> Expanding | None:
    """The bound; None where the mean square may shrink."""
    known = entry_laws(claim, layers, numbers, ray)
    square, whole = _mean_square(ray, known), ray.bottom**2
    if square is None or square.is_zero or not has_no_root(ray.bottom):
        return None
    for growth in _candidates(square, whole):
        if never_negative(square - whole * growth):
            return Expanding(ray, fmpq(int(growth.p), int(growth.q)))
    return None


def _mean_square(ray: Ray, known: Mapping[str, Law]) -> sp.Poly | None:
    """The numerator of E(r**2 | t)."""
    total = sp.Poly(0, ray.bottom.gen)
    for first, left in ray.terms:
        for second, right in ray.terms:
            powers = {name: first.get(name, 0) + second.get(name, 0) for name in {*first, *second}}
            moment = mean(powers, known)
            if not isinstance(moment, fmpq):
                return None
            total += left * right * sp.Rational(int(moment.p), int(moment.q))
    return total


def _candidates(square: sp.Poly, whole: sp.Poly) -> list[sp.Rational]:
    """Where a rational function of y has its least value, often: at an end or where t = 0; and 1."""
    values = {sp.Integer(1), square.eval(1) / whole.eval(1)}
    if square.degree() == whole.degree():
        values.add(square.LC() / whole.LC())
    if whole.eval(0) != 0:
        values.add(square.eval(0) / whole.eval(0))
    return sorted((value for value in values if value.is_Rational and value >= 1), reverse=True)
