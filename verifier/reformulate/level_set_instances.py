"""Claims under assumed equations, asked with the equations built into their symbols."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flint import fmpq

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Counterexample, Finding, Tightness
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.exact.values.recheck import as_float, exact_text, recheck
from verifier.expr.nodes import Symbol
from verifier.reformulate.function_families import Instance
from verifier.reformulate.level_sets import on_level_sets
from verifier.reformulate.undecided import is_open, is_tight
from verifier.refute.confirm import exact_point
from verifier.timer import worked

Ask = Callable[[Claim, Step, Budget], Finding]
FIRST_SHARE = 0.6
LEAST_SECONDS = 0.1


def by_level_sets(ask: Ask, claim: Claim, step: Step, budget: Budget, engine: str) -> Finding:
    """The claim itself and, if that is open, the claim with its equations built in.

    A search is asked in the other order: points that satisfy an equation are not met by chance."""
    instance = None if engine == "rules" else on_level_sets(claim, step)
    if instance is None:
        return ask(claim, step, budget)
    end = worked() + budget.seconds

    def as_stated(budget: Budget) -> Finding:
        return ask(claim, step, budget)

    def built_in(budget: Budget) -> Finding:
        return brought_back(claim, step, instance, ask(instance.claim, instance.step, budget))

    first, second = (built_in, as_stated) if engine == "search" else (as_stated, built_in)
    found = first(replace(budget, seconds=FIRST_SHARE * budget.seconds))
    if not is_open(found, step):
        return found
    return _joined(found, second(replace(budget, seconds=max(end - worked(), LEAST_SECONDS))))


def _joined(one: Finding, other: Finding) -> Finding:
    """Two answers to one question in two forms."""
    if (one.proves and other.refutes) or (one.refutes and other.proves):
        words = f"{one.truth} in one form ({one.reason}), {other.truth} in another ({other.reason})"
        return Finding(one.engine, "unknown", disagreement=words)
    better = not one.decides and (other.decides or one.truth == "unknown" != other.truth)
    kept, left = (other, one) if better else (one, other)
    return replace(kept, tightness=left.tightness if is_tight(kept) is None else kept.tightness)


def brought_back(claim: Claim, step: Step, instance: Instance, found: Finding) -> Finding:
    """What was found of the free symbols, told of the claim's own."""
    new = frozenset(instance.claim.symbols.keys() - claim.symbols.keys())
    example = found.counterexample
    tightness = found.tightness
    if example is not None:
        example = _example(claim, step, instance, example)
    if tightness is not None:
        tightness = replace(tightness, better=_without(tightness, new), where=None, note=None)
    reason = found.reason
    if found.truth == "true":
        reason = f"{reason}, with {' and '.join(instance.forms)}"
    elif found.truth == "false":
        reason = f"a counterexample among {' and '.join(instance.forms)}"
    return replace(
        found,
        reason=reason,
        region=None,
        counterexample=example,
        tightness=tightness,
        lhs=None,
        rhs=None,
        corrected=None,
    )


def _without(tightness: Tightness, new: frozenset[str]) -> str | None:
    """The better bound, if it speaks of no symbol that the claim does not have."""
    named = set() if tightness.better is None else set(re.findall(r"\w+", tightness.better))
    return None if named & new else tightness.better


def _example(claim: Claim, step: Step, instance: Instance, found: Counterexample) -> Counterexample:
    """The point in the claim's symbols, checked once more if it is rational; else with the sides as found."""
    values = {name: value for name, value in found.values.items() if name in claim.symbols}
    point = exact_point(found.values)
    for item in instance.claim.assumptions:
        if point is not None and item.substitution is not None:
            symbol, _ = item.substitution
            value = _value(instance.claim, symbol, point)
            if value is not None and symbol.name in claim.symbols:
                values[symbol.name] = value
    rational = exact_point(values)
    checked = None if rational is None else recheck(claim, step.fact, rational)
    if checked is not None and checked.counterexample is not None:
        return checked.counterexample
    return replace(found, values=values)


def _value(claim: Claim, symbol: Symbol, point: Mapping[str, Any]) -> object:
    try:
        rows = evaluate(symbol, point, Context.of(claim))
    except Refusal:
        return None
    shown = [[_shown(value) for value in row] for row in rows]
    return shown[0][0] if symbol.shape.is_scalar else shown


def _shown(value: Any) -> object:
    return str(value) if isinstance(value, fmpq) else exact_text(value) or as_float(value)
