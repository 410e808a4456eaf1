"""Induction over the layers of a network."""

from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.walk import expand_lets, substitute, walk
from verifier.kernel.context import Context, Layers
from verifier.kernel.core.axes import columns, fixed, rows
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.normal.normalise import Normaliser, is_polynomial
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule


def layers(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{q(x) = F(x, 0) \qquad \mathrm{E}_W F(\mathrm{next}(x, W), L) = F(x, L + 1)}
    {\Gamma \vdash \mathrm{E}\, q(\mathrm{after}(x, L)) = F(x, L)}

    For every input x. The first layer is peeled off: what the others do to next(x, W) is what is known of
    fewer layers, since each layer draws its symbols afresh. So next and the laws must not depend on the
    depth, q must see the state alone, and both are polynomials, so that every mean exists. Where F has no
    value at 0 the induction begins with one layer. No assumption about the depth is used.
    """
    match goal, context.layers, premises:
        case Holds(Relation("==", N.Expectation(q, ()), closed)), Layers() as network, ():
            _induction(context, network, q, closed)
        case Holds(Relation("==", closed, N.Expectation(q, ()))), Layers() as network, ():
            _induction(context, network, q, closed)
        case _:
            raise Rejected("statement", "the mean of a function of the last state, and its closed form")


Relation = N.Relation


def _induction(context: Context, network: Layers, q: N.Node, closed: N.Node) -> None:
    held = set(context.held)
    if any(isinstance(node, N.Let) and node.name in held for part in (q, closed) for node in walk(part)):
        raise Rejected("outside", "a name with an assumed value beside the state")
    q, closed = expand_lets(q), expand_lets(closed)
    _check_names(context, network, q, closed)
    inside = _one_layer(context, network)
    depth, state = network.depth, network.state
    first = substitute(q, {N.After(state, depth): state})
    _check_means(inside, network, first)

    def after_one(node: N.Node) -> N.Node:
        return N.Expectation(substitute(node, {state: network.next}))

    def at(node: N.Node, layers: N.Node) -> N.Node:
        return substitute(node, {depth: layers})

    try:
        equal_entries(inside, Relation("==", first, at(closed, N.Number(Fraction(0)))))
    except Rejected:
        equal_entries(inside, Relation("==", after_one(first), at(closed, N.Number(Fraction(1)))))
    more = at(closed, N.Add(depth, N.Number(Fraction(1))))
    equal_entries(inside, Relation("==", after_one(closed), more))


def _check_names(context: Context, network: Layers, q: N.Node, closed: N.Node) -> None:
    """q sees the last state, and no draw; F sees the input, and no draw and no state."""
    states = [node for node in walk(q) if isinstance(node, N.After)]
    if not states or any(node != N.After(network.state, network.depth) for node in states):
        raise Rejected("statement", "another state than the last one")
    beside = substitute(q, {states[0]: N.Zeros(network.state.shape)})
    for part, what in ((beside, "beside the last state"), (closed, "in the closed form")):
        names = context.reach(part)
        if any(isinstance(node, N.After) for node in walk(part)):
            raise Rejected("statement", f"a state {what}")
        if any(context.is_random(name) or name in network.symbols for name in names):
            raise Rejected("condition", f"a draw {what}")
    if network.state.name in context.reach(beside) or network.depth.name in context.reach(beside):
        raise Rejected("condition", "the input or the depth beside the last state")


def _one_layer(context: Context, network: Layers) -> Context:
    """What holds in one layer, whatever the depth is: its symbols are drawn, nothing else is random in it."""
    if network.symbols.keys() & context.symbols.keys():
        raise Rejected("condition", "a symbol of the layers that is one of the theorem too")
    kept = tuple(
        fact
        for fact in context.assumptions
        if isinstance(fact, Relation) and not {network.depth.name, network.state.name} & _names(context, fact)
    )
    inside = replace(context, symbols={**context.symbols, **network.symbols}, assumptions=kept, layers=None)
    reached = inside.reach(network.next)
    if network.depth.name in reached:
        raise Rejected("condition", "layers that depend on the depth")
    if any(context.is_random(name) for name in reached) or context.is_random(network.state.name):
        raise Rejected("condition", "a draw that all layers share")
    return inside


def _names(context: Context, fact: N.Relation) -> frozenset[str]:
    """What an assumption speaks of; one about a `let` name of the layers speaks of its value alone."""
    if isinstance(fact.left, N.Let):
        assert context.layers is not None
        return context.reach(fact.right) - {context.layers.state.name}
    return context.reach(fact.left) | context.reach(fact.right)


def _check_means(inside: Context, network: Layers, first: N.Node) -> None:
    """Polynomials of draws that have all moments have means."""
    algebra = Normaliser(inside)
    names = frozenset({network.state.name, *network.symbols})
    for node in (first, network.next):
        entry = []
        for place, axis, size in (
            ("r", rows(node), node.shape.rows),
            ("c", columns(node), node.shape.cols),
        ):
            sizes = fixed(axis, size)
            labels = [f"%{place}{k}" for k in range(len(sizes))]
            for label, limit in zip(labels, sizes, strict=True):
                algebra.ranges[label] = Dim.of(1), limit
            entry.append(tuple(map(Dim.of, labels)))
        poly = algebra.normal(settled(algebra.reader, algebra.reader.entry(node, *entry)))
        if not is_polynomial(poly, names):
            raise Rejected("no-mean", "a layer, or what is asked of the state, is no polynomial")


RULES = (Rule("layers", "induction", layers),)
