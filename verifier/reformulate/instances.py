"""Claims that an engine is asked about in another form: arbitrary functions and laws, single layers.

An arbitrary function is a family of functions with parameters: what is false for one of the family is
false, what is true for all values and slopes at every point is true. An arbitrary law is one of a family of
laws with few values: what is false, or tight, for one of them is. A claim about one layer's symbol is
written out, layer by layer, at its depth, or at small depths if the depth is a symbol.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from verifier.claim.model import Claim, Step
from verifier.claim.sequences import beyond_points, speaks_of_sequences, without_sequences
from verifier.evidence import Budget, Finding, Tightness
from verifier.expr.nodes import Relation
from verifier.reformulate.centred_parts import with_independent_parts
from verifier.reformulate.declared_kinds import with_classes
from verifier.reformulate.eigenvalues import with_eigenvalues
from verifier.reformulate.endless_sums import with_partial_sums
from verifier.reformulate.equal_factors import with_factors
from verifier.reformulate.finitely_many_members import of_finitely_many
from verifier.reformulate.function_families import (
    Instance,
    in_family,
    is_complete,
    point_by_point,
    uses_functions,
    without_functions,
)
from verifier.reformulate.induction_instances import by_induction
from verifier.reformulate.known_forms import plainly
from verifier.reformulate.laws_of_few_values import FAMILIES as LAWS
from verifier.reformulate.laws_of_few_values import in_law, of_any_law
from verifier.reformulate.level_set_instances import by_level_sets
from verifier.reformulate.magnitude_bounds import as_bounds, by_bounds, has_few_entries
from verifier.reformulate.numbers_of_matrices import with_letters
from verifier.reformulate.square_roots import with_roots
from verifier.reformulate.undecided import is_open, is_tight
from verifier.reformulate.unrolled_layers import (
    SMALL_DEPTHS,
    NotUnrolledError,
    Unrolled,
    averages_shared_draws,
    names_a_layer,
    unrolled,
)
from verifier.reformulate.unrolled_layers import is_complete as has_every_layer
from verifier.timer import worked

Ask = Callable[[Claim, Step, Budget], Finding]
EXACT_FAMILIES = ("affine", "quadratic")
SAMPLED_FAMILIES = ("smooth",)
BOUNDING = ("rules", "search")  # they know bounds, and no orders
CLOSING, CLOSING_SHARE = "symbolic", 0.5  # it carries a derivative by one layer through any number of others
PROVING = ("rules", "rigorous", "symbolic")
LAWS_SHARE = 0.6  # of the time, for laws in place of the claim
CLAIM_SHARE = 0.7  # for the claim itself, by those who prove
PROVING_SHARE = 0.2
LAWS_SHARES = (0.2, 0.7, 0.6)  # of what is left, for one, two and four values
LEAST_SECONDS = 0.1
TIGHT = 0.01
REWORDED = (with_eigenvalues, with_roots, with_factors)
NUMBERS = "rigorous"
EVERY = "for every value and every slope of the function"


def answered(ask: Ask, claim: Claim, step: Step, budget: Budget, engine: str, samples: bool) -> Finding:
    """What the engine says of the claim, in whatever form it is asked."""
    claim = with_classes(claim)
    beyond, forms = beyond_points(claim), tuple[str, ...]()
    if speaks_of_sequences(claim, step.fact):
        instance = of_finitely_many(claim, step)
        if instance is None:
            missing = "what a sequence of any law does as it goes on"
            refusal = Finding(engine, "unknown", missing=missing)
            return ask(claim, step, budget) if engine == CLOSING else refusal
        claim, step, forms = instance.claim, instance.step, instance.forms
        beyond = tuple(name for name in beyond if name not in {item.name for item in claim.assumptions})
    claim, step = with_partial_sums(without_sequences(claim), step)
    found = _answered(ask, claim, step, budget, engine, samples)
    found = _told(found, f"with {' and '.join(forms)}") if forms else found
    return _without_them(found, beyond) if beyond else found


def _without_them(found: Finding, beyond: tuple[str, ...]) -> Finding:
    """What is true without assumptions is true with them; where it is false or tight, they may not hold."""
    if found.truth == "unknown" or found.proves:
        return replace(found, tightness=None)
    missing = f"whether {' and '.join(beyond)} can hold where the claim is false"
    return Finding(found.engine, "unknown", missing=missing)


def _answered(ask: Ask, claim: Claim, step: Step, budget: Budget, engine: str, samples: bool) -> Finding:
    if not samples:
        step = replace(step, fact=plainly(claim, step.fact))
    bounding = engine in BOUNDING or (engine == "rigorous" and has_few_entries(claim, step))
    bounds = as_bounds(step) if bounding else []
    # A rule shows that one end is not crossed, and not that the order could be a better one.
    if bounds and not (engine == "rules" and len(bounds) == 1):
        return _of_orders(ask, claim, step, bounds, budget, engine)
    if names_a_layer(claim, step.fact) or averages_shared_draws(claim, step.fact):
        return _layer_by_layer(ask, claim, step, budget, engine, samples)
    if uses_functions(claim, step):
        return _for_functions(ask, claim, step, budget, SAMPLED_FAMILIES if samples else EXACT_FAMILIES)
    if of_any_law(claim, step) and not samples:
        return _for_laws(ask, without_functions(claim), step, budget, engine in PROVING)
    direct = partial(by_induction, ask) if engine in PROVING else ask
    claim, reworded = without_functions(claim), partial(_in_other_words, direct, engine)
    return reworded(claim, step, budget) if samples else by_level_sets(reworded, claim, step, budget, engine)


def _of_orders(
    ask: Ask, claim: Claim, step: Step, bounds: list[tuple[Step, int]], budget: Budget, engine: str
) -> Finding:
    """The claim itself; if that is open, the bounds that its order stands for."""
    end = worked() + budget.seconds
    found = ask(claim, step, budget)
    if found.truth != "unknown":
        return found

    def bounded(bound: Step) -> Finding:
        left = max((end - worked()) / len(bounds), LEAST_SECONDS)
        return answered(ask, claim, bound, replace(budget, seconds=left), engine, False)

    return by_bounds(step, bounds, bounded) or found


def _in_other_words(ask: Ask, engine: str, claim: Claim, step: Step, budget: Budget) -> Finding:
    """The claim itself; if that is open, the same of eigenvalues, of roots of matrices, or of factors; of
    letters where the engine knows numbers alone."""
    ways = (*REWORDED, with_letters) if engine == NUMBERS else REWORDED
    instances = [instance for make in ways if (instance := make(claim, step)) is not None]
    if not instances:
        return ask(claim, step, budget)
    end = worked() + budget.seconds
    found = ask(claim, step, replace(budget, seconds=budget.seconds / 2))
    if found.truth == "false" or found.grade in ("proved", "certified"):
        return found
    for at, instance in enumerate(instances):
        left = max((end - worked()) / (len(instances) - at), LEAST_SECONDS)
        shown = ask(instance.claim, instance.step, replace(budget, seconds=left))
        if shown.proves:
            tightness = found.tightness
            told = shown.tightness is not None and not (instance.wider and shown.tightness.tight is not False)
            if shown.tightness is not None and told and is_tight(found) is None:
                tightness = replace(shown.tightness, better=None, where=None)
                tightness = _of_roots(tightness, step) if instance.squared else tightness
            return replace(_told(shown, _words(instance)), tightness=tightness)
    return found


def _of_roots(known: Tightness, step: Step) -> Tightness:
    """How tight a bound is, from how tight the one between squares is.

    l/r = sqrt(1 - gap) for r**2 (1 - gap) = l**2, and mirrored for >=."""
    upper = isinstance(step.fact, Relation) and step.fact.op in ("<=", "<")

    def root(gap: Fraction | float | None) -> float | None:
        if gap is None:
            return None
        return 1 - math.sqrt(max(1 - gap, 0)) if upper else math.sqrt(1 + gap) - 1

    low, high = root(known.gap_low), root(known.gap_high)
    loose = low is not None and low > TIGHT
    tight = known.tight or (False if loose else True if high is not None and high <= TIGHT else None)
    return replace(known, tight=tight, gap_low=low, gap_high=high)


# --- arbitrary functions ---------------------------------------------------------------------------


def _for_functions(ask: Ask, claim: Claim, step: Step, budget: Budget, families: tuple[str, ...]) -> Finding:
    general = point_by_point(claim, step)
    if general is not None and is_complete(claim, step):
        found = ask(general.claim, general.step, budget)
        return _told(found, EVERY if found.truth == "true" else _words(general))
    share = replace(budget, seconds=max(budget.seconds / (1 + len(families)), LEAST_SECONDS))
    first = None if general is None else ask(general.claim, general.step, share)
    true = first is not None and first.proves
    for family in families:
        instance = in_family(claim, step, family)
        tried = ask(instance.claim, instance.step, share)
        if tried.truth == "false" and true:
            words = f"proved for every function, and false {_words(instance)}"
            return Finding(tried.engine, "unknown", disagreement=words)
        if tried.truth == "false":
            return _told(tried, _words(instance))
        if first is not None and true:
            # A bound is tight for all functions if it is for some of them.
            reached = tried.tightness if tried.tightness is not None and tried.tightness.tight else None
            return _told(replace(first, tightness=reached), EVERY)
        first = first or tried
    assert first is not None
    reason = "no function of the families tried breaks it"
    missing = first.missing or "a proof for every function"
    return Finding(first.engine, "unknown", reason=reason, missing=missing)


def _words(instance: Instance) -> str:
    return f"with {' and '.join(instance.forms)}"


def _told(found: Finding, words: str) -> Finding:
    """Closed forms are in the family's symbols, which the claim does not have."""
    reason = found.reason if found.truth == "unknown" else f"{found.reason}, {words}"
    tightness = found.tightness and replace(found.tightness, better=None)
    return replace(found, reason=reason, lhs=None, rhs=None, corrected=None, tightness=tightness)


