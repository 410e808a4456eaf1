"""How much stronger a proved bound can be proved: what shows that it is loose.

Where nobody knows how close a bound comes, or a search alone suspects that it is loose, the engine that
proved it is asked for the same bound with a right side several times smaller, or beyond 0. If it proves that
too, the gap is at least as large.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.evidence import Finding, Grade, Tightness, Truth, weakest
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Growth, Node, Number, Relation, Symbol
from verifier.expr.products import divided, times
from verifier.expr.symbols import Dimension
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.judge.decide import needs_tightness
from verifier.judge.slack import is_negative
from verifier.plan.asking import Case
from verifier.plan.kernel_alone import KERNEL
from verifier.suggest.bound_factors import answer, first_answer, largest, said
from verifier.timer import worked

LEAST_FACTOR = Fraction(51, 50)  # beyond the 1% that counts as tight
MOST_FACTOR = Fraction(1024)
MOST_DENOMINATOR, NEARLY = 1000, 1e-9
SIMPLE_DENOMINATOR, ABOUT = 6, 5e-3
LEAST_NUMBER, MOST_NUMBER = Fraction(1, 10**6), Fraction(10**6)


def squeeze(case: Case, seconds: float) -> None:
    """Tell how loose a bound is at least, if it was proved and nothing is known about that. Everybody who
    proved it is asked, so that the answer does not depend on who was first."""
    fact = case.step.fact
    # A search looks for how close a bound comes by itself, and takes its time at every question.
    exact = [*(engine.name for engine in case.settings.engines if not engine.climbs), KERNEL]
    proofs = {f.engine: f for f in reversed(case.findings) if f.proves and f.engine in exact}
    if not proofs or not isinstance(fact, Relation) or not needs_tightness(fact):
        return
    known = any(f.tightness is not None and f.tightness.is_settled for f in case.findings)
    if known or not fact.left.shape.is_scalar:
        return
    deadline = worked() + seconds
    for name in exact:
        if name in proofs and (found := _squeezed(case, fact, proofs[name], deadline)) is not None:
            case.hear(found)
            return


def _squeezed(case: Case, fact: Relation, proof: Finding, deadline: float) -> Finding | None:
    """The bound with a smaller right side, as the engine that proved it proves that too."""
    grades: list[Grade | None] = [proof.grade]

    def says(changed: Relation) -> Truth:
        left = deadline - worked()
        found = answer(case, proof.engine, changed, left) if left > 0 else Finding(proof.engine, "unknown")
        if found.truth != "unknown":
            grades.append(found.grade)
        return found.truth

    zero = Number(Fraction(0))
    if fact.right == zero:
        constant = largest(lambda number: says(_beyond(fact, number)) == "true", LEAST_NUMBER, MOST_NUMBER)
        whole = replace(proof, grade=weakest(*grades))
        return None if constant is None else _never_approached(fact, whole, constant)
    # A factor changes nothing where the right side is 0, and makes it worse where that is negative.
    if says(Relation(">=", fact.right, zero)) != "true" or says(Relation("<=", fact.right, zero)) != "false":
        return None
    factor = largest(lambda factor: says(_stronger(fact, factor)) == "true", LEAST_FACTOR, MOST_FACTOR)
    return None if factor is None else _finding(fact, replace(proof, grade=weakest(*grades)), factor)


def sharpen(case: Case, seconds: float) -> None:
    """What the right side of a bound could be that is loose, or seems to be, where the factor is about a
    simple number: if the bound with that factor is proved too, it is the best of its kind."""
    fact = case.step.fact
    judged = case.verdict
    if judged.tightness not in ("loose", "suspected-loose") or judged.tight is not None:
        return
    if not isinstance(fact, Relation) or not needs_tightness(fact) or isinstance(fact.right, Growth):
        return
    factor = _simple(judged.slack) if judged.slack is not None else _of_negative(case, fact)
    if factor is None or factor < LEAST_FACTOR:
        return
    better = _stronger(fact, factor) if judged.slack is not None else _farther(fact, factor)
    deadline = worked() + seconds
    proofs = [finding for finding in case.findings if finding.proves]
    # Where the right side is negative a factor makes the bound weaker.
    signed = Relation(">=" if judged.slack is not None else "<=", fact.right, Number(Fraction(0)))
    names = dict.fromkeys(proof.engine for proof in proofs)
    if any(said(case, name, signed, max(deadline - worked(), 0.05) / 4) == "false" for name in names):
        return
    for proof in proofs:
        left = deadline - worked()
        found = answer(case, proof.engine, better, left) if left > 0 else Finding(proof.engine, "unknown")
        if found.proves:
            made = _finding if judged.slack is not None else _negative_finding
            case.hear(made(fact, replace(proof, grade=weakest(proof.grade, found.grade)), factor))
            return


def settle(case: Case, seconds: float) -> None:
    """Prove what a search suspects: that a proved bound is loose, since the better one that it names is true
    and better by more than 1% wherever sizes are at least 2."""
    fact = case.step.fact
    judged = case.verdict
    proof = next((f for f in case.findings if f.proves), None)
    if proof is None or judged.tightness != "suspected-loose" or not isinstance(fact, Relation):
        return
    known = (f.tightness for f in case.findings if f.tightness is not None and f.tightness.tight is False)
    suspected = next((one for one in known if one.better is not None), None)
    better = None if suspected is None else _expression(case, suspected.better or "")
    if suspected is None or better is None or isinstance(fact.right, Growth) or not fact.left.shape.is_scalar:
        return
    deadline = worked() + seconds
    large = replace(case, claim=_from_two(case.claim), findings=[])
    ratio = divided(fact.right, better) if fact.op in ("<=", "<") else divided(better, fact.right)
    asked = (
        (case, Relation("<=" if fact.op in ("<=", "<") else ">=", fact.left, better)),
        (case, Relation(">=", fact.right, Number(Fraction(0)))),
        (large, Relation(">=", ratio, Number(LEAST_FACTOR))),
    )
    said = [first_answer(about, relation, deadline, 1 / 2) for about, relation in asked]
    if all(found.proves for found in said):
        grade = weakest(proof.grade, *(found.grade for found in said))
        note = f"{suspected.better} would do"
        shown = replace(suspected, gap_low=1 - 1 / LEAST_FACTOR, note=note, proved=True)
        case.hear(Finding(proof.engine, "true", grade, proof.reason, tightness=shown))


def _expression(case: Case, text: str) -> Node | None:
    try:
        return elaborate(parse(text), case.claim.scope)
    except (ExprError, ShapeError):
        return None


def _from_two(claim: Claim) -> Claim:
    """The claim where tightness is measured: at sizes that are free and at least 2."""
    free = (
        name
        for name, symbol in claim.symbols.items()
        if isinstance(symbol.kind, Dimension) and name not in claim.where
    )
    facts = [Relation(">=", Symbol(name), Number(Fraction(2))) for name in free]
    added = [Assumption("sizes from two on", fact, to_text(fact), claim.position) for fact in facts]
    return replace(claim, assumptions=(*claim.assumptions, *added))


def _of_negative(case: Case, fact: Relation) -> Fraction | None:
    """How many times nearer to 0 a negative lower bound could be, how many times farther an upper one."""
    known = (f.tightness for f in case.findings if f.tightness is not None and f.tightness.tight is False)
    gap = next((float(one.gap_high) for one in known if one.gap_high is not None), None)
    if gap is None or not is_negative(fact.right) or not (0 < gap < 1 or fact.op in ("<=", "<")):
        return None
    return _simple(1 + gap if fact.op in ("<=", "<") else 1 / (1 - gap))


def _negative_finding(fact: Relation, proof: Finding, factor: Fraction) -> Finding:
    upper = fact.op in ("<=", "<")
    gap = factor - 1 if upper else 1 - 1 / factor
    note = f"it is also true with a right side {factor} times {'farther from' if upper else 'nearer to'} 0"
    found = Tightness(False, gap, None, to_text(_farther(fact, factor).right), note=note, proved=True)
    return Finding(proof.engine, "true", proof.grade, proof.reason, tightness=found)


def _farther(fact: Relation, factor: Fraction) -> Relation:
    """The bound with a negative right side `factor` times farther from 0, for a lower bound nearer to it."""
    if fact.op in ("<=", "<"):
        return Relation("<=", fact.left, times(factor, fact.right))
    return Relation(">=", fact.left, times(1 / factor, fact.right))


def _simple(slack: float) -> Fraction | None:
    """The number that a search came close to, or very close where it is not so simple."""
    for most, within in ((MOST_DENOMINATOR, NEARLY), (SIMPLE_DENOMINATOR, ABOUT)):
        factor = Fraction(slack).limit_denominator(most)
        if abs(float(factor) / slack - 1) <= within:
            return factor
    return None


def _stronger(fact: Relation, factor: Fraction) -> Relation:
    """The bound with a right side that is `factor` times smaller, for a lower bound larger."""
    if fact.op in ("<=", "<"):
        return Relation("<=", fact.left, times(1 / factor, fact.right))
    return Relation(">=", fact.left, times(factor, fact.right))


def _beyond(fact: Relation, number: Fraction) -> Relation:
    """The bound by a number on the other side of 0."""
    if fact.op in ("<=", "<"):
        return Relation("<=", fact.left, Number(-number))
    return Relation(">=", fact.left, Number(number))


def _never_approached(fact: Relation, proof: Finding, number: Fraction) -> Finding:
    better = to_text(_beyond(fact, number).right)
    found = Tightness(False, better=better, note="0 is never approached", proved=True)
    return Finding(proof.engine, "true", proof.grade, proof.reason, tightness=found)


def _finding(fact: Relation, proof: Finding, factor: Fraction) -> Finding:
    upper = fact.op in ("<=", "<")
    gap = 1 - 1 / factor if upper else factor - 1
    note = f"it is also true with a right side {factor} times {'smaller' if upper else 'larger'}, at least"
    found = Tightness(False, gap, None, to_text(_stronger(fact, factor).right), note=note, proved=True)
    return Finding(proof.engine, "true", proof.grade, proof.reason, tightness=found)
