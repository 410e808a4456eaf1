"""How tight a range is whose ends are expressions: the same questions with ends a little further in.

`f in [a, b]` says that g = (f - a)/(b - a) is in [0, 1] wherever b > a. If f >= a + (b - a)/200 is false, and
so is f <= b - (b - a)/200, then g comes within half a percent of both ends. If one of them is true with 1/50
in the place of 1/200, that end could be moved.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.evidence import Finding, Grade, Tightness, Truth, weakest
from verifier.expr.nodes import Add, Infinity, Multiply, Node, Number, Relation, Subtract, Symbol, Within
from verifier.expr.symbols import Dimension
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.special_values import at_values, unbound
from verifier.suggest.bound_factors import first_answer
from verifier.timer import worked

WITHIN, BEYOND = Fraction(1, 200), Fraction(1, 50)


def measure_ends(case: Case, seconds: float) -> None:
    """Tell whether both ends of a range are approached, if it was proved and nothing is known about that."""
    fact = case.step.fact
    proof = next((f for f in case.findings if f.proves), None)
    known = any(f.tightness is not None and f.tightness.is_settled for f in case.findings)
    if proof is None or known or not isinstance(fact, Within) or not _is_measurable(fact):
        return
    deadline = worked() + seconds
    grades: list[Grade | None] = [proof.grade]

    def says(case: Case, asked: Relation) -> Truth:
        found = first_answer(case, asked, deadline, 1 / 2)
        if found.truth != "unknown":
            grades.append(found.grade)
        return found.truth

    two = _at_size_two(case, fact)
    if two is not None and all(says(two, asked) == "false" for asked in _moved(fact, WITHIN)):
        case.hear(_finding(proof, Tightness(True)))
    elif says(case, Relation("<=", fact.high, fact.low)) == "false":
        for end, asked in zip(("lower", "upper"), _moved(fact, BEYOND), strict=True):
            if says(case, asked) == "true":
                note = f"the {end} end is never approached: it could be moved by 2% of the width, or more"
                shown = replace(proof, grade=weakest(*grades))
                case.hear(_finding(shown, Tightness(False, note=note, proved=True)))
                return


def _is_measurable(fact: Within) -> bool:
    """A scalar between ends that are numbers."""
    return fact.arg.shape.is_scalar and not any(isinstance(node, Infinity) for node in walk(fact))


def _at_size_two(case: Case, fact: Within) -> Case | None:
    """The same at size 2, if any size is free: tightness is over sizes from 2 on, and what breaks a bound may
    have size 1. None where an assumption speaks of a size."""
    names = {node.name for node in walk(fact) if isinstance(node, Symbol)}
    names |= {name for node in walk(fact) for end in (node.shape.rows, node.shape.cols) for name in end.names}
    sizes = {name for name, one in case.claim.symbols.items() if isinstance(one.kind, Dimension)}
    free = names & sizes - case.claim.where.keys()
    if not free <= unbound(case.claim):
        return None
    return (
        replace(case, claim=at_values(case.claim, dict.fromkeys(sorted(free), Fraction(2)))) if free else case
    )


def _moved(fact: Within, share: Fraction) -> tuple[Relation, Relation]:
    """Both halves of the range with their ends moved in by this share of the width."""
    step: Node = Multiply(Number(share), Subtract(fact.high, fact.low))
    lower = Relation(">=", fact.arg, Add(fact.low, step))
    return lower, Relation("<=", fact.arg, Subtract(fact.high, step))


def _finding(proof: Finding, tightness: Tightness) -> Finding:
    return Finding(proof.engine, "true", proof.grade, proof.reason, tightness=tightness)
