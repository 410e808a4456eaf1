"""A matrix that is printed without a factor in front of it, a sum or an extreme that nobody worked out.

D(Y, X)  = D(Y, Z) @ D(Z, X)                   where Y depends on X through Z alone
vec_r(B) = commutation(m, n) @ vec_r(B.T)      for B m-by-n
sum(k*binomial(n, k), k, 0, n) = n*2**(n - 1)
sup(x*exp(-x**2), x) = exp(-1/2)/sqrt(2)
"""

from collections.abc import Iterator
from dataclasses import replace

from verifier.expr.nodes import (
    Commutation,
    Derivative,
    Extreme,
    Growth,
    Let,
    MatMul,
    Node,
    Order,
    Relation,
    VecR,
)
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.suggest.bound_factors import first_answer
from verifier.timer import Overran, at_most, worked

LEAST_SECONDS = 0.05


def complete(case: Case, seconds: float) -> None:
    """Tell the right side with the missing factor in front, or the left side added up, where it is proved."""
    fact = case.step.fact
    if not isinstance(fact, Relation) or fact.op != "==" or isinstance(fact.right, Growth | Order):
        return
    verdict = case.verdict
    if verdict.verdict != "fails" or (verdict.corrected and not _has_sums(verdict.corrected)):
        return
    deadline = worked() + seconds
    for right in _worked_out(case, fact, seconds / 2) if fact.left.shape.is_scalar else longer(fact):
        if deadline - worked() < LEAST_SECONDS:
            return
        if _is_true(case, replace(fact, right=right), deadline):
            case.hear(replace(case.refutation, corrected=to_text(right)))
            return


def _has_sums(text: str) -> bool:
    return "sum(" in text or "prod(" in text


def _worked_out(case: Case, fact: Relation, seconds: float) -> list[Node]:
    """The left side added up, or the value of an extreme next to the number that is known of it."""
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.prove.scalars import stationary
    from verifier.prove.scalars import sympy_totals as totals

    examples = [finding.counterexample for finding in case.findings if finding.truth == "false"]
    near = next((example.lhs for example in examples if example is not None), None)
    try:
        with at_most(seconds):
            if isinstance(fact.left, Extreme) and near is not None:
                found = stationary.suggested(case.claim, fact.left, near)
            else:
                found = totals.suggested(case.claim, fact.left)
    except Overran:
        return []
    return [] if found is None else [found]


def longer(fact: Relation) -> Iterator[Node]:
    """D(Y, Z) @ right, for the names Z inside Y that have as many entries as Y; rows for columns."""
    whole = fact.left
    while isinstance(whole, MatMul):
        whole = whole.left
    match whole:
        case Derivative(Let(_, body) as outer, by):
            for inner in dict.fromkeys(part for part in walk(body) if isinstance(part, Let)):
                factor = Derivative(outer, inner)
                depends = any(part == by for part in walk(inner))
                if inner != by and depends and factor.shape.cols == fact.right.shape.rows:
                    yield MatMul(factor, fact.right)
        case VecR(matrix):
            yield MatMul(Commutation(matrix.shape.rows, matrix.shape.cols), fact.right)


def _is_true(case: Case, fact: Relation, deadline: float) -> bool:
    try:
        with at_most(deadline - worked()):
            return first_answer(case, fact, deadline).proves
    except Overran:
        return False
