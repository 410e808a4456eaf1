"""Which symbols an expression depends on."""

from collections.abc import Iterator

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import children as children
from verifier.sample.draws.draw_scope import LAYER as LAYER
from verifier.sample.draws.draw_scope import World


def names(part: N.Node | N.Fact, world: World, held: frozenset[str] = frozenset()) -> frozenset[str]:
    """Every symbol reached, through `let` bodies, assumed values, substitutions and layers.

    A layer's own symbols carry a prefix, for each layer draws them afresh. `held` names `let`s whose
    values are given: what lies below them does not count.
    """
    key = (id(part), held)
    if key not in world.reached:
        world.reached[key] = part, _names(part, world, held)
    return world.reached[key][1]


def _names(part: N.Node | N.Fact, world: World, held: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    lets: set[str] = set(held)

    def visit(node: N.Node | N.Fact, inside_layer: bool) -> None:
        match node:
            case N.Symbol(name) | N.Member(name):
                own = inside_layer and world.layers is not None and name in layer_names(world)
                label = LAYER + name if own else name
                if label in found:
                    return
                found.add(label)
                if name in world.substituted and not own:
                    visit(world.substituted[name], False)
            case N.Let(name):
                if name in lets:
                    return
                lets.add(name)
                if name in world.assumed:
                    visit(world.assumed[name], inside_layer)
            case N.After():
                assert world.layers is not None
                if "after" not in lets:
                    lets.add("after")
                    visit(world.layers.next, True)
        for child in children(node):
            visit(child, inside_layer)

    visit(part, False)
    return frozenset(found)


def relevant(claim: Claim, fact: N.Fact, world: World) -> frozenset[str]:
    """The symbols without whose values the fact has none: those reached, what their laws, shapes and
    assumptions speak of, and so on."""
    inner = {LAYER + symbol.name: symbol for symbol in claim.layers.symbols} if claim.layers else {}
    declared = {**claim.symbols, **inner}
    found: set[str] = set()
    fresh = set(names(fact, world))
    while fresh:
        found |= fresh
        parts: list[N.Node | N.Fact] = [a.fact for a in claim.assumptions if names(a.fact, world) & found]
        reached: set[str] = set()
        for symbol in (declared[name] for name in fresh if name in declared):
            parts += [value for value in vars(symbol.kind).values() if isinstance(value, N.Node)]
            reached |= symbol.shape.rows.names | symbol.shape.cols.names
            reached |= symbol.copies.names if symbol.copies is not None else frozenset()
        fresh = reached.union(*(names(part, world) for part in parts)) - found
    return frozenset(found)


def layer_names(world: World) -> frozenset[str]:
    return frozenset(symbol.name for symbol in world.layers.symbols) if world.layers else frozenset()


def random_names(part: N.Node | N.Fact, world: World, held: frozenset[str] = frozenset()) -> frozenset[str]:
    """The random symbols among them; a substituted symbol is as random as what replaces it."""

    def random(label: str) -> bool:
        if label.startswith(LAYER):
            return True
        symbol = world.symbols.get(label)
        return symbol is not None and symbol.is_random and label not in world.substituted

    return frozenset(label for label in names(part, world, held) if random(label))


def nodes(part: N.Node | N.Fact) -> Iterator[N.Node]:
    """Every node below, each `let` body once."""
    seen: set[str] = set()

    def visit(node: N.Node | N.Fact) -> Iterator[N.Node]:
        if isinstance(node, N.Let):
            if node.name in seen:
                return
            seen.add(node.name)
        if isinstance(node, N.Node):
            yield node
        for child in children(node):
            yield from visit(child)

    yield from visit(part)
