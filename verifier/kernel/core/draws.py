"""What a mean integrates."""

from verifier.expr import nodes as N
from verifier.expr.walk import children, substitute, walk
from verifier.kernel.context import Context
from verifier.kernel.core.states import reached
from verifier.kernel.rejected import Rejected


def draws(context: Context, node: N.Node) -> frozenset[str]:
    """The random symbols that a tree speaks of, save those that a mean inside has integrated."""
    found: set[str] = set()

    def visit(part: N.Node) -> None:
        match part:
            case N.Expectation(body, given):
                inner = draws(context, body)
                found.update(inner & known_draws(context, given))
            case N.Variance() | N.Covariance():
                pass
            case N.After():
                if context.layers is not None:
                    found.update(reached(context, context.layers))
                visit_all(part)
            case N.Let(name, _) if name in context.held:
                visit(context.held[name])
                visit_all(part)  # a derivative reaches what an assumed value hides
            case N.Symbol(name) | N.Member(name) if context.is_random(name):
                found.add(name)
                visit_all(part)
            case _:
                visit_all(part)

    def visit_all(part: N.Node) -> None:
        for child in children(part):
            visit(child)

    visit(node)
    return frozenset(found)


def known_draws(context: Context, given: tuple[N.Node, ...]) -> frozenset[str]:
    """What a conditional mean holds: the symbols that are given, and the draws of which others are made."""
    names = frozenset(node.name for node in given if isinstance(node, N.Symbol))
    return names.union(*(draws(context, node) for node in given))


def apart_from(context: Context, body: N.Node, given: tuple[N.Node, ...]) -> frozenset[str]:
    """Draws that are held although the body sees them not only through what is given: E(f | h(w)) is the mean
    of f at w if that does not depend on w."""
    others = [node for node in given if not isinstance(node, N.Symbol)]
    if any(isinstance(part, N.Let) and part.name in context.held for node in others for part in walk(node)):
        raise Rejected("outside", "a mean given what has an assumed value")
    names = frozenset(node.name for node in given if isinstance(node, N.Symbol))
    rest = draws(context, substitute(body, {node: N.Zeros(node.shape) for node in others}))
    return (rest & known_draws(context, tuple(others))) - names
