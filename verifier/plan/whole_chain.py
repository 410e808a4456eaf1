"""First against last of a chain, as a relation of its own."""

from typing import cast

from verifier.claim.model import Claim, Step
from verifier.expr.nodes import Comparison, Relation

OVERALL = -1  # its number, where steps are numbered


def overall(claim: Claim) -> Step | None:
    """First against last of a chain: what the whole proof claims to show."""
    relations = [step.fact for step in claim.steps]
    if len(relations) < 2 or not all(isinstance(fact, Relation) for fact in relations):
        return None
    chain = cast(list[Relation], relations)
    op = _combined([fact.op for fact in chain])
    if op is None:
        return None
    fact = Relation(op, chain[0].left, chain[-1].right)
    return Step(fact, f"first {op} last", claim.steps[-1].position)


def _combined(ops: list[Comparison]) -> Comparison | None:
    """a == b <= c < d gives a < d; relations in both directions give nothing."""
    kinds = set(ops) - {"=="}
    if not kinds:
        return "=="
    if kinds <= {"<=", "<"}:
        return "<" if "<" in kinds else "<="
    if kinds <= {">=", ">"}:
        return ">" if ">" in kinds else ">="
    return None
