"""What a finding is shown with: its counterexample worked out, and curves for pictures.

Nothing here bears on a verdict. It runs in the worker, next to the engines, so that whoever writes
the report computes nothing; it has a fraction of a second, and is left out where that is not enough.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.evidence import Budget, Counterexample, Curve, Finding
from verifier.exact.values.along_symbol import trace
from verifier.exact.values.worked_by_hand import worked
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Growth, Node, Order, Relation, Within
from verifier.expr.symbols import Dimension
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.reformulate.function_families import Instance, in_family, uses_functions
from verifier.reformulate.instances import EXACT_FAMILIES
from verifier.reformulate.laws_of_few_values import FAMILIES as LAWS
from verifier.reformulate.laws_of_few_values import in_law, of_any_law
from verifier.refute.confirm import exact_point
from verifier.timer import Overran, at_most

SECONDS = 0.8
COST_SECONDS = 2.0
MOST_STEPS = 8
LONGEST = 200  # of a closed form that one can follow with numbers in the places of its letters
COST_SIZES = (2, 4, 8, 16)
COST_LINE = "left side without the assumption / with it"


def illustrated(
    claim: Claim, step: Step, findings: Sequence[Finding], finding: Finding, pictures: bool = True
) -> Finding:
    """The finding with arithmetic and curves; `findings` came before it and may hold closed forms."""
    try:
        with at_most(SECONDS):
            known = [finding, *findings]
            finding = _with_arithmetic(claim, step, known, finding)
            drawn = any(other.curves for other in known)
            return (
                finding
                if drawn or not pictures
                else replace(finding, curves=tuple(_curves(claim, step, known)))
            )
    except (Overran, Exception):
        return finding


def _with_arithmetic(claim: Claim, step: Step, known: Sequence[Finding], finding: Finding) -> Finding:
    example = finding.counterexample
    if finding.truth != "false" or example is None:
        return finding
    point = exact_point(example.values)
    if point is None or example.ratios:
        return _with_derivation(finding, example)
    tried, forms = False, list(_forms(claim, step, point.keys()))
    for form in forms:
        for fact in _readings(form.claim, form.step, known if form.claim is claim else ()):
            lines = worked(form.claim, fact, point)
            tried = tried or bool(lines)
            if lines and _agree(lines[-1], example.lhs_exact, example.rhs_exact):
                told = (*example.arithmetic, *form.forms, *lines)
                return replace(finding, counterexample=replace(example, arithmetic=told))
    if tried or not forms:
        return finding
    shown = _with_values(step.fact, example)
    if shown.arithmetic:
        return replace(finding, counterexample=shown)
    return _with_derivation(finding, example)


def _with_derivation(finding: Finding, example: Counterexample) -> Finding:
    """The steps that lead to what the point shows, where no arithmetic at the point does it alone."""
    steps = [line for line in dict.fromkeys(finding.derivation) if line not in example.arithmetic]
    if not steps or len(steps) > MOST_STEPS:
        return finding
    told = (*steps, *example.arithmetic)
    return replace(finding, counterexample=replace(example, arithmetic=told))


def _with_values(fact: Relation | Within, example: Counterexample) -> Counterexample:
    """At least what both sides are, where nobody could work them out line by line: limits, extremes."""
    sides = example.lhs_exact, example.rhs_exact
    if example.arithmetic or not isinstance(fact, Relation) or isinstance(fact.right, Growth | Order):
        return example
    written = [to_text(side) for side in (fact.left, fact.right)]
    if None in sides or max(map(len, written)) > LONGEST or str(sides[0]).startswith("at "):
        return example
    names = zip(("left side", "right side"), written, sides, strict=True)
    lines = [f"{name} = {text} = {value}" for name, text, value in names if text != value]
    return replace(example, arithmetic=(*lines, f"{sides[0]} {fact.op} {sides[1]} is false"))


def _forms(claim: Claim, step: Step, names: Set[str]) -> Iterator[Instance]:
    """The claim itself; where the point speaks of symbols that it does not have, those of a law with few
    values or of a family of functions, the claim about these, and what they are."""
    if names <= claim.symbols.keys():
        yield Instance(claim, step, ())
        return
    laws = (in_law(claim, step, family) for family in LAWS) if of_any_law(claim, step) else ()
    families = EXACT_FAMILIES if uses_functions(claim, step) else ()
    for made in (*laws, *(in_family(claim, step, family) for family in families)):
        if made is not None and names <= made.claim.symbols.keys():
            yield made


def _agree(last: str, *sides: str | None) -> bool:
    """The last line compares the two values that the counterexample states."""
    return all(side is None or side in last for side in sides)


def _readings(claim: Claim, step: Step, known: Sequence[Finding]) -> Iterator[Relation | Within]:
    """The relation between closed forms, which is easier to follow, then as it was written; a side whose
    closed form fills more than a line first as it was written."""
    fact = step.fact
    closed = [(_tree(claim, finding.lhs), _tree(claim, finding.rhs)) for finding in known]
    short = [pair for pair in ((_short(left), _short(right)) for left, right in closed) if pair not in closed]
    for left, right in (*short, *closed):
        match fact:
            case Relation(op, first, second) if left is not None or right is not None:
                sides = left or first, second if isinstance(second, Growth) else right or second
                if (sides[0].shape, sides[1].shape) == (first.shape, second.shape):
                    yield Relation(op, *sides)
            case Within(arg, low, high) if left is not None and left.shape == arg.shape:
                yield Within(left, low, high)
    yield fact


def _short(side: Node | None) -> Node | None:
    return None if side is None or len(to_text(side)) > LONGEST else side


def _tree(claim: Claim, side: Node | str | None) -> Node | None:
    if not isinstance(side, str):
        return side
    try:
        return elaborate(parse(side), claim.scope)
    except (ExprError, ShapeError):
        return None


def _curves(claim: Claim, step: Step, known: Sequence[Finding]) -> Iterator[Curve]:
    """Both sides along what they depend on, from the first reading that can be evaluated."""
    at = next((f.counterexample.values for f in known if f.counterexample is not None), {})
    point = exact_point({name: value for name, value in at.items() if name in claim.symbols}) or {}
    better = next((text for text in map(_better, known) if text is not None), None)
    for fact in _readings(claim, step, known):
        found = list(trace(claim, fact, _scalars(point), better))
        if found:
            yield from found
            return


def _better(finding: Finding) -> str | None:
    return finding.corrected or (finding.tightness.better if finding.tightness else None)


def _scalars(point: Mapping[str, object]) -> dict[str, Fraction]:
    return {name: value for name, value in point.items() if isinstance(value, Fraction)}


# --- what an assumption costs ----------------------------------------------------------------------


def cost(
    claim: Claim, step: Step, assumption: Assumption, seed: int, seconds: float = COST_SECONDS
) -> tuple[Curve, ...]:
    """The left side with the value that it really has, over that with the assumed one, as a size grows.

    Estimates, in little time: a picture, and no evidence."""
    sizes = [name for name, symbol in claim.symbols.items() if isinstance(symbol.kind, Dimension)]
    free = [name for name in sizes if name not in claim.where]
    if assumption.assumed_value is None or not free:
        return ()
    try:
        # Loaded in the worker alone, like the engines.
        from verifier.sample.interface import cost_along

        with at_most(1.5 * seconds):
            found = cost_along(claim, step, assumption.name, free[0], COST_SIZES, Budget(seconds, seed))
    except (Overran, Exception):
        return ()
    if len(found) < 3:
        return ()
    ratios = tuple(
        released.estimate / kept.estimate if kept.estimate else None for kept, released in found.values()
    )
    first, _ = next(iter(found.values()))
    held = ", ".join(f"{name} = {value}" for name, value in first.at.items() if name != free[0])
    return (Curve("cost", free[0], tuple(map(float, found)), {COST_LINE: ratios}, held=held),)
