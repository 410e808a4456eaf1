r"""Functions that a paper defines by application: $f(x) = \log(1 + e^x)$.

The claim language has no such definitions, so a value f(e) is the right side with e in the place of x, and
f'(x) its derivative there. Wherever f stands otherwise, the formula is refused.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import rebuilt
from verifier.expr.tex.reader import POWER, PRODUCT, SCALAR_PRODUCT
from verifier.read.trees import average_in, names_in, nodes_of

MAX_NODES = 5_000
_PRIME = "_prime"
_OF_NUMBERS = {PRODUCT: "*", SCALAR_PRODUCT: "*", POWER: "**"}


@dataclass(frozen=True)
class Function:
    """The right side as it is read, in its parameters. `fixed`: these are letters of which more is said than
    their shape, and the definition is known there alone."""

    parameters: tuple[str, ...]
    body: S.Syntax
    fixed: bool
    line: int
    printed: str = ""
    shapes: Mapping[str, str] = field(
        default_factory=dict
    )  # of the letters of the right side, where it stands


def inlined(tree: S.Syntax, functions: Mapping[str, Function], fixed: Set[str] = frozenset()) -> S.Syntax:
    """The tree with the values of functions written out; raises ExprError where that cannot be done. `fixed`
    are the letters of which it is known that they are not random."""
    if not functions:
        return tree
    made = _inlined(tree, functions, fixed)
    for count, part in enumerate(nodes_of(made)):
        if isinstance(part, S.Name) and _base(part.name) in functions:
            hint = f"print its argument: {part.name}(x)"
            raise ExprError("latex", f"the function {part.name} without its argument", part.span, hint)
        if count > MAX_NODES:
            raise ExprError("latex", "the definitions are too long written out", tree.span)
    return made


def _inlined(tree: S.Syntax, functions: Mapping[str, Function], fixed: Set[str]) -> S.Syntax:
    inner = rebuilt(tree, lambda part: _inlined(part, functions, fixed))
    if not isinstance(inner, S.Call) or _base(inner.function) not in functions:
        return inner
    function = functions[_base(inner.function)]
    order = inner.function.count(_PRIME) - _base(inner.function).count(_PRIME)
    if len(inner.args) != len(function.parameters):
        raise ExprError("latex", "another number of arguments than it is defined with", inner.span)
    given = dict(zip(function.parameters, inner.args, strict=True))
    if function.fixed and any(_name(value) != name for name, value in given.items()):
        message = f"line {function.line} defines it for one value of {', '.join(given)} alone"
        raise ExprError("latex", message, inner.span, "say for which values it is defined")
    inside = {name for value in given.values() for name in names_in(value)}
    if average_in(function.body) is not None and not inside <= fixed:
        message = "a mean in the definition would be taken over its argument too"
        raise ExprError("latex", message, inner.span, "write the value out, with given=")
    body = _substituted(function.body, given)
    if not order:
        return body
    variable = inner.args[0]
    if len(inner.args) != 1 or _name(variable) is None:
        hint = "print it at a letter, or as a fraction with what is derived for"
        raise ExprError("latex", "a derivative at a place that is no letter", inner.span, hint)
    for _ in range(order):
        body = S.Call(inner.span, "D", inner.span, (body, variable), ())
    return body


def of_numbers(body: S.Syntax) -> S.Syntax:
    """With the products and powers of numbers, which are those of entries where it is applied to each
    entry."""
    inner = rebuilt(body, of_numbers)
    if isinstance(inner, S.Binary) and inner.op in _OF_NUMBERS:
        return replace(inner, op=_OF_NUMBERS[inner.op])
    return inner


def _substituted(body: S.Syntax, given: Mapping[str, S.Syntax]) -> S.Syntax:
    """With values for letters; an index of a sum must not catch a letter of a value."""
    if isinstance(body, S.Name):
        return given.get(body.name, body)
    if isinstance(body, S.Call) and body.function in ("sum", "prod"):
        taken = {name for value in given.values() for name in names_in(value)}
        for index in body.args[1::3]:
            if isinstance(index, S.Name) and index.name in taken | given.keys():
                message = f"the index {index.name} of a sum in the definition is a letter here too"
                raise ExprError("latex", message, body.span, "rename one of them")
    return rebuilt(body, lambda part: _substituted(part, given))


def _name(tree: S.Syntax) -> str | None:
    return tree.name if isinstance(tree, S.Name) else None


def _base(name: str) -> str:
    """f of f'."""
    while name.endswith(_PRIME):
        name = name.removesuffix(_PRIME)
    return name
