"""What every rule does around its own: name the summed indices of a term, keep the factors that are held."""

from collections.abc import Callable
from typing import Protocol

from verifier.expr import nodes as N
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Sum
from verifier.prove.networks.network_sums import arrange, axes, collect
from verifier.prove.networks.network_tensors import Occurrence

Named = tuple[str, tuple[str, ...]]


class Integrator(Protocol):
    """E over tensors that stand in no function, what the tensors of their laws stand for, trees as forms."""

    space: Workspace
    values: dict[str, Sum]
    lower: Callable[[N.Node], Form] | None

    def integrated(self, value: Sum, random: set[str]) -> Sum: ...


def named(space: Workspace, factors: list[Occurrence]) -> tuple[list[Named], dict[str, str]]:
    """The factors with a name for every index, and the spaces of those that are summed."""
    spaces = {
        _name(x): s
        for name, labels in factors
        for x, s in zip(labels, axes(space.frame, name, len(labels)), strict=True)
        if isinstance(x, int)
    }
    return [(name, tuple(_name(x) for x in labels)) for name, labels in factors], spaces


def _name(label: int | str) -> str:
    return f"_n{label}" if isinstance(label, int) else label


def held(space: Workspace, factors: list[Named]) -> Sum:
    """The product of factors at named indices."""
    listed: list[Occurrence] = [(name, labels) for name, labels in factors]
    arranged = arrange(space.frame, listed, (), {})
    return space.scalar(0) if arranged is None else collect(space.frame, [arranged])
