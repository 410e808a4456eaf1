"""Symbols of a theorem, with shapes compared modulo the equalities assumed between dimensions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from verifier.claim.document import Text
from verifier.expr import syntax as S
from verifier.expr.declare import Written, complete, outline, read
from verifier.expr.dims import Dim
from verifier.expr.elaborate import Elaborator
from verifier.expr.errors import ExprError
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, Dimension, FixedMatrix

T = TypeVar("T")


def located(text: Text, run: Callable[[S.Syntax], T]) -> T:
    """Parse a text and work on it; errors carry the place in the file."""
    return placed(text, lambda: run(S.parse(text.value)))


def placed(text: Text, run: Callable[[], T]) -> T:
    """Work on a text; errors carry the place in the file."""
    try:
        return run()
    except ExprError as error:
        raise text.problem(error.code, error.message, error.hint, error.span) from None


def declare(texts: Mapping[str, Text], values: Mapping[str, Fraction], outer: Scope) -> Scope:
    """Declare all symbols: sizes first, then shapes, then the expressions of their laws."""
    written: dict[str, Written] = {name: located(text, read) for name, text in texts.items()}
    scope = replace(outer, values={**outer.values, **values})
    order = sorted(written, key=lambda name: written[name].kind not in ("dimension", "integer"))
    for name in order:
        declared = placed(texts[name], partial(outline, name, written[name], scope))
        _check_value(texts[name], declared, values.get(name))
        scope = replace(scope, symbols={**scope.symbols, name: declared})
    full = dict(scope.symbols)
    for name in written:
        full[name] = placed(texts[name], partial(complete, full[name], written[name], scope))
    return replace(scope, symbols={name: full[name] for name in [*outer.symbols, *texts]})


def _check_value(text: Text, declared: Declared, value: Fraction | None) -> None:
    if value is None:
        return
    if not declared.shape.is_scalar or declared.is_random or isinstance(declared.kind, FixedMatrix):
        raise text.problem("where", f"{declared.name} is not a scalar to be fixed by a number")
    if isinstance(declared.kind, Dimension) and (value.denominator != 1 or value < 1):
        raise text.problem("where", f"{declared.name} is a dimension; {value} is not a positive integer")


def equal_dimensions(assumptions: Iterable[Text], scope: Scope) -> Scope:
    """`d_k == d_v` and `m == 2*n` among the assumptions: sizes are compared modulo these."""
    dims: dict[str, Dim] = {}
    for text in assumptions:
        tree = located(text, lambda tree: tree)
        if not isinstance(tree, S.Compare) or tree.op != "==":
            continue
        current = replace(scope, dims=dims)
        for left, right in ((tree.left, tree.right), (tree.right, tree.left)):
            size = _size(right, current)
            if not isinstance(left, S.Name) or size is None or left.name in scope.values:
                continue
            here = current.dimension(left.name)
            if here == Dim.of(left.name) and left.name not in size.names:
                dims = {key: value.replace({left.name: size}) for key, value in dims.items()}
                dims[left.name] = size
                break
    return replace(scope, dims=dims)


def _size(tree: S.Syntax, scope: Scope) -> Dim | None:
    try:
        return Elaborator(scope).dimension(tree)
    except ExprError:
        return None
