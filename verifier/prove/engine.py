"""The symbolic engine: exact closed forms of both sides, compared for all values of the symbols.

Limits, growth, layers and orders of magnitude belong to the scalar engine, which asks for closed forms
in turn; what the networks leave open, it is asked about too.
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from verifier.claim.integrability import standing
from verifier.claim.model import Claim, Step
from verifier.claim.sequences import speaks_of_sequences
from verifier.evidence import Budget, Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.kernel.sequences.modes import convergence
from verifier.prove.bounds import entry_bounds as bounded
from verifier.prove.bounds.closed_inequality import proves, tightness
from verifier.prove.bounds.large_sizes import at_given_sizes, is_open_bound
from verifier.prove.bounds.lengths_and_angles import examine_lengths
from verifier.prove.bounds.unsearched_sizes import with_large_sizes
from verifier.prove.equal import index_products as repeated
from verifier.prove.equal.closed_form import closed_form, with_known_side
from verifier.prove.equal.closed_relation import Sides, is_zero, sides, unknown_scalars
from verifier.prove.equal.concrete_point import refute
from verifier.prove.equal.corrected_side import correction
from verifier.prove.equal.improved_bound import improvable
from verifier.prove.equal.where_defined import where_defined
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import OutOfTime, Refusal
from verifier.prove.forms.small_trees import minus_first
from verifier.prove.integrate.inverse_sums import divided
from verifier.prove.layers.iterates import examine_iterates
from verifier.prove.layers.state_relations import examine_states
from verifier.prove.limits import series_comparison as series
from verifier.prove.lower.both_sides import read
from verifier.prove.lower.lower import Lowering
from verifier.prove.lower.lowering import walked
from verifier.prove.means.constant_laws import with_sure_values
from verifier.prove.means.convex_functions import examine_convexity
from verifier.prove.means.correlated_products import examine_correlated
from verifier.prove.means.drawn_relations import at_every_draw, given_functions
from verifier.prove.means.jensen import examine_jensen
from verifier.prove.means.markov import examine_tails
from verifier.prove.means.mean_ranges import examine_between
from verifier.prove.means.means_of_norms import examine_roots
from verifier.prove.means.pointwise_bounds import best_constant, examine_pointwise
from verifier.prove.means.scalar_pieces import examine_stretch
from verifier.prove.means.spread_points import AVERAGES, broken, closeness
from verifier.prove.networks import missing_moments
from verifier.prove.ranges.engine import examine as examine_ranges
from verifier.prove.rays.mean_squares import examine_rays
from verifier.prove.scalar_engine import examine as examine_scalars
from verifier.prove.sequences import almost_surely
from verifier.prove.sequences.in_mean import examine_mean
from verifier.prove.sequences.in_probability import examine_vanishing, vanishing
from verifier.prove.sequences.sequence_claims import examine_sequences
from verifier.prove.write.derivation_lines import explained
from verifier.prove.write.neat import neat
from verifier.prove.write.write_sums import Writer

NAME = "symbolic"
_ANALYTIC = (N.Limit, N.Growth, N.After, N.Order, N.Extreme, N.Infinity)
_NETWORK_SHARE = 0.6
_STATES_SHARE = 0.2
_RAYS_SECONDS = 2.0  # at most, however long the others took


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """Judge one relation of the claim."""
    clock = Clock(budget.seconds)

    def judge(claim: Claim, fact: N.Relation | N.Within) -> Finding:
        return _examine(claim, replace(step, fact=fact), replace(budget, seconds=max(clock.left / 2, 0.05)))

    stated = convergence(step.fact)
    if speaks_of_sequences(claim, step.fact):
        found = examine_sequences(claim, step.fact, judge)
    elif stated is None and not repeated.speaks_of_combinations(step.fact):
        found = series.examine(claim, step.fact, judge) or at_given_sizes(
            claim, step.fact, budget, lambda rest: _examine(claim, step, rest)
        )
        if found.truth == "unknown":
            found = examine_mean(claim, step.fact, judge) or found
        small = vanishing(step.fact) if found.truth == "unknown" else None
        found = (small and examine_vanishing(claim, small, judge)) or found
        found = with_large_sizes(claim, step.fact, found, budget)
    elif stated is not None:
        found = almost_surely.examine(claim, stated, judge)
    else:
        found = repeated.examine(claim, step.fact, judge)
    return replace(found, engine=NAME, seconds=clock.elapsed)


def _examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    clock = Clock(budget.seconds)
    claim = where_defined(claim, _trees(step.fact))
    means = standing(claim, step.fact)
    if means.undefined is not None or means.missing is not None:
        return Finding(NAME, "unknown", missing=means.missing or means.undefined)
    if any(isinstance(node, _ANALYTIC) for tree in _trees(step.fact) for node in walked(tree)):
        share, seed = Clock(budget.seconds * _STATES_SHARE), budget.seed
        found = examine_states(claim, step.fact, lambda claim, fact: _networks(claim, fact, share, seed))
        if found is None or found.truth == "unknown":
            found = examine_scalars(claim, step, replace(budget, seconds=clock.left))
        if found.truth == "unknown" and clock.left > 0:
            found = _of_one_number(claim, step, budget, clock) or found
        if found.truth == "unknown":
            found = examine_rays(claim, step.fact, min(_RAYS_SECONDS, budget.seconds)) or found
        return replace(found, engine=NAME, seconds=clock.elapsed)
    if isinstance(step.fact, N.Within) and any(isinstance(x, AVERAGES) for x in walked(step.fact.arg)):
        return replace(_between(claim, step, step.fact, budget), seconds=clock.elapsed)
    found = _networks(claim, step.fact, Clock(budget.seconds * _NETWORK_SHARE), budget.seed)
    found = with_known_side(claim, step.fact, found, clock.left / 4)
    if found.truth == "unknown" and clock.left > 0:
        other = _by_numbers(claim, step, budget, clock)
        if other is not None:
            other = _mended(claim, step, budget, clock, _valued(claim, step, budget, clock, other))
            return replace(other, lhs=found.lhs, rhs=found.rhs, seconds=clock.elapsed)
    if found.truth == "unknown" and found.reason != MOMENT and clock.left > 0:
        other = examine_scalars(claim, step, replace(budget, seconds=clock.left))
        if other.truth != "unknown":
            found = replace(other, engine=NAME, lhs=other.lhs or found.lhs, rhs=other.rhs or found.rhs)
    elif is_open_bound(step.fact, found) and clock.left > 0:
        other = examine_scalars(claim, step, replace(budget, seconds=clock.left))
        found = replace(found, tightness=other.tightness or found.tightness)

    def closed(fact: N.Relation | N.Within) -> Finding:
        return _networks(claim, fact, Clock(min(1.0, max(clock.left, 0.1))), budget.seed)

    found = improvable(claim, step.fact, found, closed)
    return replace(_mended(claim, step, budget, clock, found), seconds=clock.elapsed)


def _valued(claim: Claim, step: Step, budget: Budget, clock: Clock, found: Finding) -> Finding:
    """A counterexample of which one side is known only by a bound, replaced by one with closed forms."""
    if found.counterexample is None or found.counterexample.lhs is not None or clock.left <= 0:
        return found
    other = examine_scalars(claim, step, replace(budget, seconds=clock.left))
    return other if other.truth == "false" else found


def _between(claim: Claim, step: Step, fact: N.Within, budget: Budget) -> Finding:
    def judge(claim: Claim, asked: N.Relation, seconds: float) -> Finding:
        return _examine(claim, replace(step, fact=asked), replace(budget, seconds=seconds))

    return examine_between(claim, fact, Clock(budget.seconds), judge)


def _mended(claim: Claim, step: Step, budget: Budget, clock: Clock, found: Finding) -> Finding:
    """A false bound on means with the constant that it should have had, a false equality of scalars with
    the left side as these simplify it."""
    if found.truth != "false" or found.corrected is not None or clock.left <= 0:
        return found
    if isinstance(step.fact, N.Relation) and step.fact.op == "==" and step.fact.left.shape.is_scalar:
        other = examine_scalars(claim, step, replace(budget, seconds=clock.left))
        return replace(found, corrected=other.corrected if other.truth == "false" else None)
    averages = any(isinstance(x, AVERAGES) for tree in _trees(step.fact) for x in walked(tree))
    if not averages or not isinstance(step.fact, N.Relation):
        return found

    def judge(claim: Claim, fact: N.Relation) -> Finding:
        return examine_ranges(claim, replace(step, fact=fact), replace(budget, seconds=clock.left / 2))

    return replace(found, corrected=best_constant(claim, step.fact, clock, judge, budget.seed))


def _of_one_number(claim: Claim, step: Step, budget: Budget, clock: Clock) -> Finding | None:
    """Layers that map one number to one number."""

    def judge(claim: Claim, fact: N.Relation) -> Finding:
        asked, share = replace(step, fact=fact), replace(budget, seconds=max(clock.left / 4, 0.05))
        found = examine_ranges(claim, asked, share)
        known = found.truth != "unknown" or found.vacuous is not None
        return found if known else _examine(claim, asked, share)

    return examine_iterates(claim, step.fact, judge)


def _by_numbers(claim: Claim, step: Step, budget: Budget, clock: Clock) -> Finding | None:
    """A bound that follows from one between functions of a few numbers: a random number on every draw, the
    values of an activation's variable, or the lengths of vectors and the angle between them."""
    if not isinstance(step.fact, N.Relation):
        return None

    def judge(claim: Claim, fact: N.Relation) -> Finding:
        share = replace(budget, seconds=max(clock.left / 2, 0.05))
        return examine_ranges(claim, replace(step, fact=fact), share)

    def close(claim: Claim, node: N.Node) -> N.Node | None:
        return closed_form(claim, node, max(clock.left / 4, 0.05))

    def compare(claim: Claim, fact: N.Relation) -> Finding:
        return _networks(claim, fact, Clock(max(clock.left / 4, 0.05)), budget.seed)

    tail = examine_tails(claim, step.fact, judge, compare, lambda node: close(claim, node))
    if tail is not None:
        return tail

    def bound(claim: Claim, fact: N.Relation) -> Finding | None:
        return examine_pointwise(claim, fact, Clock(clock.left / 2), close, judge, budget.seed)

    def decide(claim: Claim, fact: N.Relation) -> Finding:
        return _networks(claim, fact, Clock(clock.left / 2), budget.seed)

    def whole(claim: Claim, fact: N.Relation) -> Finding:
        return _examine(claim, replace(step, fact=fact), replace(budget, seconds=max(clock.left / 3, 0.05)))

    found = bound(claim, step.fact)
    found = found or examine_lengths(claim, step.fact, lambda node: close(claim, node), judge)
    found = found or examine_convexity(claim, step.fact, clock, bound, judge, decide, budget.seed)
    found = found or examine_correlated(claim, step.fact, clock, bound, decide, budget.seed)
    found = found or examine_roots(
        claim, step.fact, clock, lambda node: close(claim, node), (decide, bound), budget.seed
    )
    found = found or examine_jensen(
        claim, step.fact, whole, lambda fact: closeness(claim, fact, Clock(clock.left / 2), budget.seed)
    )
    found = found or examine_stretch(claim, step.fact, clock.left / 4)
    return found or broken(claim, step.fact, clock, budget.seed)