# --- arbitrary laws --------------------------------------------------------------------------------


def _for_laws(ask: Ask, claim: Claim, step: Step, budget: Budget, proves: bool) -> Finding:
    """The claim itself, and the claim for laws with few values: one that breaks it, or that comes close.

    An engine that proves is asked about the claim first, one that searches about the laws."""
    end = worked() + budget.seconds
    found = Finding("", "unknown")
    parted = with_independent_parts(claim, step) if proves else None
    if parted is not None:
        shown = ask(parted.claim, parted.step, replace(budget, seconds=LAWS_SHARE * budget.seconds))
        if shown.proves:
            return _told(shown, _words(parted))
    if proves:
        found = ask(claim, step, replace(budget, seconds=CLAIM_SHARE * budget.seconds))
    for at, family in enumerate(LAWS if is_open(found, step) else ()):
        instance = in_law(claim, step, family)
        if instance is None:
            break
        left = (end - worked()) * LAWS_SHARES[at]
        if proves and found.truth != "true":
            left = min(left, PROVING_SHARE * budget.seconds)  # to search among laws is for those who search
        tried = ask(instance.claim, instance.step, replace(budget, seconds=max(left, LEAST_SECONDS)))
        if tried.truth == "false" and found.proves:
            words = f"proved for every law, and false {_words(instance)}"
            return Finding(tried.engine, "unknown", disagreement=words)
        if tried.truth == "false":
            return _told(tried, _words(instance))
        if is_tight(tried):
            found = replace(found, tightness=tried.tightness)
        if not is_open(found, step):
            break
    if proves:
        return found
    last = ask(claim, step, replace(budget, seconds=max(end - worked(), LEAST_SECONDS)))
    return replace(last, tightness=last.tightness or found.tightness)


