"""A claim without one of its assumptions, where sizes are 1 or 2: what is false there is false.

With one token a softmax is 1, and an activation of one row has closed moments at every depth; with two, and
one feature each, many closed forms are short. A limit or an order that no point can break is decided there.
"""

from collections.abc import Iterator
from dataclasses import replace

from verifier.claim.model import Assumption, Claim
from verifier.claim.problems import SpecError
from verifier.evidence import EXACT, Budget, Finding
from verifier.expr.nodes import Limit
from verifier.expr.symbols import Dimension
from verifier.expr.walk import walk
from verifier.judge.verdict import AssumptionVerdict
from verifier.plan.asking import heard, load_engine
from verifier.plan.settings import EXACT_ROUND, Settings
from verifier.read.specs.make_claim import Draft, build
from verifier.timer import worked

SECONDS = 0.4
MOST_STEPS = 4


def at_small_sizes(
    assumption: Assumption, plan: Draft, relaxed: Claim, settings: Settings
) -> AssumptionVerdict | None:
    """Needed, where the exact engines refute the claim without it at small sizes. `plan` has it no more."""
    # Loaded in the worker alone, like the engines.
    from verifier.prove.ranges.small_scale import with_known_laws

    deadline = worked() + SECONDS
    for sizes in _sizes(relaxed):
        try:
            special = with_known_laws(build(plan.at(sizes)))
        except SpecError:
            continue
        for found in _refuted(special, settings, deadline):
            assert found.counterexample is not None
            example = replace(found.counterexample, values={**sizes, **found.counterexample.values})
            reason = "without it the claim is false"
            return AssumptionVerdict(assumption.name, "needed", counterexample=example, reason=reason)
    return None


def _refuted(special: Claim, settings: Settings, deadline: float) -> Iterator[Finding]:
    """What the exact engines find false, in exact or interval arithmetic."""
    for engine in (engine for engine in settings.engines if engine.round == EXACT_ROUND):
        for step in special.steps[:MOST_STEPS]:
            left = deadline - worked()
            if left <= 0:
                return
            found = heard(engine, load_engine(engine), special, step, Budget(left))
            if found.truth == "false" and found.grade in EXACT and found.counterexample is not None:
                yield found


def _sizes(claim: Claim) -> Iterator[dict[str, int]]:
    """One layer, all sizes 1; the first size 1; that 2 and all others 1. What moves stays free."""
    moving = {symbol.name for symbol in claim.growing}
    moving |= {x.variable.name for step in claim.steps for x in walk(step.fact) if isinstance(x, Limit)}
    depth = set() if claim.layers is None else {claim.layers.depth.name}
    kinds = {name: symbol.kind for name, symbol in claim.symbols.items() if name not in moving}
    names = [name for name, kind in kinds.items() if isinstance(kind, Dimension) and name not in claim.where]
    if depth & set(names):
        yield dict.fromkeys(names, 1)
    names = [name for name in names if name not in depth]
    if names:
        yield {names[0]: 1}
        yield {name: 1 if at else 2 for at, name in enumerate(names)}
