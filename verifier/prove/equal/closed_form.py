"""closed_form: an expression without expectations and derivatives, as a tree of the language."""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.prove.equal.closed_relation import unknown_scalars
from verifier.prove.equal.known_closed_forms import Memory
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.small_trees import minus_first
from verifier.prove.integrate.inverse_sums import divided
from verifier.prove.lower.both_sides import read
from verifier.prove.lower.lower import Lowering
from verifier.prove.lower.lowering import walked
from verifier.prove.networks import missing_moments
from verifier.prove.write.neat import neat
from verifier.prove.write.write_sums import Writer

_SECONDS = 4.0
_AVERAGES = (N.Expectation, N.Variance, N.Covariance)
_MEMORY = Memory()


def closed_form(claim: Claim, node: N.Node, seconds: float = _SECONDS) -> N.Node | None:
    """The same value for all symbols, free of E, Var, Cov and D; None where there is none to be found."""

    def use(lowering: Lowering) -> N.Node:
        form = lowering.value(node)
        value = settled(lowering.space, form.value)
        if missing_moments(value) or unknown_scalars(lowering.space, value):
            raise Refusal("a moment that is not stated")
        if lowering.space.bent:
            raise Refusal("a mean under an independence that the declared laws do not have")
        try:
            return Writer(lowering.space).form(type(form)(value, form.rows, form.cols))
        except Refusal:  # what cancels cannot always be written before it is cancelled
            value = divided(lowering.space, value)
            return Writer(lowering.space).form(type(form)(value, form.rows, form.cols))

    def work() -> N.Node | None:
        try:
            return read(claim, [node], Clock(seconds), use)
        except Refusal:
            return None

    try:
        return _MEMORY.recall(claim, node, work)
    except OutOfTime:
        return None


def with_known_side(claim: Claim, fact: N.Relation | N.Within, found: Finding, seconds: float) -> Finding:
    """The finding with the closed form of the one side of a bound that has means in it, for whoever knows
    more about the other side."""
    if not isinstance(fact, N.Relation) or fact.op == "==" or found.truth != "unknown" or found.lhs:
        return found
    left, right = (any(isinstance(x, _AVERAGES) for x in walked(side)) for side in (fact.left, fact.right))
    if left == right or seconds <= 0:
        return found
    known = closed_form(claim, fact.left if left else fact.right, seconds)
    text = None if known is None else to_text(minus_first(neat(known)))
    return replace(found, lhs=text) if left else replace(found, rhs=text)
