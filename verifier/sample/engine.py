"""examine(): one relation of a claim, sampled from its definition."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import torch

# torch loads this at the first reverse-mode transform of a process: seconds that no claim should pay.
import torch._dynamo

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr import nodes as N
from verifier.sample import expected, pointwise, slopes
from verifier.sample import sampled_orders as orders
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.magnitude_ranges import is_order
from verifier.sample.rewrite import has_expectation, inward, unwrapped
from verifier.sample.tuning import Settings
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import worked

DEFAULT = Settings()


def examine(claim: Claim, step: Step, budget: Budget, settings: Settings = DEFAULT) -> Finding:
    """What sampling says of one relation. It never says more than its draws and its tail bounds carry."""
    start = worked()
    most = min(settings.max_draws, budget.draws or settings.max_draws)
    settings = replace(settings, alpha=budget.alpha, max_draws=most)
    try:
        with one_thread():
            finding = _on_device(claim, inward(step.fact, claim), budget, settings)
    except RefusedError as refusal:
        finding = Finding("numeric", "unknown", reason="cannot be sampled", missing=refusal.missing)
    except UndefinedError as reason:
        finding = Finding("numeric", "unknown", reason=f"undefined: {reason}")
    return replace(finding, seconds=worked() - start)


def _on_device(claim: Claim, fact: N.Relation | N.Within, budget: Budget, settings: Settings) -> Finding:
    """There, or on the CPU where the device lacks an operation."""
    try:
        return _examine(claim, fact, budget, settings)
    except NotImplementedError:
        return _examine(claim, fact, replace(budget, device="cpu"), settings)


@contextmanager
def one_thread() -> Iterator[None]:
    """Workers are one per core, so threads of their own would only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _examine(claim: Claim, fact: N.Relation | N.Within, budget: Budget, settings: Settings) -> Finding:
    world = World.of(claim, {})
    if isinstance(fact, N.Relation) and isinstance(fact.right, N.Growth) and has_expectation(fact.left):
        _refuse_nodes(N.Relation("==", fact.left, fact.right.body))
        return slopes.compare(claim, fact, budget, settings)
    if isinstance(fact, N.Relation) and is_order(fact.right) and has_expectation(fact.left):
        _refuse_nodes(N.Relation("==", fact.left, fact.left))
        _refuse_assumed_independence(claim, fact, world)
        return orders.compare(claim, fact, budget, settings)
    _refuse_nodes(fact)
    _refuse_assumed_independence(claim, fact, world)
    if not has_expectation(fact):
        return pointwise.compare(claim, fact, budget)
    bare, start = unwrapped(fact, world), worked()
    if bare is not None:
        finding = pointwise.compare(claim, bare, replace(budget, seconds=0.7 * budget.seconds), hurry=0.4)
        if finding.truth == "true":
            return finding
    # Two shares and no others, for the numbers of draws follow from the time that is planned with.
    share = 0.7 if worked() - start < 0.35 * budget.seconds else 0.3
    return expected.compare(claim, fact, replace(budget, seconds=share * budget.seconds), settings)


def _refuse_nodes(fact: N.Fact) -> None:
    """What other engines decide, refused before any work is done."""
    for node in sources.nodes(fact):
        match node:
            case N.Limit():
                raise RefusedError("a limit, for sampling")
            case N.Extreme(kind) | N.Growth(kind):
                raise RefusedError(f"{kind}(...), for sampling")
            case N.Order():
                raise RefusedError("orders of magnitude, for sampling")
    if isinstance(fact, N.Relation):
        for side in (fact.left, fact.right):
            if any(isinstance(node, N.Infinity) for node in sources.nodes(side)):
                raise RefusedError("finiteness, which no sample shows")


def _refuse_assumed_independence(claim: Claim, fact: N.Fact, world: World) -> None:
    """Draws follow the declared laws, so an assumed independence that these contradict cannot be met."""
    reached = sources.random_names(fact, world)
    for assumption in claim.assumptions:
        stated = assumption.independence
        if stated is None:
            continue
        left, right = sources.random_names(stated.left, world), sources.random_names(stated.right, world)
        if left & right and (left | right) & reached:
            raise RefusedError("a way to draw quantities that are assumed independent and are not")
