r"""Marks settled once shapes are known, and a tree of the claim language as its text."""

from collections.abc import Callable, Set
from dataclasses import replace
from typing import Literal

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.nodes import ROWWISE
from verifier.expr.tex.calculus import GRADIENT
from verifier.expr.tex.forms import EXPECTATION_OVER, PLAIN_NORM
from verifier.expr.tex.open import APPLIED
from verifier.expr.tex.reader import POWER, PRODUCT, SCALAR_PRODUCT
from verifier.expr.tex.sums import EXTENT

Kind = Literal["scalar", "vector", "row", "matrix"]
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "@": 2, "**": 4}


def rebuilt(tree: S.Syntax, change: Callable[[S.Syntax], S.Syntax]) -> S.Syntax:
    """The tree with its parts changed."""
    match tree:
        case S.Literal() | S.Name():
            return tree
        case S.Unary() | S.Transposed():
            return replace(tree, arg=change(tree.arg))
        case S.Binary() | S.Compare():
            return replace(tree, left=change(tree.left), right=change(tree.right))
        case S.Keyword():
            return replace(tree, value=change(tree.value))
        case S.Call():
            keywords = tuple(replace(item, value=change(item.value)) for item in tree.keywords)
            return replace(tree, args=tuple(map(change, tree.args)), keywords=keywords)
        case S.Subscript():
            return replace(tree, arg=change(tree.arg), indices=tuple(map(change, tree.indices)))
        case S.Listing():
            return replace(tree, items=tuple(map(change, tree.items)))
    raise AssertionError(f"not a syntax node: {tree!r}")


def applied(tree: S.Syntax, functions: Set[str]) -> S.Syntax:
    """f(x) is a value where f is a function, and else a product; a power goes with what it stands at."""
    match tree:
        case S.Binary(span, "^", S.Call(function="applied", args=(factor, arg)), exponent) if (
            not _is_function(factor, functions)
        ):
            power = S.Binary(span, POWER, applied(arg, functions), applied(exponent, functions))
            return S.Binary(span, PRODUCT, applied(factor, functions), power)
        case S.Transposed(span, S.Call(function="applied", args=(factor, arg))) if not _is_function(
            factor, functions
        ):
            transposed = S.Transposed(span, applied(arg, functions))
            return S.Binary(span, PRODUCT, applied(factor, functions), transposed)
        case S.Call(span, "applied", place, (S.Name(name=name), arg), keywords) if name in functions:
            return S.Call(span, name, place, (applied(arg, functions),), keywords)
        case S.Call(span, "applied", _, (left, right), _):
            return S.Binary(span, PRODUCT, applied(left, functions), applied(right, functions))
    return rebuilt(tree, lambda part: applied(part, functions))


def _is_function(tree: S.Syntax, functions: Set[str]) -> bool:
    return isinstance(tree, S.Name) and tree.name in functions


def plain(tree: S.Syntax, kind: Callable[[S.Syntax], Kind]) -> S.Syntax:
    """The tree in the claim language's own operations; raises ExprError where print is ambiguous.

    `kind` gives the shape of any part of the tree, marks and all."""
    inner = rebuilt(tree, lambda part: plain(part, kind)) if not isinstance(tree, S.Call) else tree
    match inner:
        case S.Binary(span, op, left, right) if op in (PRODUCT, SCALAR_PRODUCT):
            assert isinstance(tree, S.Binary)
            scalar = "scalar" in (kind(tree.left), kind(tree.right))
            if op == SCALAR_PRODUCT and not scalar:
                raise ExprError("latex", r"\times between matrices is ambiguous", span, "leave it out")
            return S.Binary(span, "*" if scalar else "@", left, right)
        case S.Binary(span, op, left, right) if op == POWER:
            assert isinstance(tree, S.Binary)
            return _power(inner, kind(tree.left))
        case S.Call():
            return _call(inner, kind)
    return inner