# --- single layers ---------------------------------------------------------------------------------


def _layer_by_layer(
    ask: Ask, claim: Claim, step: Step, budget: Budget, engine: str, samples: bool
) -> Finding:
    end = worked() + budget.seconds
    if engine == CLOSING and not averages_shared_draws(claim, step.fact):
        found = ask(claim, step, replace(budget, seconds=CLOSING_SHARE * budget.seconds))
        if found.truth != "unknown":
            return found
    if claim.growing:
        return Finding(engine, "unknown", missing="growth of what one layer contributes")
    try:
        forms = list(unrolled(claim, step))
    except NotUnrolledError as refusal:
        return Finding(engine, "unknown", missing=str(refusal))
    if not forms:
        return Finding(engine, "unknown", missing="a layer that this depth has")
    share = replace(budget, seconds=max((end - worked()) / len(forms), LEAST_SECONDS))
    findings: list[Finding] = []
    for form in forms:
        found = answered(ask, form.claim, form.step, share, engine, samples)
        if found.truth == "false":
            return _at_depth(found, form)
        findings.append(found)
    open_ = next((found for found in findings if found.truth != "true"), None)
    if has_every_layer(claim, step):
        worst = open_ or findings[0]
        tightness = worst.tightness if len(findings) == 1 else None
        return replace(worst, tightness=tightness, lhs=None, rhs=None, corrected=None)
    reason = f"true at the depths up to {SMALL_DEPTHS[-1]}" if open_ is None else open_.reason
    missing = "a closed form of a derivative by one layer's symbol at any depth"
    if averages_shared_draws(claim, step.fact):
        missing = "a mean over layers that share a draw, at any depth"
    return Finding(engine, "unknown", reason=reason, missing=(open_ and open_.missing) or missing)


def _at_depth(found: Finding, form: Unrolled) -> Finding:
    example = found.counterexample
    if example is not None:
        example = replace(example, values={**example.values, **form.values})
    at = ", ".join(f"{name} = {value}" for name, value in form.values.items())
    reason = f"{found.reason}, for {at}" if at else found.reason
    return replace(found, reason=reason, counterexample=example, lhs=None, rhs=None, corrected=None)
