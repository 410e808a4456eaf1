"""Plots of the curves that engines kept: functions, ratios, growth, costs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import log

from verifier.evidence import Curve
from verifier.expr.nodes import Growth, Relation
from verifier.expr.unicode import to_unicode
from verifier.judge.verdict import StepVerdict
from verifier.report.plots import Line, Plot, Values
from verifier.report.pointed import agrees, ends_of, with_point, with_true_range
from verifier.report.wording import held, held_by_an_axis, interval, is_wide, name_of

FLAT = 1e-3


def plots_of_curves(step: StepVerdict) -> Iterator[Plot]:
    """One plot per curve that tells something."""
    for curve in _telling(curve for finding in step.findings for curve in finding.curves):
        if curve.about == "function" or min(curve.at, default=0) > 0:
            plot = with_point(DRAWN[curve.about](_sound(curve), step), curve, step)
            if agrees(plot, step):
                yield plot


def plots_of_cost(curves: Iterable[Curve]) -> Iterator[Plot]:
    """What an assumption costs."""
    yield from (_cost(_sound(curve)) for curve in curves if min(curve.at, default=0) > 0)


def _telling(curves: Iterable[Curve]) -> Iterator[Curve]:
    """Without ratios that are 1 all along, and with one of those that are another constant."""
    flat = False
    for curve in curves:
        known = [y for values in curve.lines.values() for y in values if y is not None]
        if curve.about == "ratio" and known and max(known) - min(known) <= FLAT * abs(known[0]):
            if flat or abs(known[0] - 1) <= FLAT:
                continue
            flat = True
        yield curve


def _sound(curve: Curve) -> Curve:
    """The curve without values that no axis holds."""
    lines = {name: tuple(map(held_by_an_axis, values)) for name, values in curve.lines.items()}
    return replace(curve, lines=lines)


def _function(curve: Curve, step: StepVerdict) -> Plot:
    """Both sides over one symbol; for a range, the claimed one and the true one as bands."""
    curve, symbol = with_true_range(curve, step), name_of(curve.along)
    bands = {f"{name} range {interval(ends)}": ends for name, ends in curve.bands.items()}
    if bands:
        ranges = " and ".join(f"the {name}" for name in bands)
        title = f"The function over {symbol}, with {ranges}.{held(curve)}"
    else:
        title = f"Both sides over {symbol}.{held(curve)}"
    ends = tuple(ends_of(curve))
    where = "".join(f" It is {mark.name}." for mark in ends)
    return Plot(f"{title}{where}", symbol, "value", _lines(curve), bands, marks=ends)


def _ratio(curve: Curve, step: StepVerdict) -> Plot:
    """left side / right side as a size grows; 1 is where the two are equal."""
    op = step.fact.op if isinstance(step.fact, Relation) else "in"
    bound = {"<=": "the bound", "<": "the bound", ">=": "the bound", ">": "the bound"}.get(op, "equality")
    known = [y for values in curve.lines.values() for y in values if y is not None]
    left = next(iter(curve.lines.values()))
    last = next((y for y in reversed(left) if y is not None), None)
    ends = "" if last is None else f" At {name_of(curve.along)} = {curve.at[-1]:g} it is {last:.4g}."
    title = f"Left side over right side as {name_of(curve.along)} grows; 1 is {bound}.{ends}{held(curve)}"
    lines = tuple(
        Line("left side / right side" if name == "left side" else f"{name} / right side", curve.at, values)
        for name, values in curve.lines.items()
    )
    return Plot(title, name_of(curve.along), "ratio", lines, levels={f"{bound}: 1": 1.0}, log_x=True,
                log_y=is_wide(known))  # fmt: skip


def _growth(curve: Curve, step: StepVerdict) -> Plot:
    """Both sides on logarithmic axes: a power is a straight line, and its exponent the slope."""
    symbol = ", ".join(name_of(name) for name in curve.along.split(", "))
    slopes = [(name, _slope(curve.at, values)) for name, values in curve.lines.items()]
    known = [f"{name} {slope:.3g}" for name, slope in slopes if slope is not None and name != "improved"]
    words = f" Exponents between the last two sizes: {', '.join(known)}." if known else ""
    title = f"Growth of both sides in {symbol}, on logarithmic axes.{words}{held(curve)}"
    right = step.fact.right if isinstance(step.fact, Relation) else None
    rate = to_unicode(right.body) if isinstance(right, Growth) else "right side"
    improved = "corrected rate" if step.corrected is not None else "better rate"
    named = {"right side": f"claimed rate {rate}", "improved": improved}
    lines = tuple(
        Line(named.get(name, name), curve.at, _positive(values)) for name, values in curve.lines.items()
    )
    return Plot(title, symbol, "value", lines, log_x=True, log_y=True)


def _cost(curve: Curve, step: StepVerdict | None = None) -> Plot:
    """How many times larger the left side is without an assumption."""
    symbol = name_of(curve.along)
    title = f"What the assumption costs as {symbol} grows: the left side without it over that with it."
    known = [y for values in curve.lines.values() for y in values if y is not None]
    levels = {"no difference: 1": 1.0}
    return Plot(
        f"{title} These are estimates.{held(curve)}", symbol, "ratio", _lines(curve), levels=levels,
        log_x=True, log_y=is_wide(known),
    )  # fmt: skip


DRAWN: Mapping[str, Callable[[Curve, StepVerdict], Plot]] = {
    "function": _function,
    "ratio": _ratio,
    "growth": _growth,
    "cost": _cost,
}


def _lines(curve: Curve) -> tuple[Line, ...]:
    return tuple(Line(name, curve.at, values) for name, values in curve.lines.items())


def _slope(at: tuple[float, ...], values: Values) -> float | None:
    """log(y2/y1) / log(x2/x1) over the last two sizes."""
    known = [(x, y) for x, y in zip(at, values, strict=True) if y is not None and y > 0]
    if len(known) < 2:
        return None
    (a, b), (c, d) = known[-2:]
    return log(d / b) / log(c / a)


def _positive(values: Values) -> Values:
    return tuple(value if value is not None and value > 0 else None for value in values)
