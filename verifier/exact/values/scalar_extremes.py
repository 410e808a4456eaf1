"""sup, inf and limit over scalar symbols, as values."""

from contextlib import suppress
from typing import Any

from flint import arb, fmpq

from verifier.exact.enclosures.closed_extremes import closed_end
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.one_sided import Germ
from verifier.exact.enclosures.range_enclosures import infimum_of, supremum_of
from verifier.exact.enclosures.term_calculus import variables
from verifier.exact.numbers.constants import ONE, ZERO, Closed
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Imprecise, Refusal, Unsupported
from verifier.exact.numbers.scalar_terms import Term, Variable
from verifier.exact.values.point_environment import Environment
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.walk import walk
from verifier.timer import worked

SECONDS = 2.0
STARTS = tuple(fmpq(4) ** k for k in range(1, 20, 3))


def extreme(env: Environment, node: n.Extreme) -> Value:
    """The exact sup or inf where its closed form is known, else an enclosure to the tolerance."""
    if len(node.over) != 1 or not node.over[0].shape.is_scalar:
        raise Unsupported(f"a {node.kind} over anything but one scalar symbol")
    name = node.over[0].name
    body = _body(env, node.body, name)
    if not isinstance(body, Term):
        return body
    domain, deadline = _domain(env, name), worked() + SECONDS
    end = (supremum_of if node.kind == "sup" else infimum_of)(body, name, domain, deadline)
    if end is None:
        raise Unsupported(f"a {node.kind} of a function that is defined nowhere")
    if not end.low.is_finite() or not end.high.is_finite():
        raise Unsupported(f"an infinite {node.kind}")
    if not end.converged:
        raise Imprecise(f"the {node.kind} was not enclosed closely enough")
    exact = closed_end(body, name, domain, end, node.kind == "sup", deadline)
    return end.low.union(end.high) if exact is None else exact


def limit(env: Environment, node: n.Limit) -> Value:
    """The limit of a scalar in one scalar symbol, where its expansion gives an exact one."""
    if not node.body.shape.is_scalar:
        raise Unsupported("a limit of a matrix")
    name = node.variable.name
    body = _body(env, node.body, name)
    if not isinstance(body, Term):
        return body
    for start in STARTS:
        try:
            found = [germ.tail(body, name, start).limit() for germ in _germs(env, node.target, name)]
        except Imprecise:
            continue
        if all(isinstance(value, fmpq | Closed) and value == found[0] for value in found):
            return found[0]
    raise Unsupported("a limit without an exact value")


def _germs(env: Environment, target: n.Node, name: str) -> list[Germ]:
    """The sides from which the variable can come: at an end of its domain there is one."""
    match target:
        case n.Infinity():
            return [Germ(None, 1)]
        case n.Negate(n.Infinity()):
            return [Germ(None, -1)]
    point = env.scalar(target)
    if not isinstance(point, fmpq | Closed):
        raise Unsupported("a limit at a point without a closed form")
    declared = env.context.symbols.get(name)
    domain = Domain()
    if declared is not None and isinstance(declared.kind, kinds.Interval | kinds.Positive):
        with suppress(Unsupported):  # bounded by an assumption: from both sides, as far as it is defined
            domain = _domain(env, name)
    ends = (domain.low, domain.high)
    sides = [side for side, end in ((1, ends[1]), (-1, ends[0])) if end is None or end != point]
    return [Germ(point, side) for side in sides]


def _body(env: Environment, body: n.Node, name: str) -> Any:
    declared = env.context.symbols.get(name)
    positive = declared is not None and isinstance(declared.kind, kinds.Positive | kinds.Dimension)
    value = env.bind({(name, None): ((Variable(name, positive),),)}).scalar(body)
    if isinstance(value, Term) and {v.name for v in variables(value)} != {name}:
        raise Unsupported("an extreme or a limit that depends on another symbol")
    if isinstance(value, Term | fmpq | Closed | arb):
        return value
    raise Unsupported("an extreme or a limit of a random or differentiated quantity")


def _domain(env: Environment, name: str) -> Domain:
    declared = env.context.symbols.get(name)
    if any(_mentions(a.fact, name) for a in env.context.assumptions):
        raise Unsupported(f"an extreme over {name}, which an assumption bounds")
    match declared.kind if declared else None:
        case kinds.Real():
            return Domain()
        case kinds.Positive():
            return Domain(ZERO, None, low_open=True)
        case kinds.Dimension():
            return Domain(ONE, None, integer=True)
        case kinds.Integer():
            return Domain(integer=True)
        case kinds.Interval(low, high):
            return _interval(env, low, high)
    raise Unsupported(f"an extreme over {name}")


def _interval(env: Environment, low: n.Node, high: n.Node) -> Domain:
    domain = Domain()
    for op, end in ((">=", low), ("<=", high)):
        try:
            domain = domain.cut(op, env.scalar(end))
        except Refusal:
            if not isinstance(end.arg if isinstance(end, n.Negate) else end, n.Infinity):
                raise
    return domain


def _mentions(fact: n.Fact, name: str) -> bool:
    return any(isinstance(node, n.Symbol) and node.name == name for node in walk(fact))
