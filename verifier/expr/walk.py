"""Walking and rebuilding trees without naming every node."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from verifier.expr.nodes import Condition, Fact, Index, Let, Node, Range

Part = Node | Fact | Range | Condition
T = TypeVar("T", bound=Part)
# Trees are walked all the time, and asking a class for its fields is slower than a look into a table.
_FIELDS: dict[type, tuple[str, ...]] = {}


def _map(value: Any, change: Callable[[Node], Node]) -> Any:
    if isinstance(value, Node):
        return change(value)
    if isinstance(value, Fact | Range | Condition):
        return rebuild(value, change)
    if isinstance(value, tuple):
        items = tuple(_map(item, change) for item in value)
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items
    return value


def rebuild(part: T, change: Callable[[Node], Node]) -> T:
    """The same node with `change` applied to each direct child."""
    updates = {}
    for field in fields(part):
        old = getattr(part, field.name)
        new = _map(old, change)
        if new is not old:
            updates[field.name] = new
    return replace(part, **updates) if updates else part


def children(part: Part) -> Iterator[Node]:
    """The direct children, in the order of the fields."""
    kind = type(part)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    for name in _FIELDS[kind]:
        value = getattr(part, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple | Fact | Range | Condition):
            yield from _inside(value)


def _inside(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, Fact | Range | Condition):
        yield from children(value)
    elif isinstance(value, tuple):
        for item in value:
            yield from _inside(item)


def distinct(part: Part) -> Iterator[Node]:
    """Every node below, each shared one visited once, in no promised order."""
    seen: set[int] = set()
    todo = [part]
    while todo:
        item = todo.pop()
        if id(item) not in seen:
            seen.add(id(item))
            if isinstance(item, Node):
                yield item
            todo += children(item)


def walk(part: Part) -> Iterator[Node]:
    """Every node below, `let` bodies included, parents first."""
    if isinstance(part, Node):
        yield part
    for child in children(part):
        yield from walk(child)


def expand_lets(part: T) -> T:
    """The tree with every `let` name replaced by what it stands for."""

    def change(node: Node) -> Node:
        return change(node.body) if isinstance(node, Let) else rebuild(node, change)

    if isinstance(part, Node):
        return change(part)  # type: ignore[return-value]
    return rebuild(part, change)


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
