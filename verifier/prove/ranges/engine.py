"""The rigorous engine: relations between scalars, decided by exact and interval arithmetic."""

from dataclasses import replace

from flint import ctx, fmpq

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Counterexample, Finding, Tightness
from verifier.exact.enclosures.closed_extremes import closed_end, extreme_text
from verifier.exact.enclosures.range_enclosures import infimum_of, range_of, supremum_of
from verifier.exact.enclosures.sign_on_domain import Sign
from verifier.exact.enclosures.term_signs import decide_sign
from verifier.exact.numbers.refusals import Imprecise, Refusal, Undefined, Unsupported
from verifier.exact.numbers.scalar_terms import Term
from verifier.exact.values.recheck import Rechecked
from verifier.expr import nodes as n
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.ranges.concrete_sizes import NAME, at_small_sizes
from verifier.prove.ranges.contradictions import contradiction
from verifier.prove.ranges.end_fit import closed_range, point_tightness, range_text, range_tightness
from verifier.prove.ranges.orders_of_magnitude import examine_order, speaks_of_orders
from verifier.prove.ranges.problem import Problem, evaluator, is_infinite, state
from verifier.prove.ranges.simple_points import Target, refute
from verifier.prove.ranges.slack_signs import BITS, certify, entry_sign, room
from verifier.prove.ranges.tightness import bound_tightness
from verifier.timer import worked

MAX_ENTRIES = 64


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """Judge one relation between scalars over all values that the claim allows."""
    begun = worked()
    deadline = begun + 0.8 * budget.seconds
    before = ctx.prec
    ctx.prec = BITS
    try:
        finding = _examine(claim, step.fact, deadline, budget.seed)
    except Refusal as refusal:
        finding = Finding(NAME, "unknown", reason=refusal.reason, missing=_missing(refusal))
    except (RecursionError, OverflowError, MemoryError) as failure:
        finding = Finding(NAME, "unknown", reason=f"too large: {type(failure).__name__}")
    finally:
        ctx.prec = before
    return replace(finding, seconds=worked() - begun)


def _missing(refusal: Refusal) -> str | None:
    return None if isinstance(refusal, Imprecise | Undefined) else f"interval arithmetic for {refusal.reason}"


def _examine(claim: Claim, fact: n.Relation | n.Within, deadline: float, seed: int) -> Finding:
    words = contradiction(claim)
    if words is not None:
        return Finding(NAME, "unknown", reason=words, vacuous=words)
    if speaks_of_orders(fact):
        return examine_order(claim, fact, deadline)
    for node in walk(fact):
        if isinstance(node, n.Growth):
            return Finding(NAME, "unknown", missing="growth is not a matter of intervals")
    if isinstance(fact, n.Relation) and isinstance(fact.right, n.Infinity):
        return _finite(claim, fact)
    try:
        problem = state(claim, fact)
    except Unsupported as refusal:
        return _by_entries(claim, fact, deadline) or at_small_sizes(claim, fact, refusal, deadline, seed)
    if len(problem.entries) > MAX_ENTRIES:
        return Finding(NAME, "unknown", missing=f"a relation of more than {MAX_ENTRIES} entries")
    if problem.vacuous or any(domain.is_empty for domain in problem.domains.values()):
        words = "no value satisfies the assumptions"
        return Finding(NAME, "unknown", reason=words, vacuous=words)
    return _judge(claim, fact, problem, deadline, seed)


def _by_entries(claim: Claim, fact: n.Relation | n.Within, deadline: float) -> Finding | None:
    """Matrices of fixed sizes: branch and bound over their entries."""
    now = worked()
    if certify(claim, fact, {}, now + 0.6 * (deadline - now)) is not None:
        return None
    words = "shown by boxes over all entries"
    return Finding(NAME, "true", "certified", words, "all matrices of these sizes")


def _finite(claim: Claim, fact: n.Relation) -> Finding:
    """f < oo: a function of scalars is finite wherever it is defined."""
    if fact.op != "<":
        return Finding(NAME, "unknown", missing="a relation with oo other than f < oo")
    evaluator(claim).value(fact.left)
    return Finding(NAME, "true", "certified", "finite wherever it is defined")


def _judge(
    claim: Claim, fact: n.Relation | n.Within, problem: Problem, deadline: float, seed: int
) -> Finding:
    now = worked()
    signs = [entry_sign(entry, problem, now + 0.7 * (deadline - now)) for entry in problem.entries]
    region = _region(problem)
    holes = tuple(dict.fromkeys(hole for found in signs for hole in found.holes))
    if all(found.outcome == "proved" for found in signs):
        tightness = _tightness(claim, fact, problem, signs, deadline)
        searched = any(isinstance(node, n.Extreme | n.Limit) for node in walk(fact))
        pairs = zip(problem.entries, signs, strict=True)
        exact = not searched and all(s.algebra or isinstance(room(e), fmpq) for e, s in pairs)
        return Finding(
            NAME,
            "true",
            "proved" if exact else "certified",
            _reason(fact, region),
            region,
            tightness=tightness,
            derivation=_story(signs),
            excluded=holes,
        )
    hints = [found.point for found in signs if found.point is not None]
    found = refute(Target(claim, fact, problem), hints, deadline, seed)
    if found is not None:
        return _refuted(claim, fact, problem, found, region, deadline, holes)
    reasons = [sign.reason for sign in signs if sign.outcome == "unknown" and sign.reason]
    reason = reasons[0] if reasons else "a violation was met that could not be certified"
    return Finding(NAME, "unknown", reason=reason, region=region, excluded=holes)


