"""The contractions of an expectation as data that a referee can follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.prove.networks.network_tensors import Frame, Monomial
from verifier.prove.networks.render import show_monomial
from verifier.prove.networks.ring import Coefficient
from verifier.prove.networks.tensor_laws import Ways


@dataclass(frozen=True)
class Outcome:
    """One class of pairings: how many fell into it, what it weighs, what remains."""

    ways: Ways
    weight: Coefficient
    remains: Monomial


@dataclass(frozen=True)
class Step:
    """One factor of `tensor`, in the component `inside`, joined to every other copy in `state`."""

    tensor: str
    state: Monomial
    inside: Monomial
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Derivation:
    """Every step once, although many pairings pass through it.

    pairings: per tensor, how many pairings (for cumulants: partitions) of its copies were merged.
    """

    frame: Frame
    steps: tuple[Step, ...] = ()
    pairings: tuple[tuple[str, int], ...] = ()

    def lines(self) -> Iterator[str]:
        for step in self.steps:
            yield f"E over {step.tensor}: {show_monomial(self.frame, step.state)}"
            yield f"  contract one {step.tensor} of {show_monomial(self.frame, step.inside)}:"
            for outcome in step.outcomes:
                weight = str(outcome.weight).replace("^", "**")
                remains = show_monomial(self.frame, outcome.remains)
                yield f"  {outcome.ways} -> ({weight}) * {remains}"
        for tensor, count in self.pairings:
            yield f"{count} pairing{'s' if count > 1 else ''} of {tensor} merged"

    def __str__(self) -> str:
        return "\n".join(self.lines())
