"""Declared symbols as tensors of the frame, with the identities that their kinds promise."""

from verifier.expr.dims import Dim, Shape
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.prove.forms.labels import col, row
from verifier.prove.forms.matrix_forms import Form, Spaces
from verifier.prove.forms.workspace import Workspace
from verifier.prove.networks import Tensor


def sides(space: Workspace, name: str, rows: Dim, cols: Dim) -> tuple[Spaces, Spaces]:
    """The row axes and the column axes of a named matrix."""
    found = []
    for side, dim in (("row", rows), ("col", cols)):
        split = space.split.get((name, side))
        dims = (dim,) if split is None else split
        found.append(tuple(axis for part in dims for axis in space.spaces(part)))
    return found[0], found[1]


def matrix(space: Workspace, name: str, declared: Declared | None, shape: Shape) -> Form:
    """A symbol (or a `let` name that is held) at its rows and columns."""
    rows, cols = sides(space, name, shape.rows, shape.cols)
    space.declare(_tensor(name, declared, rows, cols))
    if declared is not None and _is_nonnegative(declared):
        space.nonnegative_tensors.add(name)
    labels = tuple(map(row, range(len(rows)))) + tuple(map(col, range(len(cols))))
    return Form(space.factor(name, labels), rows, cols)


def member(space: Workspace, declared: Declared, label: str) -> Form:
    """W[h]: the family's index is the first axis."""
    assert declared.copies is not None
    family = space.space(declared.copies)
    rows, cols = sides(space, declared.name, declared.shape.rows, declared.shape.cols)
    space.declare(Tensor(declared.name, (family, *rows, *cols)))
    labels = tuple(map(row, range(len(rows)))) + tuple(map(col, range(len(cols))))
    return Form(space.factor(declared.name, (label, *labels)), rows, cols)


def _is_nonnegative(declared: Declared) -> bool:
    kind = declared.kind
    return isinstance(kind, FixedMatrix) and kind.family in ("simplex", "stochastic")


def _tensor(name: str, declared: Declared | None, rows: Spaces, cols: Spaces) -> Tensor:
    spaces = rows + cols
    kind = declared.kind if declared is not None else None
    if not isinstance(kind, FixedMatrix) or len(rows) > 1 or len(cols) > 1:
        return Tensor(name, spaces)
    match kind.family:
        case "symmetric" | "psd" if len(spaces) == 2:
            return Tensor(name, spaces, symmetric=True)
        case "orthogonal" if len(spaces) == 2:
            return Tensor(name, spaces, isometry=(0, 1))
        case "stochastic" if cols:
            return Tensor(name, spaces, unit_sum=(len(spaces) - 1,))
        case "simplex" if rows:
            return Tensor(name, spaces, unit_sum=(0,))
    return Tensor(name, spaces)
