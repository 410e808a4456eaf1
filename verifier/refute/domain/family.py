"""A class of values, reached from free numbers: any numbers in, a member of the class out.

`value` is the differentiable map that the ascent follows. `design` gives numbers that may be
rounded, and `exact` rebuilds a member from rounded ones without floating point, so that a
constraint holds exactly and not merely nearly.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from torch import Tensor

Rows = tuple[tuple[Fraction, ...], ...]
Exact = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Family(ABC):
    """One class of matrices; a scalar is 1-by-1."""

    @abstractmethod
    def value(self, raw: Tensor) -> Tensor: ...

    def design(self, raw: Tensor) -> Tensor:
        """The numbers to round; here the value itself."""
        return self.value(raw)

    def exact(self, design: Rows) -> Exact | None:
        """The member built from exact numbers; None where they build none."""
        return design
