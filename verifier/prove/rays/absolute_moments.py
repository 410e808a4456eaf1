"""Absolute moments of symmetric random entries: E|g|**e, at a point.

normal, std s      s**e 2**(e/2) Gamma((e + 1)/2) / sqrt(pi),     e > -1
uniform on [-h, h] h**e / (e + 1),                                e > -1
a fair sign        1
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from flint import arb, fmpq

from verifier.claim.model import Layers
from verifier.exact.numbers.constants import ONE, ZERO, Exact, enclose, integer_power, sign
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.values.point_environment import Environment
from verifier.expr.symbols import Declared, Normal, Rademacher, Uniform
from verifier.prove.forms.symmetric_laws import is_mirrored

Powers = Mapping[str, int]


@dataclass(frozen=True)
class Law:
    """One entry: `scale` times a standard normal, a uniform on [-1, 1] or a fair sign."""

    family: Literal["normal", "uniform", "sign"]
    scale: Exact

    def even(self, times: int) -> Value:
        """E g**(2 times), exactly."""
        factor = ONE
        if self.family == "normal":
            for odd in range(1, 2 * times, 2):
                factor = factor * odd
        elif self.family == "uniform":
            factor = fmpq(1, 2 * times + 1)
        return integer_power(self.scale, 2 * times) * factor

    def absolute(self, power: fmpq) -> arb:
        """E|g|**power; the power is above -1."""
        spread = enclose(self.scale) ** arb(power)
        match self.family:
            case "sign":
                return spread
            case "uniform":
                return spread / arb(power + 1)
            case "normal":
                half = arb(2) ** arb(power / 2)
                return spread * half * arb((power + 1) / 2).gamma() / arb.pi().sqrt()


def laws(layers: Layers, names: Iterable[str], env: Environment) -> dict[str, Law]:
    """The laws of these symbols of a layer, which their independent entries share."""
    known = {symbol.name: symbol for symbol in layers.symbols}
    return {name: _law(known[name], env) for name in names}


def _law(symbol: Declared, env: Environment) -> Law:
    if symbol.copies is None and is_mirrored(symbol.kind):
        match symbol.kind:
            case Rademacher():
                return Law("sign", ONE)
            case Normal(_, std, None, None) if std.shape.is_scalar:
                return Law("normal", _positive(env.scalar(std)))
            case Uniform(_, high) if high.shape.is_scalar:
                return Law("uniform", _positive(env.scalar(high)))
    raise Unsupported("independent entries of a symmetric law with known moments")


def _positive(value: Value) -> Exact:
    if isinstance(value, arb) or sign(value) <= 0:
        raise Unsupported("a law without a spread that is known exactly")
    exact: Exact = value
    return exact


def mean(powers: Powers, known: Mapping[str, Law]) -> Value:
    """E prod g**a over independent entries g, exactly; odd powers have mean 0."""
    product: Value = ONE
    for entry, times in powers.items():
        product = product * (ZERO if times % 2 else known[entry].even(times // 2))
    return product


def absolute_moment(powers: Powers, known: Mapping[str, Law], power: fmpq) -> arb | None:
    """E|prod g**a|**power over independent entries g; None where it is infinite."""
    product = arb(1)
    for entry, times in powers.items():
        if known[entry].family != "sign" and power * times <= -1:
            return None
        product *= known[entry].absolute(power * times)
    return product