def _trees(fact: N.Relation | N.Within) -> list[N.Node]:
    return [fact.left, fact.right] if isinstance(fact, N.Relation) else [fact.arg, fact.low, fact.high]


def _networks(claim: Claim, fact: N.Relation | N.Within, clock: Clock, seed: int) -> Finding:
    """By closed forms of both sides."""
    if not isinstance(fact, N.Relation):
        return Finding(NAME, "unknown", missing="a closed form of a range")
    try:
        found = read(
            claim,
            _trees(fact),
            clock,
            lambda lowering: _judge(claim, fact, lowering, clock, seed),
            record=True,
        )
    except OutOfTime:
        return Finding(NAME, "unknown", missing="more time: the closed forms are large")
    except Refusal as refusal:
        return _drawn(claim, fact, clock, seed) or Finding(NAME, "unknown", missing=refusal.missing)
    if found.reason == MOMENT and (certain := with_sure_values(claim)) is not None:
        sure = _networks(certain, fact, clock, seed)
        if sure.truth == "false":
            note = "already where the symbols of unknown law take one value surely"
            return replace(sure, reason=f"{sure.reason}, {note}", corrected=None)
    return found


def _drawn(claim: Claim, fact: N.Relation, clock: Clock, seed: int) -> Finding | None:
    """Equal means of what is equal at every draw, or once what is inside no function is integrated."""
    for held, words in ((at_every_draw, "whatever is drawn"), (given_functions, "given what functions hold")):
        bare = held(claim, fact) if fact.op == "==" else None
        found = None if bare is None else _networks(*bare, clock, seed)
        if found is not None and found.proves:
            return Finding(NAME, "true", found.grade, f"both sides are means of the same, {words}")
    return None


