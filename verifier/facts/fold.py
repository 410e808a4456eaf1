"""One fold over the tree: a domain gives each kind of node a value, from the values of its parts.

    class Size(Domain[int]):
        @case(N.Number, N.Pi, ...)
        def _leaf(self, node: N.Node, at: At[int]) -> int:
            return 1

A domain that leaves out a kind of node cannot be defined: the class statement raises a TypeError, which
names the kinds. What a domain does not know of a node is a value of the domain, said in a case of its own.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from verifier.expr import nodes

V = TypeVar("V")
Method = TypeVar("Method", bound=Callable[..., Any])
At = Callable[[nodes.Node], V]

KINDS: frozenset[type[nodes.Node]] = frozenset(
    kind
    for kind in vars(nodes).values()
    if isinstance(kind, type) and issubclass(kind, nodes.Node) and getattr(kind, "__final__", False)
)


def case(*kinds: type[nodes.Node]) -> Callable[[Method], Method]:
    """The method gives the value of these kinds of nodes: of the node, and of what `at` says of its parts."""

    def mark(method: Method) -> Method:
        method.__dict__["kinds"] = kinds
        return method

    return mark


class Domain(Generic[V]):
    """What a fold computes: a case for each kind of node, and what is known of a node besides its form."""

    cases: ClassVar[dict[type[nodes.Node], Callable[..., Any]]]

    def __init_subclass__(cls) -> None:
        cls.cases = {}
        for kind, method in _cases(cls):
            if kind in cls.cases:
                raise TypeError(f"{cls.__name__} has two cases for {kind.__name__}")
            cls.cases[kind] = method
        missing = sorted(kind.__name__ for kind in KINDS - cls.cases.keys())
        if missing:
            raise TypeError(f"{cls.__name__} has no case for {', '.join(missing)}")

    def refined(self, node: nodes.Node, value: V) -> V:
        """The value, with what is known of this very node."""
        return value


def _cases(domain: type) -> Iterator[tuple[type[nodes.Node], Callable[..., Any]]]:
    for method in vars(domain).values():
        for kind in getattr(method, "kinds", ()):
            yield kind, method


def fold(tree: nodes.Node, domain: Domain[V]) -> V:
    """The value of the tree in the domain; a part that occurs several times as one object is asked once."""
    known: dict[int, tuple[nodes.Node, V]] = {}  # with the node itself, so that nobody else gets its id

    def at(node: nodes.Node) -> V:
        found = known.get(id(node))
        if found is None:
            value = domain.refined(node, domain.cases[type(node)](domain, node, at))
            found = known[id(node)] = node, value
        return found[1]

    return at(tree)
