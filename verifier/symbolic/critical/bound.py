"""The bound of the package's theorem for one ray: its constants, enclosed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from verifier.claim.model import Claim, Layers
from verifier.rigorous.closed import ONE, Exact, enclose, sign
from verifier.rigorous.context import Context
from verifier.rigorous.evaluate import Evaluator
from verifier.rigorous.notation import sum_text
from verifier.symbolic.critical.laws import Law, absolute_moment, laws, mean_square
from verifier.symbolic.critical.rays import Ray
from verifier.symbolic.critical.saturation import Saturation, saturation

_SHARES = (fmpq(1), fmpq(1, 2), fmpq(1, 4))  # delta k


@dataclass(frozen=True)
class Bound:
    """E x_L**2 >= growth**L (x_0**2 - loss |x_0|**power / (1 - decay/growth)) at every depth L."""

    ray: Ray
    saturation: Saturation
    delta: fmpq
    growth: Any  # m, at least 1
    power: fmpq  # p
    decay: arb  # rho, below m
    loss: arb  # C

    def at(self, size: int) -> arb:
        """A number below E x_L**2 for every L, where it is positive."""
        shrunk = self.loss / (1 - self.decay / enclose(self.growth))
        return arb(size) ** 2 - shrunk * arb(size) ** arb(self.power)


def bound(claim: Claim, layers: Layers, numbers: Mapping[str, object], ray: Ray) -> Bound | None:
    """The constants of the bound; None where the theorem does not apply."""
    flat = saturation(ray.top, ray.bottom)
    if flat is None or ray.degree < 1:
        return None
    used = {entry: ray.owners[entry] for entry in (*ray.weight, *ray.drawn)}
    by_symbol = laws(layers, set(used.values()), Evaluator(Context.of(claim), numbers))
    known = {entry: by_symbol[owner] for entry, owner in used.items()}
    level = fmpq(int(flat.level.p), int(flat.level.q))
    growth = mean_square(ray.weight, known) * (level * level)
    if isinstance(growth, arb) or sign(growth - ONE) < 0:
        return None
    for share in _SHARES:
        found = _with(ray, flat, known, growth, share / ray.degree)
        if found is not None:
            return found
    return None


def _with(ray: Ray, flat: Saturation, known: Mapping[str, Law], growth: Exact, delta: fmpq) -> Bound | None:
    power = 2 - delta * ray.degree
    moment = absolute_moment(ray.weight, known, power)
    inverse = absolute_moment(ray.drawn, known, -delta)
    if moment is None or inverse is None:
        return None
    level = arb(fmpq(int(flat.level.p), int(flat.level.q)))
    decay = moment * level ** arb(power)
    if not decay < enclose(growth):
        return None
    steepest = (arb(delta) / arb(1).exp()) ** arb(delta)  # the largest value of |t|**delta exp(-|t|)
    scale = abs(enclose(ray.exponent.coefficient)) ** arb(-delta)
    return Bound(ray, flat, delta, growth, power, decay, flat.constant * steepest * scale * inverse)


def explained(found: Bound, size: int) -> tuple[str, ...]:
    """The argument, for a person who wants to check it."""
    ray, p = found.ray, found.power
    weight = [_power(name, k) for name, k in ray.weight.items()]
    w = "*".join(weight if found.saturation.level == 1 else [str(found.saturation.level), *weight])
    s = ray.top.as_expr() / (ray.bottom.as_expr() * found.saturation.level)
    t = "*".join(_power(name, k) for name, k in ray.exponent.powers.items())
    c = ray.exponent.coefficient
    factor = "" if c == ONE else f"({c})*"
    least = int(found.at(size).lower().floor().unique_fmpz())
    return (
        f"one layer maps x V, V = {[list(row) for row in ray.direction]}, to x' V with x' = w s x: "
        f"w = {w}; s = {s}, y = exp(t), t = {factor}{t}, which is independent of w",
        f"s**2 <= 1 and 1 - s**2 <= K exp(-|t|) <= K (delta/e)**delta |t|**(-delta) for every t, with "
        f"K = {found.saturation.constant} and delta = {found.delta}",
        f"so E(x'**2 | x) >= {_times(found.growth)}(x**2 - C |x|**p) with p = {p} and C = "
        f"K (delta/e)**delta E|t/x**{ray.degree}|**(-delta) <= {_above(found.loss)}",
        f"and E(|x'|**p | x) <= rho |x|**p with rho = E|w|**p <= {_above(found.decay)}",
        f"summed over the layers, E x_L**2 >= x_0**2 - C |x_0|**p/(1 - rho{_over(found.growth)}) for every "
        f"depth L, which is at least {least} at x_0 = {size}",
    )


def _power(name: str, k: int) -> str:
    return name if k == 1 else f"{name}**{k}"


def _exact(value: Exact) -> str:
    return str(value) if isinstance(value, fmpq) else sum_text(value.terms)


def _times(growth: Exact) -> str:
    return "" if growth == ONE else f"({_exact(growth)})*"


def _over(growth: Exact) -> str:
    return "" if growth == ONE else f"/({_exact(growth)})"


def _above(value: arb) -> str:
    """A short decimal that is not below."""
    return f"{int((value.upper() * 1000).ceil().unique_fmpz()) / 1000:g}"
