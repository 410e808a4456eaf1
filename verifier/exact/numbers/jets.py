"""First-order jets: a value with its derivatives along the seeded entries (forward mode)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

from flint import fmpq

from verifier.exact.numbers.constants import is_zero


@final
@dataclass(frozen=True)
class Jet:
    """value + sum_k slopes[k] * eps_k.

    `level` tells nested derivatives apart: a jet of a lower level is a constant to a higher one,
    so D(x * D(x*y, y), x) does not mix its two infinitesimals.
    """

    level: int
    value: Any
    slopes: Mapping[int, Any]
    rank: ClassVar[int] = 4

    def chain(self, value: Any, slope: Any) -> Any:
        """f(u) with f'(u) = slope: slopes times f'(u)."""
        return _jet(self.level, value, {k: slope * s for k, s in self.slopes.items()})

    def __add__(self, other: Any) -> Any:
        mine, theirs, level = _levelled(self, other)
        slopes = dict(mine.slopes)
        for k, s in theirs.slopes.items():
            slopes[k] = slopes[k] + s if k in slopes else s
        return _jet(level, mine.value + theirs.value, slopes)

    def __neg__(self) -> "Jet":
        return Jet(self.level, -self.value, {k: -s for k, s in self.slopes.items()})

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        mine, theirs, level = _levelled(self, other)
        slopes = {k: s * theirs.value for k, s in mine.slopes.items()}
        for k, s in theirs.slopes.items():
            product = mine.value * s
            slopes[k] = slopes[k] + product if k in slopes else product
        return _jet(level, mine.value * theirs.value, slopes)

    __radd__ = __add__
    __rmul__ = __mul__


def _levelled(left: Jet, right: Any) -> tuple[Jet, Jet, int]:
    level = max(left.level, right.level) if isinstance(right, Jet) else left.level
    return _at(left, level), _at(right, level), level


def _at(value: Any, level: int) -> Jet:
    if isinstance(value, Jet) and value.level == level:
        return value
    return Jet(level, value, {})


def _jet(level: int, value: Any, slopes: dict[int, Any]) -> Any:
    kept = {k: s for k, s in slopes.items() if not is_zero(s)}
    return Jet(level, value, kept) if kept else value


def base_value(value: Any) -> Any:
    """The value with every infinitesimal dropped."""
    while isinstance(value, Jet):
        value = value.value
    return value


def slope(value: Any, level: int, number: int) -> Any:
    """The derivative along one seed of one level."""
    if isinstance(value, Jet) and value.level == level:
        return value.slopes.get(number, fmpq(0))
    return fmpq(0)


def map_values(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same jet with `change` applied to its value and slopes, at every level."""
    if not isinstance(value, Jet):
        return change(value)
    slopes = {k: map_values(s, change) for k, s in value.slopes.items()}
    return _jet(value.level, map_values(value.value, change), slopes)
