"""Values of a point as plain numbers and rows, for reports and for checking again."""

from collections.abc import Mapping

from torch import Tensor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.sample.draws.dependence import relevant
from verifier.sample.draws.draw_scope import World
from verifier.sample.draws.scene import Point


def number(value: float) -> int | float:
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def shown(value: Tensor) -> object:
    """A scalar as a number, a matrix as nested rows, a family as a list of these."""
    if value.dim() == 2 and value.numel() == 1:
        return number(value.item())
    if value.dim() > 1:
        return [shown(part) if part.dim() > 1 else [number(x) for x in part.tolist()] for part in value]
    return [number(x) for x in value.tolist()]


def values_of(
    claim: Claim, fact: N.Fact, point: Point, drawn: Mapping[str, Tensor] | None = None
) -> dict[str, object]:
    """Everything needed to evaluate the fact here by other means, and nothing else."""
    found: dict[str, object] = {name: size for name, size in point.sizes.items() if name in claim.symbols}
    found |= {name: shown(value) for name, value in point.values.items()}
    found |= {name: shown(value) for name, value in (drawn or {}).items()}
    needed = relevant(claim, fact, World.of(claim, point.sizes))
    return {name: value for name, value in found.items() if name in needed}


def place_of(claim: Claim, point: Point, law: str | None = None) -> dict[str, object]:
    """The same in brief: large matrices by the name of their structure."""
    found: dict[str, object] = {name: size for name, size in point.sizes.items() if name in claim.symbols}
    for name, value in point.values.items():
        if value.numel() == 1:
            found[name] = shown(value)
    if ": " in point.label:
        found["fixed"] = point.label.split(": ", 1)[1]
    return found if law is None else {**found, "law": law}
