"""Pictures that agree with the verdict: the point that breaks a claim, the ends of a range, and whether a
picture of a failure shows one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.evidence import Counterexample, Curve
from verifier.expr.elaborate import elaborate_fact
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Growth, Relation, Within
from verifier.expr.scope import Scope
from verifier.expr.syntax import parse
from verifier.judge.verdict import StepVerdict
from verifier.report.decimals import ends_in_decimals
from verifier.report.facts import show
from verifier.report.plots import Mark, Plot
from verifier.report.wording import held_by_an_axis, name_of

EQUAL = 1e-3  # ratios closer to 1 than this are drawn upon each other
NEAR = 0.02  # of a range's width


def ratio_at(step: StepVerdict) -> float | None:
    """Left side over right side at the counterexample."""
    found = step.counterexample
    if step.verdict != "fails" or found is None or found.lhs is None or not found.rhs:
        return None
    return held_by_an_axis(found.lhs / found.rhs)


def with_point(plot: Plot, curve: Curve, step: StepVerdict) -> Plot:
    """The plot with the counterexample in it, if it lies on what is drawn."""
    found = step.counterexample
    x = None if found is None else _number(found.values.get(curve.along))
    y = _height(curve, step)
    if found is None or x is None or y is None or not _lies_there(curve, found):
        return plot
    mark = Mark(f"counterexample: {name_of(curve.along)} = {x:.4g}", x, y)
    words = (
        f" The cross is the counterexample, at {name_of(curve.along)} = {show(found.values[curve.along])}."
    )
    return replace(plot, title=f"{plot.title}{words}", marks=(mark, *plot.marks))


def _height(curve: Curve, step: StepVerdict) -> float | None:
    if curve.about == "ratio":
        return ratio_at(step)
    found = step.counterexample
    known = found is not None and found.lhs is not None and step.verdict == "fails"
    return held_by_an_axis(found.lhs) if known and found is not None and curve.about == "function" else None


def _lies_there(curve: Curve, found: Counterexample) -> bool:
    """Whether the symbols that are held have the values of the counterexample."""
    parts = [part.partition(" = ") for part in curve.held.split(", ")] if curve.held else []
    return all(_number(found.values.get(name)) == _number(value) for name, _, value in parts)


def _number(value: object) -> float | None:
    try:
        return float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def agrees(plot: Plot, step: StepVerdict) -> bool:
    """Whether a picture of a failure shows one: the point, a ratio on the wrong side, or a true range."""
    if step.verdict != "fails" or plot.marks or plot.bands or plot.y_label != "ratio":
        return True
    return shows_failure(step, [y for line in plot.lines[:1] for y in line.y if y is not None])


def shows_failure(step: StepVerdict, ratios: Sequence[float]) -> bool:
    """Whether a ratio of left to right side is on the wrong side of 1; true of what did not fail."""
    if step.verdict != "fails" or not isinstance(step.fact, Relation) or isinstance(step.fact.right, Growth):
        return True
    match step.fact.op:
        case "<=" | "<":
            return any(ratio > 1 for ratio in ratios)
        case ">=" | ">":
            return any(ratio < 1 for ratio in ratios)
    return any(abs(ratio - 1) > EQUAL for ratio in ratios)


def with_true_range(curve: Curve, step: StepVerdict) -> Curve:
    """The curve with the range that is true, where a correction without symbols came after it."""
    text = step.corrected or step.tight
    if text is None or "true" in curve.bands or not isinstance(step.fact, Within):
        return curve
    try:
        fact = elaborate_fact(parse(f"0 in {text}"), Scope())
    except (ExprError, ShapeError):
        return curve
    ends = ends_in_decimals(fact) if isinstance(fact, Within) else None
    return curve if ends is None else replace(curve, bands={**curve.bands, "true": ends})


def ends_of(curve: Curve) -> Iterator[Mark]:
    """Where the true range's ends are reached, if that is within the picture."""
    low, high = curve.bands.get("true", (None, None))
    values = [
        (y, x) for y, x in zip(next(iter(curve.lines.values()), ()), curve.at, strict=True) if y is not None
    ]
    if low is None or high is None or not values:
        return
    for words, end, (y, x) in (("least", low, min(values)), ("largest", high, max(values))):
        if abs(y - end) <= NEAR * (high - low):
            yield Mark(f"{words} near {name_of(curve.along)} = {x:.3g}", x, end)
