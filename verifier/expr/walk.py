"""Walking and rebuilding trees without naming every node."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Literal, TypeVar

from verifier.expr.nodes import Condition, Fact, Index, Let, Member, Node, Range, Symbol

Part = Node | Fact | Range | Condition
T = TypeVar("T", bound=Part)
# Trees are walked all the time, and asking a class what it is and has is slower than a look into a table.
_FIELDS: dict[type, tuple[str, ...]] = {}
_HOLDS: dict[type, Literal["node", "part", "items", ""]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def _holds(kind: type) -> Literal["node", "part", "items", ""]:
    """What the value of a field is: a child, something with children of its own, several, or no tree."""
    if kind not in _HOLDS:
        is_part = issubclass(kind, Fact | Range | Condition)
        _HOLDS[kind] = (
            "node" if issubclass(kind, Node) else "part" if is_part else "items" if kind is tuple else ""
        )
    return _HOLDS[kind]


def _map(value: Any, change: Callable[[Node], Node]) -> Any:
    holds = _holds(type(value))
    if holds == "node":
        return change(value)
    if holds == "part":
        return rebuild(value, change)
    if holds == "items":
        items = tuple(_map(item, change) for item in value)
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    return value


def rebuild(part: T, change: Callable[[Node], Node]) -> T:
    """The same node with `change` applied to each direct child."""
    updates = {}
    for name in _fields(type(part)):
        old = getattr(part, name)
        new = _map(old, change)
        if new is not old:
            updates[name] = new
    return replace(part, **updates) if updates else part


def children(part: Part) -> list[Node]:
    """The direct children, in the order of the fields."""
    found: list[Node] = []
    for name in _fields(type(part)):
        _gather(getattr(part, name), found)
    return found


def _gather(value: Any, found: list[Node]) -> None:
    holds = _holds(type(value))
    if holds == "node":
        found.append(value)
    elif holds == "part":
        found += children(value)
    elif holds == "items":
        for item in value:
            _gather(item, found)


def distinct(part: Part) -> Iterator[Node]:
    """Every node below, each shared one visited once, in no promised order."""
    seen: set[int] = set()
    todo: list[Part] = [part]
    while todo:
        item = todo.pop()
        if id(item) not in seen:
            seen.add(id(item))
            if isinstance(item, Node):
                yield item
            todo += children(item)


def free_indices(part: Part) -> frozenset[str]:
    """The indices in it that no sum in it binds; the ends of a range are read outside of the sum."""
    if isinstance(part, Index):
        return frozenset({part.name})
    bound = (*getattr(part, "ranges", ()), *((part.range,) if hasattr(part, "range") else ()))
    if not bound:
        return frozenset[str]().union(*map(free_indices, children(part)))
    ends = [end for item in bound for end in (item.low, item.high)]
    inside = frozenset[str]().union(*(free_indices(child) for child in children(part) if child not in ends))
    return (inside - {item.index for item in bound}).union(*map(free_indices, ends))


def walk(part: Part) -> Iterator[Node]:
    """Every node below, `let` bodies included, parents first."""
    todo: list[Part] = [part]
    while todo:
        item = todo.pop()
        if isinstance(item, Node):
            yield item
        todo += reversed(children(item))


def symbols_in(part: Part) -> set[str]:
    """The names of the symbols that stand in it."""
    return {node.name for node in distinct(part) if isinstance(node, Symbol | Member)}


def expand_lets(part: T) -> T:
    """The tree with every `let` name replaced by what it stands for."""

    def change(node: Node) -> Node:
        return change(node.body) if isinstance(node, Let) else rebuild(node, change)

    if isinstance(part, Node):
        return change(part)  # type: ignore[return-value]
    return rebuild(part, change)


def same(left: Node, right: Node) -> bool:
    """Whether two trees say the same once every `let` name is written out."""
    return left == right or expand_lets(left) == expand_lets(right)


def substitute(part: T, values: Mapping[Node, Node]) -> T:
    """The tree with whole nodes replaced, outermost first.

    A bound index is not captured: an index that a sum inside binds again is left alone there.
    """

    def change(node: Node) -> Node:
        if node in values:
            return values[node]
        bound = {Index(item.index) for item in bound_ranges(node)}
        if bound & values.keys():
            inner = {key: value for key, value in values.items() if key not in bound}
            return substitute(node, inner) if inner else node
        return rebuild(node, change)

    if isinstance(part, Node):
        return change(part)  # type: ignore[return-value]
    return rebuild(part, change)


def bound_ranges(node: Node) -> tuple[Range, ...]:
    """The indices that a node binds, with their ranges."""
    ranges = getattr(node, "ranges", None) or getattr(node, "range", None)
    if ranges is None:
        return ()
    return (ranges,) if isinstance(ranges, Range) else tuple(ranges)
