"""The rules, by name. A rule is one function: it looks at what is concluded, at what the premises conclude
and at the data, and raises `Rejected` unless the conclusion follows. Its docstring is the inference rule."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from verifier.kernel.context import Context
from verifier.kernel.judgement import Judgement
from verifier.kernel.proof import Data

Family = Literal[
    "structure", "ring", "network", "calculus", "integrals", "order", "intervals", "growth",
    "limits", "points",
]  # fmt: skip
Check = Callable[[Context, Judgement, tuple[Judgement, ...], Data], None]


@dataclass(frozen=True)
class Rule:
    """`exact`: nothing in it is an enclosure by intervals. `told_by_data`: a step whose data say `exact` is
    exact too, and the rule rejects it if it is not."""

    name: str
    family: Family
    check: Check
    exact: bool = True
    told_by_data: bool = False

    def is_exact(self, data: Data) -> bool:
        return self.exact or (self.told_by_data and data.get("exact") is True)

    @property
    def text(self) -> str:
        """The inference rule."""
        return self.check.__doc__ or ""


def rules() -> Mapping[str, Rule]:
    """All rules there are."""
    from verifier.kernel.rules import (
        alignment,
        extremes,
        families,
        finiteness,
        growth,
        induction,
        inequalities,
        intervals,
        limits,
        network,
        order,
        orders,
        points,
        sequences,
        series,
        structure,
    )

    modules = (
        structure, network, order, inequalities, induction, extremes, intervals, orders, growth, limits,
        families, finiteness, alignment, points, sequences, series,
    )  # fmt: skip
    return {rule.name: rule for module in modules for rule in module.RULES}
