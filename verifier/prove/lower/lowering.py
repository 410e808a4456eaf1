"""What every part of the lowering shares: the workspace, the indices in scope, what is held."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any

from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.expr.walk import children
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.lower.expectation_of_laws import Integrator
from verifier.prove.networks import Sum
from verifier.prove.networks.ring import to_fraction

Bound = tuple[str, str]  # label, space


@dataclass(eq=False)
class Reader(ABC):
    """One reading of a claim's trees.

    inside: within a derivative, names whose value enters only afterwards (the `let` that is varied,
    those with an assumed value, and symbols that an assumption substitutes) stay as they are.
    averaged: within an expectation over every random symbol, where events of probability zero do not count.
    varied, symbols: the `let` names and the symbols that derivatives around are taken by.
    largest: the largest singular value of a form, given what is known of signs.
    """

    space: Workspace
    integrator: Integrator
    clock: Clock
    indices: Mapping[str, Bound] = field(default_factory=dict)
    inside: bool = False
    averaged: bool = False
    varied: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()
    cache: dict[object, Form] = field(default_factory=dict)
    fresh: "count[int]" = field(default_factory=count)
    largest: Callable[[Any, Form], Sum] | None = None

    @abstractmethod
    def value(self, node: N.Node) -> Form:
        """The tree as a form."""

    def filled(self, form: Form, shape: Shape) -> Form:
        """A scalar value for a whole matrix."""
        if form.is_scalar and not shape.is_scalar:
            return Form(form.value, self.space.spaces(shape.rows), self.space.spaces(shape.cols))
        return form

    def substitution(self, name: str) -> N.Node | None:
        """What an assumption puts in place of a symbol."""
        for assumption in self.space.claim.assumptions:
            found = assumption.substitution
            if found is not None and found[0].name == name:
                return found[1]
        return None

    def assumed(self, name: str) -> N.Node | None:
        """The value that an assumption gives to a `let` name."""
        for assumption in self.space.claim.assumptions:
            found = assumption.assumed_value
            if found is not None and found[0].name == name:
                return found[1]
        return None


def rational(value: Sum) -> Fraction | None:
    """The rational number that a sum is."""
    if not value:
        return Fraction(0)
    if is_constant(value) and constant(value).is_constant():
        return to_fraction(constant(value).leading_coefficient())
    return None


def walked(node: N.Node) -> list[N.Node]:
    """Every node below, each shared `let` visited once."""
    found: list[N.Node] = []
    seen: set[int] = set()
    todo = [node]
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        found.append(item)
        todo += children(item)
    return found
