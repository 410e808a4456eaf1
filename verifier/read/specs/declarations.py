"""Symbols of a theorem, with shapes compared modulo the equalities assumed between dimensions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from verifier.claim.problems import Gathered, SpecError
from verifier.expr import syntax as S
from verifier.expr.declare import Written, complete, outline, read
from verifier.expr.dims import Dim
from verifier.expr.elaborate import Elaborator
from verifier.expr.errors import ExprError
from verifier.expr.nodes import Number
from verifier.expr.scope import Scope
from verifier.expr.symbols import (
    Declared,
    Dimension,
    FixedMatrix,
    Function,
    IndexOf,
    Integer,
    Interval,
    Positive,
)
from verifier.read.specs.yaml_document import Text

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


@dataclass(frozen=True)
class Given:
    """A number that a claim gives to a symbol, and the place where it does."""

    key: Text
    value: Fraction


def declare(texts: Mapping[str, Text], given: Mapping[str, Given], outer: Scope) -> Scope:
    """Declare all symbols: sizes first, then shapes, then the expressions of their laws.

    Each of the three rounds tells of all its problems at once.
    """
    found = Gathered()
    written: dict[str, Written] = {}
    for name, text in texts.items():
        read_text = found.attempt(located, text, read)
        if read_text is not None:
            written[name] = read_text
    found.check()
    values = {name: item.value for name, item in given.items()}
    scope = replace(outer, values={**outer.values, **values})
    sizes = {name for name in written if written[name].kind in ("dimension", "integer")}
    order = sorted(written, key=lambda name: name not in sizes)
    for at, name in enumerate(order):
        if at == len(sizes):
            found.check()  # what is wrong with a size would be said again of every shape
        declared = found.attempt(placed, texts[name], partial(outline, name, written[name], scope))
        if declared is not None:
            found.attempt(check_value, declared, given.get(name))
            scope = replace(scope, symbols={**scope.symbols, name: declared})
    found.check()
    full = dict(scope.symbols)
    for name in written:
        declared = found.attempt(placed, texts[name], partial(complete, full[name], written[name], scope))
        if declared is not None:
            found.attempt(check_value, declared, given.get(name))
            full[name] = declared
    found.check()
    return replace(scope, symbols={name: full[name] for name in [*outer.symbols, *texts]})


def check_value(declared: Declared, given: Given | None) -> None:
    """A value outside what its symbol may be would make the claim true of nothing."""
    if given is None:
        return
    kind, value = declared.kind, given.value
    reason: str | None = None
    hint: str | None = None
    match kind:
        case _ if declared.is_random:
            reason = "is random, and not one fixed number"
        case Function():
            reason = "is a function, and not one fixed number"
        case _ if declared.copies or not declared.shape.is_scalar or isinstance(kind, FixedMatrix):
            reason = "is not one number"
            hint = f"to fix its entries, add an assumption, as `fixed: {declared.name} == ...`"
        case Dimension() | IndexOf() if value.denominator != 1 or value < 1:
            reason = f"is a whole number from 1 on, and this is {value}"
        case IndexOf(size) if size.constant is not None and value > size.constant:
            reason = f"is at most {size.constant}, and this is {value}"
        case Integer() if value.denominator != 1:
            reason = f"is an integer, and this is {value}"
        case Positive() if value <= 0:
            reason = f"is positive, and this is {value}"
        case Interval(Number(low), _) if value < low:
            reason = f"is at least {low}, and this is {value}"
        case Interval(_, Number(high)) if value > high:
            reason = f"is at most {high}, and this is {value}"
    if reason is not None:
        raise given.key.problem("value", f"{declared.name} {reason}", hint)


def equal_dimensions(assumptions: Iterable[Text], scope: Scope) -> Scope:
    """`d_k == d_v` and `m == 2*n` among the assumptions: sizes are compared modulo these."""
    dims: dict[str, Dim] = {}
    for text in assumptions:
        try:
            tree = located(text, lambda tree: tree)
        except SpecError:
            # Told where the assumption itself is read.
            continue
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
