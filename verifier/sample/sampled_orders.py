"""Orders of magnitude by sampling: the exponent of an expectation, with the interval it was measured in.

`left == order(1e2)` says that a number lies in a range, so an interval of it can decide: a proven one that
lies outside the range, found twice, refutes the claim at its point; a proven one inside, found
twice, shows it where the left side is a single number, with nothing left to vary. So does an approximate one
deep inside (`is_deep`), made of two separate samples that agree, unless rare draws may decide it.
It refutes nothing. All other measurements are told and decide nothing.
"""

import math
from dataclasses import replace

from verifier.claim.model import Claim
from verifier.evidence import Budget, Counterexample, Finding, Sample
from verifier.expr import nodes as N
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World
from verifier.sample.draws.sample_points import points
from verifier.sample.expected import AtPoint, Clock, at_point, free_names, is_vague, replication
from verifier.sample.magnitude_ranges import Span, is_order, measured, span_of
from verifier.sample.readings import sample_of
from verifier.sample.sides_at_point import Site
from verifier.sample.tails.rare_events import doubt_of
from verifier.sample.tuning import Settings
from verifier.sample.unsupported import RefusedError, UndefinedError

USUAL_SHARE = 0.5
FEWEST = 4  # draws of an approximate interval that is to show anything
LIGHT, HEAVY = (0.25, 1.25), (0.2, 3.0)  # how narrow it must be, and what factor inside the range
SPREAD = 0.5  # up to which share of its mean a draw's deviation counts as light
MORE = 0.3  # of the time there is, for a second sample
NORMAL = 4.0  # fewer standard errors than any interval here is wide


def compare(claim: Claim, fact: N.Relation, budget: Budget, settings: Settings) -> Finding:
    """Measure the left side point by point; only proven, replicated intervals decide."""
    if is_order(fact.left) or fact.op not in ("==", "<=", ">="):
        raise RefusedError("a relation ==, <= or >= of a number to an order, for sampling")
    if not fact.left.shape.is_scalar:
        raise RefusedError("the order of magnitude of a matrix, for sampling")
    claimed = span_of(fact.right)
    relation = N.Relation(fact.op, N.Apply("abs", (fact.left,)), fact.right)
    single = is_one_number(claim, fact)
    if single:
        settings = replace(settings, usual_points=1, points=1)
    clock = Clock(budget.seconds)
    samples: list[Sample] = []
    sites: list[Site] = []
    excluded: list[str] = []
    inside = True
    for point in points(claim, fact, settings.points, deadline=clock.at(0.5)):
        try:
            found = at_point(claim, relation, point, budget, settings, clock)
        except UndefinedError as reason:
            excluded.append(f"{point.label}: {reason}")
            continue
        here = [replace(sample, claimed=None) for sample in found.samples]
        samples += here
        sites += found.read if single else ()  # their buffers are large
        inside &= found.inside
        if found.finding is not None:
            finding = _refuted(found, here, claimed)
            return replace(finding, samples=tuple(samples), excluded=tuple(excluded))
        if clock.spent(USUAL_SHARE):
            break
    doubt = None
    if single and not inside and len(samples) == 1 and _may_show(samples[0], fact.op, claimed):
        doubt = _doubt(claim, fact)
        both = None if doubt is not None else _together(claim, sites[0], samples[0], clock)
        if both is not None and is_deep(both, fact.op, claimed):
            samples, inside = [both], True
    finding = _measured(samples, claimed, inside and single, doubt)
    return replace(finding, samples=tuple(samples), excluded=tuple(excluded))


def _may_show(sample: Sample, op: str, claimed: Span) -> bool:
    """Whether as many draws again could put it deep inside."""
    narrow = replace(sample, low=sample.estimate, high=sample.estimate)
    return not sample.rigorous and is_deep(narrow, op, claimed)


def is_deep(sample: Sample, op: str, claimed: Span) -> bool:
    """Whether an approximate interval lies so far inside the range that its own error hardly matters.

    Draws that differ from their mean by less than half of it have light tails as far as can be seen: the
    interval must end at a factor 1.25 from the range's ends. Others: a factor 3."""
    if sample.rigorous or sample.draws < FEWEST or sample.low <= 0:
        return False
    half = (sample.high - sample.low) / (2 * sample.estimate)
    spread = half * math.sqrt(sample.draws) / NORMAL
    widest, factor = LIGHT if spread <= SPREAD else HEAVY
    low, high = claimed.ends
    above = sample.low >= factor * low or op == "<="
    below = factor * sample.high <= high or op == ">="
    return half <= widest and above and below


