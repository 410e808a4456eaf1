"""What the kernel says of a relation without an engine: that it is true, or that it is false at a simple
point or along a simple family.

Where the kernel alone can do it, nobody else has to; what nobody decided may have a proof all the same.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.claim.model import Claim, Step
from verifier.evidence import Counterexample, Finding, Grade, ProofRecord
from verifier.expr.symbols import Declared
from verifier.kernel.check import TRUST
from verifier.kernel.points.alike import PARTS
from verifier.kernel.proof import Proof
from verifier.plan.asking import Case
from verifier.plan.kernel_proofs import Brake, record_of
from verifier.proofs.propose import propose
from verifier.refute.confirm import exact_point

KERNEL = "kernel"
SAME = "both sides have the same normal form"
MOST_ROWS = 6
TRUE = Finding(KERNEL, "true", "proved")
FALSE = Finding(KERNEL, "false", "proved", counterexample=Counterexample({}, None, None))


def by_proof(case: Case, seconds: float) -> None:
    """Tell what the kernel shows. What is false without a point that a reader can check by hand is kept back:
    an engine may find one. Where engines are trusted, they are better at refuting."""
    questions = (TRUE, FALSE) if case.settings.trust == "checked" else (TRUE,)
    prover, brake = case.prover, Brake(seconds)
    if prover is None:
        return
    for question in questions:
        proof = prover.ask(question, brake, brake.left)
        if proof is not None:
            found = _finding(case.claim, case.step, question, proof, record_of(proof))
            if found.proves or (found.counterexample is not None and found.counterexample.lhs is not None):
                case.hear(found)
            else:
                case.kept = found
            return


def by_family(case: Case, seconds: float) -> None:
    """Tell a refutation that was kept back, since nobody found a better one."""
    if case.kept is not None:
        case.hear(case.kept)


def by_the_kernel(claim: Claim, step: Step, seconds: float) -> Finding:
    """What it says of another relation of the claim."""
    for question in (TRUE, FALSE):
        proof = Brake(seconds / 2).within(seconds, partial(propose, claim, step, question))
        if proof is not None and TRUST not in proof.rules:
            return _finding(claim, step, question, proof, record_of(proof))
    return Finding(KERNEL, "unknown")


def _finding(claim: Claim, step: Step, question: Finding, proof: Proof, record: ProofRecord) -> Finding:
    words = SAME if proof.rule == "contract" else f"by the kernel's rules: {', '.join(sorted(record.rules))}"
    grade: Grade = "proved" if record.exact else "certified"
    if question.truth == "true":
        return Finding(KERNEL, "true", grade, words)
    values = _shown(claim, proof.data)
    return Finding(KERNEL, "false", grade, words, counterexample=_worked_out(claim, step, values))


def _worked_out(claim: Claim, step: Step, values: Mapping[str, object]) -> Counterexample:
    """The point with both sides there, where exact arithmetic has them."""
    # Loaded in the worker alone, like the engines.
    from verifier.exact.values.recheck import recheck

    point = exact_point(values)
    found = None if point is None else recheck(claim, step.fact, point).counterexample
    return found or Counterexample(values, None, None)


def _shown(claim: Claim, data: Mapping[str, Any]) -> dict[str, object]:
    """The values of a point, or along a family: powers of what grows."""
    point = data.get("point")
    if point is None:
        found: dict[str, object] = {name: _power(*value) for name, value in data.get("values", {}).items()}
        return {**found, **dict.fromkeys(data.get("growing", ()), "-> oo")}
    sizes = {
        name: int(value) for name, value in point.items() if isinstance(value, str) and value.isdecimal()
    }
    sizes |= {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    shown = {name: _rows(claim.symbols.get(name), value, sizes) for name, value in point.items()}
    return {name: value for name, value in shown.items() if value is not None}


def _power(factor: str, powers: Mapping[str, str]) -> str:
    parts = [name if power == "1" else f"{name}**{power}" for name, power in powers.items()]
    return "*".join([factor, *parts] if factor != "1" or not parts else parts)


def _rows(declared: Declared | None, value: object, sizes: Mapping[str, int]) -> object:
    """A matrix by five numbers, written out where it is small."""
    if not isinstance(value, Mapping):
        return value
    if declared is None or not (declared.shape.rows.names | declared.shape.cols.names) <= sizes.keys():
        return None
    rows, cols = declared.shape.rows.at(sizes), declared.shape.cols.at(sizes)
    if max(rows, cols) > MOST_ROWS:
        return None
    first, row, column, diagonal, rest = (str(Fraction(value[part])) for part in PARTS)
    corner = [first, *[row] * (cols - 1)]
    others = [[column, *(diagonal if i == j else rest for j in range(1, cols))] for i in range(1, rows)]
    return [corner, *others]