def _reason(fact: n.Relation | n.Within, region: str | None) -> str:
    if isinstance(fact, n.Relation) and fact.op == "==":
        return "equal term by term"
    return f"shown for {region}" if region else "both sides are numbers"


def _region(problem: Problem) -> str | None:
    names = problem.names(*(side for entry in problem.entries for side in (entry.left, entry.right)))
    return ", ".join(problem.domains[name].text(name) for name in names) or None


def _story(signs: list[Sign]) -> tuple[str, ...]:
    lines = []
    for found in signs:
        lines += [f"equality at {place}" for place in found.zeros[:3]]
        lines += [f"approached at {place}" for place in found.approached[:3] if place[:-1] not in found.zeros]
        lines += [found.algebra] if found.algebra else []
    return tuple(dict.fromkeys(lines))


# --- tightness and corrections --------------------------------------------------------------------


def _tightness(
    claim: Claim, fact: n.Relation | n.Within, problem: Problem, signs: list[Sign], deadline: float
) -> Tightness | None:
    try:
        if isinstance(fact, n.Within):
            return _within(fact, problem, deadline)
        if fact.op == "==":
            return None
        pairs = zip(problem.entries, signs, strict=True)
        each = [bound_tightness(claim, fact, problem, e, s, deadline) for e, s in pairs]
    except Refusal:
        return None
    return _tightest([found for found in each if found is not None], len(each))


def _tightest(found: list[Tightness], entries: int) -> Tightness | None:
    """The gap of a matrix relation is the least over its entries."""
    for tightness in found:
        if tightness.tight:
            return tightness
    if not found or len(found) < entries or any(t.tight is None for t in found):
        return found[0] if len(found) == entries == 1 else None
    return min(found, key=lambda t: t.gap_low if t.gap_low is not None else 0)


def _within(fact: n.Within, problem: Problem, deadline: float) -> Tightness | None:
    ends = {entry.op: entry.right for entry in problem.entries}
    value = problem.entries[0].left if problem.entries else None
    names = problem.names(value)
    constant = not any(isinstance(end, Term) for end in ends.values())
    plain = constant and problem.complete and not problem.constraints
    if len(problem.entries) > 2 or len(names) > 1 or not plain or value is None:
        return None
    low = None if is_infinite(fact.low, ">=") else ends.get(">=")
    high = None if is_infinite(fact.high, "<=") else ends.get("<=")
    if not names:
        return point_tightness(value, low, high)
    name = names[0]
    found = range_of(value, name, problem.domains[name], deadline)
    if found is None:
        return None
    return range_tightness(value, low, high, name, problem.domains[name], found, deadline)


def _refuted(
    claim: Claim,
    fact: n.Relation | n.Within,
    problem: Problem,
    found: Rechecked,
    region: str | None,
    deadline: float,
    holes: tuple[str, ...],
) -> Finding:
    assert found.counterexample is not None
    spoken = names_in(claim)  # a point has values of symbols that the claim does not speak of, too
    at = found.counterexample.values.items()
    values = ", ".join(f"{name} = {value}" for name, value in at if name in spoken)
    corrected = _constant(fact, problem, found.counterexample) or _corrected(fact, problem, deadline)
    instead = None if corrected else _attained(fact, problem, deadline)
    return Finding(
        NAME,
        "false",
        found.grade,
        f"it breaks at {values}" if values else "the two sides are evaluated",
        region,
        corrected=corrected,
        instead=instead,
        counterexample=found.counterexample,
        excluded=holes,
    )


def _constant(fact: n.Relation | n.Within, problem: Problem, found: Counterexample) -> str | None:
    """The left side of a false equality, if it is one number."""
    equality = isinstance(fact, n.Relation) and fact.op == "==" and len(problem.entries) == 1
    if not equality or isinstance(problem.entries[0].left, Term) or found.lhs_exact is None:
        return None
    return found.lhs_exact if found.rhs_exact is not None else None


def _corrected(fact: n.Relation | n.Within, problem: Problem, deadline: float) -> str | None:
    """What a constant bound or range should have been."""
    first = problem.entries[0]
    names = problem.names(first.left)
    constant = not any(isinstance(entry.right, Term) for entry in problem.entries)
    if len(names) != 1 or not constant or problem.constraints or not problem.complete:
        return None
    if isinstance(fact, n.Relation) and (fact.op == "==" or len(problem.entries) > 1):
        return None
    name, domain = names[0], problem.domains[names[0]]
    if domain.integer:
        return None
    if isinstance(fact, n.Within):
        found = range_of(first.left, name, domain, deadline)
        if found is None or not (found.inf.converged and found.sup.converged):
            return None  # what is enclosed may be far wider than the range
        return range_text(closed_range(first.left, name, domain, found, deadline))
    upper = first.op in ("<=", "<")
    extreme = (supremum_of if upper else infimum_of)(first.left, name, domain, deadline)
    if extreme is None or not extreme.converged:
        return None
    if fact.op in ("<", ">"):
        # Strictly below its own maximum nothing is; below a supremum that is only approached it is.
        end = closed_end(first.left, name, domain, extreme, upper, deadline)
        if end is None:
            return None
        between = end - first.left if upper else first.left - end
        if decide_sign(between, name, domain, True, deadline).outcome != "proved":
            return None
    return extreme_text(first.left, name, domain, extreme, upper, deadline)


def _attained(fact: n.Relation | n.Within, problem: Problem, deadline: float) -> str | None:
    """f <= max f in the place of f < c"""
    if not isinstance(fact, n.Relation) or fact.op not in ("<", ">"):
        return None
    closed: n.Comparison = "<=" if fact.op == "<" else ">="
    text = _corrected(replace(fact, op=closed), problem, deadline)
    return None if text is None else f"{to_text(fact.left)} {closed} {text}"
