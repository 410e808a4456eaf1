"""Relations about states after many layers that need no recursion.

next(X) == X for every X            then after(X, L) is X
the relation holds for every matrix  then it holds for every state
"""

from collections.abc import Callable
from dataclasses import replace

from verifier.claim.model import Claim, Layers
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.expr.walk import substitute, walk
from verifier.prove.layers.layer_moves import layer_claim

_LOOKING = (N.Expectation, N.Variance, N.Covariance, N.Derivative, N.Extreme)
Judge = Callable[[Claim, N.Relation], Finding]


def examine_states(claim: Claim, fact: N.Relation | N.Within, judge: Judge) -> Finding | None:
    """What is seen without unrolling the layers; None if nothing is."""
    layers = claim.layers
    states = list(dict.fromkeys(part for part in walk(fact) if isinstance(part, N.After)))
    if layers is None or not states or not isinstance(fact, N.Relation):
        return None
    analytic = (N.Limit, N.Growth, N.Order)
    if any(isinstance(part, analytic) for part in walk(fact)):
        return None
    return _for_every_matrix(claim, fact, states, judge) or _at_rest(claim, fact, states, layers, judge)


def _for_every_matrix(claim: Claim, fact: N.Relation, states: list[N.After], judge: Judge) -> Finding | None:
    """Each state as a matrix of its own, on every draw.

    What the claim draws may depend on the input, so it may not occur beside a state. Nor may anything
    that looks at a state as a random matrix, or as a function of something: E(f)**2 is E(f**2) for every
    fixed matrix, and not for a random one."""
    if claim.random_in(fact):
        return None
    if any(isinstance(p, _LOOKING) and any(s in states for s in walk(p)) for p in walk(fact)):
        return None
    symbols, values = dict(claim.symbols), dict[N.Node, N.Node]()
    for number, state in enumerate(states, start=1):
        name = f"{state.state.name}_after_{number}"
        if name in symbols:
            return None
        symbols[name] = Declared(name, FixedMatrix("matrix"), state.shape)
        values[state] = N.Symbol(name, state.shape)
    general = replace(claim, symbols=symbols, layers=None)
    found = judge(general, N.Relation(fact.op, substitute(fact.left, values), substitute(fact.right, values)))
    if found.truth != "true" or found.grade != "proved":
        return None
    reason = f"{found.reason}, with any matrix in place of a state"
    return replace(found, reason=reason, tightness=None, lhs=None, rhs=None)


def _at_rest(
    claim: Claim, fact: N.Relation, states: list[N.After], layers: Layers, judge: Judge
) -> Finding | None:
    """A layer that changes nothing. A derivative asks what it does at other values of its parameters."""
    if any(isinstance(p, N.Derivative) and any(s in states for s in walk(p)) for p in walk(fact)):
        return None
    moved = judge(layer_claim(claim, layers), N.Relation("==", layers.next, layers.state))
    if moved.truth != "true" or moved.grade != "proved":
        return None
    values: dict[N.Node, N.Node] = dict.fromkeys(states, layers.state)
    still = N.Relation(fact.op, substitute(fact.left, values), substitute(fact.right, values))
    found = judge(claim, still)
    return replace(found, reason=f"a layer leaves the state as it is; {found.reason}")
