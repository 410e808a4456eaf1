"""Whether the assumptions leave anything to speak of: a claim about nothing is an error, not a verdict.

A small point that satisfies all of them ends the question. Else each condition is asked the other way
round under the others: where `a**2 >= 0` is proved, nothing satisfies `a**2 < 0`.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding
from verifier.expr.nodes import Comparison, Expectation, Order, Relation, Symbol, Within
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.run.asking import Case
from verifier.run.factors import said
from verifier.timer import Overran, at_most, worked

SECONDS = 0.25
MOST_POINTS = 40
OPPOSITE: dict[Comparison, tuple[Comparison, ...]] = {
    "<=": (">",), "<": (">=",), ">=": ("<",), ">": ("<=",), "==": ("<", ">"), "!=": ("==",),
}  # fmt: skip


# What was found of the assumptions of a theorem, for its other claims; of the last few theorems.
_answered: dict[Hashable, Finding | None] = {}
MOST_ANSWERS = 64


def vacuity(case: Case) -> Finding | None:
    """Why nothing satisfies the assumptions, where that is proved."""
    claim = case.claim
    doubtful = [item for item in claim.assumptions if _may_clash(claim, item)]
    if not doubtful:
        return None
    key = (claim.assumptions, tuple(claim.symbols.items()), tuple(claim.where.items()))
    if key not in _answered:
        while len(_answered) >= MOST_ANSWERS:
            del _answered[next(iter(_answered))]
        _answered[key] = None if _is_met(claim) else _clash(case, doubtful)
    return _answered[key]


def _clash(case: Case, doubtful: Sequence[Assumption]) -> Finding | None:
    """An assumption whose opposite is proved under the others."""
    deadline = worked() + SECONDS
    exact = [engine for engine in case.settings.engines if not engine.climbs and not engine.is_witness]
    for assumption in doubtful:
        rest = tuple(item for item in case.claim.assumptions if item is not assumption)
        without = replace(case, claim=replace(case.claim, assumptions=rest))
        for opposite in _opposites(assumption):
            for engine in exact:
                left = deadline - worked()
                if left > 0 and said(without, engine.name, opposite, left) == "true":
                    words = f"no value satisfies {assumption.name}, since {to_text(opposite)}"
                    return Finding(engine.name, "unknown", reason=words, vacuous=words)
    return None


def _may_clash(claim: Claim, assumption: Assumption) -> bool:
    """A condition between scalars; of replaced symbols, those that another assumption speaks of too."""
    replaced = assumption.substitution
    if replaced is not None and assumption.written is None:
        name = replaced[0].name
        others = (walk(item.fact) for item in claim.assumptions if item is not assumption)
        shared = any(isinstance(node, Symbol) and node.name == name for nodes in others for node in nodes)
        return shared and replaced[0].shape.is_scalar and not isinstance(claim.symbols[name].kind, Dimension)
    return any(True for _ in _opposites(assumption)) and assumption.assumed_value is None


def _opposites(assumption: Assumption) -> Iterator[Relation]:
    """Each of these, if it is true everywhere, contradicts the assumption."""
    match assumption.written or assumption.fact:
        case Relation(op, left, right) if left.shape.is_scalar and right.shape.is_scalar:
            if any(isinstance(node, Order) for node in walk(assumption.fact)):
                return
            yield from (Relation(other, left, right) for other in OPPOSITE[op])
        case Within(arg, low, high) if arg.shape.is_scalar:
            yield from (Relation("<", arg, low), Relation(">", arg, high))


def _is_met(claim: Claim) -> bool:
    """Whether a small point satisfies every assumption, in exact arithmetic. Conditions on laws, and symbols
    that are replaced twice, are no matter of points."""
    replaced = [found[0].name for item in claim.assumptions if (found := item.substitution) is not None]
    laws = (walk(item.fact) for item in claim.assumptions)
    if len(replaced) > len(set(replaced)) or any(isinstance(x, Expectation) for nodes in laws for x in nodes):
        return False
    # Loaded in the worker alone, like the engines.
    from verifier.rigorous.recheck import admissible
    from verifier.symbolic.points import points

    stated = claim.steps[0].fact
    fact = stated if isinstance(stated, Relation) else Relation("==", stated.arg, stated.arg)
    try:
        with at_most(SECONDS):
            tried = islice(points(claim, fact, {}, 0), MOST_POINTS)
            return any(admissible(claim, point).outcome == "true" for point in tried)
    except (Overran, Exception):
        return False
