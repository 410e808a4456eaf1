"""Calls whose value has a shape of its own kind: one function per name, one line in the table."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from verifier.expr import syntax as S
from verifier.expr.dims import ONE, Dim
from verifier.expr.errors import Span
from verifier.expr.nodes import BINARY, ROWWISE
from verifier.read.rules import Diagonal, Entrywise, Multiplied, Rule
from verifier.read.sizes import Place, Sizes, Unknown


@dataclass
class Uses:
    """What the formulas do with names, besides shaping them."""

    shapes: dict[str, Unknown] = field(default_factory=dict)
    roles: dict[str, dict[str, Place]] = field(default_factory=dict)
    first: dict[str, Place] = field(default_factory=dict)
    dimensions: set[str] = field(default_factory=set)
    integers: set[str] = field(default_factory=set)
    indices: dict[str, int] = field(default_factory=dict)


class Visitor(ABC):
    """What a call's rule needs of the visit."""

    sizes: Sizes
    rules: list[Rule]
    uses: Uses

    @abstractmethod
    def visit(self, tree: S.Syntax, role: str = "") -> Unknown: ...

    @abstractmethod
    def place(self, span: Span) -> Place: ...

    @abstractmethod
    def dimension(self, tree: S.Syntax) -> Dim: ...

    def scalar(self) -> Unknown:
        return self.sizes.shape(ONE, ONE)


def _binary_function(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    parts = tuple(at.visit(arg) for arg in tree.args)
    out = at.sizes.shape()
    at.rules.append(Entrywise(place, out, parts, parts))
    return out


def _row_wise(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    inner = at.visit(tree.args[0], f"it stands in {tree.function}") if tree.args else at.scalar()
    at.sizes.widen(*inner)
    return inner


def _diagonal(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    arg = at.visit(tree.args[0], "it stands in diag") if tree.args else at.scalar()
    out = at.sizes.shape()
    at.sizes.widen(arg.rows)
    at.rules.append(Diagonal(place, out, arg))
    return out


def _jacobian(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    shapes = [at.visit(arg) for arg in tree.args]
    out = at.sizes.shape()
    for size, shape in zip(out, shapes, strict=False):
        at.rules.append(Multiplied(place, size, shape.rows, shape.cols))
    return out


def _kron(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    shapes = [at.visit(arg, "it stands in kron") for arg in tree.args]
    out = at.sizes.shape()
    for shape in shapes:
        at.sizes.widen(*shape)
    for side, size in enumerate(out):
        at.rules.append(Multiplied(place, size, shapes[0][side], shapes[-1][side]))
    return out


def _vec(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    arg = at.visit(tree.args[0], "it stands in vec_r") if tree.args else at.scalar()
    at.sizes.widen(*arg)
    out = Unknown(at.sizes.new(), at.sizes.new(ONE))
    at.rules.append(Multiplied(place, out.rows, arg.rows, arg.cols))
    return out


def _covariance(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    shapes = [at.visit(arg) for arg in tree.args] or [at.scalar()]
    for shape in shapes:
        at.sizes.bind(shape.cols, ONE, place)
    return Unknown(shapes[0].rows, shapes[-1].rows)


def _after(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    """A state keeps its shape; which step it is, is a size."""
    if len(tree.args) == 2:
        at.dimension(tree.args[1])
    return at.visit(tree.args[0])


def _number(at: Visitor, tree: S.Call, place: Place) -> Unknown:
    for arg in tree.args:
        at.visit(arg)
    return at.scalar()


SHAPED: dict[str, Callable[[Visitor, S.Call, Place], Unknown]] = {
    **dict.fromkeys(BINARY, _binary_function),
    **dict.fromkeys(ROWWISE, _row_wise),
    "diag": _diagonal,
    "D": _jacobian,
    "kron": _kron,
    "vec_r": _vec,
    "Cov": _covariance,
    "after": _after,
    "order": _number,
    "independent": _number,
}
