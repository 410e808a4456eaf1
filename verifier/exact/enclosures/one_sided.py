"""What a function does on approach to an exact point or to infinity, from one side."""

from dataclasses import dataclass
from typing import Any, final

from flint import fmpq

from verifier.exact.enclosures.growth_scales import Tail
from verifier.exact.enclosures.tail_expansions import ORDERS, Tails
from verifier.exact.enclosures.term_calculus import fold
from verifier.exact.numbers.constants import Exact
from verifier.exact.numbers.scalar_terms import Term


@final
@dataclass(frozen=True)
class Germ:
    """x -> point + 0 (side 1), point - 0 (side -1); x -> +-oo where the point is None."""

    point: Exact | None
    side: int

    def tail(self, term: Any, name: str, start: fmpq, order: int = ORDERS[0]) -> Tail:
        """The term for t >= start, where x = point + side/t, or side*t at infinity."""
        algebra = Tails(start, order)
        if not isinstance(term, Term):
            return algebra.constant(term)
        return fold(term, {name: algebra.variable(self.point, self.side)}, algebra)

    def edge(self, start: fmpq) -> Any:
        """The x at t = start."""
        return self.side * start if self.point is None else self.point + self.side / start

    @property
    def text(self) -> str:
        if self.point is None:
            return "oo" if self.side > 0 else "-oo"
        return f"{self.point}{'+' if self.side > 0 else '-'}"