def _together(claim: Claim, site: Site, first: Sample, clock: Clock) -> Sample | None:
    """The same number from as many draws of a fresh stream and, if these agree, from all draws together.

    That is worth a little more than the time there was."""
    op, draws = site.relation.op, first.draws
    twin = replication(site)
    second = twin.read(0, draws, clock.at(1.0 + MORE))
    if second is None:
        return None
    again = sample_of(claim, site.point, None, second.told(op))
    if max(first.low, again.low) > min(first.high, again.high):
        return None
    site.join(twin)
    both = site.read(1, 2 * draws, clock.at(1.0 + MORE))
    return None if both is None else replace(sample_of(claim, site.point, None, both.told(op)), claimed=None)


def is_one_number(claim: Claim, fact: N.Relation) -> bool:
    """Nothing is left to vary: every fixed symbol has its value, every random one its whole law."""
    world = World.of(claim, {})
    if claim.assumptions or free_names(fact, world):
        return False
    names = sources.relevant(claim, fact, world) - claim.where.keys()
    return all(_has_a_law(claim, name) for name in names)


def _has_a_law(claim: Claim, label: str) -> bool:
    if is_vague(claim, label):
        return False
    return label.startswith(sources.LAYER) or (label in claim.symbols and claim.symbols[label].is_random)


def _refuted(found: AtPoint, here: list[Sample], claimed: Span) -> Finding:
    assert found.finding is not None
    finding, shown = found.finding, found.finding.counterexample
    if finding.truth != "false" or shown is None:
        return finding
    span = measured(here[-1].low, here[-1].high)
    lhs = None if span is None else span.text
    example = Counterexample(shown.values, shown.lhs, None, lhs, claimed.text, shown.arithmetic)
    reason = f"{_words(here[-1])}; claimed is {claimed.text}; {finding.reason}"
    return replace(finding, reason=reason, lhs=lhs, rhs=claimed.text, counterexample=example)


def _doubt(claim: Claim, fact: N.Relation) -> str | None:
    """Why the draws that were made may not be those that matter."""
    point = next(iter(points(claim, fact, 1)), None)
    return None if point is None else doubt_of(fact, World.of(claim, point.sizes))


def _measured(samples: list[Sample], claimed: Span, shown: bool, doubt: str | None) -> Finding:
    if not samples:
        missing = "a point at which the left side could be measured in the time there was"
        return Finding("numeric", "unknown", reason="nothing was measured", missing=missing)
    reason = "; ".join(dict.fromkeys(_words(sample) for sample in _extremes(samples)))
    if len({repr(sample.at) for sample in samples}) > 1:
        reason = f"at {len(samples)} points: {reason}"
    reason = f"{reason}; claimed is {claimed.text}"
    if shown:
        deep = "" if all(sample.rigorous for sample in samples) else " and together lie deep inside it"
        twice = f"{reason}; two separate samples agree{deep}"
        return Finding("numeric", "true", "sampled", twice, rhs=claimed.text)
    unproven = None if all(sample.rigorous for sample in samples) else "a proven bound on the tails"
    if doubt is not None:
        unproven = f"a proven bound on the tails: rare draws may be huge, for there is {doubt}"
    return Finding("numeric", "unknown", reason=reason, missing=unproven)


def _extremes(samples: list[Sample]) -> list[Sample]:
    ordered = sorted(samples, key=lambda sample: sample.estimate)
    return [ordered[0]] if len(ordered) == 1 else [ordered[0], ordered[-1]]


def _words(sample: Sample) -> str:
    """measured 3.1e+02 +- 2% (approximate), which is order(1e2)."""
    span = measured(sample.low, sample.high)
    half = (sample.high - sample.low) / 2
    width = f" +- {100 * half / abs(sample.estimate):.2g}%" if sample.estimate else ""
    proof = "proven tail bounds" if sample.rigorous else "approximate"
    size = "of no certain order" if span is None else f"which is {span.text}"
    return f"measured {sample.estimate:.3g}{width} ({proof}), {size}"
