"""A relation with limits, judged for all values: the generic case, the special ones, each open sign."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness, weakest
from verifier.expr import nodes as n
from verifier.expr.walk import walk
from verifier.prove.limits.scale_sums import Undecided
from verifier.prove.scalars import equality
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.scalar_refusal import NoLimit, Refused, Undefined
from verifier.prove.scalars.scalar_relation import ENGINE, Reading, interpret
from verifier.prove.scalars.special_cases import (
    Case,
    has_limit,
    is_empty,
    parameter_claims,
    sign_claims,
    special_claims,
)

Decide = Callable[[Reading], Finding]
MAX_NESTED = 3


def everywhere(claim: Claim, fact: n.Relation, closing: Closing, decide: Decide) -> Finding:
    """The finding for every value of the symbols."""
    closed = n.Relation(fact.op, closing.close(fact.left), closing.close(fact.right))
    cases = Cases(fact, closed, closing, decide)
    if not has_limit(fact):
        return cases.judged(claim)
    try:
        found = cases.judged(claim)
    except (Undefined, NoLimit):
        raise
    except Refused as refusal:
        found = Finding(ENGINE, "unknown", reason=refusal.reason, missing=refusal.reason)
    if found.truth == "unknown":
        found = cases.refuted(claim) or found
    return _without_bound(found, fact)


def _without_bound(found: Finding, fact: n.Relation) -> Finding:
    """A limit does not depend on the value of its variable: it is no part of a counterexample."""
    if found.counterexample is None:
        return found
    bound = {part.variable.name for part in walk(fact) if isinstance(part, n.Limit)}
    values = {name: value for name, value in found.counterexample.values.items() if name not in bound}
    return replace(found, counterexample=replace(found.counterexample, values=values))


@dataclass(frozen=True)
class Cases:
    """One relation in closed form, to be judged under more and more assumptions."""

    fact: n.Relation
    closed: n.Relation
    closing: Closing
    decide: Decide

    def judged(self, claim: Claim, nested: int = 0) -> Finding:
        try:
            reading = interpret(claim, self.fact, self.closed, self.closing)
        except Undecided as open_sign:
            if nested == MAX_NESTED:
                raise
            return self._signs(sign_claims(claim, self.closed, open_sign.expr), nested)
        found = self.decide(reading)
        if not has_limit(self.fact) or found.truth == "false":
            return found
        try:
            special = special_claims(reading)
        except Refused as refusal:
            return _open(found, [refusal.reason])
        if nested == MAX_NESTED and special:
            return _open(found, [name for name, _ in special])
        return self._with(found, special, nested)

    def refuted(self, claim: Claim) -> Finding | None:
        """A choice of the parameters at which the relation is false: there a limit has numbers only."""
        for name, special in parameter_claims(claim, self.closed):
            if self.closing.clock.left <= 0:
                return None
            found = self._one(name, special, MAX_NESTED - 1)
            if found is not None and found.truth == "false":
                return _false_where(found, name)
        return None

    def _signs(self, cases: list[Case], nested: int) -> Finding:
        """True if it is in every case in which the sides are defined."""
        generic = Finding(ENGINE, "true", "proved", "true for each sign", seconds=self.closing.clock.spent)
        known = []
        for name, claim in cases:
            found = self._one(name, claim, nested)
            if found is not None and found.truth == "false":
                return _false_where(found, name)
            known.append((name, found))
        open_cases = [f"{name}: {f.missing}" for name, f in known if f is not None and f.truth == "unknown"]
        if open_cases:
            return _open(generic, open_cases)
        shown = next((f for _, f in known if f is not None), None)
        if shown is None:
            raise Undefined("a side that is defined nowhere")
        notes = tuple(line for _, f in known if f is not None for line in f.derivation)
        gap = _closest([f.tightness for _, f in known if f is not None])
        grade = weakest(*(f.grade for _, f in known if f is not None))
        return replace(generic, grade=grade, lhs=shown.lhs, rhs=shown.rhs, derivation=notes, tightness=gap)

    def _with(self, found: Finding, special: list[Case], nested: int) -> Finding:
        """The generic finding, unless a special case is false or open."""
        open_cases, gaps = [], [found.tightness]
        for name, claim in special:
            case = self._one(name, claim, nested)
            if case is None:
                continue
            gaps.append(case.tightness)
            if case.truth == "false":
                return _false_where(case, name)
            if case.truth == "unknown":
                open_cases.append(f"{name}: {case.reason}")
            elif found.truth == "true":
                found = replace(found, grade=weakest(found.grade, case.grade))
        found = replace(found, tightness=_closest(gaps))
        return _open(found, open_cases) if found.truth == "true" and open_cases else found

    def _one(self, name: str, claim: Claim, nested: int) -> Finding | None:
        """The finding in one case; None where no point of the domain is in it."""
        try:
            if is_empty(claim, self.closed, self.closing):
                return None
            found = self.judged(claim, nested + 1)
        except Undefined:
            return None
        except Refused as refusal:
            return Finding(ENGINE, "unknown", reason=refusal.reason, missing=refusal.reason)
        return None if found.truth == "unknown" and found.missing == equality.NO_POINT else found


def _closest(gaps: list[Tightness | None]) -> Tightness | None:
    """How close a bound comes over all cases: it is tight if it is in one of them."""
    known = [gap for gap in gaps if gap is not None]
    tight = next((gap for gap in known if gap.tight), None)
    if tight is not None or len(gaps) == 1:
        return tight or gaps[0]
    return Tightness(None) if known else None


def _false_where(found: Finding, name: str) -> Finding:
    """What is false in one case is false; what would be right there is not right elsewhere."""
    return replace(found, reason=f"{found.reason}, in the special case {name}", corrected=None)


def _open(found: Finding, cases: list[str]) -> Finding:
    return replace(found, truth="unknown", grade=None, missing="a decision of " + "; ".join(cases))
