"""Sizes with values, in shapes as in text: the same statement about smaller matrices."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, TypeVar

from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.errors import ShapeError
from verifier.expr.nodes import Apply, Condition, Divide, Fact, Node, Number, Range, RowWise, Symbol
from verifier.expr.symbols import Declared, Kind
from verifier.expr.walk import rebuild
from verifier.kernel.context import Context, Layers
from verifier.kernel.core.written import written_out
from verifier.kernel.rejected import Rejected

T = TypeVar("T")


def sized_context(context: Context, sizes: Mapping[str, Dim]) -> Context:
    sized = Sized(sizes)
    layers = context.layers
    return replace(
        context,
        symbols={name: sized.of(item) for name, item in context.symbols.items()},
        assumptions=tuple(rebuild(sized.of(fact), written_out) for fact in context.assumptions),
        dims={name: sized.of(dim) for name, dim in context.dims.items()},
        layers=None
        if layers is None
        else Layers(
            sized.of(layers.state),
            layers.depth,
            {name: sized.of(item) for name, item in layers.symbols.items()},
            written_out(sized.of(layers.next)),
        ),
    )


@dataclass(frozen=True)
class Sized:
    """Puts sizes in the places of their names, in trees, facts and declarations. What is shared stays so."""

    sizes: Mapping[str, Dim]
    _known: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def of(self, part: T) -> T:
        try:
            return self._of(part)  # type: ignore[no-any-return]
        except ShapeError as error:
            raise Rejected("outside", str(error)) from error

    def _of(self, part: Any) -> Any:
        match part:
            case Dim():
                return part.replace(dict(self.sizes))
            case Shape(rows, cols):
                return Shape(self._of(rows), self._of(cols))
            case tuple():
                return tuple(map(self._of, part))
            case Symbol(name) if name in self.sizes and (number := self.sizes[name].constant) is not None:
                return Number(Fraction(number))
            case RowWise("softmax", arg) if (inside := self._of(arg)).shape.cols == ONE:
                return Divide(Apply("exp", (inside,)), Apply("exp", (inside,)))  # each row is one number
            case Node() | Fact() | Range() | Condition() | Kind() | Declared():
                if id(part) not in self._known:
                    values = {item.name: getattr(part, item.name) for item in fields(part)}
                    self._known[id(part)] = part, replace(part, **{k: self._of(v) for k, v in values.items()})
                return self._known[id(part)][1]
        return part
