"""Small questions to syntax trees."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from verifier.expr import syntax as S

AVERAGES = ("E", "Var", "Cov", "P")


def names_in(tree: S.Syntax) -> Iterator[str]:
    """Every name of an expression, those of functions left out."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, S.Name):
            yield node.name
        todo += reversed(S.parts(node))


def indices_of(tree: S.Syntax) -> Iterator[str]:
    """The names that sums and products run over."""
    for part in nodes_of(tree):
        if isinstance(part, S.Call) and part.function in ("sum", "prod", "all"):
            yield from (item.name for item in part.args[1::3] if isinstance(item, S.Name))


def is_constant(tree: S.Syntax) -> bool:
    """A number that is written out: it is compared with every entry."""
    return all(name in ("pi", "oo") for name in names_in(tree)) and not any(
        isinstance(part, S.Call) and part.function in ("ones", "zeros", "eye") for part in nodes_of(tree)
    )


def nodes_of(tree: S.Syntax) -> Iterator[S.Syntax]:
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += S.parts(node)


def word(tree: S.Syntax) -> str | None:
    match tree:
        case S.Literal(_, text) | S.Name(_, text):
            return text
    return None


def average_in(tree: S.Syntax) -> S.Call | None:
    """The first expectation, variance or chance of an expression."""
    found = [part for part in nodes_of(tree) if isinstance(part, S.Call) and part.function in AVERAGES]
    return min(found, key=lambda part: part.span, default=None)


def reached(names: Iterable[str], lets: Mapping[str, S.Syntax]) -> set[str]:
    """These names, and those inside what they stand for."""
    return all_of(names, lambda name: names_in(lets[name]) if name in lets else ())


def all_of(names: Iterable[str], inside: Callable[[str], Iterable[str]]) -> set[str]:
    """These names, and all that lie inside of any of them."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += inside(name)
    return found