MOMENT = "a needed moment is not stated"
DIFFER, BROKEN = "the closed forms differ", "the closed forms break the inequality at a point"
BOUNDED = "the closed forms differ by terms that the assumptions bound"


def _judge(claim: Claim, fact: N.Relation, lowering: Lowering, clock: Clock, seed: int) -> Finding:
    found = sides(lowering, fact)
    # Where the space is bent, the mean may be another one under the assumptions.
    made = Finding(
        NAME,
        "unknown",
        lhs=None if found.space.bent else _text(found, found.left),
        rhs=None if found.space.bent else _text(found, found.right),
        derivation=explained(found.space, lowering.integrator.lines),
    )
    if fact.op in ("==", "<=", ">=") and is_zero(found):
        tight = None if fact.op == "==" else Tightness(True, Fraction(0), Fraction(0))
        reason = "both sides have the same closed form"
        return replace(made, truth="true", grade="proved", reason=reason, tightness=tight)
    unknown = {*missing_moments(found.difference), *unknown_scalars(found.space, found.difference)}
    if unknown:
        if bounded.proves(lowering, fact, partial(sides, lowering)):
            reached = bounded.proves(lowering, replace(fact, op="=="), partial(sides, lowering))
            tight = Tightness(True, Fraction(0), Fraction(0)) if reached and fact.op != "==" else None
            return replace(made, truth="true", grade="proved", reason=BOUNDED, tightness=tight)
        return replace(made, missing=", ".join(sorted(unknown)), reason=MOMENT)
    if fact.op != "==" and proves(lowering, fact.op, found):
        tight = tightness(lowering, fact, found, clock, seed)
        reason = "the difference of the closed forms is signed"
        # What the declared laws prove, they may also measure.
        made = replace(made, lhs=_text(found, found.left), rhs=_text(found, found.right))
        return replace(made, truth="true", grade="proved", reason=reason, tightness=tight)
    if fact.op != "==" and bounded.proves(lowering, fact, partial(sides, lowering)):
        tight = tightness(lowering, fact, found, clock, seed)
        return replace(made, truth="true", grade="proved", reason=BOUNDED, tightness=tight)
    refuted = refute(claim, fact, found.space, found.left, found.right, clock, seed)
    if refuted is None:
        reason = "the closed forms differ, and no small point shows it"
        return replace(made, missing="a decision between the closed forms", reason=reason)
    return replace(
        made,
        truth="false",
        grade=refuted.grade,
        reason=DIFFER if fact.op == "==" else BROKEN,
        corrected=correction(lowering, fact, replace(found, left=_divided(found, found.left))),
        counterexample=refuted.example,
    )


def _text(found: Sides, form: Form) -> str | None:
    try:
        return to_text(minus_first(neat(Writer(found.space).form(_divided(found, form)))))
    except Refusal:
        return None


def _divided(found: Sides, form: Form) -> Form:
    return replace(form, value=divided(found.space, form.value))
