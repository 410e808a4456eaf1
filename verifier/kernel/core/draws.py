"""What a mean integrates."""

from verifier.expr import nodes as N
from verifier.expr.walk import children
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
                found.update(inner & given_names(given))
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


def given_names(given: tuple[N.Node, ...]) -> frozenset[str]:
    if not all(isinstance(node, N.Symbol) for node in given):
        raise Rejected("outside", "a mean given something else than a symbol")
    return frozenset(node.name for node in given if isinstance(node, N.Symbol))
