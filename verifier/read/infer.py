"""What the names of formulas are, where nobody says: shapes by unification, kinds by use.

    norm(A @ B) <= norm(A) * norm(B)      A: matrix(n, m), B: matrix(m, d)

The least special reading is taken: a matrix rather than a column, a real rather than a positive number. A
name of which the text says nothing is a real number. The same formulas give the same answer whatever their
names and their order are; the letters of the sizes are n, m, d, ... in the order in which names are met,
without those that are in use. What is inferred is said, with the reason, so that a misreading is seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from verifier.expr import syntax as S
from verifier.expr.declare import KINDS, Written, outline, read
from verifier.expr.dims import ONE, SCALAR, Dim
from verifier.expr.errors import ExprError
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, Dimension, Function, IndexOf
from verifier.read.equations import Equations
from verifier.read.sizes import Mismatch, Place
from verifier.read.solve import solve
from verifier.read.trees import names_in

Form = Literal["scalar", "vector", "row", "matrix"]
# Parameters of laws that are no law's if they are negative.
UNSAID = "nothing says what it is"
_POSITIVE = ("std", "var")


@dataclass(frozen=True)
class Inferred:
    """A name that nobody declared: what it is taken for, and why."""

    name: str
    says: str
    why: str


@dataclass(frozen=True)
class Inference:
    """What was inferred, sizes first; and the products of which nothing says which kind they are."""

    symbols: tuple[Inferred, ...]
    undecided: tuple[Place, ...] = ()
    forms: Mapping[int, Form] = field(default_factory=dict, repr=False, compare=False)
    extents: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)

    def form(self, tree: S.Syntax) -> Form:
        """The form of a node of the very trees that were given."""
        return self.forms[id(tree)]


class InferenceError(ExprError):
    """No shapes fit: the formula's number says where, with the span."""

    def __init__(self, error: ExprError, formula: int) -> None:
        super().__init__(error.code, error.message, error.span, error.hint)
        self.formula = formula


def infer(
    trees: Sequence[S.Syntax],
    declared: Mapping[str, str] | None = None,
    lets: Mapping[str, S.Syntax] | None = None,
) -> Inference:
    """What every undeclared name of these formulas is; raises InferenceError.

    A comparison of a computed number with something makes that a number too, unless nothing fits so:
    `norm(A) <= A` is a statement about every entry."""
    known, written = _declared(declared or {})
    try:
        return _inferred(trees, known, written, lets or {}, strict=True)
    except InferenceError:
        return _inferred(trees, known, written, lets or {}, strict=False)


def _inferred(
    trees: Sequence[S.Syntax],
    known: Mapping[str, Declared],
    written: Mapping[str, Written],
    lets: Mapping[str, S.Syntax],
    strict: bool,
) -> Inference:
    equations = Equations(known, lets, strict)
    at = 0
    try:
        for at, tree in enumerate(trees):
            equations.add(tree, at)
        positive = set(_parameters(equations, known, written))
        uses = equations.uses
        order = [size for shape in uses.shapes.values() for size in shape]
        taken = {*uses.shapes, *known, *KINDS, *(name for shape in known.values() for name in _dims(shape))}
        undecided = solve(equations.sizes, equations.rules, equations.ranged, order, taken)
    except Mismatch as error:
        raise _contradiction(error, trees, lets) from None
    except ExprError as error:
        raise InferenceError(error, at) from None
    forms = {key: _form(equations, shape) for key, shape in equations.shapes.items()}
    extents = {key: str(equations.sizes.of(size)) for key, size in equations.extents.items()}
    return Inference(tuple(_symbols(equations, known, positive)), undecided, forms, extents)


def _form(equations: Equations, shape: tuple[int, int]) -> Form:
    rows, cols = (equations.sizes.of(size) for size in shape)
    if cols == ONE:
        return "scalar" if rows == ONE else "vector"
    return "row" if rows == ONE else "matrix"


# --- what is declared --------------------------------------------------------------------------------


def _declared(texts: Mapping[str, str]) -> tuple[dict[str, Declared], dict[str, Written]]:
    """Shapes of what is declared; a size that it names and nobody declares is a dimension."""
    written = {name: read(S.parse(text)) for name, text in texts.items()}
    sizes = {name for item in written.values() for part in _pieces(item) for name in names_in(part)}
    scope = Scope(symbols={name: Declared(name, Dimension(), SCALAR) for name in sizes})
    return {name: outline(name, item, scope) for name, item in written.items()}, written


def _pieces(item: Written) -> Iterator[S.Syntax]:
    yield from item.args
    yield from item.options.values()


def _dims(item: Declared) -> Iterator[str]:
    """The names of the sizes of a symbol."""
    sizes = [item.shape.rows, item.shape.cols, item.copies]
    sizes += [item.kind.size] if isinstance(item.kind, IndexOf) else []
    for size in sizes:
        yield from sorted(size.names) if size is not None else ()


