"""What order reaches in a tree: the parts to which an inequality may be applied, under functions that rise or
fall. What stands inside of a norm or of a derivative is left alone, however large it is."""

from collections.abc import Iterator

from verifier.expr import nodes as N
from verifier.expr.walk import children, rebuild
from verifier.kernel.rules.monotone import LINEAR

OPEN = (
    N.Add, N.Subtract, N.Negate, N.Multiply, N.Divide, N.Power, N.Apply, N.Indicator, N.Expectation, N.Sum,
    N.Product,
)  # fmt: skip


def parts(tree: N.Node) -> Iterator[N.Node]:
    """The tree first; what stands in it twice may come twice."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += children(node) if isinstance(node, OPEN) else ()


def replaced(tree: N.Node, old: N.Node, new: N.Node, equal: bool = False) -> N.Node:
    """The tree with one part in the place of another, wherever order reaches it, or wherever what is equal
    may stand for it; a number over a number is one."""
    if tree == old:
        return new
    if not (isinstance(tree, OPEN) or (equal and isinstance(tree, LINEAR))):
        return tree
    match rebuild(tree, lambda part: replaced(part, old, new, equal)):
        case N.Divide(N.Number(top), N.Number(below)) if below:
            return N.Number(top / below)
        case moved:
            return moved
