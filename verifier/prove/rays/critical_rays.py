"""Rays on which the mean square stays up although almost every path of the state goes down.

A layer maps x to x' = w s(t) x, with t = Z x**k and w drawn independently of Z. Let m = E w**2 >= 1, and for
every t

    s(t)**2 <= 1,        1 - s(t)**2 <= K exp(-|t|) <= K (delta/e)**delta |t|**(-delta).

With p = 2 - k delta between 0 and 2, rho = E|w|**p < m and C = K (delta/e)**delta E|Z|**(-delta), one layer
does

    E(x'**2 | x) >= m (x**2 - C |x|**p),        E(|x'|**p | x) <= rho |x|**p,

and by induction over the layers, for every depth L,

    E x_L**2 >= m**L (x_0**2 - C |x_0|**p / (1 - rho/m)).

Since p < 2 this is as large as one likes for a large x_0. Typical is a softmax that attends to one row for
large inputs: then the layer is almost linear, and the few draws on which the state is still large carry
the mean square, while the state tends to 0 in probability.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from flint import arb, fmpq

from verifier.claim.model import Claim, Layers
from verifier.exact.numbers.constants import ONE, Exact, enclose, sign
from verifier.prove.rays.absolute_moments import Law, absolute_moment, mean
from verifier.prove.rays.kept_rays import entry_laws, one_layer, power_text, whole_below
from verifier.prove.rays.layer_on_ray import Ray
from verifier.prove.rays.saturation import Saturation, saturation

_SHARES = (fmpq(1), fmpq(1, 2), fmpq(1, 4))  # delta k


@dataclass(frozen=True)
class Critical:
    """The constants of the bound: growth m, power p, decay rho, loss C."""

    ray: Ray
    saturation: Saturation
    delta: fmpq
    growth: Exact
    power: fmpq
    decay: arb
    loss: arb

    def start(self, size: int) -> arb:
        shrunk = self.loss / (1 - self.decay / enclose(self.growth))
        return arb(size) ** 2 - shrunk * arb(size) ** arb(self.power)

    def lines(self, size: int) -> tuple[str, ...]:
        """The argument, for a person who wants to check it."""
        flat, k = self.saturation, self.ray.degree
        drawn = [power_text(name, times) for name, times in self.ray.terms[0][0].items()]
        w = "*".join(drawn if flat.level == 1 else [str(flat.level), *drawn])
        m = "" if self.growth == ONE else f"({self.growth})"
        times, over, grown = (f"{m}*", f"/{m}", f"{m}**L*") if m else ("", "", "")
        return (
            one_layer(self.ray),
            f"r = w*s with w = {w}, which is independent of t, and a function s of t",
            "s**2 <= 1 and 1 - s**2 <= K*exp(-abs(t)) and exp(-abs(t)) <= (delta/e)**delta*abs(t)**(-delta) "
            f"for every t, with K = {flat.constant} and delta = {self.delta}",
            f"so for x_1 = r*x, in mean at a given x, E(x_1**2) >= {times}(x**2 - C*abs(x)**p) with "
            f"p = {self.power} and C = K*(delta/e)**delta*E(abs(t/x**{k})**(-delta)) <= {_above(self.loss)}",
            f"and E(abs(x_1)**p) <= rho*abs(x)**p with rho = E(abs(w)**p) <= {_above(self.decay)}",
            f"summed over the layers, E(x_L**2) >= {grown}(x_0**2 - C*abs(x_0)**p/(1 - rho{over})) for every "
            f"depth L, and the difference is at least {whole_below(self.start(size))} at x_0 = {size}",
        )


def critical(claim: Claim, layers: Layers, numbers: Mapping[str, object], ray: Ray) -> Critical | None:
    """The constants of the bound; None where the theorem does not apply."""
    if len(ray.terms) != 1 or ray.degree < 1:
        return None
    ((weight, top),) = ray.terms
    flat = saturation(top, ray.bottom)
    if flat is None:
        return None
    known, level = entry_laws(claim, layers, numbers, ray), fmpq(int(flat.level.p), int(flat.level.q))
    growth = mean({name: 2 * k for name, k in weight.items()}, known) * (level * level)
    if isinstance(growth, arb) or sign(growth - ONE) < 0:
        return None
    for share in _SHARES:
        found = _with(ray, flat, known, growth, share / ray.degree)
        if found is not None:
            return found
    return None


def _with(
    ray: Ray, flat: Saturation, known: Mapping[str, Law], growth: Exact, delta: fmpq
) -> Critical | None:
    power = 2 - delta * ray.degree
    moment = absolute_moment(ray.terms[0][0], known, power)
    inverse = absolute_moment(ray.drawn, known, -delta)
    if moment is None or inverse is None:
        return None
    level = arb(fmpq(int(flat.level.p), int(flat.level.q)))
    decay = moment * level ** arb(power)
    if not decay < enclose(growth):
        return None
    steepest = (arb(delta) / arb(1).exp()) ** arb(delta)  # the largest value of |t|**delta exp(-|t|)
    scale = abs(enclose(ray.exponent.coefficient)) ** arb(-delta)
    return Critical(ray, flat, delta, growth, power, decay, flat.constant * steepest * scale * inverse)


def _above(value: arb) -> str:
    """A short decimal that is not below."""
    return f"{-whole_below(-value * 1000) / 1000:g}"