def _parameters(
    equations: Equations, known: Mapping[str, Declared], written: Mapping[str, Written]
) -> Iterator[str]:
    """Visit the declarations: the names of sizes are dimensions, those of parameters are numbers, of which
    deviations and variances are positive; a mean has the symbol's shape, a covariance is square."""
    for name, item in written.items():
        symbol = known[name]
        sizes = set(_dims(symbol))
        for size in sorted(sizes - known.keys()):
            equations.uses.dimensions.add(size)
            equations.name(size, equations.place(item.tree.span), "it is a size")
        for key, tree in [*enumerate(item.args), *item.options.items()]:
            if key == "copies" or key == "joint" or set(names_in(tree)) <= sizes | known.keys():
                continue
            shape, place = equations.visit(tree), equations.place(tree.span)
            rows, cols = symbol.shape.rows, symbol.shape.cols
            if key == "cov":
                equations.sizes.same(shape, equations.fixed(rows, rows), place)
            elif key == "mean":
                equations.sizes.same(shape, equations.fixed(rows, cols), place)
            else:
                equations.sizes.make_scalar(shape, place)
            if key in _POSITIVE and isinstance(tree, S.Name):
                yield tree.name


# --- what is said ------------------------------------------------------------------------------------


def _symbols(equations: Equations, known: Mapping[str, Declared], positive: set[str]) -> Iterator[Inferred]:
    uses, sizes = equations.uses, equations.sizes
    found: list[Inferred] = []
    named = {name: _sizes_of(equations, name) for name in uses.shapes if name not in equations.lets}
    invented = dict.fromkeys(name for pair in named.values() for size in pair for name in sorted(size.names))
    for name in uses.indices:
        invented |= dict.fromkeys(sorted((sizes.of(uses.indices[name]) or ONE).names))
    for name, (rows, cols) in named.items():
        if name in uses.dimensions:
            found.append(Inferred(name, "dimension", "it is a size"))
        elif name in uses.indices:
            size = sizes.of(uses.indices[name])
            found.append(Inferred(name, f"index({size})", "it stands in square brackets"))
        elif name in uses.integers:
            found.append(Inferred(name, "integer", "a range begins or ends there"))
        elif name in positive:
            found.append(Inferred(name, "positive", "it is a parameter of a law"))
        else:
            found.append(Inferred(name, _kind(rows, cols), _why(equations, name, rows, cols)))
    sizes_first = [item for item in found if item.says == "dimension"]
    yield from sizes_first
    for name in invented:
        if name not in named and name not in known:
            yield Inferred(name, "dimension", "the size of something that is inferred")
    yield from (item for item in found if item.says != "dimension")


def _sizes_of(equations: Equations, name: str) -> tuple[Dim, Dim]:
    shape = equations.uses.shapes[name]
    return equations.sizes.of(shape.rows) or ONE, equations.sizes.of(shape.cols) or ONE


def _kind(rows: Dim, cols: Dim) -> str:
    if rows == cols == ONE:
        return "real"
    return f"vector({rows})" if cols == ONE else f"matrix({rows}, {cols})"


def _why(equations: Equations, name: str, rows: Dim, cols: Dim) -> str:
    roles = equations.uses.roles.get(name, {})
    if rows == cols == ONE:
        return "its place asks for a number" if roles else UNSAID
    return next(iter(roles), "it has the shape of what it is added to or compared with")


def _contradiction(
    error: Mismatch, trees: Sequence[S.Syntax], lets: Mapping[str, S.Syntax]
) -> InferenceError:
    left, right = sorted((str(error.left), str(error.right)))
    message = f"no shapes fit: {left} and {right} would be the same size here"
    hint = "declare the symbols, or write .T, * (entry by entry) or @ (matrix product) as it is meant"
    return InferenceError(ExprError("shape", message, error.place.span, hint), error.place.formula)


def kinds_among(declared: Mapping[str, str]) -> dict[str, Literal["random", "function", "fixed"]]:
    """Which of the declared names are random, and which are functions."""
    known, _ = _declared(declared)
    found: dict[str, Literal["random", "function", "fixed"]] = {}
    for name, symbol in known.items():
        is_function = isinstance(symbol.kind, Function)
        found[name] = "random" if symbol.is_random else "function" if is_function else "fixed"
    return found


def shapes_among(declared: Mapping[str, str]) -> dict[str, str]:
    """The bare shape of each declared name: `vector(n)`, `matrix(n, m)`, `real`; a function has none."""
    known, _ = _declared(declared)
    return {
        name: _kind(symbol.shape.rows, symbol.shape.cols)
        for name, symbol in known.items()
        if symbol.copies is None and not isinstance(symbol.kind, Function)
    }