def _power(tree: S.Binary, base: Kind) -> S.Syntax:
    if base == "scalar":
        return S.Binary(tree.span, "**", tree.left, tree.right)
    if base != "matrix":
        hint = r"an entrywise power is printed x^{\odot 2}"
        raise ExprError("latex", "a power of a vector", tree.span, hint)
    if isinstance(tree.right, S.Literal) and tree.right.text.isdigit() and int(tree.right.text) >= 1:
        return S.Call(tree.span, "matpow", tree.span, (tree.left, tree.right), ())
    raise ExprError("latex", "this power of a matrix is not in the claim language", tree.span)


def _call(tree: S.Call, kind: Callable[[S.Syntax], Kind]) -> S.Syntax:
    inner = tree.args[0] if tree.args else None
    if tree.function in ("‖", "norm") and isinstance(inner, S.Call) and inner.function == GRADIENT:
        parts = tuple(plain(arg, kind) for arg in inner.args)
        derived = replace(inner, function="D", args=parts)
        return replace(tree, function="norm", args=(derived, *tree.args[1:]))
    call = rebuilt(tree, lambda part: plain(part, kind))
    assert isinstance(call, S.Call)
    match tree.function:
        case "‖":
            shape = kind(tree.args[0])
            if shape == "matrix":
                hint = r"print \|...\|_F or \|...\|_2; of a vector, say that it is one"
                raise ExprError(
                    "latex", "plain bars around a matrix: Frobenius or spectral?", tree.span, hint
                )
            return replace(call, function="abs" if shape == "scalar" else "norm")
        case "|":
            if kind(tree.args[0]) != "scalar":
                raise ExprError("latex", "|...| of a matrix is ambiguous", tree.span)
            return replace(call, function="abs")
        case "∇":
            derived = replace(call, function="D")
            match kind(tree.args[1]):
                case "scalar":
                    return derived
                case "vector":
                    return S.Transposed(tree.span, derived)
            hint = "the language has the norm of a derivative, and its entries"
            raise ExprError("latex", "a gradient in the shape of a matrix", tree.span, hint)
        case name if name in ROWWISE and kind(tree.args[0]) == "vector":  # that of the entries
            row = S.Transposed(tree.span, call.args[0])
            return S.Transposed(tree.span, replace(call, args=(row, *call.args[1:])))
        case "E over":
            message = "over what an expectation runs is settled before this"
            raise ExprError("latex", message, tree.span, r"print \mathbb{E} without its index")
        case "applied" | "extent":
            raise ExprError("latex", f"the mark {tree.function} is not settled", tree.span)
    return call


MARKS = frozenset({PLAIN_NORM, "|", GRADIENT, EXPECTATION_OVER, APPLIED, EXTENT})


def to_source(tree: S.Syntax, above: int = 0) -> str:
    """A tree without marks as the claim language writes it."""
    match tree:
        case S.Literal(_, text):
            return text
        case S.Name(_, name):
            return name
        case S.Unary(_, op, arg):
            text = f"{op}{to_source(arg, 3)}"
            return f"({text})" if above > 1 else text
        case S.Binary(_, op, left, right):
            own = _PRECEDENCE[op]
            first = to_source(left, own + (op == "**"))
            second = to_source(right, own + (op != "**"))
            text = f"{first}{op}{second}" if op == "**" else f"{first} {op} {second}"
            return f"({text})" if own < above else text
        case S.Transposed(_, arg):
            return f"{to_source(arg, 5)}.T"
        case S.Subscript(_, arg, indices):
            return f"{to_source(arg, 5)}[{', '.join(map(to_source, indices))}]"
        case S.Keyword(_, name, value):
            return f"{name}={to_source(value)}"
        case S.Call(_, function, _, args, keywords):
            if function in MARKS:
                raise ValueError(f"the mark {function} is not settled")
            return f"{function}({', '.join(map(to_source, (*args, *keywords)))})"
        case S.Listing(_, items):
            return f"[{', '.join(map(to_source, items))}]"
        case S.Compare(_, op, left, right):
            return f"{to_source(left)} {op} {to_source(right)}"
    raise AssertionError(f"not a syntax node: {tree!r}")
