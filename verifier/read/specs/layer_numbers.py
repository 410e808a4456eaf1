"""Indices over the depth inside of a layer: there they would be one fixed number in every layer.

`l: index(L)` stands for one layer, whichever it is. Inside of a layer an author means that layer's own number
by it, which has no name: the text would say something else than was meant. It is refused, wherever it comes
from: the next state, a `let` name, a law, or a value that an assumption gives to what a layer uses.
"""

from collections.abc import Iterator

from verifier.claim.problems import SpecError
from verifier.expr import nodes as N
from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.symbols import Declared
from verifier.expr.walk import Part, walk
from verifier.read.specs.raw import RawTheorem
from verifier.read.specs.yaml_document import Text

_HINT = (
    "the number of a layer has no name; for one fixed number declare {name} as a dimension and assume "
    "{name} <= {depth}"
)


def depth_indices(theorem: RawTheorem) -> frozenset[str]:
    """The symbols that are declared as indices over the depth."""
    if theorem.layers is None:
        return frozenset()
    depth, found = _depth(theorem), set()
    for name, text in theorem.symbols.items():
        try:
            tree = S.parse(text.value)
        except ExprError:
            continue  # told where the symbol is declared
        if isinstance(tree, S.Call) and tree.function == "index" and depth in {x.name for x in _names(tree)}:
            found.add(name)
    return frozenset(found)


def refuse_in_layer(theorem: RawTheorem, text: Text, part: Part | Declared) -> None:
    """Raise SpecError where what a layer is made of depends on an index over the depth."""
    parts = _laws(part) if isinstance(part, Declared) else [part]
    found = (name for inner in parts for name in _found(inner, depth_indices(theorem)))
    if (name := next(found, None)) is not None:
        raise _problem(theorem, text, name)


def refuse_given(theorem: RawTheorem, text: Text, following: N.Node, fact: N.Fact) -> None:
    """The same where an assumption gives a value to a name that the layer uses."""
    match fact:
        case N.Relation("==", N.Symbol() | N.Let() as target, value) if target in walk(following):
            if (name := next(_found(value, depth_indices(theorem)), None)) is not None:
                raise _problem(theorem, text, name)


def _depth(theorem: RawTheorem) -> str:
    """The name of the depth; where none is given it is L."""
    given = theorem.layers.depth if theorem.layers is not None else None
    return "L" if given is None else given.value


def _laws(declared: Declared) -> list[N.Node]:
    return [value for value in vars(declared.kind).values() if isinstance(value, N.Node)]


def _found(part: Part, indices: frozenset[str]) -> Iterator[str]:
    return (node.name for node in walk(part) if isinstance(node, N.Symbol) and node.name in indices)


def _problem(theorem: RawTheorem, text: Text, name: str) -> SpecError:
    """At the index itself, or at the `let` name through which it comes."""
    message = f"{name} is one fixed index here, and not the number of the layer"
    hint = _HINT.format(name=name, depth=_depth(theorem))
    spans = [found.span for found in _names(S.parse(text.value)) if found.name == name]
    return text.problem("layers", message, hint, spans[0] if spans else None)


def _names(tree: S.Syntax) -> Iterator[S.Name]:
    if isinstance(tree, S.Name):
        yield tree
    for part in S.parts(tree):
        yield from _names(part)
